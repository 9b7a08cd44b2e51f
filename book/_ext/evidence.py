"""What the book can show for its promises: data that tests and people wrote down, as tables.

    {proof} CHAPTER             what the chapter's tests compared with upstream; book/data/proof/CHAPTER.json
    {left-out} CHAPTER|GLOB ... the rows of book/data/left_out.toml about these files, with their reasons
    {breaks} CHAPTER            the one-line changes that the chapter's tests notice; book/data/breaks.toml
    {upstream-tests} CHAPTER    upstream's own tests of the same ground; book/data/upstream_tests.toml

A file or a row that is missing is a warning: a page shows nothing in place of a proof.
"""

import difflib
import fnmatch
import json
import tomllib

import booklib
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)

DATA = booklib.BOOK / "data"


ELSEWHERE = (
    "Compared are the calls into the files that the chapter retells. The last column counts upstream's calls into "
    "other files on the way: its profiler, its compiler, TorchScript, other devices. The left-out list explains each."
)


class NoEvidence(Exception):
    """The data that a directive should show is not there."""


class EvidenceDirective(SphinxDirective):
    def run(self):
        try:
            return self.render()
        except NoEvidence as missing:
            log.warning("%s: %s", self.name, missing, location=self.get_location(), type="evidence")
            return []

    def read(self, *names):
        file = DATA.joinpath(*names)
        self.env.note_dependency(str(file))
        if not file.is_file():
            raise NoEvidence(f"{file.relative_to(booklib.ROOT)} is missing")
        text = file.read_text(encoding="utf-8")
        return json.loads(text) if file.suffix == ".json" else tomllib.loads(text)


class Proof(EvidenceDirective):
    required_arguments = 1

    def render(self):
        chapter = self.arguments[0]
        try:
            proof = self.read("proof", f"{chapter}.json")
        except NoEvidence as missing:
            raise NoEvidence(f"{missing}; write it with: pytest tests/{chapter} --proof") from None
        shown = [self.summary(proof)]
        if proof.get("traces"):
            shown += [rubric("Same calls"), self.traces(proof["traces"])]
        if proof.get("source_map"):
            shown += [rubric("Same place, same name"), self.source_map(proof["source_map"])]
        if proof.get("rows"):
            shown += [rubric("Same numbers, same seed"), self.rows(proof["rows"])]
        return [nodes.container("", *shown, classes=["proof"])]

    def summary(self, proof):
        asked = f"{proof['live']} live, {proof['recorded']} recorded"
        upstream = f"PyTorch {proof['torch']}" if proof["torch"] else "results recorded earlier (no PyTorch installed)"
        text = f"Compared with {upstream} on Python {proof['python']}, {proof['date']}: {asked}."
        return nodes.paragraph("", text, classes=["proof-summary"])

    def traces(self, traces):
        head = ["scenario", "upstream's calls", "found here", "share", "left out", "ours alone", "elsewhere"]
        body = [
            [
                nodes.literal("", row["scenario"]),
                count(row["total"]),
                count(row["found"]),
                f"{row['share']:.3f}",
                left_out_calls(row["excused"]),
                count(row["extra"]),
                count(row["elsewhere"]),
            ]
            for row in traces
        ]
        return nodes.container("", nodes.paragraph("", ELSEWHERE), table(head, body))

    def source_map(self, source_map):
        head = ["upstream's file", "names", "here", "left out"]
        body = [
            [nodes.literal("", row["path"]), count(row["names"]), count(row["here"]), count(row["left_out"])]
            for row in source_map["files"]
        ]
        return table(head, body)

    def rows(self, rows):
        """One row a test function: its parametrized cases are added up, and the whole list is folded away."""
        tests = {}
        for row in rows:
            name = row["test"].partition("[")[0]
            what, live, recorded = tests.get(name, (row.get("what", ""), 0, 0))
            tests[name] = (what, live + row["live"], recorded + row["recorded"])
        head = ["what", "test", "live", "recorded"]
        body = [
            [what or sentence(name), nodes.literal("", name), count(live), count(recorded)]
            for name, (what, live, recorded) in tests.items()
        ]
        return folded(f"{len(body)} tests, each asking upstream at least once", table(head, body))


class LeftOut(EvidenceDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def render(self):
        wanted = self.arguments[0].split()
        files = [file for word in wanted for file in (booklib.covered_by(word) or [word])]
        rows = [row for row in self.read("left_out.toml")["left_out"] if matches(row["path"], files)]
        if not rows:
            raise NoEvidence(f"no row of left_out.toml is about {' or '.join(wanted)}")
        body = [
            [nodes.literal("", row["path"]), nodes.literal("", row["name"]), row["reason"], row.get("until", "never")]
            for row in sorted(rows, key=lambda row: (row["path"], row["name"]))
        ]
        later = sum("until" in row for row in rows)
        text = f"{len(rows)} {'row' if len(rows) == 1 else 'rows'}, {later} of them for a chapter to come."
        return [nodes.paragraph("", text), table(["file", "name", "why", "until"], body)]


def matches(path, files):
    """A row's path may be a glob, and so may be what a page asks for."""
    return any(fnmatch.fnmatchcase(path, file) or fnmatch.fnmatchcase(file, path) for file in files)


class Breaks(EvidenceDirective):
    required_arguments = 1

    def render(self):
        chapter = self.arguments[0]
        rows = [row for row in self.read("breaks.toml")["break"] if f"tests/{chapter}/" in "".join(row["tests"])]
        if not rows:
            raise NoEvidence(f"no break of breaks.toml names a test of {chapter!r}")
        return [node for row in rows for node in self.one(row)]

    def one(self, row):
        name = nodes.paragraph("", "", nodes.strong("", "", nodes.literal("", row["name"])), nodes.Text(" in "))
        name += nodes.literal("", row["file"])
        change = "\n".join(changed(row["old"], row["new"]))
        shown = [name, nodes.literal_block(change, change, language="diff"), nodes.paragraph("", row["shows"])]
        if "claim" in row:
            refuted = nodes.inline("", "Refutes: ", classes=["break-label"])
            shown.append(nodes.paragraph("", "", refuted, nodes.Text(row["claim"])))
        shown.append(nodes.paragraph("", "", nodes.inline("", "Turns red:", classes=["break-label"])))
        red = nodes.bullet_list(classes=["break-tests"])
        for test in row["tests"]:
            red += nodes.list_item("", nodes.paragraph("", "", nodes.literal("", test)))
        return [nodes.container("", *shown, red, classes=["named-break"])]


def changed(old, new):
    """The lines of a change, marked - and +; what stays is there for the place."""
    return [line.rstrip("\n") for line in difflib.ndiff(old.splitlines(), new.splitlines()) if line[0] != "?"]


class UpstreamTests(EvidenceDirective):
    required_arguments = 1

    def render(self):
        chapter = self.arguments[0]
        rows = self.read("upstream_tests.toml").get(chapter, [])
        if not rows:
            raise NoEvidence(f"upstream_tests.toml says nothing of {chapter!r}")
        listing = nodes.bullet_list()
        for row in rows:
            paragraph = nodes.paragraph()
            url = booklib.upstream_url(row["path"], row.get("project", "pytorch"))
            paragraph += nodes.reference("", "", nodes.literal("", row["path"]), refuri=url, internal=False)
            paragraph += nodes.Text(f": {row['what']}")
            listing += nodes.list_item("", paragraph)
        return [listing]


# Tables.


def rubric(text):
    return nodes.rubric("", text)


def count(number):
    return str(number if isinstance(number, int) else len(number))


def left_out_calls(names):
    """How many calls of a scenario are left out, and which; a proof of an earlier day has the number alone."""
    if not names or isinstance(names, int):
        return count(names)
    cell = nodes.inline("", f"{len(names)}: ")
    for number, name in enumerate(dict.fromkeys(names)):
        cell += nodes.Text(", " if number else "")
        cell += nodes.literal("", name)
    return cell


def sentence(nodeid):
    return nodeid.rpartition("::test_")[2].replace("_", " ")


def folded(summary, content):
    opening = nodes.raw("", f"<details><summary>{summary}</summary>", format="html")
    return nodes.container("", opening, content, nodes.raw("", "</details>", format="html"))


def table(head, body):
    result = nodes.table(classes=["evidence"])
    group = nodes.tgroup(cols=len(head))
    result += group
    for _ in head:
        group += nodes.colspec(colwidth=1)
    group += nodes.thead("", table_row(head))
    group += nodes.tbody("", *map(table_row, body))
    # A wide table scrolls by itself, so that the page need not.
    return nodes.container("", result, classes=["table-scroll"])


def table_row(cells):
    row = nodes.row()
    for cell in cells:
        entry = nodes.entry()
        numeric = isinstance(cell, str) and cell.replace(".", "", 1).isdigit()
        content = nodes.Text(cell) if isinstance(cell, str) else cell
        entry += nodes.paragraph("", "", content, classes=["number"] if numeric else [])
        row += entry
    return row


def setup(app):
    app.add_directive("proof", Proof)
    app.add_directive("left-out", LeftOut)
    app.add_directive("breaks", Breaks)
    app.add_directive("upstream-tests", UpstreamTests)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

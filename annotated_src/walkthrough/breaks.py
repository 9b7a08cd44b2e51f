"""Named mutations: change one line, see what turns red.

A claim about a line is worth as much as the test that fails when the line is wrong. `book/data/breaks.toml` keeps
such changes as data:

    [[break]]
    name  = "drop-the-short-batch"
    file  = "annotated_src/torch/utils/data/sampler.py"
    old   = "if batch and not self.drop_last:"       # must occur exactly once in the file
    new   = "if False:"
    tests = ["tests/sampler_flow/test_sampler.py::test_batch_sampler"]
    shows = "The last, short batch is yielded by one line of its own."
    claim = "Seven samples in threes make three batches."   # optional: the sentence of the book that this refutes

`run(name)` copies the sources and tests to a scratch folder, applies the change there and runs the named tests. Every
named test (a file, a function, a class, or one parameter of a function) must be green before and red after; anything
else is a mutation that proves nothing. The working copy is never touched.
"""

import difflib
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

from annotated_src.walkthrough.scenario import CHECKOUT

DATA = pathlib.Path("book/data/breaks.toml")
COPIED = ("annotated_src", "tests", "pyproject.toml", "conf.py", "book/scenarios", "book/data")

# Runs the tests, but only if the package is the scratch copy and not an installed one; says what became of each test.
_RUNNER = """
import json, os, sys
import annotated_src, pytest

class Outcomes:
    def __init__(self):
        self.found = {}

    def pytest_collectreport(self, report):
        if report.failed:
            self.found[report.nodeid] = "error"

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.skipped:
            self.found[report.nodeid] = report.outcome
        elif report.failed:
            self.found[report.nodeid] = "error"

here = os.path.realpath(os.getcwd())
found = os.path.realpath(os.path.dirname(annotated_src.__path__[0]))
if found != here:
    sys.exit(f"annotated_src was imported from {found}, not from the scratch copy {here}")
outcomes = Outcomes()
status = pytest.main(sys.argv[2:], plugins=[outcomes])
with open(sys.argv[1], "w") as file:
    json.dump(outcomes.found, file)
sys.exit(status)
"""


class BreakError(Exception):
    """A mutation that cannot be applied, or that does not show what it says."""


class Break:
    """One named mutation."""

    __slots__ = ("name", "file", "old", "new", "tests", "shows", "claim")

    def __init__(self, name, file, old, new, tests, shows, claim=None):
        self.name = name
        self.file = file
        self.old = old
        self.new = new
        self.tests = tests
        self.shows = shows
        self.claim = claim

    def apply(self, text):
        """The file's text with the change made."""
        count = text.count(self.old)
        if count != 1:
            raise BreakError(
                f"break {self.name}: the old fragment occurs {count} times in {self.file}, not once. "
                "The source has changed: quote the fragment anew in book/data/breaks.toml."
            )
        if self.new == self.old:
            raise BreakError(f"break {self.name} changes nothing: old and new are the same")
        return text.replace(self.old, self.new)

    def diff(self, checkout=CHECKOUT):
        """The change as a unified diff with one line around it."""
        before = (pathlib.Path(checkout) / self.file).read_text(encoding="utf-8")
        after = self.apply(before)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), self.file, self.file, lineterm="", n=1)
        # The numbers of the lines say nothing to a reader.
        return "\n".join(line for line in lines if not line.startswith(("+++", "@@")))


class Outcome:
    """What a mutation did to its tests: `red` and `green` test ids, and `unproven`, named tests that stayed green."""

    def __init__(self, mutation, diff, red, green, unproven):
        self.mutation = mutation
        self.diff = diff
        self.red = red
        self.green = green
        self.unproven = unproven

    @property
    def ok(self):
        return not self.unproven

    @property
    def count(self):
        return f"{len(self.red)} red, {len(self.green)} green"

    def text(self, verbose=False):
        """What is printed: the change, the tests that turned red, how many; and, `verbose`, those that stayed green."""
        lines = [f"{self.mutation.name}: {self.mutation.shows}"]
        if self.mutation.claim:
            lines.append(f"Refutes: {self.mutation.claim}")
        lines += ["", self.diff, ""]
        lines += [f"red    {test}" for test in self.red]
        if verbose:
            lines += [f"green  {test}" for test in self.green]
        lines += [f"NOT RED, but it should be: {test}" for test in self.unproven]
        lines += ["", self.count]
        return "\n".join(lines)

    def __str__(self):
        return self.text()

    __repr__ = __str__

    def _repr_html_(self):
        rows = [f'<li class="red"><code>{html.escape(test)}</code></li>' for test in self.red]
        return (
            f'<div class="break"><p>{html.escape(self.mutation.shows)}</p>'
            f'<div class="highlight"><pre tabindex="0">{_diff_html(self.diff)}</pre></div>'
            f"<p>Turns red ({self.count}):</p><ul>{''.join(rows)}</ul></div>"
        )


def load(checkout=CHECKOUT):
    """All mutations by name, in the order of the file."""
    path = pathlib.Path(checkout) / DATA
    if not path.is_file():
        raise BreakError(f"no {DATA}: named mutations belong to a checkout of the project")
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("break", [])
    mutations = {}
    for row in rows:
        mutation = _read(row)
        if mutation.name in mutations:
            raise BreakError(f"two breaks are named {mutation.name!r}")
        mutations[mutation.name] = mutation
    return mutations


def get(name, checkout=CHECKOUT):
    """One mutation by its name."""
    mutations = load(checkout)
    if name not in mutations:
        close = difflib.get_close_matches(name, mutations, n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise BreakError(f"no break {name!r}.{hint} List them with: python -m annotated_src.walkthrough break --list")
    return mutations[name]


def run(name, checkout=CHECKOUT):
    """Apply one mutation to a scratch copy, run its tests, and return the Outcome."""
    return run_all([get(name, checkout)], checkout)[0]


def run_all(mutations, checkout=CHECKOUT):
    """Apply mutations one after the other to one scratch copy; returns an Outcome each."""
    for mutation in mutations:
        mutation.diff(checkout)
    with tempfile.TemporaryDirectory(prefix="break-") as folder:
        scratch = pathlib.Path(os.path.realpath(folder))
        _copy(pathlib.Path(checkout), scratch)
        tests = list(dict.fromkeys(test for mutation in mutations for test in mutation.tests))
        before = _run_tests(scratch, tests)
        return [_run_one(mutation, scratch, before) for mutation in mutations]


def _run_one(mutation, scratch, before):
    for test in mutation.tests:
        _demand_green(mutation, test, before)
    path = scratch / mutation.file
    original = path.read_text(encoding="utf-8")
    diff = mutation.diff(scratch)
    path.write_text(mutation.apply(original), encoding="utf-8")
    try:
        after = _run_tests(scratch, mutation.tests)
    finally:
        path.write_text(original, encoding="utf-8")
    red = [test for test, outcome in after.items() if outcome == "failed"]
    green = [test for test, outcome in after.items() if outcome == "passed"]
    errors = [test for test, outcome in after.items() if outcome == "error"]
    if errors:
        raise BreakError(
            f"break {mutation.name}: {', '.join(errors)} did not fail but could not run at all. "
            "A mutation must leave code that imports."
        )
    unproven = [test for test in mutation.tests if not any(_is_part_of(one, test) for one in red)]
    return Outcome(mutation, diff, red, green, unproven)


def _demand_green(mutation, test, before):
    outcomes = [outcome for one, outcome in before.items() if _is_part_of(one, test)]
    if "passed" not in outcomes:
        state = ", ".join(sorted(set(outcomes))) or "not there"
        raise BreakError(f"break {mutation.name}: {test} does not pass before the change, it is {state}")
    if "failed" in outcomes or "error" in outcomes:
        raise BreakError(f"break {mutation.name}: {test} is red before the change")


def _is_part_of(test, named):
    """Whether a test id is the named one or one of the tests in it."""
    return test == named or test.startswith((named + "::", named + "["))


def _copy(checkout, scratch):
    for name in COPIED:
        source = checkout / name
        if source.is_dir():
            # Byte code could outlive a change made within the same second.
            shutil.copytree(source, scratch / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, scratch / name)


def _run_tests(scratch, tests):
    """{test id: "passed", "failed", "skipped" or "error"}."""
    environment = {**os.environ, "PYTHONPATH": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    report = scratch / "outcomes.json"
    options = ["-q", "--tb=no", "-p", "no:cacheprovider"]
    command = [sys.executable, "-c", _RUNNER, str(report), *options, *tests]
    done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True)
    outcomes = json.loads(report.read_text(encoding="utf-8")) if report.is_file() else {}
    report.unlink(missing_ok=True)
    if not outcomes:
        raise BreakError(f"the tests could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return outcomes


def _read(row):
    fields = {"name": str, "file": str, "old": str, "new": str, "tests": list, "shows": str}
    for field, kind in fields.items():
        if not isinstance(row.get(field), kind):
            named = row.get("name", "?")
            raise BreakError(f"break {named!r}: {field} must be a {kind.__name__}, got {row.get(field)!r}")
    if not isinstance(row.get("claim", ""), str):
        raise BreakError(f"break {row['name']!r}: claim must be a str, got {row['claim']!r}")
    unknown = set(row) - set(fields) - {"claim"}
    if unknown:
        raise BreakError(f"break {row['name']!r}: unknown fields {', '.join(sorted(unknown))}")
    if not row["tests"]:
        raise BreakError(f"break {row['name']!r} names no test that must turn red")
    return Break(**row)


def _diff_html(diff):
    classes = {"-": "gd", "+": "gi"}
    lines = []
    for line in diff.splitlines():
        css = classes.get(line[:1], "")
        lines.append(f'<span class="{css}">{html.escape(line)}</span>' if css else html.escape(line))
    return "\n".join(lines)

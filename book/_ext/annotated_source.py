"""Source in the book: whole files with notes beside the code, single objects, and references to both.

    {annotated-source} PATH             the page source/PATH: the whole file, cut where notes quote it
    {annotated-source} PATH::QUALNAME   one object of it, anywhere
    {source} PATH::QUALNAME             one object without notes
    {src}`PATH::QUALNAME`               a reference from a chapter; the page of PATH lists who refers to it
    {source-index}                      all annotated pages, by folder

A note begins with a line `@ WHERE` and reaches to the next one. WHERE is the qualified name of a definition, or a
fragment of one line, or `QUALNAME :: fragment` where the fragment is searched within the definition only. Code is
never cited by line number; a note whose WHERE fits no place or several is a warning, so that -W stops the build.
"""

import ast
import html

import booklib
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole, SphinxDirective

from annotated_src.walkthrough.listing import highlighted

log = logging.getLogger(__name__)


class StaleNote(Exception):
    """A note, or a name, that the source does not bear out."""


# What a page may quote.


class Excerpt:
    """A file of annotated_src, or one object of it, as highlighted lines."""

    def __init__(self, target):
        self.path, _, self.qualname = target.partition("::")
        if not booklib.source_file(self.path).is_file():
            raise StaleNote(f"annotated_src has no file {self.path!r}")
        self.text = booklib.source_file(self.path).read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.definitions = booklib.definitions(self.path)
        self.first, self.last = self.extent(self.qualname) if self.qualname else (1, len(self.lines))
        self.markup = highlighted(self.text)

    def extent(self, qualname):
        places = self.definitions.get(qualname, [])
        if len(places) != 1:
            raise StaleNote(f"{self.path} defines {qualname!r} {len(places)} times, not once")
        return places[0]

    def place(self, where):
        """The line where a note belongs."""
        if where in self.definitions:
            return self.extent(where)[0]
        scope, separator, fragment = where.partition(" :: ")
        if not separator:
            return self.search(where, [(self.first, self.last)], where)
        if scope not in self.definitions:
            raise StaleNote(f"{self.path} defines no {scope!r}")
        return self.search(fragment.strip(), self.definitions[scope], where)

    def search(self, fragment, extents, where):
        hits = [n for first, last in extents for n in range(first, last + 1) if fragment in self.lines[n - 1]]
        if len(hits) != 1:
            raise StaleNote(f"{where!r} is found {len(hits)} times in {self.path}, not once")
        return hits[0]

    def code(self, first, last, anchors=False):
        """Lines `first` to `last` as HTML, with their true numbers and, on a file's own page, an id a definition."""
        names = self.names_by_line() if anchors else {}
        width = len(str(self.last))
        rows = []
        for number in range(first, last + 1):
            ids = "".join(f'<a class="anchor" id="{html.escape(name)}"></a>' for name in names.get(number, []))
            numbered = f'<span class="linenos">{number:>{width}}  </span>'
            rows.append(f'<span class="line">{ids}{numbered}{self.markup[number - 1]}</span>\n')
        listing = f'<div class="highlight"><pre>{"".join(rows)}</pre></div>'
        return f'<div class="highlight-python notranslate">{listing}</div>'

    def names_by_line(self):
        by_line = {}
        for name, places in self.definitions.items():
            by_line.setdefault(places[0][0], []).append(name)
        return by_line

    def docstring(self):
        """The extent of the object's docstring, or None."""
        for node in ast.walk(ast.parse(self.text)):
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.end_lineno == self.last and self.first <= node.lineno and ast.get_docstring(node) is not None:
                return node.body[0].lineno, node.body[0].end_lineno
        return None


def raw(markup):
    return nodes.raw("", markup, format="html")


class SourceDirective(SphinxDirective):
    """What the directives below share: a stale note or name becomes a warning at the directive's own line."""

    def run(self):
        try:
            return self.render()
        except StaleNote as stale:
            log.warning("%s: %s", self.name, stale, location=self.get_location(), type="annotated_source")
            return []

    def excerpt(self):
        excerpt = Excerpt(self.arguments[0])
        self.env.note_dependency(str(booklib.source_file(excerpt.path)))
        return excerpt


class AnnotatedSource(SourceDirective):
    has_content = True
    required_arguments = 1

    def render(self):
        excerpt = self.excerpt()
        is_page = not excerpt.qualname
        if is_page and self.env.docname != booklib.page_name(excerpt.path):
            raise StaleNote(f"the page of {excerpt.path} is {booklib.page_name(excerpt.path)}.md")
        notes = self.notes(excerpt)
        listing = nodes.container(classes=["annotated"])
        ends = [first - 1 for first, _, _ in notes[1:]] + [excerpt.last]
        for (first, body, offset), last in zip(notes, ends, strict=True):
            if last < first and not any(body):
                continue
            row = nodes.container(classes=["annotated-row"])
            row += self.note(body, offset)
            # Blank lines between two pieces belong to neither.
            while last >= first and not excerpt.lines[last - 1].strip():
                last -= 1
            row += raw(excerpt.code(first, last, anchors=is_page)) if last >= first else raw("<div></div>")
            listing += row
        if not is_page:
            return [caption(excerpt), listing]
        pages(self.env)[excerpt.path] = self.env.docname
        return [PageHead(path=excerpt.path), listing]

    def notes(self, excerpt):
        """[(first line of code, text, offset in the directive)], ordered as the code is; the first needs no place."""
        notes = [(excerpt.first, [], 0)]
        for offset, line in enumerate(self.content):
            if not line.startswith("@ "):
                notes[-1][1].append(line)
                continue
            place = excerpt.place(line[2:].strip())
            if place < notes[-1][0]:
                raise StaleNote(f"{line!r} stands above the code of the note before it")
            notes.append((place, [], offset + 1))
        return notes

    def note(self, body, offset):
        note = nodes.container(classes=["annotated-note"])
        if any(line.strip() for line in body):
            text = StringList(body, source=self.env.docname)
            self.state.nested_parse(text, self.content_offset + offset, note)
        else:
            note["classes"].append("empty")
        return note


class Source(SourceDirective):
    required_arguments = 1
    option_spec = {"no-docstring": directives.flag}

    def render(self):
        excerpt = self.excerpt()
        extents = [(excerpt.first, excerpt.last)]
        docstring = excerpt.docstring() if "no-docstring" in self.options else None
        if docstring is not None:
            extents = [(excerpt.first, docstring[0] - 1), (docstring[1] + 1, excerpt.last)]
        listing = nodes.container(classes=["source"])
        listing += caption(excerpt)
        for first, last in extents:
            listing += raw(excerpt.code(first, last))
        return [listing]


def caption(excerpt):
    paragraph = nodes.paragraph(classes=["source-caption"])
    paragraph += Reference(path=excerpt.path, qualname=excerpt.qualname, title="", refdoc="")
    paragraph += nodes.Text(" in ")
    paragraph += nodes.literal("", excerpt.path)
    return paragraph


# References, and what refers to a page.


class Reference(nodes.General, nodes.Element):
    """A reference to a place on an annotated page, resolved once all pages are read."""


class PageHead(nodes.General, nodes.Element):
    """Upstream's file, the chapters and the tests of an annotated page, written once all pages are read."""


class SourceRole(ReferenceRole):
    def run(self):
        path, _, qualname = self.target.partition("::")
        title = self.title if self.has_explicit_title else ""
        references(self.env).setdefault(path, {}).setdefault(self.env.docname, set()).add(qualname)
        reference = Reference(path=path, qualname=qualname, title=title, refdoc=self.env.docname)
        reference.source, reference.line = self.get_source_info()
        return [reference], []


def pages(env):
    """{path: docname}"""
    return env.__dict__.setdefault("annotated_pages", {})


def references(env):
    """{path: {docname of a chapter: {qualified names}}}"""
    return env.__dict__.setdefault("annotated_references", {})


def forget(app, env, docname):
    for path in [path for path, page in pages(env).items() if page == docname]:
        del pages(env)[path]
    for users in references(env).values():
        users.pop(docname, None)


def merge(app, env, docnames, other):
    pages(env).update(pages(other))
    for path, users in references(other).items():
        references(env).setdefault(path, {}).update(users)


def pages_to_write(app, env):
    """A chapter that changed may refer to other pages than before: write again those that list it."""
    now = {path: sorted(users) for path, users in references(env).items() if users}
    before = getattr(env, "annotated_references_written", {})
    env.annotated_references_written = now
    changed = [path for path in {*now, *before} if now.get(path) != before.get(path)]
    return [pages(env)[path] for path in changed if path in pages(env)]


def resolve(app, doctree, docname):
    for node in list(doctree.findall(Reference)):
        node.replace_self(resolved_reference(app, docname, node))
    for node in list(doctree.findall(PageHead)):
        node.replace_self(page_head(app, docname, node["path"]))


def resolved_reference(app, docname, node):
    path, qualname = node["path"], node["qualname"]
    text = nodes.inline("", node["title"]) if node["title"] else nodes.literal("", qualname or path)
    page = pages(app.env).get(path)
    if page is None:
        # A caption names its file anyway; only a reference that an author wrote promises a page.
        if node["refdoc"]:
            log.warning("src: %r has no annotated page", path, location=node, type="annotated_source")
        return text
    if qualname and qualname not in booklib.definitions(path):
        log.warning("src: %s defines no %r", path, qualname, location=node, type="annotated_source")
        return text
    target = uri(app, docname, page) + booklib.anchor(path, qualname)
    return nodes.reference("", "", text, refuri=target, internal=True, classes=["src"])


def page_head(app, docname, path):
    head = nodes.container(classes=["page-head"])
    rows = [
        ("Upstream", upstream_links(path)),
        ("Defines", definition_links(path)),
        ("Read in", chapter_links(app, docname, path)),
        ("Tested by", test_names(app, path)),
    ]
    for label, items in rows:
        if not items:
            continue
        paragraph = nodes.paragraph()
        paragraph += nodes.inline("", label, classes=["page-head-label"])
        for index, item in enumerate(items):
            paragraph += nodes.Text(", " if index else " ")
            paragraph += item
        head += paragraph
    return head


def upstream_links(path):
    return [
        nodes.reference("", "", nodes.literal("", name), refuri=url, internal=False)
        for name, url in booklib.upstream(path)
    ]


def definition_links(path):
    """The classes and functions at the file's top level, in its order."""
    return [
        nodes.reference("", "", nodes.literal("", name), refuri=booklib.anchor(path, name), internal=True)
        for name in booklib.top_level(path)
    ]


def chapter_links(app, docname, path):
    passing = [chapter for chapter in booklib.chapters_of(path) if chapter in app.env.found_docs]
    chapters = sorted({*references(app.env).get(path, {}), *passing}, key=chapter_order(app.env))
    return [
        nodes.reference("", app.env.titles[chapter].astext(), refuri=uri(app, docname, chapter), internal=True)
        for chapter in chapters
        if not chapter.startswith("source/")
    ]


def uri(app, docname, target):
    return app.builder.get_relative_uri(docname, target)


def chapter_order(env):
    """Chapters in the order of the table of contents."""
    order = [name for names in env.toctree_includes.values() for name in names]
    return lambda name: (order.index(name) if name in order else len(order), name)


def test_names(app, path):
    return [nodes.literal("", name) for name in booklib.tests_of(path)]


# All pages.


class SourceIndexNode(nodes.General, nodes.Element):
    """The list of annotated pages, written once all pages are read."""


class SourceIndex(SphinxDirective):
    def run(self):
        return [SourceIndexNode()]


def resolve_index(app, doctree, docname):
    for node in list(doctree.findall(SourceIndexNode)):
        folders = {}
        for path in sorted(pages(app.env), key=lambda path: path.rpartition("/")):
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append((name, path))
        index = nodes.definition_list(classes=["source-index"])
        for folder, files in folders.items():
            rows = nodes.bullet_list()
            for name, path in files:
                target = uri(app, docname, pages(app.env)[path])
                paragraph = nodes.paragraph()
                paragraph += nodes.reference("", "", nodes.literal("", name), refuri=target, internal=True)
                paragraph += nodes.Text(f" {booklib.job(path)}")
                rows += nodes.list_item("", paragraph)
            term = nodes.term("", "", nodes.literal("", f"{folder}/"))
            index += nodes.definition_list_item("", term, nodes.definition("", rows))
        node.replace_self(index)


def index_pages(app, env):
    """The index names every page, so it is written whenever anything is."""
    return [docname for docname in env.found_docs if docname == "source/index"]


def setup(app):
    app.add_directive("annotated-source", AnnotatedSource)
    app.add_directive("source", Source)
    app.add_directive("source-index", SourceIndex)
    app.add_role("src", SourceRole())
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", pages_to_write)
    app.connect("env-updated", index_pages)
    app.connect("doctree-resolved", resolve)
    app.connect("doctree-resolved", resolve_index)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

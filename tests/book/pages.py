"""What can be asked of built pages without a browser.

    Site(folder).faults()   a list of sentences; empty for a sound site
"""

import html.parser
import re
import urllib.parse

# The elements that make a browser fetch something as soon as it shows the page, and where they say what.
FETCHING = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
NOT_FETCHED = {"next", "prev", "index", "search", "canonical", "author", "copyright", "help"}
IN_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Page(html.parser.HTMLParser):
    """One page: its ids, its links, what it fetches, its headings and pictures."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.fetched, self.h1, self.nameless, self.players = [], [], [], 0, [], []
        self._svg, self._in_style, self._in_player = [], False, 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            target = attributes.get("href", attributes.get("xlink:href"))
            if target is not None:
                self.links.append(target)
        if tag == "h1":
            self.h1 += 1
        if tag in FETCHING and attributes.get(FETCHING[tag]):
            if not (tag == "link" and set(attributes.get("rel", "").split()) & NOT_FETCHED):
                self.fetched.append(attributes[FETCHING[tag]])
        if tag == "img" and not attributes.get("alt", "").strip():
            self.nameless.append(f"<img src={attributes.get('src')!r}>")
        if tag == "svg":
            self._svg.append(bool(attributes.get("aria-label")) or attributes.get("aria-hidden") == "true")
        if tag == "title" and self._svg:
            self._svg[-1] = True
        if tag == "style":
            self._in_style = True
        if "trace-player" in attributes.get("class", "").split():
            self.players.append({"id": attributes["id"], "rows": 0, "table": False})
        if self.players and tag == "details" and "tp-table" in attributes.get("class", "").split():
            self.players[-1]["table"] = "open" in attributes
        if self.players and tag == "tr":
            self.players[-1]["rows"] += 1
        self.fetched += in_css(attributes.get("style", ""))

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag == "svg" and self._svg and not self._svg.pop():
            self.nameless.append("<svg> without a title")
        if tag == "style":
            self._in_style = False

    def handle_data(self, data):
        if self._in_style:
            self.fetched += in_css(data)


def in_css(text):
    return [first or second for first, second in IN_CSS.findall(text)]


class Site:
    def __init__(self, folder):
        self.folder = folder
        files = sorted(file for file in folder.rglob("*.html") if "_static" not in file.relative_to(folder).parts)
        self.pages = {file: Page(file.read_text(encoding="utf-8")) for file in files}

    def faults(self):
        found = [] if self.pages else ["no pages"]
        for file, page in self.pages.items():
            name = file.relative_to(self.folder)
            found += [f"{name}: {fault}" for fault in self.faults_of(file, page)]
        for file in self.folder.rglob("*.css"):
            hosts = [url for url in in_css(file.read_text(encoding="utf-8")) if is_external(url)]
            found += [f"{file.relative_to(self.folder)}: fetches {url}" for url in hosts]
        return found

    def faults_of(self, file, page):
        if page.h1 != 1:
            yield f"{page.h1} h1 elements"
        for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
            yield f"id {name!r} occurs more than once"
        for url in page.fetched:
            if is_external(url):
                yield f"fetches {url}"
            elif not url.startswith("data:") and not self.target(file, url)[0].exists():
                yield f"fetches {url}, which is not there"
        for picture in page.nameless:
            yield f"{picture} has no text in its place"
        for player in page.players:
            if not player["table"] or player["rows"] < 2:
                yield f"player {player['id']} has no table for a reader without scripts"
        for url in page.links:
            yield from self.faults_of_link(file, page, url)

    def faults_of_link(self, file, page, url):
        if is_external(url) or url.startswith(("mailto:", "javascript:")):
            return
        if url.startswith("#step="):
            if not page.players:
                yield f"link to {url}, but there is no player"
            return
        target, fragment = self.target(file, url)
        if not target.exists():
            yield f"link to {url}, which is not there"
        elif fragment and target in self.pages and fragment not in self.pages[target].ids:
            yield f"link to {url}, but the page has no such id"

    def target(self, file, url):
        parts = urllib.parse.urlsplit(url)
        path = urllib.parse.unquote(parts.path)
        return ((file.parent / path).resolve() if path else file), urllib.parse.unquote(parts.fragment)


def is_external(url):
    return url.startswith("//") or urllib.parse.urlsplit(url).scheme in ("http", "https", "ftp")

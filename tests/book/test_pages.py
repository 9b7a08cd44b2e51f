"""The built pages are sound: their links and ids resolve, they fetch nothing, and they work without scripts."""

import gzip

import pytest

from tests.book.pages import Site

SOUND = '<html><body><h1 id="a">A</h1><a href="#a">a</a><img src="x.png" alt="x"></body></html>'

PLAYER = '<div class="trace-player" id="p"><details class="tp-table"{}><table><tr></tr>{}</table></details></div>'

FAULTS = [
    ('<a href="#b">b</a>', "no such id"),
    ('<a href="other.html">b</a>', "which is not there"),
    ('<svg role="img"><title>t</title><a xlink:href="other.html"></a></svg>', "which is not there"),
    ('<a href="#step=f:1">b</a>', "there is no player"),
    ("<h1>B</h1>", "2 h1 elements"),
    ('<p id="a"></p>', "more than once"),
    ('<img src="x.png">', "no text in its place"),
    ('<svg role="img"></svg>', "no text in its place"),
    ('<script src="https://cdn.example/x.js"></script>', "fetches https://cdn.example/x.js"),
    ('<link rel="stylesheet" href="//cdn.example/x.css">', "fetches //cdn.example/x.css"),
    ("<style>@font-face { src: url('https://cdn.example/f.woff') }</style>", "fetches https://cdn.example/f.woff"),
    ('<p style="background: url(https://cdn.example/p.png)"></p>', "fetches https://cdn.example/p.png"),
    ('<script src="x.js"></script>', "which is not there"),
    (PLAYER.format(" open", ""), "no table"),
    (PLAYER.format("", "<tr></tr>"), "no table"),
]


def make_site(folder, extra=""):
    (folder / "index.html").write_text(SOUND.replace("</body>", extra + "</body>"))
    (folder / "x.png").write_bytes(b"")
    return Site(folder)


def test_sound_page_has_no_faults(tmp_path):
    assert make_site(tmp_path, PLAYER.format(" open", "<tr></tr>") + '<a href="#step=f:1">b</a>').faults() == []


@pytest.mark.parametrize("planted, said", FAULTS)
def test_planted_fault_is_found(tmp_path, planted, said):
    [fault] = make_site(tmp_path, planted).faults()
    assert said in fault


def test_font_of_another_host_in_a_style_sheet_is_found(tmp_path):
    site = make_site(tmp_path)
    (tmp_path / "x.css").write_text("@font-face { src: url(https://cdn.example/f.woff) }")
    assert site.faults() == ["x.css: fetches https://cdn.example/f.woff"]


def test_demo_is_sound(demo):
    assert Site(demo.html).faults() == []


def test_book_is_sound(real_book):
    assert Site(real_book).faults() == []


def test_pages_are_small(real_book):
    """A chapter with its recordings stays below 400 kB as it is sent."""
    sizes = {page.name: len(gzip.compress(page.read_bytes())) for page in real_book.glob("*.html")}
    assert sizes
    assert {name: size for name, size in sizes.items() if size > 400_000} == {}

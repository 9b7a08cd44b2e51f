"""The call graph, and the pictures that it and other drawings are."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from annotated_src.walkthrough import Drawing, Fold, drawing, record

SOURCE_A = """
    from story import b

    def main():
        for i in range(3):
            b.step(i)
        return b.last() + sum(numbers())

    def numbers():
        yield 1
        yield 2
"""
SOURCE_B = """
    def step(i):
        return op(i)

    def op(i):
        return i

    def last():
        return 1
"""


@pytest.fixture
def trace(package):
    story = package(a=SOURCE_A, b=SOURCE_B)
    return record(story.a.main, roots=[story], folds=[Fold("*", "op", "aten::op")])


needs_dot = pytest.mark.skipif(drawing.find_program() is None, reason="no dot and no graphviz-pure here")


def test_edges_are_numbered_in_the_order_of_calls(trace):
    assert repr(trace.digraph()).splitlines() == [
        "1. main -> step x3",
        "2. step -> aten::op x3",
        "3. main -> last",
        "4. main -> numbers",
    ]


def test_files_are_boxes_and_ops_stand_outside(trace):
    dot = trace.digraph().dot
    boxes = re.findall(r'subgraph "?cluster_(\S+?)"? \{(.*?)\n\t\}', dot, flags=re.DOTALL)
    assert [name for name, _ in boxes] == ["story/a.py", "story/b.py"]
    assert "main" in boxes[0][1] and "step" in boxes[1][1]
    assert not any("aten::op" in inside for _, inside in boxes) and "aten::op" in dot


def test_without_boxes_the_file_stands_below_the_name(trace):
    dot = trace.digraph(boxes=False).dot
    assert "subgraph" not in dot
    assert re.search(r'<step<br/><font point-size="\d+">story/b.py</font>>', dot)


def test_only_and_depth(trace):
    assert repr(trace.digraph(only=["story/a.py", "aten::*"])).splitlines() == [
        "1. main -> aten::op x3",
        "2. main -> numbers",
    ]
    assert repr(trace.digraph(depth=1)) == "main"


def test_recursion_is_an_edge_to_itself(package):
    story = package(m="def f(n):\n    return n and f(n - 1)\n")
    assert repr(record(story.m.f, 3, roots=[story]).digraph()) == "1. f -> f x3"


@needs_dot
def test_svg_is_one_element_with_a_title(trace):
    svg = trace.digraph(title="An epoch & more").svg
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert root.get("role") == "img"
    title = root[0]
    assert title.text == "An epoch & more" and root.get("aria-labelledby") == title.get("id")


@needs_dot
def test_links_go_where_the_book_says(trace):
    def link(path, qualname):
        return f"source/{path[:-3]}.html#{qualname}" if path == "story/b.py" else None

    root = ElementTree.fromstring(trace.digraph(link=link).svg)
    links = [element for element in root.iter() if element.tag.endswith("}a")]
    urls = [element.get("{http://www.w3.org/1999/xlink}href") for element in links]
    assert sorted(urls) == ["source/story/b.html#last", "source/story/b.html#step"]
    # A screen reader would not find links inside an image.
    assert root.get("role") == "group"


@needs_dot
def test_ids_are_unique_in_a_page_and_stable(trace):
    first, second = trace.digraph(), trace.digraph(direction="LR")
    ids = [re.findall(r'\bid="([^"]+)"', picture.svg) for picture in (first, second)]
    assert len(set(ids[0]) | set(ids[1])) == len(ids[0]) + len(ids[1])
    assert trace.digraph().svg == first.svg


@needs_dot
def test_colours_follow_the_page(trace):
    svg = trace.digraph().svg
    assert "currentColor" in svg and "var(--pst-color-text-muted" in svg
    assert "#00000" not in svg and '"white"' not in svg and '"black"' not in svg


@needs_dot
def test_names_that_mean_something_to_dot_or_to_html(package):
    story = package(m="def main():\n    return (lambda: 1)()\n")
    for boxes in (True, False):
        root = ElementTree.fromstring(record(story.m.main, roots=[story]).digraph(boxes=boxes).svg)
        texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
        assert "main.<locals>.<lambda>" in texts


@needs_dot
def test_a_graph_that_is_none(trace):
    with pytest.raises(ValueError, match="could not lay out"):
        _ = Drawing("digraph {", "broken").svg


def test_without_a_program_the_page_says_so_in_words(trace, monkeypatch):
    monkeypatch.setattr(drawing, "find_program", lambda: None)
    picture = trace.digraph(title="Who called <whom>")
    assert picture.svg is None
    html = picture._repr_html_()
    assert "Who called &lt;whom&gt;" in html and "graphviz-pure" in html
    assert "2. step -&gt; aten::op x3" in html
    assert "<svg" not in html


@needs_dot
def test_a_node_is_as_wide_as_its_name():
    """Graphviz must know the font's widths: it falls back to Times, which is narrower, where it does not."""
    name = "_SingleProcessDataLoaderIter._next_data"
    graph = f'digraph {{ node [shape=box, margin=0, fontsize=12, fontname="{drawing.FONT}"]; "{name}" }}'
    svg = Drawing(graph, "a node").svg
    corners = re.search(r'<polygon[^>]*stroke="black"[^>]*points="([\d.]+),', svg)
    # In Arial, this name is 225.5 points wide.
    assert 222 < float(corners[1]) < 230
    assert 'font-family="Arial, ' in svg


@needs_dot
def test_a_wide_picture_says_that_it_scrolls(trace):
    assert "drawing-hint" not in Drawing("digraph { a }", "a node")._repr_html_()
    wide = Drawing("digraph { " + " ".join("abcdefghijkl") + " }", "a row")
    assert '<p class="drawing-hint" style="display: none">' in wide._repr_html_()


def test_the_program_is_found_beside_python(monkeypatch, tmp_path):
    program = tmp_path / "graphviz-pure"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(drawing.sysconfig, "get_path", lambda name: str(tmp_path))
    assert drawing.find_program() == str(program)


def test_mimebundle(trace):
    bundle = trace.digraph()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/html"].startswith('<div class="drawing')

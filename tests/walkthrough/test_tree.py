"""The call tree as text and as HTML."""

import textwrap
from html.parser import HTMLParser

import pytest

from annotated_src.walkthrough import Fold, Levels, record
from annotated_src.walkthrough.words import use_words

A = """
    from story import b

    def main(n):
        for i in range(n):
            b.step(i)
        try:
            b.fail()
        except ValueError:
            pass
        return list(numbers())

    def numbers():
        yield 1
"""
B = """
    def step(i):
        return op(i)

    def op(i):
        return inside(i)

    def inside(i):
        return i

    def fail():
        raise ValueError("<no>")
"""
LEVELS = Levels(ops=[Fold("story/b.py", "op", "aten::op")])


@pytest.fixture
def story(package):
    return package(a=A, b=B)


def tree_of(story, n=2, into="ops", **options):
    return record(story.a.main, n, roots=[story], levels=LEVELS, into=into).tree(**options)


def text(source):
    return textwrap.dedent(source).strip("\n")


def test_a_line_a_call(story):
    assert str(tree_of(story)) == text("""
        main  story/a.py
          step x2  story/b.py
            aten::op
          fail raises ValueError: <no>  story/b.py
          numbers
          numbers (goes on) returns
    """)


def test_siblings_that_differ_are_not_collapsed(story):
    tree = str(tree_of(story, values=True))
    assert "x2" not in tree
    assert "step -> 0" in tree and "step -> 1" in tree and "numbers => 1" in tree
    uncollapsed = str(tree_of(story, collapse=False))
    assert uncollapsed.count("step  story/b.py") == 2


def test_siblings_that_differ_below_are_not_collapsed(package):
    story = package(m="def f(n):\n    n and f(n - 1)\n\ndef main():\n    f(0)\n    f(1)\n")
    assert str(record(story.m.main, roots=[story]).tree()) == "main  story/m.py\n  f\n  f\n    f"


def test_depth(story):
    assert str(tree_of(story, depth=1)) == "main  story/a.py"
    assert "aten::op" not in str(tree_of(story, depth=2))


def test_only(story):
    assert str(tree_of(story, only="story/b.py")) == text("""
        step x2  story/b.py
          aten::op
        fail raises ValueError: <no>  story/b.py
    """)
    assert str(tree_of(story, only=["main", "aten::*"])) == "main  story/a.py\n  aten::op x2"


def test_hidden_calls_vanish_and_what_they_call_stays(story):
    tree = tree_of(story, hide="*step")
    assert str(tree).splitlines()[:2] == ["main  story/a.py", "  aten::op x2"]
    assert tree.hidden == 2


def test_legend_explains_the_marks_that_are_there(story):
    run, generator, hidden = tree_of(story, hide="fail").legend()
    assert run.startswith("x3: ") and generator.startswith("(goes on): ") and hidden == "not shown: fail (1)"
    assert tree_of(story, depth=1).legend() == []


def test_an_op_opens_where_its_inside_was_recorded(story):
    folded = tree_of(story)._repr_html_()
    assert "<details>" not in folded and "inside" not in folded
    opened = tree_of(story, into="all")
    assert str(opened).splitlines()[2:4] == ["    aten::op", "      inside"]
    html = opened._repr_html_()
    assert html.count("<details>") == html.count("</details>") == 1
    inside = html[html.index("<details>") : html.index("</details>")]
    assert "aten::op" in inside and "inside" in inside


def test_html_is_escaped_and_well_formed(story):
    html = tree_of(story, into="all")._repr_html_()
    assert "<no>" not in html and "&lt;no&gt;" in html
    open_tags = []

    class Check(HTMLParser):
        def handle_starttag(self, tag, attributes):
            open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Check().feed(html)
    assert open_tags == []


def test_mimebundle(story):
    bundle = tree_of(story)._repr_mimebundle_()
    assert bundle["text/plain"] == str(tree_of(story)) == repr(tree_of(story))
    assert bundle["text/html"].startswith('<div class="call-tree"')


def test_lanes(package):
    source = """
        import threading

        def main():
            thread = threading.Thread(target=work, name="worker")
            thread.start()
            thread.join()

        def work():
            pass
    """
    story = package(m=source)
    assert str(record(story.m.main, roots=[story]).tree()) == text("""
        [main]
        main  story/m.py
        [worker]
        work  story/m.py
    """)


def test_words_are_translated(story):
    use_words({"goes on": "geht weiter"})
    try:
        assert "numbers (geht weiter) returns" in str(tree_of(story))
    finally:
        use_words({})
    assert "numbers (goes on)" in str(tree_of(story))

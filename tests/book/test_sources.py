"""What booklib says of a file of annotated_src."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted((ROOT / "book" / "source").rglob("*.md"))


@pytest.fixture(scope="module")
def booklib():
    specification = importlib.util.spec_from_file_location("booklib", ROOT / "book" / "booklib.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_definitions(booklib, tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text(
        '"""A: what it does. Retells torch/a.py and\naten/src/A.cpp (some of it).\n\nMore of it."""\n'
        "import b\nX = 1\nif X:\n    def f(): pass\nelse:\n    def f(): pass\n"
        "class C:\n    y: int = 2\n    @property\n    def g(self):\n        def h(): pass\n        z = 3\n"
    )
    monkeypatch.setattr(booklib, "PACKAGE", tmp_path)
    assert booklib.definitions("a.py") == {
        "X": [(6, 6)],
        "f": [(8, 8), (10, 10)],
        "C": [(11, 16)],
        "C.y": [(12, 12)],
        "C.g": [(13, 16)],
        "C.g.<locals>.h": [(15, 15)],
    }
    assert booklib.job("a.py") == "what it does"
    assert [name for name, _ in booklib.upstream("a.py")] == ["torch/a.py", "aten/src/A.cpp"]
    # The innermost definition around a lambda, a comprehension, a function of a function.
    assert booklib.anchor("a.py", "C.g.<locals>.<lambda>") == "#C.g"
    assert booklib.anchor("a.py", "C.g.<locals>.h.<locals>.<genexpr>") == "#C.g.%3Clocals%3E.h"
    assert booklib.anchor("a.py", "<module>") == ""


def test_link_leads_only_to_pages_that_are_there(booklib):
    link = booklib.link("torch/utils/data/sampler.py", "BatchSampler.__iter__")
    assert link == "source/torch/utils/data/sampler.html#BatchSampler.__iter__"
    assert booklib.link("annotated_src/torch/utils/data/sampler.py", "BatchSampler.__iter__") == link
    assert booklib.link("scenarios/by_hand.py", "main") is None


def test_tests_are_found_by_what_they_cover(booklib):
    assert "tests/sampler_flow/test_sampler.py" in booklib.tests_of("torch/utils/data/sampler.py")
    assert "torch/utils/data/sampler.py" in booklib.covered_by("sampler_flow")
    assert booklib.covered_by("no_such_chapter") == []


def test_a_page_knows_the_chapters_that_pass_through_its_file(booklib):
    # Its tests cover the one; its scenarios pass through the other.
    assert "sampler_flow" in booklib.chapters_of("torch/utils/data/sampler.py")
    assert "sampler_flow" in booklib.chapters_of("torchvision/datasets/vision.py")
    assert booklib.chapters_of("torch/no_such_file.py") == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "index"], ids=lambda page: page.stem)
def test_every_annotated_page_names_its_upstream(booklib, page):
    path = page.relative_to(ROOT / "book" / "source").with_suffix(".py").as_posix()
    named = [name for name, _ in booklib.upstream(path)]
    assert named
    # What upstream ships as Python can be looked up.
    for name in named:
        package, _, inside = name.partition("/")
        found = importlib.util.find_spec(package) if package in ("torch", "torchvision") else None
        if found is not None and name.endswith(".py"):
            assert (pathlib.Path(found.submodule_search_locations[0]) / inside).is_file(), name


def test_digest_changes_with_what_a_chapter_may_read(booklib, tmp_path, monkeypatch):
    for name in ("annotated_src/a.py", "book/scenarios/s.py", "book/data/d.png", "book/data/proof/p.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(booklib, "ROOT", tmp_path)
    monkeypatch.setattr(booklib, "BOOK", tmp_path / "book")
    monkeypatch.setattr(booklib, "PACKAGE", tmp_path / "annotated_src")
    before = booklib.execution_digest()
    assert booklib.execution_digest() == before
    (tmp_path / "book/data/proof/p.json").write_text("2")
    assert booklib.execution_digest() == before
    seen = {before}
    for name in ("annotated_src/a.py", "book/scenarios/s.py", "book/data/d.png"):
        (tmp_path / name).write_text("2")
        seen.add(booklib.execution_digest())
    monkeypatch.setattr(booklib.platform, "python_version", lambda: "4.0")
    seen.add(booklib.execution_digest())
    assert len(seen) == 5

"""Drift: fingerprints that ignore prose, and the three lists."""

import pytest

from annotated_src.walkthrough import drift
from annotated_src.walkthrough.drift import DriftError, fingerprints

UPSTREAM = '''\
"""A module."""
import os

LIMIT = 3

class Sampler:
    """Says which."""
    size: int = 0
    def __iter__(self):
        """Yields."""
        for index in range(LIMIT):  # each
            yield index

    class Inner:
        def method(self): ...

def pick(sampler):
    def best(index):
        return -index
    return max(sampler, key=best)

def forget(sampler): ...
'''


@pytest.fixture
def places(tmp_path):
    """A checkout that retells torch/sampler.py without `forget`, and an upstream."""
    checkout, site = tmp_path / "checkout", tmp_path / "site"
    for folder in (checkout / "annotated_src" / "torch", site / "torch"):
        folder.mkdir(parents=True)
        (folder / "sampler.py").write_text(UPSTREAM)
    ours = checkout / "annotated_src" / "torch" / "sampler.py"
    ours.write_text(UPSTREAM.replace("def forget(sampler): ...", "").replace("max", "sorted"))
    (checkout / "annotated_src" / "torch" / "ours_alone.py").write_text("def f(): ...")
    (site / "torch" / "version.py").write_text("__version__ = '2.13.0+cpu'\ngit_version = 'x'\n")
    assert drift.pin(site, checkout) == 7
    return checkout, site


def changed(places, old, new):
    checkout, site = places
    assert UPSTREAM.count(old) == 1
    (site / "torch" / "sampler.py").write_text(UPSTREAM.replace(old, new))
    (site / "torch" / "version.py").write_text("__version__ = '2.14.1'\n")
    return drift.compare(site, checkout)


def test_every_function_and_class_has_a_fingerprint():
    names = ["<module>", "Sampler", "Sampler.__iter__", "Sampler.Inner", "Sampler.Inner.method", "pick", "forget"]
    assert list(fingerprints(UPSTREAM)) == names


def test_without_a_change_there_is_no_drift(places):
    found = drift.compare(places[1], places[0])
    assert not found
    assert str(found) == (
        "pinned torch 2.13.0, compared with torch 2.13.0\n"
        "6 retold functions and classes compared: 0 changed, 0 added, 0 dropped"
    )


@pytest.mark.parametrize(
    "old, new",
    [
        ('"""Yields."""', '"""Gives."""'),
        ('        """Yields."""\n', ""),
        ("  # each", ""),
        ("range(LIMIT):", "range(\n            LIMIT\n        ):"),
        ("LIMIT = 3", "LIMIT = (3)"),
    ],
)
def test_prose_and_layout_are_no_change(places, old, new):
    assert not changed(places, old, new)


@pytest.mark.parametrize(
    "old, new, name",
    [
        ("yield index", "yield index + 1", "Sampler.__iter__"),
        ("range(LIMIT)", "range(LIMIT, 0, -1)", "Sampler.__iter__"),
        ("class Sampler:", "class Sampler(object):", "Sampler"),
        ("size: int = 0", "size: int = 1", "Sampler"),
        ("return -index", "return index", "pick"),
        ("pick(sampler)", "pick(sampler, last=None)", "pick"),
        ("def method(self)", "@staticmethod\n        def method(self)", "Sampler.Inner.method"),
        ("LIMIT = 3", "LIMIT = 4", "<module>"),
    ],
)
def test_a_change_is_named(places, old, new, name):
    found = changed(places, old, new)
    assert found.changed == [("torch/sampler.py", name)]
    assert found.added == found.dropped == []
    assert f"changed  torch/sampler.py::{name}" in str(found)
    assert "compared with torch 2.14.1" in str(found)


def test_what_is_not_retold_is_only_counted(places):
    found = changed(places, "def forget(sampler): ...", "def forget(sampler): pass")
    assert not found
    assert "1 more changed in covered files that are not retold here" in str(found)


def test_added_and_dropped(places):
    found = changed(places, "def pick(sampler)", "def choose(sampler)")
    assert found.added == [("torch/sampler.py", "choose")]
    assert found.dropped == [("torch/sampler.py", "pick")]
    assert found.changed == []


def test_a_method_more_is_no_change_of_its_class(places):
    found = changed(places, "    class Inner:", "    def __len__(self): ...\n    class Inner:")
    assert found.added == [("torch/sampler.py", "Sampler.__len__")]
    assert found.changed == []


def test_an_added_class_stands_for_its_methods(places):
    found = changed(places, "def pick(sampler)", "class Picker:\n    def pick(self): ...\n\ndef pick(sampler)")
    assert found.added == [("torch/sampler.py", "Picker")]
    assert found.changed == found.dropped == []


def test_a_file_that_is_gone(places):
    checkout, site = places
    (site / "torch" / "sampler.py").unlink()
    assert drift.compare(site, checkout).dropped == [("torch/sampler.py", "the whole file")]


def test_a_package_that_is_not_there_is_not_compared(places):
    checkout, site = places
    (checkout / "annotated_src" / "torchvision").mkdir()
    (site / "torchvision").mkdir()
    for folder in (checkout / "annotated_src", site):
        (folder / "torchvision" / "utils.py").write_text("def f(): ...")
    (site / "torchvision" / "version.py").write_text("__version__ = '0.28.0'\n")
    drift.pin(site, checkout)
    (site / "torchvision" / "version.py").unlink()
    (site / "torchvision" / "utils.py").unlink()
    assert not drift.compare(site, checkout)


def test_where_there_is_nothing_to_compare_it_says_so(places, tmp_path):
    checkout, site = places
    with pytest.raises(DriftError, match="holds no torch/version.py"):
        drift.compare(tmp_path, checkout)
    with pytest.raises(DriftError, match="nothing is pinned"):
        drift.compare(site, tmp_path)


def test_what_is_pinned_is_the_installed_upstream():
    """The fingerprints of the book are those of the pinned version, and cover every file that is retold."""
    from tests import source_map

    if not source_map.upstream_is_installed():
        pytest.skip("no upstream of the pinned version is installed")
    site = drift.find_site()
    pinned = drift.load()
    assert pinned["versions"] == drift.versions(site)
    assert sorted(pinned["files"]) == sorted(drift.covered_files(site)), "run: walkthrough drift --pin"
    assert not drift.compare(site)

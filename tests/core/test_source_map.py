"""Same place, same name: the source map of the whole tree, and the map itself on small ones."""

import types

import pytest

from tests import source_map


@pytest.fixture(scope="module")
def answer():
    return source_map.report()


def test_every_name_of_a_covered_file_is_here_or_left_out_with_a_reason(answer):
    wrong = [f"{path}::{name} {what}" for path, name, what in answer["wrong"]]
    assert not wrong, "give these their rows: python -m tests.source_map --missing\n" + "\n".join(wrong)


def test_every_row_of_the_left_out_list_excuses_something(answer):
    assert answer["stale"] == []


def test_the_counts_add_up(answer):
    for row in answer["files"]:
        assert row["names"] == row["here"] + row["left_out"]
    assert sum(row["here"] for row in answer["files"]) > 300


def test_the_recorded_map_is_that_of_the_installed_upstream():
    if not source_map.upstream_is_installed():
        pytest.skip("no upstream of the pinned version is installed")
    assert source_map.read_recorded() == source_map.read_upstream(), "run: python -m tests.source_map --pin"


# What is read from an upstream file.

UPSTREAM = '''\
import os
from typing import overload, TYPE_CHECKING, TypeVar
from elsewhere import given
__all__ = ["given", "Loader", "make"]
__all__ += ["late"]
T = TypeVar("T")
limit: int = 3
first, (second, _third) = 1, (2, 3)
_private = 4
os.environ["x"] = "y"
if TYPE_CHECKING:
    def only_for_checkers(): ...
else:
    def for_all(): ...
try:
    import fast
except ImportError:
    def fallback(x): ...

class Loader:
    size = 0
    def __init__(self, data, size=1, /, *rest, key, other=None, **more):
        self.data = data
    def __hidden(self): ...
    @property
    def length(self): ...
    @length.setter
    def length(self, value): ...
    @staticmethod
    def make(kind, *, name): ...
    @classmethod
    def of(cls): ...
    class Inner:
        def inner(self): ...

@overload
def make(x: int): ...
@overload
def make(x: str): ...
def make(x, y=None):
    def local(): ...

async def later(): ...
'''

EXPECTED = {
    "given": ["name"],
    "late": ["name"],
    "limit": ["name"],
    "first": ["name"],
    "second": ["name"],
    "for_all": ["()"],
    "fallback": ["(x)"],
    "Loader": ["class"],
    "Loader.__init__": ["(self, data, size=, /, *rest, key, other=, **more)"],
    "Loader.__hidden": ["(self)"],
    "Loader.length": ["@property(self)"],
    "Loader.make": ["@staticmethod(kind, *, name)"],
    "Loader.of": ["@classmethod(cls)"],
    "Loader.Inner": ["class"],
    "Loader.Inner.inner": ["(self)"],
    "make": ["(x, y=)"],
    "later": ["()"],
}


def test_names_are_read_from_a_file():
    assert source_map.names_of(UPSTREAM) == EXPECTED


# What is looked for in our module.


def module_of(text):
    module = types.ModuleType("ours")
    exec(text, module.__dict__)
    return module


OURS = """\
given = late = None
limit = first = second = 0
def for_all(): ...
def fallback(x): ...
class Loader:
    def __init__(self, data, size=2, /, *rest, key, other=3, **more): ...
    def __hidden(self): ...
    length = property(lambda self: 1)
    @staticmethod
    def make(kind, *, name): ...
    @classmethod
    def of(cls): ...
    class Inner:
        def inner(self): ...
def make(x, y=1): ...
async def later(): ...
"""


def test_what_every_object_has_does_not_count():
    upstream = {"torch/loader.py": {"Loader": ["class"], "Loader.__dir__": ["(self)"], "Loader.__init__": ["(self)"]}}
    module = module_of("class Loader: ...")
    wrong = source_map.report(upstream, [], lambda path: module)["wrong"]
    assert [name for _, name, _ in wrong] == ["Loader.__dir__", "Loader.__init__"]


def report(ours=OURS, rows=()):
    module = module_of(ours)
    return source_map.report({"torch/loader.py": EXPECTED}, list(rows), lambda path: module)


def test_a_faithful_module_has_nothing_wrong():
    answer = report()
    assert answer["wrong"] == []
    assert answer["files"] == [{"path": "torch/loader.py", "names": 17, "here": 17, "left_out": 0, "not_yet": 0}]


@pytest.mark.parametrize(
    "old, new, name, what",
    [
        ("def fallback(x): ...", "", "fallback", "is missing"),
        ("given = late = None", "late = None", "given", "is missing"),
        ("def __hidden(self)", "def hidden(self)", "Loader.__hidden", "is missing"),
        ("def inner(self)", "def other(self)", "Loader.Inner.inner", "is missing"),
        ("def fallback(x)", "def fallback(y)", "fallback", "takes (y), upstream (x)"),
        ("def fallback(x)", "def fallback(x=1)", "fallback", "takes (x=), upstream (x)"),
        ("def fallback(x)", "def fallback(*, x)", "fallback", "takes (*, x), upstream (x)"),
        ("def fallback(x)", "def fallback(x, /)", "fallback", "takes (x, /), upstream (x)"),
        ("def make(x, y=1)", "def make(y=1, x=1)", "make", "takes (y=, x=), upstream (x, y=)"),
        ("size=2, /, *rest", "size=2, *rest", "Loader.__init__", "takes (self, data, size=, *rest, key,"),
        ("    @classmethod\n", "", "Loader.of", "takes (cls), upstream @classmethod(cls)"),
        ("property(lambda self: 1)", "lambda self: 1", "Loader.length", "takes (self), upstream @property(self)"),
        ("class Inner:\n        def inner(self)", "def Inner(self)", "Loader.Inner", "is no class"),
    ],
)
def test_what_is_wrong_is_found(old, new, name, what):
    assert OURS.count(old) == 1
    wrong = [entry for entry in report(OURS.replace(old, new))["wrong"] if entry[1] == name]
    assert len(wrong) == 1 and wrong[0][2].startswith(what)


def row(name, **more):
    return {"path": "torch/loader.py", "name": name, "reason": "why", **more}


def test_a_row_excuses_what_is_missing():
    ours = OURS.replace("def fallback(x): ...", "").replace("def __hidden(self)", "def hidden(self)")
    answer = report(ours, [row("fallback"), row("Loader.__h*", until="a later chapter")])
    assert answer["wrong"] == answer["stale"] == []
    assert answer["files"] == [{"path": "torch/loader.py", "names": 17, "here": 15, "left_out": 2, "not_yet": 1}]


def test_a_row_excuses_other_parameters():
    answer = report(OURS.replace("def fallback(x)", "def fallback()"), [row("fallback")])
    assert answer["wrong"] == answer["stale"] == []


@pytest.mark.parametrize("stale", [row("fallback"), row("no_such_name"), {**row("*"), "path": "torch/other.py"}])
def test_a_row_that_excuses_nothing_is_stale(stale):
    assert report(rows=[stale])["stale"] == [stale]


def test_a_row_about_a_call_is_not_asked_here():
    assert report(rows=[row("fallback", kind="call")])["stale"] == []
    answer = report(OURS.replace("def fallback(x): ...", ""), [row("fallback", kind="call")])
    assert answer["wrong"] == [("torch/loader.py", "fallback", "is missing")]


@pytest.mark.parametrize(
    "text",
    [
        '[[left_out]]\npath = "a"\nname = "b"\n',
        '[[left_out]]\npath = "a"\nname = "b"\nreason = ""\n',
        '[[left_out]]\npath = "a"\nname = "b"\nreason = "c"\nwhen = "d"\n',
        '[[left_out]]\npath = "a"\nname = "b"\nreason = "c"\nkind = "d"\n',
    ],
)
def test_an_ill_formed_row_is_refused(tmp_path, text):
    path = tmp_path / "left_out.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match="left_out.toml"):
        source_map.read_left_out(path)

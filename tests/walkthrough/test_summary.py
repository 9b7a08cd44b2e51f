"""A value in one short line: the same everywhere, and without touching the value."""

import collections
import datetime
import enum
import pathlib
import subprocess
import sys
import time

import numpy
import pytest

from annotated_src.walkthrough import register_summary
from annotated_src.walkthrough import summary as summary_module
from annotated_src.walkthrough.summary import exception_summary, scrub, show_relative_to, summary

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1


class Thing:
    def method(self):
        pass


def generate():
    yield 1


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "None"), (True, "True"), (3, "3"), (-2.5, "-2.5"), (2.0, "2.0"), (1e-9, "1e-09"), (1 + 2j, "(1+2j)"),
        (float("inf"), "inf"), (float("nan"), "nan"), (10**400, "<int of 1329 bits>"),
        ("text", "'text'"), ("two\nlines", r"'two\nlines'"), (b"ab", "b'ab'"), (b"a" * 20, "bytes[20]"),
        (range(3), "range(0, 3)"), (slice(1, None), "slice(1, None, None)"), (Ellipsis, "Ellipsis"),
        ([], "[]"), ([1, 2.5], "[1, 2.5]"), ((), "()"), ((1,), "(1,)"), ((1, "a"), "(1, 'a')"),
        ({}, "{}"), ({"a": 1}, "{'a': 1}"), ({2, 1}, "{1, 2}"), (set(), "set[0]"), (frozenset([1]), "frozenset{1}"),
        (list(range(100)), "list[100] [0, 1, 2, 3, 4, 5, 6, 7, ...]"), (set(range(100)), "set[100]"),
        ([[[1]]], "[[list[1]]]"), ([[[]]], "[[[]]]"),
        (Point(1, 2), "Point(1, 2)"), (collections.OrderedDict(a=1), "OrderedDict{'a': 1}"),
        (collections.defaultdict(list), "defaultdict{}"),
        (Color.RED, "Color.RED"), (Thing(), "<Thing>"), (Thing, "<class Thing>"), (Thing().method, "<method method>"),
        (generate, "<function generate>"), (len, "<function len>"), (generate(), "<generator generate>"),
        (collections, "<module collections>"), (iter([]), "<list_iterator>"), (KeyError("k"), "KeyError: 'k'"),
        (datetime.datetime(2020, 1, 1), "<datetime>"),
    ],
)  # fmt: skip
def test_values(value, text):
    assert summary(value) == text


@pytest.mark.parametrize(
    "value, text",
    [
        (numpy.zeros((4, 3), "float32"), "float32[4, 3] numpy"),
        (numpy.array([1, 2, 3]), "int64[3] numpy [1, 2, 3]"),
        (numpy.array([[0.5, 2.0]]), "float64[1, 2] numpy [[0.5, 2.]]"),
        (numpy.array(1.25), "float64[] numpy 1.25"),
        (numpy.array([True]), "bool[1] numpy [True]"),
        (numpy.float32(1.5), "float32 1.5"),
        (numpy.dtype("float32"), "float32"),
        ([numpy.ones(2)], "[float64[2] numpy [1., 1.]]"),
        ([[numpy.ones(2)]], "[[float64[2] numpy]]"),
    ],
)
def test_arrays(value, text):
    assert summary(value) == text


class Tensor:
    """Looks like a tensor of ours: an array inside, a dtype with another name."""

    dtype = "torch.float32"
    device = "cpu"

    def __init__(self, array):
        self._array = array

    @property
    def shape(self):
        return self._array.shape

    @property
    def array(self):
        return self._array

    def tolist(self):
        raise AssertionError("this would run operators")

    __iter__ = __len__ = __bool__ = __repr__ = __eq__ = __getitem__ = tolist


class Parameter(Tensor):
    pass


def test_tensors():
    assert summary(Tensor(numpy.ones((4, 3)))) == "float32[4, 3] cpu"
    assert summary(Tensor(numpy.array([1.0, 2.0]))) == "float32[2] cpu [1., 2.]"
    assert summary(Parameter(numpy.ones((4, 3)))) == "Parameter float32[4, 3] cpu"
    assert summary({"weight": Tensor(numpy.ones((4, 3)))}) == "{'weight': float32[4, 3] cpu}"


def test_real_tensors():
    torch = pytest.importorskip("torch")
    assert summary(torch.ones(4, 3)) == "float32[4, 3] cpu"
    assert summary(torch.tensor([1, 2])) == "int64[2] cpu [1, 2]"
    assert summary(torch.nn.Parameter(torch.ones(1, dtype=torch.bfloat16))) == "Parameter bfloat16[1] cpu [1.]"
    assert summary((torch.float32, torch.device("cpu"), torch.Size([2]))) == "(torch.float32, cpu, Size(2,))"


def test_our_tensors():
    torch = pytest.importorskip("annotated_src.torch")
    assert summary(torch.tensor([[0.5, 2.0]])) == "float32[1, 2] cpu [[0.5, 2.]]"
    assert summary((torch.float32, torch.device("cpu"))) == "(torch.float32, cpu)"


def test_images():
    image = pytest.importorskip("PIL.Image")
    assert summary(image.new("RGB", (8, 6))) == "Image RGB 8x6"


def test_long_values_fit_a_line():
    for value in ("x" * 1000, ["x" * 50] * 8, {"k" * 60: "v" * 60}, [numpy.ones(3)] * 50, Point("x" * 70, "y" * 70)):
        assert len(summary(value)) <= summary_module.LONGEST
    assert summary(["x" * 90]) == "list[1]"


def test_nothing_of_this_machine_is_shown(tmp_path):
    assert scrub("<Thing at 0x7f0123456789>") == "<Thing at 0x...>"
    assert summary("0x7f0123456789") == "'0x...'"
    assert summary("/usr/lib/python3/x.py") == "'.../x.py'"
    assert summary("C:\\Users\\somebody\\x.py") in ("'.../x.py'", r"'C:\\Users\\somebody\\x.py'")
    assert summary(pathlib.Path("/usr/lib/x.py")) == "Path('.../x.py')"
    assert summary("https://pytorch.org/docs/stable") == "'https://pytorch.org/docs/stable'"
    assert summary("a/b and 1/2") == "'a/b and 1/2'"
    assert summary(time.time()) == "<time>"
    assert summary([time.time()]) == "[<time>]"
    assert exception_summary(FileNotFoundError(2, "No such file", "/usr/lib/x.py")).endswith("'.../x.py'")


def test_known_folders_make_relative_paths():
    show_relative_to(["/data", "/data/set"])
    try:
        assert summary("/data/set/0/1.png") == "'0/1.png'"
        assert summary("/data/sets/1.png") == "'sets/1.png'"
        assert summary("/other/sets/1.png") == "'.../1.png'"
    finally:
        show_relative_to([])


def test_sets_are_sorted_whatever_the_hash_seed():
    code = (
        "from annotated_src.walkthrough.summary import summary;"
        "print(summary({'alpha', 'beta', 'gamma', 'delta'}), summary(frozenset('xyz')))"
    )
    outputs = set()
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout)
    assert outputs == {"{'alpha', 'beta', 'delta', 'gamma'} frozenset{'x', 'y', 'z'}\n"}


class Trap:
    """Fails the test as soon as it is touched."""

    def __getattribute__(self, name):
        raise AssertionError(f"touched: {name}")

    def _touched(self, *args):
        raise AssertionError("touched")

    __repr__ = __str__ = __len__ = __iter__ = __bool__ = __eq__ = __hash__ = _touched


def test_looking_does_not_touch():
    trap = Trap()
    assert summary(trap) == "<Trap>"
    assert summary([trap]) == "[<Trap>]"
    assert summary({"a": trap}) == "{'a': <Trap>}"


def test_containers_that_do_something_when_read():
    class Sneaky(list):
        def __iter__(self):
            raise AssertionError("touched")

        __len__ = __getitem__ = __repr__ = __iter__

    class SneakyDict(dict):
        def items(self):
            raise AssertionError("touched")

        __iter__ = __len__ = __getitem__ = __repr__ = keys = items

    assert summary(Sneaky([1, 2])) == "Sneaky[1, 2]"
    assert summary(SneakyDict(a=1)) == "SneakyDict{'a': 1}"


def test_values_that_fail_are_shown_by_their_type():
    class Broken:
        shape = property(lambda self: 1 / 0)
        dtype = None

    class BrokenError(Exception):
        def __str__(self):
            raise RuntimeError

    assert summary(Broken()) == "<Broken>"
    assert summary(BrokenError()) == "BrokenError"


def test_register_summary(monkeypatch):
    monkeypatch.setattr(summary_module, "_registered", dict(summary_module._registered))

    class Special(Thing):
        pass

    assert summary(Special()) == "<Special>"
    register_summary("Thing", lambda thing: "a thing at 0x7f0123456789")
    assert summary(Special()) == summary(Thing()) == "a thing at 0x..."
    register_summary("Thing", lambda thing: 1 / 0)
    assert summary(Thing()) == "<Thing>"
    summary_module._functions.clear()


def test_exceptions():
    assert exception_summary(KeyError("k")) == "KeyError: 'k'"
    assert exception_summary(StopIteration()) == "StopIteration"
    assert exception_summary(ValueError("first\nsecond")) == "ValueError: first"

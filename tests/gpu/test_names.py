"""Check 1 of the GPU path: every name that the product takes from the array module exists in CuPy.

Names are read from the syntax trees: `xp.where`, `array_module(x).lib.stride_tricks.as_strided`,
`cuda_module().cuda.Device().id`. They are looked up in CuPy itself where it is installed, which needs no card, else in
the list that tests/cupy_api.py has written.
"""

import ast
import importlib.util
from pathlib import Path

import pytest

import annotated_src
from annotated_src.walkthrough.strict import api
from tests import cupy_api

ROOT = Path(annotated_src.__file__).parent
# What these return is the array module.
DOORS = ("array_module", "cuda_module", "common_module", "module_for")
# The ufuncs whose method CuPy has; `at` is on record for each ufunc.
METHODS = {"reduce": ("add", "multiply"), "accumulate": ("add", "multiply"), "reduceat": ("add",)}


class Names(ast.NodeVisitor):
    """Collects (line, dotted name) of everything that is taken from the array module in one file."""

    def __init__(self):
        self.found = []
        self.scopes = [{"xp"}]

    def visit_FunctionDef(self, node):
        self.scopes.append(set())
        self.generic_visit(node)
        self.scopes.pop()

    visit_Lambda = visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            self.note(target, node.value)

    def note(self, target, value):
        """`target = value`, or one by one where both are tuples."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for pair in zip(target.elts, value.elts, strict=True):
                self.note(*pair)
        elif isinstance(target, ast.Name):
            self.scopes[-1].discard(target.id)
            if self.dotted(value) == "":
                self.scopes[-1].add(target.id)

    def visit_Attribute(self, node):
        name = self.dotted(node)
        if name:
            self.found.append((node.lineno, name))
            # The longest chain says it all.
            while isinstance(node, ast.Attribute):
                node = node.value
            if isinstance(node, ast.Call):
                for argument in [*node.args, *[keyword.value for keyword in node.keywords]]:
                    self.visit(argument)
                self.visit(node.func)
        else:
            self.generic_visit(node)

    def dotted(self, node):
        """The name of what an expression is, counted from the array module, which is ""; None for anything else."""
        if isinstance(node, ast.Name):
            return "" if any(node.id in scope for scope in self.scopes) else None
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return None if owner is None else f"{owner}.{node.attr}".lstrip(".")
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in DOORS:
                return ""
            made = self.dotted(function)
            # Calling a class gives what has its members; what a function gives is not known.
            return made if made in cupy_api.CLASSES else None
        return None


def names_in(source):
    """[(line, dotted name)] of one source."""
    names = Names()
    names.visit(ast.parse(source))
    return names.found


def missing(names, known):
    """Those of [(line, dotted name)] that CuPy lacks."""
    return [(line, name) for line, name in names if not exists(name, known)]


def exists(name, known):
    owner, _, last = name.rpartition(".")
    if isinstance(known.get(owner), dict):
        return _has_method(owner, last, known)
    return name in known


def _has_method(ufunc, method, known):
    if method == "at":
        return known[ufunc]["scatter"] is not None
    return ufunc in METHODS[method] if method in METHODS else f"ufunc.{method}" in known


@pytest.fixture(scope="module")
def known():
    """{dotted name: what is known of it}: CuPy's own where it is installed."""
    if importlib.util.find_spec("cupy") is None:
        return api.NAMES
    import cupy

    return cupy_api.names_of(cupy)


def test_every_name_exists_in_cupy(known):
    wrong, counted = [], 0
    for path in sorted(ROOT.rglob("*.py")):
        found = names_in(path.read_text("utf-8"))
        counted += len(found)
        wrong += [f"{path.relative_to(ROOT)}:{line}: {name}" for line, name in missing(found, known)]
    assert not wrong
    assert counted > 400


def test_the_record_is_that_of_the_installed_cupy(known):
    if known is api.NAMES:
        pytest.skip("CuPy is not installed; the names come from the record itself")
    import cupy

    if cupy.__version__ != api.VERSION:
        pytest.skip(f"the record is of CuPy {api.VERSION}, installed is {cupy.__version__}")
    # (without ml_dtypes the ufuncs lack bfloat16)
    assert known.keys() == api.NAMES.keys()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("xp.errstate(all='ignore')", "errstate"),
        ("xp.linalg.nrom(x)", "linalg.nrom"),
        ("array_module(x).lib.stride_tricks.as_stridden(x)", "lib.stride_tricks.as_stridden"),
        ("cuda_module().cuda.runtime.getDevicesCount()", "cuda.runtime.getDevicesCount"),
        ("xp.cuda.Device().idx", "cuda.Device.idx"),
        ("other = array_module(x)\n    other.putt(x)", "putt"),
        ("a, other = 1, common_module(x, y)\n    (lambda: other.nditer)()", "nditer"),
        ("xp.minimum.reduceat(x, y)", "minimum.reduceat"),
        ("xp.multiply.at(x, y, z)", "multiply.at"),
        ("xp.where(xp.isnann(x), x, y)", "isnann"),
        ("array_module(xp.nope).exp(x)", "nope"),
    ],
)
def test_a_wrong_name_is_found(line, name):
    found = missing(names_in(f"def kernel(x, y, z):\n    {line}\n"), api.NAMES)
    assert [wrong for _, wrong in found] == [name]


def test_right_names_are_no_finds():
    source = """
def kernel(x, device):
    xp = array_module(x)
    xp.add.at(x, 0, 1), xp.add.reduceat, xp.float32, xp.iinfo(x.dtype).min, xp.cuda.Device(0).id
    module = numpy
    return module.errstate(), x.nope
"""
    found = names_in(source)
    assert len(found) == 6
    assert missing(found, api.NAMES) == []

"""The operator's way to its CUDA kernel, with CuPy's part played on the CPU: what is compiled, and what is launched."""

import pathlib

import numpy
import pytest

from annotated_src.aten.native import soft_max
from annotated_src.aten.native.cuda import launch
from annotated_src.aten.native.cuda import soft_max as cuda_soft_max
from annotated_src.c10 import array_module
from annotated_src.walkthrough.cuda_on_cpu import run
from tests.kernels import need_compiler

COVERS = ["aten/native/soft_max.py"]


class RawModule:
    """cupy.RawModule: source and options in, functions out."""

    def __init__(self, *, code, options):
        standard, include = options
        assert standard == "--std=c++17" and include.startswith("-I")
        [self.path] = [path for path in pathlib.Path(include[2:]).glob("*.cu") if path.read_text("utf-8") == code]

    def get_function(self, name):
        def function(grid, block, args, *, shared_mem=0):
            # CuPy takes tuples only.
            assert isinstance(grid, tuple) and isinstance(block, tuple) and isinstance(args, tuple)
            LAUNCHES.append(name)
            run.Launcher("shuffled", 1)(self.path, name, grid, block, args, shared_mem)

        return function


class Module:
    """As much of CuPy as the way to the kernel takes; its arrays are NumPy's."""

    RawModule = RawModule
    empty_like = staticmethod(numpy.empty_like)

    def __getattr__(self, name):
        return getattr(numpy, name)


LAUNCHES = []


@pytest.fixture
def xp(monkeypatch):
    module = Module()
    monkeypatch.setattr(array_module, "_cuda_module", module)
    LAUNCHES.clear()
    launch._module.cache_clear()
    launch._function.cache_clear()
    yield module
    launch._module.cache_clear()
    launch._function.cache_clear()


def test_rows_of_float32_go_to_the_kernel(xp):
    need_compiler()
    array = numpy.random.default_rng(0).standard_normal((2, 3, 70)).astype(numpy.float32)
    for ours, name in ((soft_max._softmax_of, "softmax"), (soft_max._log_softmax_of, "log_softmax")):
        numpy.testing.assert_allclose(ours(xp, array, 2), ours(numpy, array, 2), rtol=1e-5, atol=1e-6)
        assert LAUNCHES.pop() == f"{name}_forward"


@pytest.mark.parametrize(
    "array, dim",
    [
        (numpy.ones((3, 4)), 1),
        (numpy.ones((3, 4), numpy.float32), 0),
        (numpy.ones((4, 3), numpy.float32).T, 1),
    ],
)
def test_everything_else_is_shared_code(xp, array, dim):
    numpy.testing.assert_allclose(soft_max._softmax_of(xp, array, dim), 1 / array.shape[dim])
    assert LAUNCHES == []


def test_a_module_that_compiles_nothing_is_not_asked_to():
    class Strict:
        def __getattr__(self, name):
            raise NotImplementedError(name)

    array = numpy.ones((3, 4), numpy.float32)
    assert not cuda_soft_max.takes(Strict(), array, 1)
    assert not cuda_soft_max.takes(numpy, array, 1)
    assert cuda_soft_max.takes(Module(), array, 1)

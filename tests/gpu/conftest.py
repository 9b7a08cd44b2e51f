"""`card`: a card to run on, the strict array module where there is none; `log`: what was issued to the strict one."""

import sys
import types
from importlib.machinery import ModuleSpec

import pytest

from annotated_src.c10.array_module import set_cuda_module
from annotated_src.walkthrough import strict
from annotated_src.walkthrough.strict import cuda


@pytest.fixture
def card(request):
    """The array module behind the door: CuPy with --device cuda, else the strict one."""
    if request.config.getoption("--device") == "cuda":
        from annotated_src.c10.array_module import cuda_module

        yield cuda_module()
        return
    with strict.installed() as module:
        yield module
        cuda.set_device_count(1)


@pytest.fixture
def log(request, card):
    """The strict card's log."""
    if request.config.getoption("--device") == "cuda":
        pytest.skip("a real card keeps no log")
    return cuda.log


@pytest.fixture
def without_cupy(monkeypatch):
    """As if CuPy were not installed."""
    before = set_cuda_module(None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    yield
    set_cuda_module(before)


@pytest.fixture
def without_a_card(monkeypatch):
    """As if CuPy were installed, on a machine without a card."""
    cupy = types.ModuleType("cupy")
    cupy.__spec__ = ModuleSpec("cupy", None)
    cupy.cuda = types.SimpleNamespace(is_available=lambda: False)
    before = set_cuda_module(None)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    yield
    set_cuda_module(before)

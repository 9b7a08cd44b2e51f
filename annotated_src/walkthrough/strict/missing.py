"""As if CuPy, or the card, were missing, on whatever machine this is: so that what is said then can be seen.

    with without_cupy():         ...: CUDA raises what it raises where CuPy is not installed
    with without_a_card():       ...: the same where CuPy is installed, and there is no card
"""

import contextlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

from annotated_src.c10.array_module import set_cuda_module


@contextlib.contextmanager
def without_cupy():
    """In the block, `import cupy` fails."""
    with _cupy_is(None):
        yield


@contextlib.contextmanager
def without_a_card():
    """In the block, CuPy can be imported and finds no card."""
    cupy = ModuleType("cupy")
    cupy.__spec__ = ModuleSpec("cupy", None)
    cupy.cuda = SimpleNamespace(is_available=lambda: False)
    with _cupy_is(cupy):
        yield


@contextlib.contextmanager
def _cupy_is(module):
    behind_the_door = set_cuda_module(None)
    nothing = object()
    imported = sys.modules.get("cupy", nothing)
    sys.modules["cupy"] = module
    try:
        yield
    finally:
        if imported is nothing:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = imported
        set_cuda_module(behind_the_door)

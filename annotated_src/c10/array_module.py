"""Which library holds the numbers: NumPy for the CPU, CuPy for CUDA.

Ours; upstream allocates memory and launches kernels itself. This is the one door to CuPy: no other module
imports it. A kernel that is the same code on both sides begins with

    xp = array_module(self.array)

and from there on says `xp.exp(...)`.

Invariant: arrays of two modules never meet in one expression; `aten/native/copy.py` is where data crosses over.
"""

import importlib.util

import numpy

from annotated_src.c10.util.exception import TorchError

_cuda_module = None
_forgetters = []


def array_module(array):
    """The module whose functions take `array`."""
    if isinstance(array, numpy.ndarray):
        return numpy
    return cuda_module()


def cuda_module():
    """CuPy, imported at the first call. Without it an AssertionError, without a card a RuntimeError."""
    global _cuda_module
    if _cuda_module is None:
        _cuda_module = _with_a_card(_import_cupy())
    return _cuda_module


def set_cuda_module(module):
    """Let `module` stand for CuPy (None: look for CuPy again), for tests without a card; returns what stood there."""
    global _cuda_module
    before = _cuda_module
    _cuda_module = module
    for forget in _forgetters:
        forget()
    return before


def on_new_cuda_module(forget):
    """Call `forget()` whenever another module takes CuPy's place: what was kept of the old one is of no use."""
    _forgetters.append(forget)


def is_built():
    """Whether CuPy is installed, which stands for "compiled with CUDA"; nothing is imported."""
    return _cuda_module is not None or importlib.util.find_spec("cupy") is not None


def _import_cupy():
    try:
        import cupy
    except ImportError as error:
        raise AssertionError(
            "Torch not compiled with CUDA enabled: CuPy, which holds CUDA tensors here, is not installed. "
            "pip install 'annotated-src[cuda12]' (or cuda13)"
        ) from error
    return cupy


def _with_a_card(cupy):
    if not cupy.cuda.is_available():
        raise TorchError(
            "Found no NVIDIA driver on your system, or no card: CuPy is installed, but a CUDA tensor needs an NVIDIA "
            "GPU and its driver (http://www.nvidia.com/Download/index.aspx). Without one, stay with device='cpu'"
        )
    return cupy

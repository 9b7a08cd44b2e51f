"""Launching a kernel: from a `.cu` file beside this one to work on the card.

Ours; upstream's compiler turns `kernel<<<grid, block, shared, stream>>>(...)` into this.

    launch_on_card(path, name, grid, block, args, shared_mem=0)

CuPy compiles the file (NVRTC, at the first use; it keeps what it made on disk) and starts the kernel on the current
stream. It returns at once: the card works on its own.

Every host function in this package takes a `launch` of this signature, by default this one. On a machine without a card
the tests and the book give them one that runs the kernel on the CPU, so what they compute, sizes and arguments, is
held by the same code.

An argument is an array, a NumPy scalar of exactly the parameter's type, or, for a struct, a NumPy array of one element.
"""

import functools
import pathlib

from annotated_src.c10.array_module import cuda_module

HERE = pathlib.Path(__file__).parent


def launch_on_card(path, name, grid, block, args, shared_mem=0):
    """Start the kernel `name` of the file `path`; `shared_mem` is in bytes."""
    _function(path, name)(grid, block, args, shared_mem=shared_mem)


@functools.cache
def _function(path, name):
    return _module(path).get_function(name)


@functools.cache
def _module(path):
    source = path.read_text(encoding="utf-8")
    return cuda_module().RawModule(code=source, options=("--std=c++17", f"-I{path.parent}"))


def compiles_source(xp):
    """Whether the array module takes CUDA source: CuPy does, NumPy and stand-ins for CuPy do not."""
    try:
        return callable(xp.RawModule)
    except (AttributeError, NotImplementedError):
        return False


def data_ptr(array):
    """The address of an array's first element, on the card or on the host."""
    if hasattr(array, "ctypes"):
        return array.ctypes.data
    return array.data.ptr


def ceil_div(a, b):
    """How many b cover a.

    >>> ceil_div(7, 3)
    3
    """
    return -(-a // b)

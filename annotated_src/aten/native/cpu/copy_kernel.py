"""Casting: elements of one dtype written as another, as C++ does it. Retells aten/src/ATen/native/cpu/CopyKernel.cpp.

The same code serves arrays of the CPU and of a card.
"""

import warnings

import numpy

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import COMPLEX, FLOATING, from_numpy_dtype


def cast(array, numpy_dtype):
    """`array` with elements of another dtype, converted as C++ does; the same object if it has that dtype already."""
    if array.dtype == numpy_dtype:
        return array
    source, target = from_numpy_dtype(array.dtype), from_numpy_dtype(numpy_dtype)
    if source.category == COMPLEX and target.category < COMPLEX:
        _warn_complex_to_real()
        return cast(array.real, numpy_dtype)
    if not _may_overflow(source, target):
        return array.astype(numpy_dtype)
    # A number out of range becomes infinite, or whatever the processor makes of it, without a word.
    with numpy.errstate(all="ignore"):
        by_way_of = _BY_WAY_OF.get((source, target))
        if by_way_of is not None:
            array = array.astype(by_way_of.numpy)
        return array.astype(numpy_dtype)


def _may_overflow(source, target):
    """Whether some number is out of the target's range, so that the array module would speak up."""
    if target is scalar_type.float16:
        return True
    if source.category < FLOATING:
        return False
    return target.category < FLOATING or target.to_real().itemsize < source.to_real().itemsize


# Where C++ arrives at another result than NumPy: float64 is rounded twice, and -1.0 becomes 255.
_BY_WAY_OF = {
    (scalar_type.float64, scalar_type.float16): scalar_type.float32,
    (scalar_type.float64, scalar_type.uint8): scalar_type.int64,
    (scalar_type.float32, scalar_type.uint8): scalar_type.int64,
    (scalar_type.float16, scalar_type.uint8): scalar_type.int64,
    (scalar_type.bfloat16, scalar_type.uint8): scalar_type.int64,
}

_warned_of_complex = False


def _warn_complex_to_real():
    global _warned_of_complex
    if not _warned_of_complex:
        _warned_of_complex = True
        warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=4)

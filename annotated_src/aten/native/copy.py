"""copy_: the one way in which elements get from one tensor into another. Retells aten/src/ATen/native/Copy.cpp.

It converts the dtype, broadcasts, and crosses from device to device; `to`, `clone` and `contiguous` all end here.

    copy_(self, src)
        same device      the array module's assignment
        other device     the source is cast, made contiguous and carried over first

Invariant: no other kernel moves data between host and device (`_local_scalar_dense` reads back one element).
"""

import warnings

import numpy

from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.memory_overlap import assert_no_internal_overlap
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import COMPLEX, FLOATING, from_numpy_dtype
from annotated_src.c10.util.exception import TorchError


def copy_(self, src, non_blocking=False):
    """Write `src`'s elements into `self`, broadcast to its shape and cast to its dtype."""
    if self is src:
        return self
    _check_shape(self, src)
    assert_no_internal_overlap(self)
    source = cast(src.array, self.array.dtype)
    if type(source) is not type(self.array):
        source = _carry_over(source, self.array)
    self.array[...] = source
    return self


def copy(self, src, non_blocking=False):
    """A new tensor of `self`'s shape and dtype with `src`'s elements."""
    target = array_module(self.array).empty_like(self.array)
    target[...] = cast(src.array, target.dtype)
    return target


def _check_shape(self, src):
    shape = self.array.shape
    if src.array.shape == shape:
        return
    common = infer_size(shape, src.array.shape)
    if common != shape:
        raise TorchError(
            f"output with shape {list(shape)} doesn't match the broadcast shape {list(common)}: "
            f"copy_ broadcasts its source, never its target"
        )


def _carry_over(source, target):
    """`source` as an array of `target`'s module."""
    if isinstance(target, numpy.ndarray):
        return source.get()
    if isinstance(source, numpy.ndarray):
        return array_module(target).asarray(numpy.ascontiguousarray(source))
    return source


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
}

_warned_of_complex = False


def _warn_complex_to_real():
    global _warned_of_complex
    if not _warned_of_complex:
        _warned_of_complex = True
        warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=4)

"""copy_: the one way in which elements get from one tensor into another. Retells aten/src/ATen/native/Copy.cpp.

It converts the dtype, broadcasts, and crosses from device to device; `to`, `clone` and `contiguous` all end here.

    copy_(self, src)
        both on the CPU      the array module's assignment
        a CUDA tensor        copy_kernel_cuda, in aten/native/cuda/copy.py

Invariant: no other kernel moves data between host and device (`_local_scalar_dense` reads back one element).
"""

import numpy

from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.memory_overlap import assert_no_internal_overlap
from annotated_src.aten.native.cpu.copy_kernel import cast
from annotated_src.aten.native.cuda.copy import copy_kernel_cuda
from annotated_src.c10.array_module import array_module
from annotated_src.c10.util.exception import TorchError


def copy_(self, src, non_blocking=False):
    """Write `src`'s elements into `self`, broadcast to its shape and cast to its dtype."""
    if self is src:
        return self
    _check_shape(self, src)
    assert_no_internal_overlap(self)
    if isinstance(self.array, numpy.ndarray) and isinstance(src.array, numpy.ndarray):
        self.array[...] = cast(src.array, self.array.dtype)
        return self
    copy_kernel_cuda(self, src, non_blocking)
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

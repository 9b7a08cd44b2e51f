"""repeat_interleave: every element several times, side by side. Retells aten/src/ATen/native/Repeat.cpp.

repeat, which puts whole tensors side by side, is in tensor_shape.py, as upstream.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.memory_format import contiguous_format
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim


def repeat_interleave(repeats, *, output_size=None):
    """Position k as often as `repeats[k]` says: (1, 2, 0, 1) gives 0, 1, 1, 3."""
    if repeats.array.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if repeats.dtype not in (scalar_type.int64, scalar_type.int32):
        raise RuntimeError("repeats has to be Long or Int tensor")
    counts = repeats.array
    xp = array_module(counts)
    if xp is numpy and counts.size and counts.min() < 0:
        raise RuntimeError("repeats can not be negative")
    # The last position of k's stretch is where the sum of counts passes k.
    ends = xp.cumsum(counts)
    total = output_size
    # (who names the size spares a card the question)
    if xp is numpy or output_size is None:
        total = int(ends[-1]) if counts.size else 0  # D2H: the size of the result
    if output_size is not None and output_size != total:
        raise RuntimeError("allocated size does not match required size")
    positions = xp.searchsorted(ends, xp.arange(total), side="right")
    return make_tensor(positions.astype(counts.dtype))


def repeat_interleave_tensor(self, repeats, dim=None, *, output_size=None):
    """Position k of dimension `dim` as often as `repeats[k]` says; without `dim`, of the flattened tensor."""
    if dim is None:
        return ops.repeat_interleave.self_Tensor(ops.flatten.using_ints(self), repeats, 0, output_size=output_size)
    dim = maybe_wrap_dim(dim, self.array.ndim)
    length = self.array.shape[dim] if self.array.ndim else 1
    if repeats.array.ndim == 0 or repeats.array.shape == (1,):
        repeats = ops.expand.default(ops.reshape.default(repeats, (1,)), (length,))
    elif repeats.array.ndim != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    elif repeats.array.size != length:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.array.size} and "
            f"input.size({dim}) = {length}"
        )
    positions = ops.repeat_interleave.Tensor(repeats, output_size=output_size)
    return ops.index_select.default(self, dim, positions)


def repeat_interleave_int(self, repeats, dim=None, *, output_size=None):
    """Every position of dimension `dim` `repeats` times; without `dim`, of the flattened tensor."""
    if dim is None:
        self, dim = ops.flatten.using_ints(self), 0
    if repeats < 0:
        raise RuntimeError(f"Repeats must be non-negative, got {repeats}")
    dim = maybe_wrap_dim(dim, self.array.ndim)
    sizes = self.array.shape
    # (..., n, ...) -> (..., n, repeats, ...) -> (..., n * repeats, ...)
    expanded = ops.expand.default(ops.unsqueeze.default(self, dim + 1), (*sizes[: dim + 1], repeats, *sizes[dim + 1 :]))
    copied = ops.clone.default(expanded, memory_format=contiguous_format)
    return ops.flatten.using_ints(copied, dim, dim + 1)

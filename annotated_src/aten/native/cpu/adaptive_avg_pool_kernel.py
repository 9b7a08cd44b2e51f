"""Adaptive average pooling, on arrays. Retells aten/src/ATen/native/cpu/AdaptiveAvgPoolKernel.cpp.

The mean over a window of several dimensions is the mean along one of them of the means along the other.
"""

from annotated_src.aten.native.adaptive_pooling import bounds
from annotated_src.aten.native.along_dim import take
from annotated_src.c10.array_module import array_module


def adaptive_avg_pool(x, output_size):
    """(..., *sizes) -> (..., *output_size)."""
    first = x.ndim - len(output_size)
    for dim in range(x.ndim - 1, first - 1, -1):
        starts, lengths = bounds(x.shape[dim], output_size[dim - first])
        x = _sum_windows(x, dim, starts, lengths) / _along(x, lengths, dim)
    return x


def adaptive_avg_pool_backward(grad_output, sizes):
    """(..., *out) -> (..., *sizes): each gradient goes in equal parts to its window's elements."""
    first = grad_output.ndim - len(sizes)
    for dim in range(first, grad_output.ndim):
        size, out = sizes[dim - first], grad_output.shape[dim]
        _, lengths = bounds(size, out)
        # The outputs whose windows cover an input are bounded by the same formula, with the sizes exchanged.
        grad_output = _sum_windows(grad_output / _along(grad_output, lengths, dim), dim, *bounds(out, size))
    return grad_output


def _sum_windows(x, dim, starts, lengths):
    """The sum of x[start : start + length] along `dim`, for every window."""
    xp = array_module(x)
    last = x.shape[dim] - 1
    total = xp.zeros((*x.shape[:dim], len(starts), *x.shape[dim + 1 :]), dtype=x.dtype)
    for offset in range(max(lengths, default=0)):
        values = take(x, dim, [min(start + offset, last) for start in starts])
        covered = _along(x, [offset < length for length in lengths], dim, dtype="bool")
        total += xp.where(covered, values, values.dtype.type(0))
    return total


def _along(x, values, dim, dtype=None):
    shape = [1] * x.ndim
    shape[dim] = len(values)
    return array_module(x).asarray(values, dtype=dtype or x.dtype).reshape(shape)

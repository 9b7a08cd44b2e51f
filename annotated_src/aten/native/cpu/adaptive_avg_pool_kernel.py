"""Adaptive average pooling, on arrays. Retells aten/src/ATen/native/cpu/AdaptiveAvgPoolKernel.cpp.

The mean over a window of several dimensions is the mean along one of them of the means along the other.
"""

from annotated_src.aten.native.adaptive_pooling import bounds, longest
from annotated_src.aten.native.along_dim import lay_along, take
from annotated_src.c10.array_module import array_module


def adaptive_avg_pool(x, output_size):
    """(..., *sizes) -> (..., *output_size)."""
    xp, first = array_module(x), x.ndim - len(output_size)
    for dim in range(x.ndim - 1, first - 1, -1):
        size, out = x.shape[dim], output_size[dim - first]
        _, lengths = bounds(xp, size, out)
        x = _sum_windows(x, dim, size, out) / lay_along(lengths.astype(x.dtype), dim, x.ndim)
    return x


def adaptive_avg_pool_backward(grad_output, sizes):
    """(..., *out) -> (..., *sizes): each gradient goes in equal parts to its window's elements."""
    xp, first = array_module(grad_output), grad_output.ndim - len(sizes)
    for dim in range(first, grad_output.ndim):
        size, out = sizes[dim - first], grad_output.shape[dim]
        _, lengths = bounds(xp, size, out)
        parts = grad_output / lay_along(lengths.astype(grad_output.dtype), dim, grad_output.ndim)
        # The outputs whose windows cover an input are bounded by the same formula, with the sizes exchanged.
        grad_output = _sum_windows(parts, dim, out, size)
    return grad_output


def _sum_windows(x, dim, size, out):
    """The sum of x[start : start + length] along `dim`, for each of `out` windows."""
    xp = array_module(x)
    starts, lengths = bounds(xp, size, out)
    total = xp.zeros((*x.shape[:dim], out, *x.shape[dim + 1 :]), dtype=x.dtype)
    for offset in range(longest(size, out)):
        values = take(x, dim, xp.minimum(starts + offset, size - 1))
        covered = lay_along(offset < lengths, dim, x.ndim)
        total += xp.where(covered, values, values.dtype.type(0))
    return total

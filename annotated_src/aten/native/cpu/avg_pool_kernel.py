"""Average pooling, on arrays, in any number of dimensions. Retells aten/src/ATen/native/cpu/AvgPoolKernel.cpp."""

from annotated_src.aten.native.along_dim import lay_along
from annotated_src.c10.array_module import array_module


def avg_pool(x, windows, count_include_pad, divisor_override):
    """(..., *sizes) -> (..., *out)."""
    xp = array_module(x)
    if windows.is_padded:
        padded = xp.zeros((*x.shape[: -len(windows.sizes)], *windows.padded), dtype=x.dtype)
        padded[(..., *windows.interior)] = x
        x = padded
    total = x[windows.slices[0]].copy()
    for slices in windows.slices[1:]:
        total += x[slices]
    divisor = _divisor(xp, windows, count_include_pad, divisor_override)
    if x.dtype.kind == "i":
        # As in C++: cut off towards zero.
        return xp.sign(total) * (xp.abs(total) // divisor)
    total /= divisor.astype(x.dtype)
    return total


def _divisor(xp, windows, count_include_pad, divisor_override):
    """By how much each window's sum is divided, (*out)."""
    ndim = len(windows.out)
    divisor = xp.ones((1,) * ndim, dtype="int64")
    if divisor_override is not None:
        return divisor * divisor_override
    for dim in range(ndim):
        divisor = divisor * lay_along(_counts(xp, windows, dim, count_include_pad), dim, ndim)
    return divisor


def _counts(xp, windows, dim, count_include_pad):
    """How many elements each window has along one dimension; what ceil_mode lets hang over is never counted."""
    size, pad = windows.sizes[dim], windows.padding[dim]
    begin = windows.starts(xp, dim)
    end = xp.minimum(begin + windows.kernel[dim], size + pad)
    if not count_include_pad:
        begin, end = xp.maximum(begin, 0), xp.minimum(end, size)
    return xp.maximum(end - begin, 1)


def avg_pool_backward(grad_output, windows, count_include_pad, divisor_override):
    """Each gradient goes in equal parts to the window's elements: (..., *out) -> (..., *sizes)."""
    xp = array_module(grad_output)
    part = grad_output / _divisor(xp, windows, count_include_pad, divisor_override).astype(grad_output.dtype)
    grad_input = xp.zeros((*grad_output.shape[: -len(windows.out)], *windows.padded), dtype=grad_output.dtype)
    # The last position first: so each element gets its parts in the order of the windows.
    for slices in reversed(windows.slices):
        grad_input[slices] += part
    return xp.ascontiguousarray(grad_input[(..., *windows.interior)])

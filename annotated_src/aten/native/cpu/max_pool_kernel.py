"""max pooling, on arrays, in any number of dimensions. Retells aten/src/ATen/native/cpu/MaxPoolKernel.cpp.

All windows at once, one position within the window after the other: what is larger than the largest so far takes its
place. NaN takes the place of anything. The index counts elements of the unpadded input, the last dimension innermost.
"""

import math

from annotated_src.aten.native.along_dim import lay_along
from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.c10.array_module import array_module


def max_pool(x, windows, with_indices=True):
    """(..., *sizes) -> the maxima (..., *out) and where they were; None for the latter if nobody asks."""
    xp = array_module(x)
    padded = _padded(xp, x, windows)
    best, chosen = _begin(xp, padded, windows, with_indices)
    can_be_nan = padded.dtype.kind not in "iub"
    for number, slices in enumerate(windows.slices):
        values = padded[slices]
        if with_indices:
            better = values > best
            if can_be_nan:
                better |= values != values
            # Positions come in order: where this one is better, its number is the largest so far.
            xp.maximum(chosen, better * chosen.dtype.type(number), out=chosen)
        xp.maximum(best, values, out=best)
    return best, _flat_index(xp, chosen, windows) if with_indices else None


def _padded(xp, x, windows):
    if not windows.is_padded:
        return x
    padded = xp.full((*x.shape[: -len(windows.sizes)], *windows.padded), lowest(xp, x.dtype), dtype=x.dtype)
    padded[(..., *windows.interior)] = x
    return padded


def lowest(xp, dtype):
    """What no element is smaller than."""
    return xp.iinfo(dtype).min if dtype.kind in "iu" else -math.inf


def _begin(xp, padded, windows, with_indices):
    """What stands before the first comparison: each window's first element that is not padding."""
    if not windows.is_padded:
        best = padded[windows.slices[0]].copy()
        return best, xp.zeros(best.shape, dtype=_counter(windows)) if with_indices else None
    shape = (*padded.shape[: -len(windows.sizes)], *windows.out)
    best = xp.full(shape, lowest(xp, padded.dtype), dtype=padded.dtype)
    if not with_indices:
        return best, None
    number = xp.zeros((1,) * len(windows.out), dtype=_counter(windows))
    for dim, size in enumerate(windows.kernel):
        firsts = -(xp.minimum(windows.starts(xp, dim), 0) // windows.dilation[dim])
        number = number * size + lay_along(firsts.astype(number.dtype), dim, len(windows.out))
    return best, xp.broadcast_to(number, shape).copy()


def _counter(windows):
    return "int8" if len(windows.slices) < 128 else "int32"


def _flat_index(xp, chosen, windows):
    """Numbers of positions within a window -> numbers of elements of the input."""
    steps = contiguous_steps(windows.sizes)
    table = xp.zeros((1,) * len(steps), dtype="int64")
    for dim, step in enumerate(steps):
        table = table + lay_along(xp.arange(windows.kernel[dim]) * (windows.dilation[dim] * step), dim, len(steps))
    index = xp.take(table.reshape(-1), chosen)
    for dim, step in enumerate(steps):
        index += lay_along(windows.starts(xp, dim) * step, dim, len(steps))
    return index


def contiguous_steps(sizes):
    """How many elements lie between neighbours along each dimension."""
    steps = [1]
    for size in reversed(sizes[1:]):
        steps.insert(0, steps[0] * size)
    return steps


def max_pool_backward(grad_output, indices, sizes, overlap):
    """Each gradient goes to the element that was the maximum: (..., *out) -> (..., *sizes)."""
    xp = array_module(grad_output)
    leading = grad_output.shape[: -len(sizes)]
    rows, elements = math.prod(leading), math.prod(sizes)
    grad_input = xp.zeros(rows * elements, dtype=grad_output.dtype)
    # One index for all rows, so that what is added to is one flat array.
    outputs = math.prod(grad_output.shape[len(leading) :])
    places = indices.reshape(rows, outputs) + (xp.arange(rows) * elements)[:, None]
    if overlap:
        add_at(grad_input, (places.reshape(-1),), grad_output.reshape(-1))
    else:
        grad_input[places] = grad_output.reshape(rows, outputs)
    return grad_input.reshape(*leading, *sizes)

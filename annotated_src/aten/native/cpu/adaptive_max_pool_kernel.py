"""Adaptive max pooling, on arrays. Retells aten/src/ATen/native/cpu/AdaptiveMaxPoolKernel.cpp."""

import itertools

from annotated_src.aten.native.adaptive_pooling import bounds, longest
from annotated_src.aten.native.along_dim import lay_along, take
from annotated_src.aten.native.cpu.max_pool_kernel import contiguous_steps, lowest
from annotated_src.c10.array_module import array_module


def adaptive_max_pool(x, output_size):
    """(..., *sizes) -> the maxima (..., *output_size), and where they were."""
    xp = array_module(x)
    dims = len(output_size)
    sizes = x.shape[-dims:]
    rows = [bounds(xp, size, out) for size, out in zip(sizes, output_size, strict=True)]
    shape = (*x.shape[:-dims], *output_size)
    best = xp.full(shape, lowest(xp, x.dtype), dtype=x.dtype)
    index = xp.broadcast_to(_flat(xp, [starts for starts, _ in rows], sizes), shape).copy()
    for offsets in itertools.product(*(range(longest(*pair)) for pair in zip(sizes, output_size, strict=True))):
        places = [
            xp.minimum(starts + offset, size - 1)
            for (starts, _), offset, size in zip(rows, offsets, sizes, strict=True)
        ]
        values = x
        for dim, along in enumerate(places):
            values = take(values, dim - dims, along)
        better = (values > best) | (values != values)
        for dim, ((_, lengths), offset) in enumerate(zip(rows, offsets, strict=True)):
            better &= lay_along(offset < lengths, dim, dims)
        xp.copyto(best, values, where=better)
        xp.copyto(index, xp.broadcast_to(_flat(xp, places, sizes), shape), where=better)
    return best, index


def _flat(xp, places, sizes):
    """The places along each dimension as numbers of elements."""
    steps = contiguous_steps(sizes)
    index = xp.zeros((1,) * len(sizes), dtype="int64")
    for dim, (along, step) in enumerate(zip(places, steps, strict=True)):
        index = index + lay_along(along * step, dim, len(sizes))
    return index

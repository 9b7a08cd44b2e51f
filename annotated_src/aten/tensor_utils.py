"""Sizes and strides: how far apart in memory are neighbours along a dimension? Retells aten/src/ATen/TensorUtils.h.

Strides count elements, as everywhere upstream; NumPy's count bytes.
"""

import numpy

from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.memory_format import contiguous_strides


def strides_of(array):
    """The array's strides in elements."""
    itemsize = array.itemsize
    return tuple([stride // itemsize for stride in array.strides])


def restride(array, sizes, strides):
    """The array's memory, from its first element on, with other sizes and strides."""
    itemsize = array.itemsize
    in_bytes = tuple([stride * itemsize for stride in strides])
    if isinstance(array, numpy.ndarray) and array.flags.forc:
        # Ten times as fast as NumPy's as_strided, but for memory without gaps only.
        return numpy.ndarray(sizes, array.dtype, array, 0, in_bytes)
    return array_module(array).lib.stride_tricks.as_strided(array, sizes, in_bytes)


def compute_stride(sizes, strides, new_sizes):
    """The strides with which `new_sizes` looks at the same elements in the same order; None if there are none.

    Both shapes are walked from the back. Old dimensions that follow each other densely form a block; the new
    dimensions must split each block evenly, and may not reach across two blocks.
    """
    if 0 in sizes:
        return strides if tuple(sizes) == tuple(new_sizes) else contiguous_strides(new_sizes)
    new_strides = [0] * len(new_sizes)
    new_dim = len(new_sizes) - 1
    block_stride = strides[-1] if strides else 1
    block = covered = 1
    for dim in range(len(sizes) - 1, -1, -1):
        block *= sizes[dim]
        ends_block = dim == 0 or (sizes[dim - 1] != 1 and strides[dim - 1] != block * block_stride)
        if not ends_block:
            continue
        while new_dim >= 0 and (covered < block or new_sizes[new_dim] == 1):
            new_strides[new_dim] = covered * block_stride
            covered *= new_sizes[new_dim]
            new_dim -= 1
        if covered != block:
            return None
        if dim > 0:
            block_stride = strides[dim - 1]
            block = covered = 1
    if not sizes:
        return (1,) * len(new_sizes)
    return tuple(new_strides) if new_dim < 0 else None

"""Interpolation, on arrays, in any number of dimensions. Retells aten/src/ATen/native/cpu/UpSampleKernel.cpp.

Each mode is a rule for one dimension, applied to one after the other, the last dimension first.
"""

import numpy

from annotated_src.aten.native.along_dim import add_back, take
from annotated_src.aten.native.up_sample import nearest_exact_index, nearest_index, nearest_index_by_scale
from annotated_src.c10.array_module import array_module


def upsample_nearest(x, output_size, scales, exact):
    """(N, C, *sizes) -> (N, C, *output_size), each pixel a copy."""
    index_of = _forward_rule(output_size, exact)
    for dim in range(x.ndim - 1, 1, -1):
        x = take(x, dim, index_of(x.shape[dim], output_size[dim - 2], scales[dim - 2]))
    return x


def _forward_rule(output_size, exact):
    if exact:
        return nearest_exact_index
    # Upstream has two kernels, and they differ where the caller's scale is not quite that of the sizes. The one for
    # small images takes no notice of it; the gradients' kernel does not, either.
    if len(output_size) == 2 and sum(output_size) <= 128:
        return nearest_index
    return nearest_index_by_scale


def upsample_nearest_backward(grad_output, input_size, scales, exact):
    """Each gradient is added to the pixel that its output was a copy of."""
    index_of = nearest_exact_index if exact else nearest_index
    for dim in range(grad_output.ndim - 1, 1, -1):
        size = input_size[dim]
        grad_output = add_back(grad_output, dim, index_of(size, grad_output.shape[dim], scales[dim - 2]), size)
    return grad_output


def upsample_weighted(x, output_size, align_corners, scales, taps_of):
    """(N, C, *sizes) -> (N, C, *output_size), each pixel a weighted sum; `taps_of` gives places and weights."""
    kind = numpy.dtype(x.dtype).type
    for dim in range(x.ndim - 1, 1, -1):
        taps = taps_of(kind, x.shape[dim], output_size[dim - 2], align_corners, scales[dim - 2])
        total = 0
        for index, weights in taps:
            total = total + take(x, dim, index) * _along(x, weights, dim)
        x = total
    return x


def upsample_weighted_backward(grad_output, input_size, align_corners, scales, taps_of):
    """Each gradient goes to the pixels that its output was the sum of, with the same weights."""
    kind = numpy.dtype(grad_output.dtype).type
    for dim in range(grad_output.ndim - 1, 1, -1):
        size = input_size[dim]
        taps = taps_of(kind, size, grad_output.shape[dim], align_corners, scales[dim - 2])
        total = 0
        for index, weights in taps:
            total = total + add_back(grad_output * _along(grad_output, weights, dim), dim, index, size)
        grad_output = total
    return grad_output


def _along(x, weights, dim):
    shape = [1] * x.ndim
    shape[dim] = len(weights)
    return array_module(x).asarray(weights.tolist(), dtype=x.dtype).reshape(shape)

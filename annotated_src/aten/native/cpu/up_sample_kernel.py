"""Interpolation, on arrays, in any number of dimensions. Retells aten/src/ATen/native/cpu/UpSampleKernel.cpp.

Each mode is a rule for one dimension, applied to one after the other, the last dimension first.
"""

from annotated_src.aten.native.along_dim import add_back, lay_along, take
from annotated_src.aten.native.up_sample import nearest_exact_index, nearest_index, nearest_index_by_scale
from annotated_src.c10.array_module import array_module


def upsample_nearest(x, output_size, scales, exact):
    """(N, C, *sizes) -> (N, C, *output_size), each pixel a copy."""
    xp, index_of = array_module(x), _forward_rule(output_size, exact)
    for dim in range(x.ndim - 1, 1, -1):
        x = take(x, dim, index_of(xp, x.shape[dim], output_size[dim - 2], scales[dim - 2]))
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
    xp, index_of = array_module(grad_output), nearest_exact_index if exact else nearest_index
    for dim in range(grad_output.ndim - 1, 1, -1):
        size = input_size[dim]
        grad_output = add_back(grad_output, dim, index_of(xp, size, grad_output.shape[dim], scales[dim - 2]), size)
    return grad_output


def upsample_weighted(x, output_size, align_corners, scales, taps_of):
    """(N, C, *sizes) -> (N, C, *output_size), each pixel a weighted sum; `taps_of` gives places and weights."""
    xp, kind = array_module(x), x.dtype.type
    for dim in range(x.ndim - 1, 1, -1):
        taps = taps_of(xp, kind, x.shape[dim], output_size[dim - 2], align_corners, scales[dim - 2])
        total = 0
        for index, weights in taps:
            total = total + take(x, dim, index) * lay_along(weights, dim, x.ndim)
        x = total
    return x


def upsample_weighted_backward(grad_output, input_size, align_corners, scales, taps_of):
    """Each gradient goes to the pixels that its output was the sum of, with the same weights."""
    xp, kind = array_module(grad_output), grad_output.dtype.type
    for dim in range(grad_output.ndim - 1, 1, -1):
        size = input_size[dim]
        taps = taps_of(xp, kind, size, grad_output.shape[dim], align_corners, scales[dim - 2])
        total = 0
        for index, weights in taps:
            weighted = grad_output * lay_along(weights, dim, grad_output.ndim)
            total = total + add_back(weighted, dim, index, size)
        grad_output = total
    return grad_output

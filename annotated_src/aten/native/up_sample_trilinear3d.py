"""Interpolation over 3 dimensions. Retells aten/src/ATen/native/UpSampleTrilinear3d.cpp.

float16 and bfloat16 are computed in float32 and rounded once.
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.up_sample_kernel import upsample_weighted, upsample_weighted_backward
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.native.up_sample import (
    check_grad_output,
    compute_output_size,
    full_output_size,
    linear_taps,
    scale_values,
)
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.tensor_impl import make_tensor


def upsample_trilinear3d(self, output_size, align_corners, scales_d=None, scales_h=None, scales_w=None):
    """(N, C, D, H, W): each output pixel the mean of the 8 pixels around, weighted by distance."""
    size = full_output_size(self, output_size, 3)
    dispatch(self.dtype, FLOATING_TYPES, "upsample_trilinear3d")
    scales = (scales_d, scales_h, scales_w)
    output = quietly(upsample_weighted, computed_in(self, self.dtype), size[2:], align_corners, scales, linear_taps)
    return make_tensor(rounded(output, self.dtype))


def upsample_trilinear3d_vec(input, output_size, align_corners, scale_factors):
    """The same with one list of sizes, or one of factors."""
    sizes = compute_output_size(input.array.shape, output_size, scale_factors)
    return ops.upsample_trilinear3d.default(input, sizes, align_corners, *scale_values(scale_factors, 3))


def upsample_trilinear3d_backward(
    grad_output, output_size, input_size, align_corners, scales_d=None, scales_h=None, scales_w=None
):
    """Its gradient."""
    check_grad_output(grad_output, output_size, input_size)
    dispatch(grad_output.dtype, FLOATING_TYPES, "upsample_trilinear3d_backward")
    grad = computed_in(grad_output, grad_output.dtype)
    scales = (scales_d, scales_h, scales_w)
    grad_input = quietly(upsample_weighted_backward, grad, tuple(input_size), align_corners, scales, linear_taps)
    return make_tensor(rounded(grad_input, grad_output.dtype))

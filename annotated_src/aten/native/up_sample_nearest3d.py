"""Interpolation over 3 dimensions by the nearest pixel. Retells aten/src/ATen/native/UpSampleNearest3d.cpp.

    upsample_nearest3d           rounds down, as it always did
    _upsample_nearest_exact3d    rounds to the nearest
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.up_sample_kernel import upsample_nearest, upsample_nearest_backward
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.native.up_sample import (
    check_grad_output,
    compute_output_size,
    full_output_size,
    scale_values,
)
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.scalar_type import FLOATING, uint8
from annotated_src.c10.core.tensor_impl import make_tensor


def upsample_nearest3d(self, output_size, scales_d=None, scales_h=None, scales_w=None):
    """(N, C, D, H, W): each output pixel a copy of an input pixel."""
    return _forward(self, output_size, (scales_d, scales_h, scales_w), exact=False)


def upsample_nearest3d_vec(input, output_size, scale_factors):
    """The same with one list of sizes, or one of factors."""
    sizes = compute_output_size(input.array.shape, output_size, scale_factors)
    return ops.upsample_nearest3d.default(input, sizes, *scale_values(scale_factors, 3))


def upsample_nearest3d_backward(grad_output, output_size, input_size, scales_d=None, scales_h=None, scales_w=None):
    """Its gradient."""
    return _backward(grad_output, output_size, input_size, (scales_d, scales_h, scales_w), exact=False)


def _upsample_nearest_exact3d(self, output_size, scales_d=None, scales_h=None, scales_w=None):
    """(N, C, D, H, W): each output pixel a copy of an input pixel."""
    return _forward(self, output_size, (scales_d, scales_h, scales_w), exact=True)


def _upsample_nearest_exact3d_vec(input, output_size, scale_factors):
    """The same with one list of sizes, or one of factors."""
    sizes = compute_output_size(input.array.shape, output_size, scale_factors)
    return ops._upsample_nearest_exact3d.default(input, sizes, *scale_values(scale_factors, 3))


def _upsample_nearest_exact3d_backward(
    grad_output, output_size, input_size, scales_d=None, scales_h=None, scales_w=None
):
    """Its gradient."""
    return _backward(grad_output, output_size, input_size, (scales_d, scales_h, scales_w), exact=True)


def _forward(self, output_size, scales, exact):
    size = full_output_size(self, output_size, 3)
    dispatch(self.dtype, (FLOATING, uint8), "upsample_nearest3d")
    return make_tensor(quietly(upsample_nearest, self.array, size[2:], scales, exact))


def _backward(grad_output, output_size, input_size, scales, exact):
    check_grad_output(grad_output, output_size, input_size)
    dispatch(grad_output.dtype, FLOATING_TYPES, "upsample_nearest3d_backward")
    grad = computed_in(grad_output, grad_output.dtype)
    grad_input = quietly(upsample_nearest_backward, grad, tuple(input_size), scales, exact)
    return make_tensor(rounded(grad_input, grad_output.dtype))

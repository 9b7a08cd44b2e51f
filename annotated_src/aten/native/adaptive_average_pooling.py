"""Adaptive average pooling over 2 dimensions. Retells aten/src/ATen/native/AdaptiveAveragePooling.cpp."""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.adaptive_pooling import (
    check_dims,
    check_grad_dims,
    check_grad_not_empty,
    sizes_asked_for,
)
from annotated_src.aten.native.cpu.adaptive_avg_pool_kernel import adaptive_avg_pool, adaptive_avg_pool_backward
from annotated_src.aten.native.pool import numbers_for
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.tensor_impl import make_tensor


def adaptive_avg_pool2d(self, output_size):
    """(N, C, H, W) or (C, H, W): the mean of each of as many windows as asked for."""
    output_size = sizes_asked_for("adaptive_avg_pool2d", output_size, 2)
    if all(size == 1 for size in output_size):
        # One window: the mean, which is faster, and takes any number of dimensions.
        return ops.mean.dim(self, (-1, -2), True)
    return ops._adaptive_avg_pool2d.default(self, output_size)


def _adaptive_avg_pool2d(self, output_size):
    """The kernel of adaptive_avg_pool2d."""
    output_size = numbers_for("adaptive_avg_pool2d", "output_size", output_size, 2)
    # Only this one takes a batch without channels.
    check_dims("adaptive_avg_pool2d", self, 2, first=self.array.ndim - 2)
    dispatch(self.dtype, FLOATING_TYPES, "adaptive_avg_pool2d")
    output = quietly(adaptive_avg_pool, computed_in(self, self.dtype), output_size)
    return make_tensor(rounded(output, self.dtype))


def _adaptive_avg_pool2d_backward(grad_output, self):
    """The gradient of _adaptive_avg_pool2d."""
    check_grad_dims("adaptive_avg_pool2d_backward", grad_output, self)
    check_grad_not_empty("adaptive_avg_pool2d_backward", grad_output)
    dispatch(grad_output.dtype, FLOATING_TYPES, "adaptive_avg_pool2d_backward")
    grad = computed_in(grad_output, self.dtype)
    grad_input = quietly(adaptive_avg_pool_backward, grad, self.array.shape[-2:])
    return make_tensor(rounded(grad_input, self.dtype))

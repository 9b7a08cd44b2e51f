"""avg_pool2d. Retells aten/src/ATen/native/AveragePool2d.cpp.

float16 and bfloat16 are summed in float32 and rounded once; their gradients are not.
"""

from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.avg_pool_kernel import avg_pool, avg_pool_backward
from annotated_src.aten.native.pool import (
    PoolWindows,
    check_grad_sizes,
    numbers_for,
    pool_shape_check,
    pooling_output_shape,
)
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.scalar_type import FLOATING, int64
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.c10.util.exception import TorchError


def avg_pool2d(
    self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """(N, C, H, W) or (C, H, W): the mean of each window."""
    windows = _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override)
    dispatch(self.dtype, (FLOATING, int64), "avg_pool2d")
    output = quietly(avg_pool, computed_in(self, self.dtype), windows, count_include_pad, divisor_override)
    return make_tensor(rounded(output, self.dtype))


def _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override):
    kernel = numbers_for("avg_pool2d", "kernel_size", kernel_size, 2)
    stride = numbers_for("avg_pool2d", "stride", stride, 2, default=kernel)
    padding = numbers_for("avg_pool2d", "padding", padding, 2)
    if divisor_override == 0:
        raise TorchError("divisor must be not zero")
    # (the channels are asked for before anything is checked)
    size_along(self.array, -3)
    sizes = self.array.shape[-2:]
    rows = zip(sizes, kernel, padding, stride, strict=True)
    out = [pooling_output_shape(*row, 1, ceil_mode) for row in rows]
    pool_shape_check("avg_pool2d", self, kernel, stride, padding, (1,) * 2, out)
    return PoolWindows(sizes, out, kernel, stride, padding, (1,) * 2)


def avg_pool2d_backward(
    grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
):
    """The gradient of avg_pool2d."""
    windows = _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override)
    check_grad_sizes(grad_output, self.array.ndim, windows.out)
    dispatch(self.dtype, FLOATING_TYPES, "avg_pool2d_backward")
    # Not in float32: upstream adds up gradients in their own dtype.
    return make_tensor(
        quietly(avg_pool_backward, grad_output.array, windows, count_include_pad, divisor_override)
    )

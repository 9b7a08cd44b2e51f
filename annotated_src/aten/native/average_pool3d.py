"""avg_pool3d. Retells aten/src/ATen/native/AveragePool3d.cpp.

float16 and bfloat16 are summed in float32 and rounded once; their gradients are not.
"""

from annotated_src.aten.dispatch import FULL_FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.avg_pool_kernel import avg_pool, avg_pool_backward
from annotated_src.aten.native.pool import (
    PoolWindows,
    check_grad_sizes,
    check_input_dims,
    numbers_for,
    pool_shape_check,
    pooling_output_shape,
)
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.scalar_type import int64
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def avg_pool3d(
    self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """(N, C, D, H, W) or (C, D, H, W): the mean of each window."""
    windows = _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override)
    dispatch(self.dtype, (*FULL_FLOATING_TYPES, int64), "avg_pool3d_out_frame")
    output = quietly(avg_pool, computed_in(self, self.dtype), windows, count_include_pad, divisor_override)
    return make_tensor(rounded(output, self.dtype))


def _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override):
    kernel = numbers_for("avg_pool3d", "kernel_size", kernel_size, 3)
    stride = numbers_for("avg_pool3d", "stride", stride, 3, default=kernel)
    padding = numbers_for("avg_pool3d", "padding", padding, 3)
    if divisor_override == 0:
        raise TorchError("divisor must be not zero")
    check_input_dims("avg_pool3d", self, 3)
    if any(size + 2 * pad < k for size, pad, k in zip(self.array.shape[-3:], padding, kernel, strict=True)):
        shown = " ".join(f"{letter}: {size}" for letter, size in zip("THW", self.array.shape[-3:], strict=True))
        wanted = " ".join(f"k{letter}: {size}" for letter, size in zip("THW", kernel, strict=True))
        raise TorchError(f"input image ({shown}) smaller than kernel size ({wanted})")
    sizes = self.array.shape[-3:]
    rows = zip(sizes, kernel, padding, stride, strict=True)
    out = [pooling_output_shape(*row, 1, ceil_mode) for row in rows]
    pool_shape_check("avg_pool3d", self, kernel, stride, padding, (1,) * 3, out)
    return PoolWindows(sizes, out, kernel, stride, padding, (1,) * 3)


def avg_pool3d_backward(
    grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
):
    """The gradient of avg_pool3d."""
    windows = _windows(self, kernel_size, stride, padding, ceil_mode, divisor_override)
    check_grad_sizes(grad_output, self.array.ndim, windows.out)
    dispatch(self.dtype, (*FULL_FLOATING_TYPES, int64), "avg_pool3d_backward_out_frame")
    # Not in float32: upstream adds up gradients in their own dtype.
    return make_tensor(
        quietly(avg_pool_backward, grad_output.array, windows, count_include_pad, divisor_override)
    )

"""max_pool2d with the places of the maxima. Retells aten/src/ATen/native/DilatedMaxPool2d.cpp."""

from annotated_src.aten.dispatch import ALL_TYPES, FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.max_pool_kernel import max_pool, max_pool_backward
from annotated_src.aten.native.pool import check_grad_sizes, max_pool_windows
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def max_pool2d_with_indices(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """(N, C, H, W) or (C, H, W): the maximum of each window, and its place in the unpadded input."""
    windows = _windows(self, kernel_size, stride, padding, dilation, ceil_mode)
    dispatch(self.dtype, ALL_TYPES, "max_pool2d")
    output, indices = quietly(max_pool, self.array, windows)
    return make_tensor(output), make_tensor(indices)


def _windows(self, *numbers):
    return max_pool_windows("max_pool2d", self, 2, *numbers)


def max_pool2d_with_indices_backward(
    grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices
):
    """The gradient of max_pool2d_with_indices."""
    if grad_output.dtype is not self.dtype:
        raise TorchError(f"expected dtype {self.dtype} for `gradOutput` but got dtype {grad_output.dtype}")
    windows = _windows(self, kernel_size, stride, padding, dilation, ceil_mode)
    check_grad_sizes(grad_output, self.array.ndim, windows.out)
    check_grad_sizes(indices, self.array.ndim, windows.out)
    dispatch(self.dtype, FLOATING_TYPES, "max_pool2d_backward")
    return make_tensor(
        quietly(max_pool_backward, grad_output.array, indices.array, windows.sizes, windows.overlap)
    )

"""max_pool1d. Retells aten/src/ATen/native/MaxPooling.cpp.

Without a gradient nobody needs the indices, so upstream has a kernel that finds only the maxima.
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.cpu.max_pool_kernel import max_pool
from annotated_src.aten.native.pool import PoolWindows, pooling_output_shape
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def max_pool1d(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """(N, C, L) or (C, L): the maximum of each window."""
    numbers = _check_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode)
    # Deviation: upstream takes the kernel under no_grad as well; what no_grad is, aten does not know here.
    if getattr(self, "requires_grad", False) or self.device.type != "cpu":
        output, _ = ops.max_pool1d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)
        return output
    dispatch(self.dtype, FLOATING_TYPES, "max_pool1d_impl")
    kernel, step, pad, spread, out = numbers
    windows = PoolWindows(self.array.shape[-1:], (out,), (kernel,), (step,), (pad,), (spread,))
    output, _ = quietly(max_pool, self.array, windows, False)
    return make_tensor(output)


def _check_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode):
    """(kernel, stride, padding, dilation, output size) as numbers, checked."""
    shape = self.array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise TorchError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(shape)}"
        )
    kernel = _number("kernel_size must be an int, list of ints or tuple of ints of size 1", kernel_size)
    step = kernel
    if isinstance(stride, int) or len(stride) > 0:
        step = _number("stride must be None, an int, list of ints, or tuple of ints of size 1", stride)
    pad = _number("padding must be an int, list of ints, or tuple of ints of size 1", padding)
    spread = _number("dilation must be an int, list of ints or tuple of ints of size 1", dilation)
    _check_positive("kernel_size", kernel)
    _check_positive("stride", step)
    if pad < 0:
        raise TorchError(f"max_pool1d() padding must be non-negative, but got {pad}")
    if pad > kernel // 2:
        raise TorchError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={pad} and "
            f"kernel_size={kernel}"
        )
    _check_positive("dilation", spread)
    out = pooling_output_shape(shape[-1], kernel, pad, step, spread, ceil_mode)
    if out <= 0:
        raise TorchError(f"max_pool1d() Invalid computed output size: {out}")
    return kernel, step, pad, spread, out


def _number(words, values):
    if isinstance(values, int):
        return values
    if len(values) != 1:
        raise TorchError(f"max_pool1d() {words} but got size {len(values)}")
    return values[0]


def _check_positive(name, value):
    if value <= 0:
        raise TorchError(f"max_pool1d() {name} must be greater than zero, but got {value}")

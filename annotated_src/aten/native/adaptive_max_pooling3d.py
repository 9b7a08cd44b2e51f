"""Adaptive max pooling over 3 dimensions. Retells aten/src/ATen/native/AdaptiveMaxPooling3d.cpp."""

from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.adaptive_pooling import check_dims, check_grad_not_empty, check_sizes_nonnegative
from annotated_src.aten.native.cpu.adaptive_max_pool_kernel import adaptive_max_pool
from annotated_src.aten.native.cpu.max_pool_kernel import max_pool_backward
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def adaptive_max_pool3d(self, output_size):
    """(N, C, D, H, W) or (C, D, H, W): the maximum of each of as many windows as asked for, and its place."""
    if isinstance(output_size, int):
        output_size = (output_size,) * 3
    if len(output_size) != 3:
        raise TorchError(
            f"adaptive_max_pool3d(): internal error: output_size.size() must be 3, got {list(output_size)}"
        )
    check_dims("adaptive_max_pool3d", self, 3, got="got:")
    check_sizes_nonnegative(self, output_size)
    dispatch(self.dtype, FLOATING_TYPES, "adaptive_max_pool3d_cpu")
    output, indices = quietly(adaptive_max_pool, self.array, tuple(output_size))
    return make_tensor(output), make_tensor(indices)


def adaptive_max_pool3d_backward(grad_output, self, indices):
    """The gradient of adaptive_max_pool3d."""
    if grad_output.array.shape != indices.array.shape:
        raise TorchError(
            f"expected sizes {list(indices.array.shape)} for `grad_output` but got sizes "
            f"{list(grad_output.array.shape)}"
        )
    dispatch(grad_output.dtype, FLOATING_TYPES, "adaptive_max_pool3d_backward")
    check_grad_not_empty("adaptive_max_pool3d_backward", grad_output)
    # Windows overlap by one where the sizes do not divide.
    sizes = self.array.shape[-3:]
    return make_tensor(quietly(max_pool_backward, grad_output.array, indices.array, sizes, True))

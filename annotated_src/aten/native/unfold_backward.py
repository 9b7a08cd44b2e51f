"""The gradient of unfold. Retells aten/src/ATen/native/UnfoldBackward.cpp.

    unfold            (..., L, ...) -> (..., n, ..., size): window k begins at k * step
    unfold_backward   each element gets the sum over the windows that it is in

Upstream each element looks for its windows, in parallel. Here all windows' first elements are added at once, then all
their second ones, and so on: within one such turn no element comes twice.
"""

from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim


def unfold_backward(grad_in, input_sizes, dim, size, step):
    """The gradient of a tensor of `input_sizes`, from that of its windows along `dim`."""
    grad = grad_in.array
    result = array_module(grad).zeros(tuple(input_sizes), grad.dtype)
    if result.ndim == 0:
        # A number is one window of one element.
        result[...] = grad.reshape(())
        return make_tensor(result)
    dim = maybe_wrap_dim(dim, result.ndim)
    windows = grad.shape[dim]
    before = (slice(None),) * dim
    for position in range(size):
        places = slice(position, position + (windows - 1) * step + 1, step)
        result[(*before, places)] += grad[..., position]
    return make_tensor(result)

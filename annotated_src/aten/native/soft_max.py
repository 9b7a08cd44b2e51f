"""softmax and log_softmax. Retells aten/src/ATen/native/SoftMax.cpp.

    softmax      converts, if a dtype is given, and calls _softmax, which has a derivative
    _softmax     exp(x - max) / sum: the largest element is taken out first, so that exp cannot overflow

float16 and bfloat16 are computed in float32 and rounded once. On a card, float32 rows go to the kernels of
cuda/SoftMax.cu; everything else is shared array-module code.
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.cuda import soft_max as cuda_soft_max
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import finish, quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError


def softmax(self, dim, dtype=None):
    """exp(self) / sum(exp(self)) along `dim`."""
    if dtype is not None:
        self = ops.to.dtype(self, dtype)
    return ops._softmax.default(self, dim, False)


def softmax_out(self, dim, dtype=None, *, out):
    """`softmax` into `out`."""
    converted = self if dtype is None else ops.to.dtype(self, dtype)
    return ops._softmax.out(converted, dim, False, out=out)


def log_softmax(self, dim, dtype=None):
    """log(softmax(self, dim)), without computing the logarithm of a rounded 0."""
    if dtype is not None:
        self = ops.to.dtype(self, dtype)
    return ops._log_softmax.default(self, dim, False)


def log_softmax_out(self, dim, dtype=None, *, out):
    """`log_softmax` into `out`."""
    converted = self if dtype is None else ops.to.dtype(self, dtype)
    return ops._log_softmax.out(converted, dim, False, out=out)


def _softmax(self, dim, half_to_float, *, out=None):
    """The kernel of softmax."""
    return _apply(_softmax_of, "softmax", self, dim, half_to_float, out)


def _log_softmax(self, dim, half_to_float, *, out=None):
    """The kernel of log_softmax."""
    return _apply(_log_softmax_of, "log_softmax", self, dim, half_to_float, out)


def _apply(function, name, self, dim, half_to_float, out):
    if half_to_float:
        raise TorchError(f"{name} with half to float conversion is not supported on CPU")
    dim = maybe_wrap_dim(dim, self.array.ndim)
    last = dim >= self.array.ndim - 1
    if self.array.size == 0:
        return finish(self.array.copy(), out)
    dispatch(self.dtype, FLOATING_TYPES, f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl")
    array = computed_in(self, self.dtype)
    # A 0-d tensor passes for one of one dimension.
    rows = array if array.ndim else array.reshape(1)
    result = quietly(function, array_module(array), rows, dim).reshape(array.shape)
    return finish(rounded(result, self.dtype), out)


def _softmax_of(xp, array, dim):
    if cuda_soft_max.takes(xp, array, dim):
        return cuda_soft_max.softmax_of_rows(xp, array, False)
    # One array, worked on in place: the others would cost more than the arithmetic.
    result = array - array.max(dim, keepdims=True)
    xp.exp(result, out=result)
    result /= result.sum(dim, keepdims=True)
    return result


def _log_softmax_of(xp, array, dim):
    if cuda_soft_max.takes(xp, array, dim):
        return cuda_soft_max.softmax_of_rows(xp, array, True)
    shifted = array - array.max(dim, keepdims=True)
    shifted -= xp.log(xp.exp(shifted).sum(dim, keepdims=True))
    return shifted


# -- backward


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    """(grad - sum(grad * output)) * output along `dim`."""
    return _apply_backward(_softmax_backward_of, grad_output, output, dim, input_dtype)


def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    """grad - exp(output) * sum(grad) along `dim`."""
    return _apply_backward(_log_softmax_backward_of, grad_output, output, dim, input_dtype)


def _apply_backward(function, grad_output, output, dim, input_dtype):
    if grad_output.array.shape != output.array.shape:
        raise TorchError(
            f"Expected grad_output and output to have the same size, but got {list(grad_output.array.shape)} and "
            f"{list(output.array.shape)}"
        )
    dim = maybe_wrap_dim(dim, grad_output.array.ndim)
    grad, result = computed_in(grad_output, grad_output.dtype), computed_in(output, output.dtype)
    rows = (grad, result) if grad.ndim else (grad.reshape(1), result.reshape(1))
    gradient = quietly(function, array_module(grad), *rows, dim).reshape(grad.shape)
    return make_tensor(rounded(gradient, input_dtype))


def _softmax_backward_of(xp, grad, output, dim):
    product = grad * output
    return product - output * product.sum(dim, keepdims=True)


def _log_softmax_backward_of(xp, grad, output, dim):
    return grad - xp.exp(output) * grad.sum(dim, keepdims=True)

"""Kernels that compare: extremes along a dimension, limits, special values.

Retells aten/src/ATen/native/TensorCompare.cpp and cpu/TensorCompareKernel.cpp.
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.core import return_types
from annotated_src.aten.dispatch import ALL_TYPES, ALL_TYPES_AND_BOOL, dispatch
from annotated_src.aten.native.reduce_ops import comparable, contiguous, rounded, zero_numel_check_dims
from annotated_src.aten.tensor_iterator import (
    binary_op,
    check_same_device,
    common_shape,
    finish,
    pointwise,
    quiet_astype,
    result_type,
    unary_op,
)
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar import checked_convert
from annotated_src.c10.core.scalar_type import COMPLEX, FLOATING, INTEGRAL
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError

# -- extremes along a dimension


def max_dim(self, dim, keepdim=False, *, max=None, max_values=None):
    """The largest elements along `dim`, and where each is: the first of several. A NaN counts as the largest."""
    return return_types.max(_extreme_along(self, "max", dim, keepdim, max, max_values))


def min_dim(self, dim, keepdim=False, *, min=None, min_indices=None):
    """The smallest elements along `dim`, and where each is: the first of several. A NaN counts as the smallest."""
    return return_types.min(_extreme_along(self, "min", dim, keepdim, min, min_indices))


def _extreme_along(tensor, name, dim, keepdim, values_out, indices_out):
    xp = array_module(tensor.array)
    dim = maybe_wrap_dim(dim, tensor.array.ndim)
    zero_numel_check_dims(tensor.array, dim, name)
    if tensor.dtype.category == COMPLEX:
        raise TorchError(f"{name}(): does not support complex input")
    array = tensor.array if tensor.array.ndim else tensor.array.reshape(1)
    order = comparable(array)
    indices = xp.expand_dims(getattr(order, "arg" + name)(dim), dim)
    values = xp.take_along_axis(array, indices, dim)
    return finish_pair(values, indices, dim, keepdim and tensor.array.ndim > 0, values_out, indices_out)


def finish_pair(values, indices, dim, keepdim, values_out, indices_out):
    """Values and their indices as tensors; both arrays still have the dimension, with size 1."""
    check_indices_out(indices_out)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return finish(contiguous(values), values_out), finish(contiguous(indices), indices_out)


def check_indices_out(indices_out):
    """RuntimeError where indices are to go into anything but int64."""
    if indices_out is not None and indices_out.dtype.name != "int64":
        raise TorchError(
            f"Expected out tensor to have dtype long int, but got {indices_out.dtype.name} instead: indices are int64"
        )


def aminmax(self, *, dim=None, keepdim=False, min=None, max=None):
    """(smallest, largest) along `dim`, or of all elements; NaN if there is one."""
    array = self.array
    dispatch(self.dtype, ALL_TYPES_AND_BOOL, "aminmax")
    if dim is None and array.size == 0:
        raise TorchError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    if dim is not None:
        dim = maybe_wrap_dim(dim, array.ndim)
        zero_numel_check_dims(array, dim, "aminmax")
    order = comparable(array)
    axis = dim if array.ndim else None
    smallest = rounded(order.min(axis, keepdims=keepdim), self.dtype)
    largest = rounded(order.max(axis, keepdims=keepdim), self.dtype)
    return return_types.aminmax((finish(smallest, min), finish(largest, max)))


def max_other(self, other):
    """The larger of two, element by element: `maximum` under an older name."""
    return ops.maximum(self, other)


def max_out(self, other, *, out):
    """`max_other` into `out`."""
    return ops.maximum(self, other, out=out)


def min_other(self, other):
    """The smaller of two, element by element: `minimum` under an older name."""
    return ops.minimum(self, other)


def min_out(self, other, *, out):
    """`min_other` into `out`."""
    return ops.minimum(self, other, out=out)


# -- limits


def clamp(self, min=None, max=None, *, out=None):
    """self, but not below `min` and not above `max`: numbers or tensors, one of them may be None."""
    if min is None and max is None:
        raise TorchError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if max is None:
        return clamp_min(self, min, out=out)
    if min is None:
        return clamp_max(self, max, out=out)
    xp = array_module(self.array)
    numbers = not isinstance(min, TensorImpl)
    _check_clamp(self, (min, max), "clamp_scalar_cpu" if numbers else "clamp_cpu")
    # In this order: where min is above max, max wins.
    return pointwise(
        lambda a, low, high: xp.minimum(xp.maximum(a, low), high), (self, min, max), out, opmath=True
    )


def clamp_min(self, min, *, out=None):
    """The larger of self and `min`; NaN if either is."""
    _check_clamp(self, (min,), None if isinstance(min, TensorImpl) else "clamp_min_scalar_cpu")
    return binary_op(array_module(self.array).maximum, self, min, out)


def clamp_max(self, max, *, out=None):
    """The smaller of self and `max`; NaN if either is."""
    _check_clamp(self, (max,), None if isinstance(max, TensorImpl) else "clamp_max_scalar_cpu")
    return binary_op(array_module(self.array).minimum, self, max, out)


def _check_clamp(self, limits, kernel):
    """Refuse dtypes without order or, where a kernel is named, bool; and numbers that the common dtype cannot hold."""
    if self.dtype.is_floating_point:
        return
    dtype = result_type((self, *limits))
    if dtype.category == COMPLEX:
        raise NotImplementedError("clamp is not supported for complex types")
    if kernel is not None:
        dispatch(dtype, ALL_TYPES, kernel)
    if dtype.category == INTEGRAL:
        for limit in limits:
            if not isinstance(limit, TensorImpl):
                checked_convert(limit, dtype)


# -- special values: made of other operators, as upstream does


def isnan(self):
    """Whether an element is NaN: the only value that differs from itself."""
    return ops.ne(self, self)


def isinf(self):
    """Whether an element is infinite."""
    if self.dtype.category < FLOATING:
        return _filled(self, False)
    return ops.eq(ops.abs(self), float("inf"))


def isfinite(self):
    """Whether an element is neither infinite nor NaN."""
    if self.dtype.category < FLOATING:
        return _filled(self, True)
    return ops.mul(ops.eq(self, self), ops.ne(ops.abs(self), float("inf")))


def _filled(tensor, value):
    return make_tensor(array_module(tensor.array).full_like(tensor.array, value, dtype=bool))


def isposinf(self, *, out=None):
    """Whether an element is inf."""
    return _is_value(self, "inf", out)


def isneginf(self, *, out=None):
    """Whether an element is -inf."""
    return _is_value(self, "-inf", out)


def _is_value(tensor, value, out):
    if tensor.dtype.category == COMPLEX:
        raise TorchError(f"is{'pos' if value == 'inf' else 'neg'}inf does not support complex inputs.")
    return unary_op(lambda a: a == float(value), tensor, out, predicate=True)


# -- the value that comes most often


def mode(self, dim=-1, keepdim=False, *, values=None, indices=None):
    """The most frequent elements along `dim`, the smallest of several, and where each is last."""
    xp = array_module(self.array)
    dim = maybe_wrap_dim(dim, self.array.ndim)
    array = self.array if self.array.ndim else self.array.reshape(1)
    zero_numel_check_dims(array, dim, "mode")
    rows = xp.moveaxis(comparable(array), dim, -1)
    found, where = _mode(xp, rows)
    pair = (xp.moveaxis(found, -1, dim).astype(self.array.dtype), xp.moveaxis(where, -1, dim))
    return return_types.mode(finish_pair(*pair, dim, keepdim and self.array.ndim > 0, values, indices))


def _mode(xp, rows):
    # Deviation: upstream sorts; here each element is compared with every other, in n * n space.
    equal = rows[..., :, None] == rows[..., None, :]
    counts = equal.sum(-1)
    most = counts == counts.max(-1, keepdims=True)
    some = xp.take_along_axis(rows, xp.expand_dims(xp.argmax(most, -1), -1), -1)
    candidates = xp.where(most, rows, some)
    found = candidates.min(-1, keepdims=True)
    last = rows.shape[-1] - 1 - xp.argmax((rows == found)[..., ::-1], -1)
    return found, xp.expand_dims(last, -1)


# -- are these the same, or nearly?


def isclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where |self - other| <= atol + rtol * |other|; infinities are close to themselves, NaN to nothing."""
    if self.dtype is not other.dtype:
        raise TorchError(
            f"{self.dtype.cpp_name} did not match {other.dtype.cpp_name}: isclose compares tensors of one dtype"
        )
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            raise TorchError(f"{name} must be greater than or equal to zero, but got {tolerance:g}")
    close = ops.eq.Tensor(self, other)
    if equal_nan and self.dtype.category >= FLOATING:
        both_nan = ops.bitwise_and_.Tensor(ops.isnan.default(self), ops.isnan.default(other))
        ops.bitwise_or_.Tensor(close, both_nan)
    if rtol == 0 and atol == 0:
        return close
    if self.dtype is scalar_type.bool_:
        other = ops.to.dtype(other, scalar_type.get_default_dtype())
    if self.dtype.category < FLOATING:
        self = ops.to.dtype(self, scalar_type.get_default_dtype())
    allowed_error = ops.add.Scalar(ops.abs.default(ops.mul.Scalar(other, rtol)), atol)
    actual_error = ops.abs.default(ops.sub.Tensor(self, other))
    # An infinite error is allowed nothing: what is close by being equal is there already.
    finite = ops.isfinite.default(actual_error)
    return ops.bitwise_or_.Tensor(close, ops.bitwise_and_.Tensor(finite, ops.le.Tensor(actual_error, allowed_error)))


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether `isclose` holds everywhere."""
    close = ops.all.default(ops.isclose.default(self, other, rtol, atol, equal_nan))
    return bool(ops.item.default(close))  # D2H: the answer is a Python bool


def is_nonzero(self):
    """Whether the one element is not 0; RuntimeError if there is not exactly one."""
    if self.array.size == 0:
        raise TorchError("Boolean value of Tensor with no values is ambiguous: ask x.numel() == 0 instead")
    if self.array.size > 1:
        raise TorchError("Boolean value of Tensor with more than one value is ambiguous: say x.any() or x.all()")
    return bool(ops.item.default(self))  # D2H: the answer is a Python bool


def _assert_async(self, assert_msg="Expected Tensor with single nonzero value, but got zero"):
    """RuntimeError with `assert_msg`, unless the one element of `self` is true."""
    # (upstream's CUDA kernel looks itself, and ends the program: the host does not wait)
    if isinstance(self.array, numpy.ndarray) and not ops.item.default(self):
        raise TorchError(assert_msg)


# -- where


def where_self(condition, self, other, *, out=None):
    """`self` where the condition is True and `other` where it is not, broadcast, in their common dtype."""
    if condition.dtype not in (scalar_type.bool_, scalar_type.uint8):
        raise TorchError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.cpp_name}: compare it first, as in torch.where(x > 0, ...)"
        )
    if condition.dtype is scalar_type.uint8:
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
            "version of PyTorch. Use a boolean condition instead.",
            UserWarning,
        )
    dtype = result_type((self, other))
    arrays = [_on_device_of(condition, operand, dtype) for operand in (self, other)]
    common_shape((condition, self, other))
    chosen = condition.array if condition.dtype is scalar_type.bool_ else condition.array != 0
    return finish(array_module(chosen).where(chosen, *arrays), out)


def _on_device_of(condition, operand, dtype):
    """The operand's array in `dtype`; a 0-d tensor of the host goes where the condition is."""
    if operand.array.ndim == 0 and type(operand.array) is not type(condition.array):
        operand = ops._to_copy.default(operand, device=condition.device)
    check_same_device(condition, operand)
    return quiet_astype(operand.array, dtype) if operand.dtype is not dtype else operand.array


def where_scalar(condition, self, other):
    """where() of one number or two."""
    dtype = result_type((self, other))
    self, other = [
        x if isinstance(x, TensorImpl) else ops.scalar_tensor.default(x, dtype=dtype, device=condition.device)
        for x in (self, other)
    ]
    return ops.where.self(condition, self, other)


def where_default(condition):
    """The positions where the condition is True, an index tensor for each dimension."""
    return ops.nonzero_numpy.default(condition)

"""TensorIterator: what every pointwise operator does before and after its arithmetic.

Retells aten/src/ATen/TensorIterator.h and native/TypeProperties.h.

    1. one dtype for all operands (`result_type`): category first, then size; a tensor with dimensions outranks a
       0-d tensor, which outranks a Python number
    2. one shape: the operands are broadcast
    3. the arithmetic: a function of the array module
    4. the result goes into a fresh tensor, or into `out` if that can hold its dtype

Deviation: a Python number among the operands stays a number up to here; upstream wraps it in a 0-d tensor when
the arguments are parsed, and marks it ("wrapped number"), which comes to the same dtype.
"""

from annotated_src.aten.expand_utils import infer_size
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, can_cast, promote_types
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.util.exception import TorchError


def result_type(operands):
    """The dtype in which these tensors and numbers meet."""
    with_dimensions = zero_dim = number = None
    for operand in operands:
        if not isinstance(operand, TensorImpl):
            number = _promote(number, dtype_of_number(operand))
        elif operand.array.ndim:
            with_dimensions = _promote(with_dimensions, operand.dtype)
        else:
            zero_dim = _promote(zero_dim, operand.dtype)
    return _combine(with_dimensions, _combine(zero_dim, number))


def dtype_of_number(value):
    """The dtype that a Python number brings in."""
    if isinstance(value, bool):
        return scalar_type.bool_
    if isinstance(value, int):
        return scalar_type.int64
    if isinstance(value, float):
        return scalar_type.get_default_dtype()
    return scalar_type.get_default_dtype().to_complex()


def _promote(first, second):
    return second if first is None else promote_types(first, second)


def _combine(higher, lower):
    """The lower rank can lift the category of the higher one, but not its size."""
    if higher is None or lower is None:
        return higher or lower
    if higher.category == COMPLEX:
        return higher
    if higher.category == FLOATING:
        return higher.to_complex() if lower.category == COMPLEX else higher
    if higher.category == BOOL or lower.category >= FLOATING:
        return promote_types(higher, lower)
    return higher


def unary_op(function, self, out=None, *, dtype=None):
    """`function(array)` as a tensor; `dtype` is the one to compute in, if not the operand's."""
    array = self.array
    if dtype is not None and dtype is not self.dtype:
        array = array.astype(dtype.numpy)
    return finish(function(array), out)


def binary_op(function, self, other, out=None, *, dtype=None):
    """`function(a, b)` as a tensor, both operands cast to their common dtype (or to `dtype`) and broadcast."""
    a, b = operands(self, other, dtype)
    try:
        result = function(a, b)
    except ValueError:
        infer_size(self.array.shape, other.array.shape)
        raise
    return finish(result, out)


def operands(self, other, dtype=None):
    """The two arrays, of one dtype. A number becomes a 0-d array, or stays one where the module knows its dtype."""
    if dtype is None and type(other) is type(self) and self.array.dtype == other.array.dtype:
        check_same_device(self, other)
        return self.array, other.array
    dtype = dtype or result_type((self, other))
    return as_operand(self, dtype, other), as_operand(other, dtype, self)


def as_operand(operand, dtype, partner):
    """One operand in `dtype`, ready to meet `partner`'s array."""
    if not isinstance(operand, TensorImpl):
        return cast_number(operand, dtype)
    if isinstance(partner, TensorImpl):
        check_same_device(operand, partner)
    array = operand.array
    return array if array.dtype == dtype.numpy else array.astype(dtype.numpy)


def cast_number(value, dtype):
    """A Python number as `dtype` holds it; integers wrap around, as C++ casts do."""
    if dtype.category == scalar_type.INTEGRAL and isinstance(value, int):
        value &= (1 << 8 * dtype.itemsize) - 1
        if dtype.is_signed and value >> (8 * dtype.itemsize - 1):
            value -= 1 << 8 * dtype.itemsize
    return dtype.numpy.type(value)


def check_same_device(first, second):
    """RuntimeError that names both devices, unless they are the same."""
    if type(first.array) is type(second.array) or first.device == second.device:
        return
    raise TorchError(
        f"Expected all tensors to be on the same device, but found at least two devices, "
        f"{first.device} and {second.device}! Move one of them: x.to('{first.device}')"
    )


def finish(result, out):
    """The result as a new tensor, or written into `out`."""
    if out is None:
        return make_tensor(result)
    write(out, result)
    return out


def write(out, result):
    """Put `result` into `out`: cast to its dtype, resized if it has another shape."""
    source = scalar_type.from_numpy_dtype(result.dtype)
    if not can_cast(source, out.dtype):
        raise TorchError(
            f"result type {source.cpp_name} can't be cast to the desired output type {out.dtype.cpp_name}"
        )
    if out.array.shape != result.shape:
        resize_output(out, result.shape)
    out.array[...] = result
    out.bump_version()


def resize_output(out, shape):
    """Give `out=` the result's shape."""
    # Deviation: upstream keeps the storage and enlarges it; ours is a new one, which no older view sees.
    module_empty = out.array.__class__
    out.set_array(module_empty(shape, dtype=out.array.dtype))

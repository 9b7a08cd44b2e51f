"""TensorIterator: what every pointwise operator does before and after its arithmetic.

Retells aten/src/ATen/TensorIterator.h and native/TypeProperties.h.

    1. one dtype for all operands (`result_type`): category first, then size; a tensor with dimensions outranks a
       0-d tensor, which outranks a Python number
    2. one shape: the operands are broadcast
    3. the arithmetic: a function of arrays
    4. the result goes into a fresh tensor, or into `out` if that can hold its dtype; an operator in place is one
       whose `out` is its first operand

    pointwise    any number of operands
    binary_op    two of them, with a short way for operands that need no preparation
    unary_op     one of them

float16 and bfloat16 are computed in float32 where upstream does so, and rounded once.

Deviation: a Python number among the operands stays a number up to here; upstream wraps it in a 0-d tensor when
the arguments are parsed, and marks it ("wrapped number"), which comes to the same dtype.
"""

import contextvars
import warnings

import numpy

from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.memory_overlap import assert_no_internal_overlap, assert_no_partial_overlap
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar import dtype_of_number
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, INTEGRAL, can_cast, promote_types
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.util.exception import TorchError

# In which dtype the reduced floating dtypes are computed (opmath_type upstream).
OPMATH = {scalar_type.float16: scalar_type.float32, scalar_type.bfloat16: scalar_type.float32}

# Nothing to prepare for these, neither a lift nor a wider dtype.
NUMPY_COMPUTES = {numpy.dtype("float32"), numpy.dtype("float64")}

# A Python number of this type beside an array of this dtype: the array module gives the right dtype by itself.
_NUMBER_FITS = {
    (float, numpy.dtype("float32")),
    (float, numpy.dtype("float64")),
    (int, numpy.dtype("float32")),
    (int, numpy.dtype("float64")),
    (int, numpy.dtype("int64")),
}


# -- one dtype


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
    if lower.category >= FLOATING:
        return lower
    if higher.category == BOOL:
        return promote_types(higher, lower)
    return higher


def floating(dtype):
    """`dtype`, or the default dtype in place of an integer one or bool."""
    return dtype if dtype.category >= FLOATING else scalar_type.get_default_dtype()


# -- the operators


def unary_op(function, self, out=None, *, to_float=False, opmath=False, predicate=False, same_dtype=False):
    """`function(array)` as a tensor; `same_dtype` where `out` may have no other dtype, the rest as in `pointwise`."""
    if out is None and self.array.dtype in NUMPY_COMPUTES:
        return make_tensor(quietly(function, self.array))
    if same_dtype and out is not None and out.dtype is not self.dtype:
        raise TorchError(f"Found dtype {out.dtype.cpp_name} but expected {self.dtype.cpp_name}")
    return pointwise(function, (self,), out, to_float=to_float, opmath=opmath, predicate=predicate)


def binary_op(function, self, other, out=None, *, to_float=False, opmath=False, predicate=False):
    """`function(a, b)` as a tensor: `pointwise` of two operands."""
    if need_nothing(self, other) and _computed_as_is(function, self.array.dtype, to_float, opmath):
        a = self.array
        b = other.array if isinstance(other, TensorImpl) else other
        try:
            if out is None:
                return make_tensor(laid_out_like(a, _run_silently(function, a, b)))
            if out is self and not predicate and _write_fits(function, self, other):
                _run_silently(function, a, b, out=a)
                return self
        except (ValueError, OverflowError, RuntimeError):
            # Shapes that do not fit, a number out of range, silence not to be had: told, or mended, on the long way.
            pass
    return pointwise(function, (self, other), out, to_float=to_float, opmath=opmath, predicate=predicate)


def need_nothing(self, other):
    """Whether the operands have one dtype and one device already."""
    if not isinstance(self, TensorImpl):
        return False
    if isinstance(other, TensorImpl):
        array, other_array = self.array, other.array
        return array.dtype == other_array.dtype and type(array) is type(other_array)
    return (type(other), self.array.dtype) in _NUMBER_FITS


def _computed_as_is(function, numpy_dtype, to_float, opmath):
    """Whether operands of this dtype need neither a lift nor a wider one; a ufunc rounds float16 once by itself."""
    if numpy_dtype in NUMPY_COMPUTES:
        return True
    return not to_float and (not opmath or isinstance(function, numpy.ufunc))


def _write_fits(function, self, other):
    """Whether a ufunc may write its result over `self`: no element of it is read, or written, again."""
    if not isinstance(function, numpy.ufunc) or 0 in self.array.strides:
        return False
    return not isinstance(other, TensorImpl) or other._storage is None or other._storage is not self._storage


def pointwise(function, operands, out=None, *, to_float=False, opmath=False, dtype=None, predicate=False):
    """`function(*arrays)` as a tensor: the operands cast to their common dtype and broadcast.

    to_float   integers and bools become the default dtype
    opmath     float16 and bfloat16 are computed in float32
    dtype      the common dtype, where the operator knows better
    predicate  the result is bool, which every `out` can hold
    """
    arrays = _ready(operands) if dtype is None else None
    if arrays is None:
        return _pointwise_converted(function, operands, out, to_float, opmath, dtype, predicate)
    shape = common_shape(operands)
    if out is not None:
        check_same_device(*operands, out)
        check_out(out, shape, operands)
        if not predicate and _can_write_directly(function, out, shape, arrays[0].dtype):
            return _write_directly(function, arrays, out)
    return finish(laid_out_like(arrays[0], quietly(function, *arrays)), out, operands)


def _ready(operands):
    """The operands as they are, if all have one dtype, float32 or float64, and one device; else None."""
    first = operands[0].array if isinstance(operands[0], TensorImpl) else None
    if first is None or first.dtype not in NUMPY_COMPUTES:
        return None
    arrays = [first]
    for operand in operands[1:]:
        if not isinstance(operand, TensorImpl):
            if (type(operand), first.dtype) not in _NUMBER_FITS:
                return None
            arrays.append(operand)
            continue
        array = operand.array
        if array.dtype != first.dtype or type(array) is not type(first):
            return None
        arrays.append(array)
    return arrays


def _pointwise_converted(function, operands, out, to_float, opmath, dtype, predicate):
    """`pointwise` the long way."""
    check_same_device(*operands, out)
    shape = common_shape(operands)
    if dtype is None:
        dtype = result_type(operands)
    if to_float:
        dtype = floating(dtype)
    if out is not None:
        check_out(out, shape, operands)
    compute = OPMATH.get(dtype, dtype) if opmath else dtype
    arrays = _scalars_brought_along([as_operand(operand, dtype, compute) for operand in operands])
    if not predicate and _can_write_directly(function, out, shape, compute.numpy):
        return _write_directly(function, arrays, out)
    result = quietly(function, *arrays)
    if compute is not dtype and result.dtype == compute.numpy:
        result = quiet_astype(result, dtype)
    return finish(laid_out_like(arrays[0], result), out, operands)


def _can_write_directly(function, out, shape, numpy_dtype):
    """Whether a ufunc can put its result where it belongs, without an array in between."""
    if out is None or not isinstance(function, numpy.ufunc):
        return False
    return out.array.dtype == numpy_dtype and out.array.shape == shape


def _write_directly(function, arrays, out):
    quietly(function, *arrays, out=out.array)
    return out


# -- operands


def common_shape(operands):
    """The shape to which all tensors among the operands expand."""
    shape = ()
    for operand in operands:
        if isinstance(operand, TensorImpl):
            shape = infer_size(shape, operand.array.shape)
    return shape


def as_operand(operand, dtype, compute):
    """One operand's array in the dtype to compute in.

    A 0-d tensor and a number go there straight; a tensor with dimensions is rounded to the common dtype first.
    """
    if not isinstance(operand, TensorImpl):
        return cast_number(operand, compute)
    array = operand.array
    if array.ndim and array.dtype != dtype.numpy:
        array = quiet_astype(array, dtype)
    return array if array.dtype == compute.numpy else quiet_astype(array, compute)


def _scalars_brought_along(arrays):
    """Where one array is a GPU's, 0-d arrays of the CPU as NumPy scalars, which its module takes."""
    if all(isinstance(array, (numpy.ndarray, numpy.generic)) for array in arrays):
        return arrays
    return [array[()] if isinstance(array, numpy.ndarray) else array for array in arrays]


def cast_number(value, dtype):
    """A Python number as `dtype` holds it; integers wrap around, as C++ casts do."""
    if dtype.category == INTEGRAL and isinstance(value, int):
        value &= (1 << 8 * dtype.itemsize) - 1
        if dtype.is_signed and value >> (8 * dtype.itemsize - 1):
            value -= 1 << 8 * dtype.itemsize
    return quietly(dtype.numpy.type, value)


def common_module(self, other):
    """The array module of two operands, of which one may be a number; a 0-d tensor of the CPU goes with the other."""
    if not isinstance(self, TensorImpl):
        return array_module(other.array)
    if isinstance(other, TensorImpl) and type(other.array) is not type(self.array) and _is_cpu_scalar(self):
        return array_module(other.array)
    return array_module(self.array)


def check_same_device(*operands):
    """RuntimeError that names two devices, unless there is only one; 0-d tensors of the CPU are at home everywhere."""
    first = None
    for operand in operands:
        if not isinstance(operand, TensorImpl):
            continue
        if first is None or _is_cpu_scalar(first):
            first = operand
        elif isinstance(operand.array, numpy.ndarray) and isinstance(first.array, numpy.ndarray):
            continue
        elif _is_cpu_scalar(operand):
            continue
        elif type(first.array) is not type(operand.array) or first.device != operand.device:
            raise TorchError(
                f"Expected all tensors to be on the same device, but found at least two devices, "
                f"{first.device} and {operand.device}! Move one of them: x.to('{first.device}')"
            )


def _is_cpu_scalar(tensor):
    return tensor.array.ndim == 0 and isinstance(tensor.array, numpy.ndarray)


# -- results


def laid_out_like(first, result):
    """The result, its dimensions in memory in the order of the first operand's, if that has all of them."""
    # The array module has done so already, unless the operands' orders differ.
    if result.ndim < 2 or first.shape != result.shape or first.flags.c_contiguous or 0 in first.strides:
        return result
    wanted = array_module(first).empty_like(first, dtype=result.dtype)
    if wanted.strides == result.strides:
        return result
    wanted[...] = result
    return wanted


def finish(result, out, operands=()):
    """The result as a new tensor, or written into `out`, which is cast to and resized where that is allowed."""
    if out is None:
        return make_tensor(result)
    check_out(out, result.shape, operands)
    check_can_cast(scalar_type.from_numpy_dtype(result.dtype), out)
    if out.array.shape != result.shape:
        resize_output(out, result)
    write(out, result)
    return out


def check_can_cast(source, out):
    """RuntimeError where `out` cannot hold a result of dtype `source`."""
    if not can_cast(source, out.dtype):
        raise TorchError(
            f"result type {source.cpp_name} can't be cast to the desired output type {out.dtype.cpp_name}"
        )


def check_out(out, shape, operands):
    """RuntimeError where `out` cannot take a result of this shape, computed from these operands."""
    assert_no_internal_overlap(out)
    in_place = False
    for operand in operands:
        if operand is out:
            in_place = True
        elif isinstance(operand, TensorImpl):
            assert_no_partial_overlap(out, operand)
    if in_place and out.array.shape != shape:
        raise TorchError(
            f"output with shape {list(out.array.shape)} doesn't match the broadcast shape {list(shape)}; "
            "an operator in place cannot enlarge the tensor it writes to"
        )


def write(out, result):
    """Copy the array `result` to `out`'s memory, cast to its dtype."""
    quietly(out.array.__setitem__, ..., result)


def resize_output(out, result):
    """Give `out=` the result's shape, and its order of dimensions; a warning if that throws elements away."""
    if out.array.size:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(out.array.shape)}, which does "
            f"not match the required output shape {list(result.shape)}. Resize `out` to zero elements before it is "
            "used again: out.resize_(0)",
            UserWarning,
            stacklevel=2,
        )
    # Deviation: upstream keeps the storage and enlarges it; ours is a new one, which no older view sees.
    out.set_array(array_module(out.array).empty_like(result, dtype=out.array.dtype))


# -- no warnings from NumPy


# A context of one's own, in which NumPy says nothing of overflows and divisions by zero. To run a function in it does
# what numpy.errstate does, in a tenth of the time.
_silent = contextvars.copy_context()
_silent.run(numpy.seterr, all="ignore")
_run_silently = _silent.run


def quietly(function, *args, **kwargs):
    """`function(*args)` without NumPy's warnings: 1 / 0 is inf here and no reason to speak, as upstream."""
    try:
        return _run_silently(function, *args, **kwargs)
    except RuntimeError as error:
        if not str(error).startswith("cannot enter context"):
            raise
    # Somebody is in there already: another thread, or a debugger's `p x + 1` in a kernel.
    with numpy.errstate(all="ignore"):
        return function(*args, **kwargs)


def quiet_astype(array, dtype):
    """The array cast to a ScalarType, as C++ casts: out-of-range and NaN without a word."""
    return quietly(array.astype, dtype.numpy, _order(array))


def copied(array):
    """A copy whose dimensions have the same order in memory."""
    return array.copy(order=_order(array))


def _order(array):
    # "K" keeps the order of the dimensions; but it would put an expanded one, whose stride is 0, innermost.
    if 0 in array.strides and any(array.strides[dim] == 0 and array.shape[dim] > 1 for dim in range(array.ndim)):
        return "C"
    return "K"

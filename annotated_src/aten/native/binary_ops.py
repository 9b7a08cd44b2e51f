"""Kernels of two operands. Retells aten/src/ATen/native/BinaryOps.cpp and cpu/BinaryOpsKernel.cpp.

Every kernel is a line or two of arithmetic; TensorIterator does the rest. In order: sums, products, quotients,
powers, comparisons, logic and bits.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.dispatch import (
    ALL_TYPES,
    ALL_TYPES_AND_BOOL,
    FLOATING_TYPES,
    INTEGRAL_TYPES,
    INTEGRAL_TYPES_AND_BOOL,
    dispatch,
)
from annotated_src.aten.scalar_ops import wrapped_scalar_tensor
from annotated_src.aten.tensor_iterator import (
    OPMATH,
    binary_op,
    cast_number,
    common_module,
    floating,
    pointwise,
    result_type,
)
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, INTEGRAL, bool_
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError

# Computed in their own dtype, with numbers as they are.
PLAIN_FLOATS = {numpy.dtype("float32"), numpy.dtype("float64")}

# -- sums


def add(self, other, *, alpha=1, out=None):
    """self + alpha * other."""
    xp = common_module(self, other)
    if type(alpha) is int and alpha == 1:
        return binary_op(xp.add, self, other, out, opmath=True)
    if isinstance(other, TensorImpl) and other.array.dtype in PLAIN_FLOATS and self.array.dtype == other.array.dtype:
        alpha_check(other.dtype, alpha)
        return binary_op(xp.add, self, mul(other, alpha), out)
    alpha = scale(self, other, alpha)
    return binary_op(lambda a, b: xp.add(a, b * alpha), self, other, out, opmath=True)


def sub(self, other, *, alpha=1, out=None):
    """self - alpha * other; bools have no difference."""
    xp = common_module(self, other)
    if self.array.dtype.kind == "b" or isinstance(other, bool) or _is_bool(other):
        sub_check(self, other)
    if type(alpha) is int and alpha == 1:
        return binary_op(xp.subtract, self, other, out, opmath=True)
    if isinstance(other, TensorImpl) and other.array.dtype in PLAIN_FLOATS and self.array.dtype == other.array.dtype:
        alpha_check(other.dtype, alpha)
        return binary_op(xp.subtract, self, mul(other, alpha), out)
    alpha = scale(self, other, alpha)
    return binary_op(lambda a, b: xp.subtract(a, b * alpha), self, other, out, opmath=True)


def rsub(self, other, *, alpha=1):
    """other - alpha * self: what `other - self` becomes where only the second is a tensor."""
    sub_check(self, other)
    if not isinstance(other, TensorImpl):
        other = wrapped_scalar_tensor(other, self)
    return ops.sub.Tensor(other, self, alpha=alpha)


def scale(self, other, alpha):
    """`alpha` as the common dtype of the operands computes with it."""
    dtype = result_type((self, other))
    alpha_check(dtype, alpha)
    return cast_number(alpha, OPMATH.get(dtype, dtype))


def alpha_check(dtype, alpha):
    """RuntimeError where `alpha` would make the result another kind of number."""
    if isinstance(alpha, bool) and dtype.category != BOOL:
        raise TorchError(f"Boolean alpha only supported for Boolean results, not for {dtype}.")
    if isinstance(alpha, float) and dtype.category < FLOATING:
        raise TorchError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and dtype.category != COMPLEX:
        raise TorchError("For non-complex input tensors, argument alpha must not be a complex number.")


def sub_check(self, other):
    """RuntimeError for the difference of two bools, and of a bool and anything."""
    if _is_bool(self) and _is_bool(other):
        raise TorchError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if _is_bool(self) or _is_bool(other):
        raise TorchError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def _is_bool(operand):
    if isinstance(operand, TensorImpl):
        return operand.array.dtype.kind == "b"
    return isinstance(operand, bool)


# -- products and quotients


def mul(self, other, *, out=None):
    """self * other."""
    xp = common_module(self, other)
    return binary_op(xp.multiply, self, other, out, opmath=True)


def div(self, other, *, out=None):
    """self / other; integers are divided as floats."""
    xp = common_module(self, other)
    return binary_op(xp.divide, self, other, out, to_float=True, opmath=True)


def div_mode(self, other, *, rounding_mode, out=None):
    """self / other, then None: nothing more, "trunc": cut off towards zero, "floor": rounded down."""
    if rounding_mode is None:
        return div(self, other, out=out)
    if rounding_mode == "floor":
        return floor_divide(self, other, out=out)
    if rounding_mode != "trunc":
        raise TorchError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"{rounding_mode!r}"
        )
    dtype = result_type((self, other))
    dispatch(dtype, ALL_TYPES, "div_trunc_cpu")
    xp = common_module(self, other)
    if dtype.category == INTEGRAL:
        return binary_op(lambda a, b: _trunc_divide(xp, a, b), self, other, out)
    return binary_op(lambda a, b: xp.trunc(xp.divide(a, b)), self, other, out, opmath=True)


def floor_divide(self, other, *, out=None):
    """The largest integer not above self / other, in the common dtype."""
    dtype = result_type((self, other))
    dispatch(dtype, ALL_TYPES, "div_floor_cpu")
    xp = common_module(self, other)
    if dtype.category == INTEGRAL:
        return binary_op(lambda a, b: xp.floor_divide(a, _no_zero(b)), self, other, out)
    return binary_op(xp.floor_divide, self, other, out, opmath=True)


def remainder(self, other, *, out=None):
    """What is left of self after subtracting `other` a whole number of times; it has the sign of `other`."""
    return _remainder("remainder", self, other, out)


def fmod(self, other, *, out=None):
    """What is left of self after subtracting `other` a whole number of times; it has the sign of `self`."""
    return _remainder("fmod", self, other, out)


def remainder_scalar_tensor(self, other):
    """`remainder` of a number by a tensor."""
    return _remainder("remainder", self, other, None)


def _remainder(name, self, other, out):
    xp = common_module(self, other)
    dtype = result_type((self, other))
    dispatch(dtype, ALL_TYPES, f"{name}_cpu")
    if dtype.category == INTEGRAL:
        return binary_op(lambda a, b: getattr(xp, name)(a, _no_zero(b)), self, other, out)
    if name == "fmod":
        return binary_op(xp.fmod, self, other, out)
    return binary_op(lambda a, b: _float_remainder(xp, a, b), self, other, out)


def _float_remainder(xp, a, b):
    # xp.remainder would give a zero the sign of b.
    left = xp.fmod(a, b)
    # (xp.not_equal, for b may be a NumPy scalar, whose own != knows nothing of a card's arrays)
    return xp.where((left != 0) & xp.not_equal(b < 0, left < 0), left + b, left)


def _no_zero(divisor):
    """The divisor, in which the CPU accepts no integer zero; a GPU goes on with whatever comes out."""
    if isinstance(divisor, (int, numpy.ndarray, numpy.generic)) and not numpy.all(divisor):
        raise TorchError("ZeroDivisionError: there is a zero in the integer divisor")
    return divisor


def _trunc_divide(xp, a, b):
    down = xp.floor_divide(a, _no_zero(b))
    inexact_below_zero = (xp.remainder(a, b) != 0) & xp.not_equal(a < 0, b < 0)
    return (down + inexact_below_zero).astype(down.dtype)


# -- minima, maxima, angles


def maximum(self, other, *, out=None):
    """The larger of the two; NaN if either is."""
    _refuse_complex(self, other, "maximum")
    return binary_op(common_module(self, other).maximum, self, other, out, opmath=True)


def minimum(self, other, *, out=None):
    """The smaller of the two; NaN if either is."""
    _refuse_complex(self, other, "minimum")
    return binary_op(common_module(self, other).minimum, self, other, out, opmath=True)


def fmax(self, other, *, out=None):
    """The larger of the two; where one is NaN, the other."""
    _refuse_complex(self, other, "fmax")
    return binary_op(common_module(self, other).fmax, self, other, out, opmath=True)


def fmin(self, other, *, out=None):
    """The smaller of the two; where one is NaN, the other."""
    _refuse_complex(self, other, "fmin")
    return binary_op(common_module(self, other).fmin, self, other, out, opmath=True)


def _refuse_complex(self, other, name):
    if self.dtype.category == COMPLEX or other.dtype.category == COMPLEX:
        raise TorchError(f"{name} not implemented for complex tensors.")


def atan2(self, other, *, out=None):
    """The angle of the point (other, self)."""
    dtype = floating(result_type((self, other)))
    dispatch(dtype, FLOATING_TYPES, "atan2_cpu")
    return binary_op(common_module(self, other).arctan2, self, other, out, to_float=True, opmath=True)


def hypot(self, other, *, out=None):
    """The length of the vector (self, other)."""
    dispatch(result_type((self, other)), FLOATING_TYPES, "hypot_cpu")
    return binary_op(common_module(self, other).hypot, self, other, out, opmath=True)


def xlogy(self, other, *, out=None):
    """self * log(other), and 0 where self is 0, unless other is NaN."""
    xp = common_module(self, other)

    def product(x, y):
        result = xp.where(x == 0, y.dtype.type(0), x * xp.log(y))
        return xp.where(xp.isnan(y), y, result)

    return binary_op(product, self, other, out, to_float=True, opmath=True)


# -- comparisons


def eq(self, other, *, out=None):
    """self == other, as bools."""
    return binary_op(common_module(self, other).equal, self, other, out, predicate=True)


def ne(self, other, *, out=None):
    """self != other, as bools."""
    return binary_op(common_module(self, other).not_equal, self, other, out, predicate=True)


def lt(self, other, *, out=None):
    """self < other, as bools."""
    _refuse_unordered(self, other, "lt_cpu")
    return binary_op(common_module(self, other).less, self, other, out, predicate=True)


def le(self, other, *, out=None):
    """self <= other, as bools."""
    _refuse_unordered(self, other, "le_cpu")
    return binary_op(common_module(self, other).less_equal, self, other, out, predicate=True)


def gt(self, other, *, out=None):
    """self > other, as bools."""
    _refuse_unordered(self, other, "gt_cpu")
    return binary_op(common_module(self, other).greater, self, other, out, predicate=True)


def ge(self, other, *, out=None):
    """self >= other, as bools."""
    _refuse_unordered(self, other, "ge_cpu")
    return binary_op(common_module(self, other).greater_equal, self, other, out, predicate=True)


def _refuse_unordered(self, other, kernel):
    """NotImplementedError for complex numbers, of which none is the larger."""
    if self.array.dtype.kind == "c" or isinstance(other, complex) or _is_complex(other):
        dispatch(result_type((self, other)), ALL_TYPES_AND_BOOL, kernel)


def _is_complex(operand):
    return isinstance(operand, TensorImpl) and operand.array.dtype.kind == "c"


# -- logic: any dtype, read as bools; and bits: integers and bools


def logical_and(self, other, *, out=None):
    """Whether both are true."""
    return _logical(common_module(self, other).logical_and, self, other, out)


def logical_or(self, other, *, out=None):
    """Whether one of them is true."""
    return _logical(common_module(self, other).logical_or, self, other, out)


def logical_xor(self, other, *, out=None):
    """Whether exactly one of them is true."""
    return _logical(common_module(self, other).logical_xor, self, other, out)


def _logical(function, self, other, out):
    return pointwise(function, (self, other), out, dtype=bool_, predicate=True)


def bitwise_and(self, other, *, out=None):
    """The bits that are set in both."""
    return _bitwise("bitwise_and", self, other, out)


def bitwise_or(self, other, *, out=None):
    """The bits that are set in one of them."""
    return _bitwise("bitwise_or", self, other, out)


def bitwise_xor(self, other, *, out=None):
    """The bits that are set in exactly one of them."""
    return _bitwise("bitwise_xor", self, other, out)


def _bitwise(name, self, other, out):
    dispatch(result_type((self, other)), INTEGRAL_TYPES_AND_BOOL, f"{name}_cpu")
    xp = common_module(self, other)
    return binary_op(getattr(xp, name), self, other, out)


def bitwise_left_shift(self, other, *, out=None):
    """self * 2 ** other, without what overflows."""
    return _shift("left_shift", "lshift_cpu", self, other, out)


def bitwise_right_shift(self, other, *, out=None):
    """self / 2 ** other, rounded down."""
    return _shift("right_shift", "rshift_cpu", self, other, out)


def _shift(name, kernel, self, other, out):
    dispatch(result_type((self, other)), INTEGRAL_TYPES, kernel)
    xp = common_module(self, other)
    return binary_op(getattr(xp, name), self, other, out)

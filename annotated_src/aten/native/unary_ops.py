"""Kernels of one operand. Retells aten/src/ATen/native/UnaryOps.cpp and cpu/UnaryOpsKernel.cpp.

In order: signs; roots, exponentials, logarithms; angles; rounding; logic and special values.

Those that make fractions of integers lift them to the default dtype; those that keep integers return them as they
are.
"""

import ml_dtypes

from annotated_src.aten import ops
from annotated_src.aten.dispatch import (
    ALL_TYPES,
    ALL_TYPES_AND_BOOL,
    ALL_TYPES_AND_COMPLEX,
    FLOATING_AND_COMPLEX_TYPES,
    FLOATING_TYPES,
    INTEGRAL_TYPES_AND_BOOL,
    dispatch,
)
from annotated_src.aten.native import math
from annotated_src.aten.tensor_iterator import copied, pointwise, unary_op
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, bool_
from annotated_src.c10.util.exception import TorchError


def _lifted(function, self, out):
    """A function whose results are floating."""
    return unary_op(function, self, out, to_float=True, opmath=True)


# -- signs


def abs_(self, *, out=None):
    """|self|; of complex numbers, their real length."""
    if out is self and self.dtype.category == COMPLEX:
        raise TorchError("In-place abs is not supported for complex tensors: the result is real")
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "abs_cpu")
    return unary_op(array_module(self.array).absolute, self, out, same_dtype=self.dtype.category != COMPLEX)


def neg(self, *, out=None):
    """-self."""
    if self.dtype.category == BOOL:
        raise TorchError(
            "Negation, the `-` operator, on a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )
    return unary_op(array_module(self.array).negative, self, out, same_dtype=True)


def positive(self):
    """self itself, as `+x`."""
    if self.dtype.category == BOOL:
        raise TorchError("The `+` operator, on a bool tensor is not supported.")
    return self


def sign(self, *, out=None):
    """-1, 0 or 1; 0 for NaN."""
    if self.dtype.category == COMPLEX:
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers: they have no sign"
        )
    if self.dtype.category == BOOL:
        return unary_op(copied, self, out, same_dtype=True)
    return unary_op(lambda a: (a > 0).astype(a.dtype) - (a < 0).astype(a.dtype), self, out, same_dtype=True)


def sgn(self, *, out=None):
    """The sign; of a complex number, the number of length 1 in its direction."""
    if self.dtype.category != COMPLEX:
        return sign(self, out=out)
    xp = array_module(self.array)
    return unary_op(lambda x: xp.where(x == 0, 0, x / xp.where(x == 0, 1, xp.absolute(x))), self, out)


def signbit(self, *, out=None):
    """Whether the number is negative; -0.0 is."""
    if self.dtype.category == COMPLEX:
        raise NotImplementedError("signbit is not implemented for complex tensors.")
    if self.dtype.category < FLOATING:
        return unary_op(lambda a: a < 0, self, out, predicate=True)
    return unary_op(array_module(self.array).signbit, self, out, predicate=True)


# -- roots, exponentials, logarithms


def reciprocal(self, *, out=None):
    """1 / self."""
    return _lifted(lambda a: a.dtype.type(1) / a, self, out)


def sqrt(self, *, out=None):
    """The square root."""
    return _lifted(array_module(self.array).sqrt, self, out)


def rsqrt(self, *, out=None):
    """1 / sqrt(self)."""
    xp = array_module(self.array)
    return _lifted(lambda a: a.dtype.type(1) / xp.sqrt(a), self, out)


def exp(self, *, out=None):
    """e ** self."""
    return _lifted(array_module(self.array).exp, self, out)


def exp2(self, *, out=None):
    """2 ** self."""
    return _lifted(array_module(self.array).exp2, self, out)


def expm1(self, *, out=None):
    """e ** self - 1, exact near 0."""
    return _lifted(array_module(self.array).expm1, self, out)


def log(self, *, out=None):
    """The natural logarithm."""
    return _lifted(array_module(self.array).log, self, out)


def log2(self, *, out=None):
    """The logarithm to base 2."""
    return _lifted(array_module(self.array).log2, self, out)


def log10(self, *, out=None):
    """The logarithm to base 10."""
    return _lifted(array_module(self.array).log10, self, out)


def log1p(self, *, out=None):
    """log(1 + self), exact near 0."""
    return _lifted(array_module(self.array).log1p, self, out)


def sigmoid(self, *, out=None):
    """1 / (1 + exp(-self))."""
    xp = array_module(self.array)
    return _lifted(lambda a: _sigmoid(xp, a), self, out)


def _sigmoid(xp, array):
    result = xp.exp(-array)
    result += 1
    return xp.reciprocal(result)


def erf(self, *, out=None):
    """The error function."""
    dispatch(self.dtype, ALL_TYPES_AND_BOOL, "erf_vml_cpu")
    xp = array_module(self.array)
    return _lifted(lambda a: math.erf(xp, a), self, out)


def erfc(self, *, out=None):
    """1 - erf(self)."""
    dispatch(self.dtype, ALL_TYPES_AND_BOOL, "erfc_vml_cpu")
    xp = array_module(self.array)
    return _lifted(lambda a: math.erfc(xp, a), self, out)


# -- angles


def sin(self, *, out=None):
    """The sine."""
    return _lifted(array_module(self.array).sin, self, out)


def cos(self, *, out=None):
    """The cosine."""
    return _lifted(array_module(self.array).cos, self, out)


def tan(self, *, out=None):
    """The tangent."""
    return _lifted(array_module(self.array).tan, self, out)


def asin(self, *, out=None):
    """The angle whose sine is self."""
    return _lifted(array_module(self.array).arcsin, self, out)


def acos(self, *, out=None):
    """The angle whose cosine is self."""
    return _lifted(array_module(self.array).arccos, self, out)


def atan(self, *, out=None):
    """The angle whose tangent is self."""
    return _lifted(array_module(self.array).arctan, self, out)


def sinh(self, *, out=None):
    """The hyperbolic sine."""
    return _lifted(array_module(self.array).sinh, self, out)


def cosh(self, *, out=None):
    """The hyperbolic cosine."""
    return _lifted(array_module(self.array).cosh, self, out)


def tanh(self, *, out=None):
    """The hyperbolic tangent."""
    return _lifted(array_module(self.array).tanh, self, out)


# -- rounding: integers are round already


def floor(self, *, out=None):
    """The next integer below."""
    return _rounding("floor", "floor_vml_cpu", self, out)


def ceil(self, *, out=None):
    """The next integer above."""
    return _rounding("ceil", "ceil_vml_cpu", self, out)


def trunc(self, *, out=None):
    """The next integer towards zero."""
    return _rounding("trunc", "trunc_vml_cpu", self, out)


def round_(self, *, out=None):
    """The nearest integer; of two, the even one."""
    return _rounding("rint", "round_vml_cpu", self, out)


def _rounding(name, kernel, self, out):
    if self.dtype.category == COMPLEX and name != "rint":
        raise NotImplementedError(f"{kernel.partition('_')[0]} is not supported for complex inputs")
    dispatch(self.dtype, ALL_TYPES, kernel)
    xp = array_module(self.array)
    if self.dtype.category < FLOATING:
        return unary_op(copied, self, out, same_dtype=True)
    return unary_op(getattr(xp, name), self, out, opmath=True, same_dtype=True)


def round_decimals(self, *, decimals, out=None):
    """The nearest number with so many digits behind the point; before it, if `decimals` is negative."""
    if decimals == 0:
        return round_(self, out=out)
    dispatch(self.dtype, FLOATING_TYPES, "round_cpu")
    xp = array_module(self.array)
    power = 10.0 ** abs(decimals)
    if decimals > 0:
        return unary_op(lambda a: xp.rint(a * a.dtype.type(power)) / a.dtype.type(power), self, out, opmath=True)
    return unary_op(lambda a: xp.rint(a / a.dtype.type(power)) * a.dtype.type(power), self, out, opmath=True)


def frac(self, *, out=None):
    """self - trunc(self)."""
    dispatch(self.dtype, FLOATING_TYPES, "frac_cpu")
    xp = array_module(self.array)
    return unary_op(lambda a: a - xp.trunc(a), self, out, opmath=True, same_dtype=True)


# -- logic, bits, special values


def logical_not(self, *, out=None):
    """Whether self is zero."""
    return pointwise(array_module(self.array).logical_not, (self,), out, dtype=bool_, predicate=True)


def bitwise_not(self, *, out=None):
    """All bits turned over; of a bool, its opposite."""
    dispatch(self.dtype, INTEGRAL_TYPES_AND_BOOL, "bitwise_not_cpu")
    return unary_op(array_module(self.array).invert, self, out, same_dtype=True)


def nan_to_num(self, nan=None, posinf=None, neginf=None, *, out=None):
    """NaN replaced by `nan` (or 0), the infinities by `posinf` and `neginf` (or the dtype's largest and smallest)."""
    xp = array_module(self.array)
    if self.dtype.category < FLOATING:
        return unary_op(copied, self, out, same_dtype=True)
    dispatch(self.dtype, FLOATING_AND_COMPLEX_TYPES, "nan_to_num")
    limits = ml_dtypes.finfo(self.array.dtype)
    nan = 0.0 if nan is None else nan
    posinf = limits.max if posinf is None else posinf
    neginf = limits.min if neginf is None else neginf
    return unary_op(lambda a: _without_special_values(xp, a, nan, posinf, neginf), self, out, same_dtype=True)


def _without_special_values(xp, array, nan, posinf, neginf):
    number = array.dtype.type
    array = xp.where(xp.isnan(array), number(nan), array)
    array = xp.where(array == number("inf"), number(posinf), array)
    return xp.where(array == number("-inf"), number(neginf), array)


def square(self):
    """self ** 2."""
    return ops.pow(self, 2)


def square_(self):
    """self ** 2, in place."""
    return ops.pow_(self, 2)


def square_out(self, *, out):
    """self ** 2, into `out`."""
    return ops.pow(self, 2, out=out)

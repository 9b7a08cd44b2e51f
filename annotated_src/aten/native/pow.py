"""Kernels of powers. Retells aten/src/ATen/native/Pow.cpp and cpu/PowKernel.cpp.

    integer ** integer      an integer, which wraps around; a negative exponent given as a number is an error, as a
                            tensor it gives 0 (but 1 and -1 have reciprocals)
    integer ** float        the default dtype
    x ** 2, x ** 0.5 ...    the usual exponents, by products, roots and quotients
"""

from annotated_src.aten.dispatch import ALL_TYPES_AND_COMPLEX, dispatch
from annotated_src.aten.tensor_iterator import (
    OPMATH,
    binary_op,
    cast_number,
    common_module,
    copied,
    pointwise,
    result_type,
)
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar import checked_convert
from annotated_src.c10.core.scalar_type import FLOATING, INTEGRAL
from annotated_src.c10.util.exception import TorchError


def pow_tensor_tensor(self, exponent, *, out=None):
    """self ** exponent, element by element."""
    xp = common_module(self, exponent)
    dtype = result_type((self, exponent))
    dispatch(dtype, ALL_TYPES_AND_COMPLEX, "pow")
    if dtype.category == INTEGRAL:
        return binary_op(lambda a, b: _integer_power(xp, a, b), self, exponent, out)
    return binary_op(xp.power, self, exponent, out, opmath=True)


def _integer_power(xp, base, exponent):
    power = xp.power(base, xp.maximum(exponent, 0))
    reciprocal = xp.where(base == 1, 1, xp.where(base == -1, xp.where(exponent % 2 == 0, 1, -1), 0))
    return xp.where(exponent < 0, reciprocal, power).astype(power.dtype)


def pow_tensor_scalar(self, exponent, *, out=None):
    """self ** exponent of a number."""
    xp = array_module(self.array)
    dtype = result_type((self, exponent))
    if self.dtype.category < FLOATING and isinstance(exponent, int) and exponent < 0:
        raise TorchError(
            "Integers to negative integer powers are not allowed: the result would be a fraction. "
            "Write the exponent as a float"
        )
    if exponent == 0:
        return pointwise(xp.ones_like, (self,), out, dtype=dtype)
    if exponent == 1:
        return pointwise(copied, (self,), out, dtype=dtype)
    dispatch(dtype, ALL_TYPES_AND_COMPLEX, "pow")
    if dtype.category >= FLOATING and exponent in _USUAL:
        return pointwise(lambda a: _USUAL[exponent](xp, a), (self,), out, dtype=dtype, opmath=True)
    if dtype.category == INTEGRAL:
        exponent = checked_convert(exponent, dtype)
    if dtype in OPMATH:
        exponent = float(cast_number(exponent, dtype))
    return pointwise(xp.power, (self, exponent), out, dtype=dtype, opmath=True)


_USUAL = {
    0.5: lambda xp, a: xp.sqrt(a),
    2: lambda xp, a: a * a,
    3: lambda xp, a: a * a * a,
    -0.5: lambda xp, a: 1 / xp.sqrt(a),
    -1: lambda xp, a: 1 / a,
    -2: lambda xp, a: 1 / (a * a),
}


def pow_scalar(self, exponent, *, out=None):
    """A number to the powers `exponent`."""
    xp = array_module(exponent.array)
    dtype = result_type((self, exponent))
    dispatch(dtype, ALL_TYPES_AND_COMPLEX, "pow")
    if self == 1:
        return pointwise(xp.ones_like, (exponent,), out, dtype=dtype)
    if dtype.category == INTEGRAL:
        return binary_op(lambda a, b: _integer_power(xp, a, b), self, exponent, out)
    return pointwise(xp.power, (self, exponent), out, opmath=True)

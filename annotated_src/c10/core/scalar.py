"""Scalar: a Python number on its way into an operator. Retells c10/core/Scalar.h and c10/util/TypeCast.h.

Deviation: upstream wraps the number; here it stays a Python int, float, complex or bool.
"""

import math

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, INTEGRAL
from annotated_src.c10.util.exception import TorchError

# What C++ calls a dtype's element, which is how its errors name it.
_CPP_TYPES = {
    "uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t",
    "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t", "bool": "bool",
    "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip

_LARGEST_FLOAT = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "complex64": 3.4028234663852886e38,
}


def dtype_of_number(value):
    """The dtype that a Python number brings into arithmetic."""
    if isinstance(value, bool):
        return scalar_type.bool_
    if isinstance(value, int):
        return scalar_type.int64
    if isinstance(value, float):
        return scalar_type.get_default_dtype()
    return scalar_type.get_default_dtype().to_complex()


def checked_convert(value, dtype):
    """`value` as a Python number that `dtype` holds; RuntimeError where it is out of its range."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        raise OverflowError(f"int too big to convert: {value} is out of the range of every integer dtype")
    if dtype.category != BOOL and overflows(value, dtype):
        raise TorchError(
            f"value cannot be converted to type {_CPP_TYPES[dtype.name]} without overflow: {value!r} as {dtype}"
        )
    return convert(value, dtype)


def convert(value, dtype):
    """`value` as a Python number of `dtype`'s kind: cut off towards zero, wrapped around below zero."""
    if dtype.category == BOOL:
        return bool(value)
    if isinstance(value, complex) and dtype.category != COMPLEX:
        value = value.real
    if dtype.category == FLOATING:
        return float(value)
    if dtype.category == COMPLEX:
        return complex(value)
    value = int(value)
    return value if dtype.is_signed else value % (1 << 8 * dtype.itemsize)


def overflows(value, dtype):
    """Whether `value` is out of `dtype`'s range."""
    if isinstance(value, complex):
        if dtype.category == COMPLEX:
            return overflows(value.real, dtype.to_real()) or overflows(value.imag, dtype.to_real())
        return value.imag != 0 or overflows(value.real, dtype)
    if dtype.category == INTEGRAL:
        return _overflows_integer(value, dtype)
    return math.isfinite(value) and abs(value) > _LARGEST_FLOAT.get(dtype.name, math.inf)


def _overflows_integer(value, dtype):
    if not math.isfinite(value):
        return True
    bits = 8 * dtype.itemsize
    if dtype.is_signed:
        return not -(1 << bits - 1) <= value <= (1 << bits - 1) - 1
    # A negative number wraps around, as far as the type reaches.
    return abs(value) > (1 << bits) - 1

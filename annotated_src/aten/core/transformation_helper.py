"""From raw draws to numbers of a distribution: the formulas. Retells aten/src/ATen/core/TransformationHelper.h.

`val` is an array of raw draws (uint64, of which 32 or 64 bits are random), of uniform or of normal numbers; `dtype` is
the ScalarType that upstream's template has for T. No formula draws anything.

Left out: cauchy, geometric, log_normal.
"""

import numpy

from annotated_src.c10.core.scalar_type import bfloat16, bool_, float16, float32, float64, int64

# Bits of the significand, the leading one included.
DIGITS = {float16: 11, bfloat16: 8, float32: 24, float64: 53}


def uniform_int_from_to(val, range_, base, dtype):
    """Integers in [base, base + range_)."""
    remainders = (val % numpy.uint64(range_)).view(numpy.int64)
    return cast_from_int64(remainders + numpy.int64(base), dtype)


def uniform_int_full_range(val, dtype):
    """All of int64."""
    return cast_from_int64(val.view(numpy.int64), dtype)


def uniform_int(val, dtype):
    """Integers from 0 to the largest one of `dtype`; a floating dtype: to 2**digits, before which none is missing."""
    if dtype is bool_:
        return (val & 1).astype(numpy.bool_)
    if dtype in DIGITS:
        return cast_from_int64((val % numpy.uint64((1 << DIGITS[dtype]) + 1)).view(numpy.int64), dtype)
    largest = numpy.iinfo(dtype.numpy).max
    return (val & numpy.uint64(largest)).astype(dtype.numpy)


def cast_from_int64(values, dtype):
    """As C++ casts: integers wrap around, and float16 and bfloat16 are reached by way of float32."""
    if dtype is int64:
        return values
    if dtype in (float16, bfloat16):
        values = values.astype(numpy.float32)
    return values.astype(dtype.numpy)


def uniform_real(val, from_, to, dtype):
    """Numbers in [from_, to), float32 or float64: as many random bits as the significand holds."""
    real = dtype.numpy.type
    digits = DIGITS[dtype]
    x = (val & ((1 << digits) - 1)).astype(dtype.numpy) * real(2.0**-digits)
    if from_ == 0 and to == 1:
        return x
    from_ = real(from_)
    return multiply_add(x, real(to) - from_, from_)


def normal(val, mean, std):
    """Standard normal numbers moved to `mean` and scaled by `std`."""
    return multiply_add(val, val.dtype.type(std), val.dtype.type(mean))


def multiply_add(x, factor, summand):
    """x * factor + summand, rounded once in float32, as the processor's fused instruction does."""
    if factor == 1:
        return x + summand
    if x.dtype != numpy.float32 or summand == 0:
        # Deviation: float64 is rounded twice, NumPy has no fused instruction; the last bit may differ.
        return x * factor + summand
    return (x.astype(numpy.float64) * float(factor) + float(summand)).astype(numpy.float32)


def exponential(val, lambd):
    """-log(1 - val) / lambd, for uniform `val` in [0, 1)."""
    return -1.0 / lambd * numpy.log1p(-val)


def bernoulli(val, p):
    """True with probability p, for uniform `val` in [0, 1)."""
    return val < p

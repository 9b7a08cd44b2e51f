"""The loops that fill a tensor with random numbers. Retells aten/src/ATen/native/cpu/DistributionTemplates.h.

Each takes a tensor whose arguments have been checked (aten/native/distribution_templates.py), decides by dtype, size
and layout which distribution serves, and hands its draws to cpu_serial_kernel.

Deviation: on Intel processors upstream may take bernoulli_(p) and exponential_() from MKL's generators; what it does
elsewhere is retold here.
Left out: cauchy, log_normal, geometric.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.core import transformation_helper as transformation
from annotated_src.aten.core.distributions_helper import (
    bernoulli_distribution,
    exponential_distribution,
    normal_distribution,
    uniform_int_distribution,
    uniform_int_from_to_distribution,
    uniform_int_full_range_distribution,
    uniform_real_distribution,
)
from annotated_src.aten.dispatch import FLOATING_TYPES, PLAIN_TYPES, dispatch
from annotated_src.aten.native.cpu.loops import cpu_serial_kernel, reorder_dimensions, write_in_order
from annotated_src.c10.core.scalar_type import bfloat16, bool_, float16, float32, float64, int64
from annotated_src.c10.util.exception import TorchError

_FULL_RANGE_TYPES = (int64, float64, float32, bfloat16)


def opmath_type(dtype):
    """The dtype to compute in: float32 for the two half-size ones."""
    return float32 if dtype in (float16, bfloat16) else dtype


# -- random


def random_from_to_kernel(self, range_, base, generator):
    """Integers in [base, base + range_)."""
    distribution = uniform_int_from_to_distribution(range_, base, self.dtype)
    cpu_serial_kernel(self, lambda count: distribution(generator, count))


def random_full_64_bits_range_kernel(self, generator):
    """Every int64 value."""
    dispatch(self.dtype, (*PLAIN_TYPES, bfloat16), "random_full_64_bits_range_kernel_cpu")
    if self.dtype not in _FULL_RANGE_TYPES:
        raise TorchError(
            "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16, "
            f"but the tensor is {self.dtype}"
        )
    distribution = uniform_int_full_range_distribution(self.dtype)
    cpu_serial_kernel(self, lambda count: distribution(generator, count))


def random_kernel(self, generator):
    """Integers from 0 to the dtype's largest."""
    dispatch(self.dtype, (*PLAIN_TYPES, float16, bfloat16, bool_), "random_kernel_cpu")
    distribution = uniform_int_distribution(self.dtype)
    cpu_serial_kernel(self, lambda count: distribution(generator, count))


# -- normal


def normal_kernel(self, mean, std, generator):
    """Normal numbers: sixteen at a time where there are as many in a row, else one after the other."""
    dispatch(self.dtype, FLOATING_TYPES, "normal_kernel_cpu")
    if self.array.size >= 16 and self.array.flags.c_contiguous:
        write_in_order(self, None, normal_fill(self.dtype, self.array.size, mean, std, generator))
        return
    distribution = normal_distribution(mean, std)
    cpu_serial_kernel(self, lambda count: distribution(generator, count).astype(self.dtype.numpy))


def normal_fill(dtype, size, mean, std, generator):
    """`size` normal numbers, in blocks of 16 made of 16 uniforms. Nothing waits for the next call.

    A tail shorter than 16 is not made from what is left: the last 16 values are drawn anew.
    """
    opmath = opmath_type(dtype)
    uniform = uniform_real_distribution(0.0, 1.0, opmath)
    whole = size // 16 * 16
    # float16 and bfloat16 go through a buffer of 16; the others draw all their uniforms first, the tail's too.
    drawn = size if opmath is dtype else whole
    data = uniform(generator, drawn)
    values = numpy.empty(size, opmath.numpy)
    values[:whole] = normal_fill_16(data[:whole], mean, std)
    if size != whole:
        values[size - 16 :] = normal_fill_16(uniform(generator, 16), mean, std)
    return values.astype(dtype.numpy, copy=False)


def normal_fill_16(data, mean, std):
    """Box and Muller on blocks of 16 uniforms: the first 8 are radii, the last 8 angles."""
    real = data.dtype.type
    data = data.reshape(-1, 2, 8)
    u1 = 1 - data[:, 0]
    u2 = data[:, 1]
    radius = numpy.sqrt(-2 * numpy.log(u1))
    theta = real(2.0 * numpy.pi) * u2
    values = numpy.empty_like(data)
    values[:, 0] = radius * numpy.cos(theta)
    values[:, 1] = radius * numpy.sin(theta)
    return transformation.normal(values.reshape(-1), mean, std)


# -- uniform


def uniform_kernel(self, from_, to, generator):
    """Numbers in [from_, to)."""
    dispatch(self.dtype, FLOATING_TYPES, "uniform_kernel_cpu")
    uniform = uniform_real_distribution(from_, to, opmath_type(self.dtype))
    cpu_serial_kernel(self, lambda count: _below(to, from_, uniform(generator, count), self.dtype))


def _below(to, from_, values, dtype):
    """The values in `dtype`; one that was rounded up to `to`, which is excluded, becomes `from_`."""
    if from_ == 0 and to == 1 and dtype in (float32, float64):
        # What rand() draws is a multiple of 2**-digits: nothing was rounded.
        return values
    scalar = dtype.numpy.type
    values = values.astype(dtype.numpy, copy=False)
    reached = values == scalar(to)
    if reached.any():
        values[reached] = scalar(from_)
    return values


# -- exponential


def exponential_kernel(self, lambd, generator):
    """Waiting times at rate `lambd`."""
    if not self.dtype.is_floating_point:
        raise TorchError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {self.dtype.cpp_name}"
        )
    exponential = exponential_distribution(lambd)
    cpu_serial_kernel(self, lambda count: exponential(generator, count).astype(self.dtype.numpy))


# -- bernoulli

_BERNOULLI_TYPES = (*PLAIN_TYPES, bool_, bfloat16, float16)


def bernoulli_tensor_kernel(self, p, generator):
    """1 with the probability that stands at the same place in the host tensor `p`, else 0."""
    dispatch(self.dtype, _BERNOULLI_TYPES, "bernoulli_tensor_cpu_self_")
    if p.array.shape != self.array.shape:
        p = ops.expand.default(p, self.array.shape)
    p_array = p.array
    dispatch(p.dtype, FLOATING_TYPES, "bernoulli_tensor_cpu_p_")
    dims = reorder_dimensions(self.array, p_array)
    dtype = float64 if p.dtype is float64 else float32
    p_values = p_array.transpose(dims).reshape(-1).astype(dtype.numpy)
    if not ((p_values >= 0) & (p_values <= 1)).all():
        raise TorchError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false. A probability lies between 0 and 1, "
            f"but p goes from {p_values.min():g} to {p_values.max():g}"
        )
    bernoulli = bernoulli_distribution(p_values, dtype)
    write_in_order(self, dims, bernoulli(generator, self.array.size))


def bernoulli_scalar_kernel(self, p, generator):
    """1 with probability `p`, else 0."""
    dispatch(self.dtype, _BERNOULLI_TYPES, "bernoulli_scalar_cpu_")
    bernoulli = bernoulli_distribution(p, float64)
    cpu_serial_kernel(self, lambda count: bernoulli(generator, count))

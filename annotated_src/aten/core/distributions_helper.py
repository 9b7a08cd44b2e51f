"""Distributions: how many raw draws a number costs, and what is made of them.

Retells aten/src/ATen/core/DistributionsHelper.h. Each object is called with a generator and a count:

    uniform_real_distribution(0.0, 1.0, float32)(generator, 5)      an array of 5 numbers, 5 draws of 32 bits

Which draws a distribution takes is as much part of it as its formula: whoever takes one more or one fewer shifts all
that comes after.

Deviation: upstream's objects give one number a call, ours `count` of them in the order of upstream's calls.
Left out: geometric, cauchy, lognormal, and the distributions of discrete quantities.
"""

import math

import numpy

from annotated_src.aten.core import transformation_helper as transformation
from annotated_src.c10.core.scalar_type import float64, int64


class uniform_int_from_to_distribution:
    """Integers in [base, base + range_)."""

    def __init__(self, range_, base, dtype):
        self.range_ = range_
        self.base = base
        self.dtype = dtype

    def __call__(self, generator, count):
        # The remainder favours small numbers; where that would begin to show, twice the bits are drawn.
        draw = generator.random64 if self.range_ >= 1 << 28 else generator.random
        return transformation.uniform_int_from_to(draw(count), self.range_, self.base, self.dtype)


class uniform_int_full_range_distribution:
    """All of int64."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, generator, count):
        return transformation.uniform_int_full_range(generator.random64(count), self.dtype)


class uniform_int_distribution:
    """From 0 to the largest integer of the dtype."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, generator, count):
        draw = generator.random64 if self.dtype in (float64, int64) else generator.random
        return transformation.uniform_int(draw(count), self.dtype)


class uniform_real_distribution:
    """Real numbers in [from_, to), float32 or float64."""

    def __init__(self, from_, to, dtype):
        self.from_ = from_
        self.to = to
        self.dtype = dtype

    def __call__(self, generator, count):
        draw = generator.random64 if self.dtype is float64 else generator.random
        return transformation.uniform_real(draw(count), self.from_, self.to, self.dtype)


class normal_distribution:
    """Normal numbers by Box and Muller's method, float64: two uniforms u1, u2 give a point of a normal cloud,

        r = sqrt(-2 log(1 - u2)),  theta = 2 pi u1      ->      r cos(theta), r sin(theta)

    and so two numbers. One is returned, the other waits in the generator for the next call.
    """

    def __init__(self, mean, stdv):
        self.mean = mean
        self.stdv = stdv

    def __call__(self, generator, count):
        samples = self._waiting(generator)
        samples += self._pairs(generator, (count - len(samples) + 1) // 2)
        if len(samples) > count:
            generator.set_next_double_normal_sample(samples.pop())
        return transformation.normal(numpy.array(samples), self.mean, self.stdv)

    def _waiting(self, generator):
        sample = generator.next_double_normal_sample()
        generator.set_next_double_normal_sample(None)
        return [] if sample is None else [sample]

    def _pairs(self, generator, pairs):
        samples = []
        uniform = uniform_real_distribution(0.0, 1.0, float64)
        for u1, u2 in uniform(generator, 2 * pairs).reshape(pairs, 2).tolist():
            r = math.sqrt(-2.0 * math.log1p(-u2))
            theta = 2.0 * math.pi * u1
            samples += [r * math.cos(theta), r * math.sin(theta)]
        return samples


class bernoulli_distribution:
    """True with probability p; p is a number or an array of `count` numbers of the dtype."""

    def __init__(self, p, dtype):
        self.p = p
        self.dtype = dtype

    def __call__(self, generator, count):
        uniform = uniform_real_distribution(0.0, 1.0, self.dtype)
        return transformation.bernoulli(uniform(generator, count), self.p)


class exponential_distribution:
    """Waiting times at rate `lambd`, float64."""

    def __init__(self, lambd):
        self.lambd = lambd

    def __call__(self, generator, count):
        uniform = uniform_real_distribution(0.0, 1.0, float64)
        return transformation.exponential(uniform(generator, count), self.lambd)

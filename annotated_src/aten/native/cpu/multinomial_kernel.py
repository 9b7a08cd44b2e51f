"""multinomial with replacement. Retells aten/src/ATen/native/cpu/MultinomialKernel.cpp.

A row of weights becomes its running sum, divided by the total: steps from 0 to 1. A uniform number falls onto one of
the steps, and the wider a step, the more often.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.core.distributions_helper import uniform_real_distribution
from annotated_src.aten.native.cpu.distribution_templates import opmath_type
from annotated_src.aten.native.cpu.loops import write_in_order
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.scalar_type import float64
from annotated_src.c10.util.exception import TorchError


def multinomial_with_replacement_kernel(result, self, n_sample, generator):
    """Fill `result` with `n_sample` indices for each row of `self`."""
    if self.device.type != "cpu":
        self = ops.to.dtype_layout(self, device=Device("cpu"))  # D2H: the draws are made on the host
    weights = self.array
    rows = weights.reshape(-1, weights.shape[-1]).astype(opmath_type(self.dtype).numpy)
    uniform = uniform_real_distribution(0.0, 1.0, float64)
    indices = [_sample(_cumulative(row), uniform(generator, n_sample)) for row in rows]
    write_in_order(result, None, numpy.concatenate(indices))


def _cumulative(row):
    """The row's running sum, the last one 1."""
    if not (row >= 0).all():
        raise TorchError("invalid multinomial distribution (encountering probability entry < 0)")
    if not numpy.isfinite(row).all():
        raise TorchError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    cumulative = numpy.cumsum(row)
    if not cumulative[-1] > 0:
        raise TorchError("invalid multinomial distribution (sum of probabilities <= 0)")
    return cumulative / cumulative[-1]


def _sample(cumulative, uniforms):
    """The first step that is not below each of the uniform numbers."""
    return numpy.searchsorted(cumulative.astype(numpy.float64), uniforms, side="left")

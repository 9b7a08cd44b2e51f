"""The derivative formulas: one class an operator, under the name its node has upstream.

Retells tools/autograd/derivatives.yaml and torch/csrc/autograd/FunctionsManual.cpp. formula.py says how to read one.

A formula is written for a result and an input of the same shape: where the operator broadcast an input, the engine sums
the gradient back (validate_outputs).
"""

from functools import cache

from annotated_src.torch.csrc.autograd.derivatives import (
    activation,
    convolution,
    indexing,
    linear_algebra,
    loss,
    pointwise,
    pooling,
    reduction,
    resampling,
    shape,
)
from annotated_src.torch.csrc.autograd.formula import FormulaNode

FAMILIES = (
    pointwise, reduction, shape, indexing, linear_algebra, activation, loss, convolution, pooling, resampling,
)  # fmt: skip


@cache
def formulas():
    """{"aten::mul.Tensor": MulBackward0, ...}"""
    found = {}
    for family in FAMILIES:
        for value in vars(family).values():
            if isinstance(value, type) and issubclass(value, FormulaNode):
                for operator in value.operators:
                    found[f"aten::{operator}"] = value
    return found

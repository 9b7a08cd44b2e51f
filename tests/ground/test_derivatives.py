"""Gradients, second derivatives and the names of nodes, operator by operator, beside upstream's."""

import re
from pathlib import Path

import pytest

from tests.ground.gradient_cases import cases
from tests.oracle import upstream_is_installed

COVERS = [
    "tools/autograd/derivatives.yaml",
    "torch/csrc/autograd/FunctionsManual.cpp",
    "aten/src/ATen/native/UnfoldBackward.cpp",
]

CASES = {case.name: case for case in cases()}


def leaves(torch, case, shapes, dtype, layout):
    """The inputs: floating leaves; `strided` are those whose elements do not lie one behind the other."""
    made = []
    for shape in shapes:
        if layout == "strided":
            values = torch.rand((*reversed(shape), 2), dtype=torch.float64)[..., 0]
            values = values.permute(list(reversed(range(len(shape)))))
        else:
            values = torch.rand(shape, dtype=torch.float64)
        values = (values * (case.high - case.low) + case.low).to(dtype)
        made.append(values.detach().requires_grad_())
    return made


def flattened(result):
    """The floating outputs of an operator."""
    outputs = result if isinstance(result, (tuple, list)) else [result]
    return [output for output in outputs if output.requires_grad]


def weighted(torch, tensors):
    """One number out of several tensors, to which every element counts differently."""
    total = 0
    for tensor in tensors:
        weights = torch.arange(1, tensor.numel() + 1, dtype=torch.float64).reshape(tensor.shape).to(tensor.dtype)
        total = total + (tensor * (weights / 3).cos()).sum()
    return total


def derivatives(torch, case, shapes, dtype, layout="contiguous"):
    torch.manual_seed(5)
    inputs = leaves(torch, case, shapes, dtype, layout)
    outputs = flattened(case.expression(torch, *inputs))
    names = [output.grad_fn.name() for output in outputs]
    grads = torch.autograd.grad(weighted(torch, outputs), inputs, create_graph=True, allow_unused=True)
    again = [grad for grad in grads if grad is not None and grad.requires_grad]
    second = None
    if again and case.second:
        second = torch.autograd.grad(weighted(torch, again), inputs, allow_unused=True)
        second = [None if grad is None else grad.detach() for grad in second]
    values = [output.detach() for output in outputs]
    return names, values, [None if grad is None else grad.detach() for grad in grads], second


@pytest.mark.parametrize("name", CASES)
def test_gradients(oracle, name):
    case = CASES[name]
    for shapes in case.shapes:

        def double(torch, shapes=shapes):
            return derivatives(torch, case, shapes, torch.float64)

        oracle.same(double, rtol=1e-7, atol=1e-10)

    def single(torch):
        return derivatives(torch, case, case.shapes[0], torch.float32)

    def strided(torch):
        return derivatives(torch, case, case.shapes[0], torch.float64, "strided")

    oracle.same(single, rtol=1e-4, atol=1e-4)
    oracle.same(strided, rtol=1e-7, atol=1e-10)

"""Gradients, second derivatives and nodes of the operators behind layers, beside upstream's."""

import pytest

from tests.ground.network_cases import cases
from tests.ground.test_derivatives import HALVES, LOOSE, graph, in_half, names_in_graphs, node_names, run

COVERS = ["tools/autograd/derivatives.yaml", "torch/csrc/autograd/FunctionsManual.cpp"]

CASES = {case.name: case for case in cases()}


@pytest.mark.parametrize("name", CASES)
def test_gradients(oracle, name):
    case = CASES[name]
    oracle.same(run(case, case.shapes[0], "float64", "contiguous"), rtol=1e-7, atol=1e-10)
    oracle.same(run(case, case.shapes[0], "float32", "contiguous"), rtol=1e-4, atol=1e-4)
    oracle.same(run(case, case.shapes[0], "float64", "strided"), rtol=1e-7, atol=1e-10)


# Upstream has no kernel of these for the half-size dtypes (of rrelu, none for float16).
REFUSED = {
    ("rrelu", "float16"), ("rrelu_", "float16"), ("avg_pool3d", "float16"), ("avg_pool3d", "bfloat16"),
    ("multi_margin_loss", "float16"), ("multi_margin_loss", "bfloat16"),
    ("multilabel_margin_loss", "float16"), ("multilabel_margin_loss", "bfloat16"),
}  # fmt: skip


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", CASES)
def test_half_precision(oracle, name, dtype):
    case = in_half(CASES[name], dtype)
    if (name, dtype) in REFUSED:
        oracle.same_error(case, "not implemented for")
        return
    unit = HALVES[dtype] * (5 if name in LOOSE else 1)
    oracle.same(case, rtol=4 * unit, atol=unit / 2)


@pytest.mark.parametrize("name", CASES)
def test_graph(oracle, name):
    def case(torch):
        return graph(torch, CASES[name])

    oracle.same(case)


def test_every_formula_is_tested():
    from annotated_src import torch
    from annotated_src.torch.csrc.autograd import derivatives as package

    families = (package.activation, package.loss, package.convolution, package.pooling, package.resampling)
    assert node_names(families) - names_in_graphs(torch, CASES.values()) == set()

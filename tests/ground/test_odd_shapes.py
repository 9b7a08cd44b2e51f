"""Every operator and layer over odd shapes: empty, without dimensions, of ones, broadcast and expanded inputs.

Where upstream refuses them, so does ours, with the same error; elsewhere nodes, results and gradients are equal.
"""

import pytest

from tests.ground import gradient_cases, network_cases
from tests.ground.test_derivatives import run

COVERS = ["tools/autograd/derivatives.yaml", "torch/csrc/autograd/FunctionsManual.cpp"]

CASES = {f"operator {case.name}": case for case in gradient_cases.cases()}
CASES |= {f"layer {case.name}": case for case in network_cases.cases()}


def variants(shapes):
    """{variant: shapes} that a case's own shapes turn into; what would be one of the former again is left out."""
    first, *others = shapes
    found = {
        "empty first": [(0, *shape[1:]) if shape else () for shape in shapes],
        "empty last": [(*shape[:-1], 0) if shape else () for shape in shapes],
        "no dimensions": [() for _ in shapes],
        "ones": [(1,) * len(shape) for shape in shapes],
        "empty second dimension": [(shape[0], 0, *shape[2:]) if len(shape) > 1 else shape for shape in shapes],
        "empty batch": [(0, *first[1:]) if first else (), *others],
        "longer first": [(2, *first), *others],
    }
    if others:
        second, *rest = others
        found["broadcast second"] = [first, (1, *second[1:]), *rest]
        found["second without dimensions"] = [first, (), *rest]
        found["longer second"] = [first, (2, *second), *rest]
        found["empty second"] = [first, (0, *second[1:]), *rest]
    distinct = {tuple(changed): variant for variant, changed in reversed(found.items()) if changed != list(shapes)}
    return {variant: list(changed) for changed, variant in reversed(distinct.items())}


def questions(case):
    """{variant: a case for the oracle}."""
    shapes = case.shapes[0]
    asked = {variant: run(case, changed, "float64", "contiguous") for variant, changed in variants(shapes).items()}
    if any(size > 1 for size in shapes[0]):
        asked["expanded"] = run(case, shapes, "float64", "expanded")
    return asked


# (case, variant) -> why our message does not hold upstream's first words; the error is of the same type.
OTHER_WORDS = {
    ("operator masked_scatter_", "longer second"): "expand() names the mask's type, for which upstream has two names",
}


@pytest.mark.parametrize("name", CASES)
def test_odd_shapes(oracle, name):
    differences = {}
    for variant, question in questions(CASES[name]).items():
        words = (name, variant) not in OTHER_WORDS
        difference = oracle.outcome_difference(question, rtol=1e-7, atol=1e-10, words=words)
        if difference is not None:
            differences[variant] = difference
    assert not differences


# -- single calls, of operators or with arguments that the cases above lack

CALLS = [
    "F.linear(ones(2, 2, 3), ones(3), ones(()))",
    "F.linear(ones(2, 2, 3), ones(4, 3), ones(2, 2, 4))",
    "F.linear(ones(2, 2, 3), ones(4, 3), ones(1, 4))",
    "F.linear(ones(()), ones(4, 3))",
    "F.linear(ones(3), ones(()), ones(4))",
    "F.bilinear(ones(0, 3), ones(0, 2), ones(4, 3, 2), ones(4))",
    "F.bilinear(ones(5, 3), ones(5, 2), ones(2, 3), ones(2))",
    "F.bilinear(ones(5, 3), ones(5, 2), ones(2, 3, 2), ones(()))",
    "F.nll_loss(ones(3), long([1]))",
    "F.nll_loss(ones(3), long([1]), reduction='none')",
    "F.nll_loss(ones(3), long([1, 1]))",
    "F.nll_loss(ones(0, 3), long(0))",
    "F.cross_entropy(ones(()), ones(()))",
    "F.cross_entropy(ones(2, 0), ones(2, 0), label_smoothing=0.2)",
    "F.conv1d(ones(1, 2, 0), ones(3, 2, 1), padding=1)",
    "F.conv2d(ones(1, 0, 5, 5), ones(3, 0, 2, 2), ones(3))",
    "F.conv2d(ones(0, 2, 5, 5), ones(3, 2, 0, 2))",
    "F.conv3d(ones(1, 2, 5, 5, 5).double(), ones(3, 2, 2, 0, 2).double())",
    "F.conv_transpose2d(ones(1, 2, 0, 5), ones(2, 3, 2, 2))",
    "F.conv_transpose2d(ones(0, 2, 5, 5), ones(2, 3, 2, 2), padding=4)",
    "F.unfold(ones(2, 3), 2)",
    "F.adaptive_avg_pool2d(ones(3, 4), 1)",
    "F.adaptive_avg_pool3d(ones(4), 1)",
    "F.adaptive_max_pool1d(ones(1, 0, 4), 2)",
    "F.adaptive_max_pool2d(ones(1, 0, 4, 4), 2)",
    "F.adaptive_avg_pool3d(ones(1, 0, 4, 4, 4), 2)",
    "torch.linalg.vector_norm(ones(3, 0), float('inf'), dim=0)",
    "torch.linalg.vector_norm(ones(3, 0), -1, dim=())",
    "torch.linalg.vector_norm(ones(3, 0), -1, dim=1)",
    "torch.softmax(ones(3, 0).long(), 0)",
    "torch.unique(ones(()), dim=0)",
    "torch.unique(ones(3, 0), dim=0)",
    "torch.unique(ones(0, 0), dim=0)",
    "torch.unique_consecutive(ones(3, 0), dim=0)",
    "torch.take_along_dim(ones(()), long(0), 0)",
    "torch.repeat_interleave(ones(()), 3, 0)",
    "torch.meshgrid(ones(0, 3))",
    "ones(()).unflatten(0, (1,))",
    "ones(0, 3).unflatten(0, (-1, 0))",
    "ones(()).unbind()",
    "ones(()).index_add(0, long([0]), ones(1))",
    "ones(()).index_select(0, long([0, 0]))",
    "ones(3).index_copy(0, long([1, 2]), ones(()))",
    "ones(2, 0).index_add(1, long([1, 1]), ones(2, 2))",
    "ones(2, 0).index_fill(0, long([7, 1]), 2)",
    "ones(2, 0).index_copy(0, long([7, 1]), ones(2, 0))",
    "ones(2, 3).masked_scatter_(ones(3, 3) > 0, ones(9))",
]

# Not asked of a card: see tests/on_device.py.
POSITIONS_OUTSIDE = [
    "ones(1, 3).index_add(0, long([1, 1]), ones(2, 3))",
    "ones(1, 3).index_add(0, long([1, 1]), ones(2, 3), alpha=2)",
    "ones(3, 1, 4).index_add(1, long([1, 1]), ones(3, 2, 4))",
    "ones(3).index_add(0, long([4]), ones(1))",
    "ones(2, 3)[:, :0].index_fill_(1, long([1, 1]), 2)",
    "ones(0, 3).index_select(1, long([7]))",
    "ones(2, 3, 4).index_select(1, long([7]))",
    "ones(2, 3, 4).index_select(2, long([7]))",
    "ones(2, 3).index_put((long([7]),), ones(5), accumulate=True)",
]


def called(expression):
    """A case for the oracle: every tensor that the expression gives, or its error."""

    def case(torch):
        names = {"torch": torch, "F": torch.nn.functional, "ones": torch.ones, "long": torch.tensor}
        return eval(expression, names)

    return case


@pytest.mark.parametrize("expression", CALLS)
def test_call(oracle, expression):
    assert oracle.outcome_difference(called(expression)) is None


@pytest.mark.parametrize("expression", POSITIONS_OUTSIDE)
def test_positions_outside(oracle, expression):
    assert oracle.outcome_difference(called(expression)) is None

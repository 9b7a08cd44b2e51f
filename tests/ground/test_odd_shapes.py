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

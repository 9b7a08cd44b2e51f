"""Convolutions, poolings and padding call the operators that upstream's call, as torch.profiler reports them."""

import pytest

from tests.core import test_operator_calls
from tests.oracle import upstream_is_installed

COVERS = ["aten/src/ATen/native/Convolution.cpp", "aten/src/ATen/native/Pooling.cpp", "aten/src/ATen/native/PadNd.cpp"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")

# How upstream gets memory and makes views: an array module does both without an operator.
BOOKKEEPING = {"empty", "empty_strided", "resize_", "as_strided", "as_strided_"}
# The mean converts a count to a tensor, and a sum begins with a zero.
OF_THE_MEAN = {"fill_", "to"}


def prepared(torch):
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": torch.ones(2, 4, 8, 8),
        "w": torch.ones(6, 4, 3, 3),
        "x1": torch.ones(2, 4, 8),
        "w1": torch.ones(6, 4, 3),
        "v": torch.ones(4, 6, 3, 3),
    }


def without(text, left_out):
    """The tree without some operators and what they call."""
    kept, inside = [], None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        if inside is not None and depth > inside:
            continue
        inside = depth if line.strip().removeprefix("aten::") in left_out else None
        if inside is None:
            kept.append(line)
    return "\n".join(kept)


STATEMENTS = [
    "F.conv1d(x1, w1)", "F.conv2d(x, w)", "F.conv2d(x, w, padding='same')", "F.conv2d(x, w, padding='valid')",
    "F.conv2d(x, w[:, :, :2, :2], padding='same')", "F.conv_transpose2d(x, v)", "F.max_pool1d(x1, 2)",
    "F.max_pool1d(x1, 2, return_indices=True)", "F.max_pool2d(x, 2)", "F.avg_pool1d(x1, 2)", "F.avg_pool2d(x, 2)",
    "F.adaptive_avg_pool1d(x1, 2)", "F.adaptive_avg_pool2d(x, 2)", "F.adaptive_avg_pool2d(x, 1)",
    "F.adaptive_max_pool1d(x1, 2)", "F.adaptive_max_pool2d(x, 2)", "F.pad(x, (1, 1))",
    "F.pad(x, (1, -1), value=2.0)", "F.pad(x, (1, 1, 2, 0), 'circular')",
    "F.pad(x, (1, 1, 2, 0), 'reflect')", "F.pad(x, (1, 1, 2, 0), 'replicate')",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize("statement", STATEMENTS)
def test_nested_calls(statement, monkeypatch):
    monkeypatch.setattr(test_operator_calls, "prepared", prepared)
    left_out = BOOKKEEPING | OF_THE_MEAN if "adaptive_avg_pool2d(x, 1)" in statement else BOOKKEEPING
    ours = without(test_operator_calls.our_calls(statement, monkeypatch), left_out)
    assert ours == without(test_operator_calls.upstream_calls(statement), left_out)
    # What is left has something to compare.
    assert "aten::" in ours

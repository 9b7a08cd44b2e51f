"""Activations, losses, dropout and embeddings call the operators that upstream's call (torch.profiler)."""

import pytest

from tests.core import test_operator_calls
from tests.ground.test_spatial_calls import without
from tests.oracle import upstream_is_installed

COVERS = ["aten/src/ATen/native/Activation.cpp", "aten/src/ATen/native/Loss.cpp", "aten/src/ATen/native/Dropout.cpp"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")

# How upstream gets memory and makes views, and how it turns numbers into tensors: an array module needs no operator.
BOOKKEEPING = {
    "empty", "empty_strided", "empty_like", "resize_", "resize_as_", "as_strided", "as_strided_", "to", "fill_",
    "copy_",
}  # fmt: skip


def prepared(torch):
    x = torch.arange(12.0).reshape(4, 3) / 12
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": x,
        "y": x.flip(0).contiguous(),
        "c": torch.tensor([0, 1, 2, 0]),
        "w": torch.ones(3),
        "r": torch.ones(4),
    }


def without_repeats(text):
    """The tree without calls of the caller's own name: `abs` that calls `abs.out`, `mul_` that calls `mul`."""
    kept, above = [], {}
    for line in text.splitlines():
        depth, name = len(line) - len(line.lstrip()), line.strip().removesuffix("_")
        above[depth] = name
        if above.get(depth - 2) != name:
            kept.append(line)
    return "\n".join(kept)


# What a kernel does inside (index_select, masked_select, the margins of labels) is left out.
STATEMENTS = [
    "F.relu(x)", "F.leaky_relu(x)", "F.elu(x)", "F.selu(x)", "F.celu(x)", "F.gelu(x)", "F.silu(x)", "F.mish(x)",
    "F.softplus(x)", "F.logsigmoid(x)", "F.prelu(x, w)", "F.softmin(x, 1)", "F.softsign(x)",
    "F.softmax(x, 1)", "F.softmax(x, 1, dtype=torch.float64)", "F.log_softmax(x, 1)", "F.gumbel_softmax(x)",
    "F.hardsigmoid(x)", "F.hardswish(x)", "F.hardshrink(x)", "F.softshrink(x)", "F.threshold(x, 0.1, 1.0)",
    "F.dropout(x)", "F.dropout(x, training=False)", "F.alpha_dropout(x, training=True)", "F.dropout1d(x)",
    "F.feature_alpha_dropout(x, training=True)", "torch.native_dropout(x, 0.5, True)",
    "F.l1_loss(x, y)", "F.mse_loss(x, y)", "F.smooth_l1_loss(x, y)", "F.huber_loss(x, y)",
    "F.kl_div(x, y, reduction='sum')",
    "F.binary_cross_entropy_with_logits(x, y)", "F.binary_cross_entropy_with_logits(x, y, pos_weight=w)",
    "F.nll_loss(x, c)", "F.cross_entropy(x, c)", "F.cross_entropy(x, c, label_smoothing=0.1)",
    "F.cross_entropy(x, y)", "F.cross_entropy(x, y, w)",
    "F.poisson_nll_loss(x, y, full=True)", "F.poisson_nll_loss(x, y, log_input=False)",
    "F.margin_ranking_loss(x, y, x)", "F.hinge_embedding_loss(x, y)", "F.cosine_embedding_loss(x, y, r)",
    "F.triplet_margin_loss(x, y, x)", "F.multi_margin_loss(x, c)",
    "F.pairwise_distance(x, y)", "F.normalize(x)", "F.one_hot(c, 3)", "F.linear(x, y, r)",
    "F.bilinear(x, y, torch.ones(2, 3, 3), torch.ones(2))",
    "torch.ops.aten.embedding_sparse_backward(x, c, 3, -1, False)",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_nested_calls(statement, monkeypatch):
    monkeypatch.setattr(test_operator_calls, "prepared", prepared)
    ours = without(test_operator_calls.our_calls(statement, monkeypatch), BOOKKEEPING)
    theirs = without(test_operator_calls.upstream_calls(statement), BOOKKEEPING)
    assert without_repeats(ours) == without_repeats(theirs)

"""Gradients, second derivatives and node names of activations, losses, dropout, embeddings, beside upstream's."""

import importlib.util

import pytest

COVERS = ["tools/autograd/derivatives.yaml", "torch/csrc/autograd/FunctionsManual.cpp"]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("annotated_src.torch.csrc.autograd.engine") is None, reason="needs autograd"
)


def scope(torch, dtype="float32"):
    kind = getattr(torch, dtype)
    x = ((torch.arange(24.0, dtype=torch.float64).reshape(4, 6) * 0.37) % 4 - 2.01).to(kind)
    y = ((torch.arange(24.0, dtype=torch.float64).reshape(4, 6) * 0.59) % 4 - 2.03).to(kind)
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "A": torch.ops.aten,
        "x": x.requires_grad_(),
        "y": y.requires_grad_(),
        "w": torch.tensor([0.3, -0.2, 0.5, 1.0, 0.7, 0.1], dtype=kind).requires_grad_(),
        "s": ((x > 0).to(kind) * 2 - 1).detach(),
        "r": torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=kind),
        "c": torch.tensor([1, 5, 0, 1]),
        "weights": torch.tensor([0.3, 0.2, 0.5, 1.0, 0.7, 0.1], dtype=kind),
    }


def nodes(function, seen=None):
    """The names of all nodes that lead to this one, each with those it leads to.

    `tensor * 2` in C++ is MulBackward1; in Python and here it is MulBackward0 with one edge to nowhere.
    """
    seen = {} if seen is None else seen
    if function is None or id(function) in seen:
        return seen
    following = [name_of(node) for node, _ in function.next_functions if node is not None]
    seen[id(function)] = [name_of(function), following]
    for following, _ in function.next_functions:
        nodes(following, seen)
    return seen


def name_of(function):
    name = type(function).__name__
    return name.replace("1", "0") if name[:3] in ("Add", "Sub", "Mul", "Div") else name


def gradients(torch, expression, dtype, twice):
    torch.manual_seed(3)
    names = scope(torch, dtype)
    result = eval(expression, names)
    graph = sorted(map(str, nodes(result.grad_fn).values()))
    arriving = (torch.arange(float(result.numel())) * 0.3 % 1 + 0.5).reshape(result.shape).to(result.dtype)
    inputs = [names["x"], names["y"], names["w"]]
    grads = torch.autograd.grad(result, inputs, arriving, create_graph=twice, allow_unused=True)
    if not twice:
        return graph, grads
    total = sum((grad * grad).sum() for grad in grads if grad is not None)
    return grads, torch.autograd.grad(total, inputs, allow_unused=True)


ACTIVATIONS = [
    "F.relu(x)", "F.relu(x * 1, True)", "F.threshold(x, 0.5, 3.0)", "F.threshold(x * 1, 0.5, 3.0, True)",
    "F.leaky_relu(x, 0.2)", "F.leaky_relu(x * 1, 0.2, True)", "F.hardtanh(x)", "F.hardtanh(x * 1, inplace=True)",
    "F.relu6(x)", "F.hardswish(x)", "F.hardswish(x * 1, True)", "F.hardshrink(x)", "F.softshrink(x)",
    "F.elu(x, 1.3)", "F.elu(x * 1, 1.3, True)", "F.celu(x, 1.3)", "F.celu(x * 1, 1.3, True)", "F.selu(x)", "F.gelu(x)",
    "F.gelu(x, approximate='tanh')", "A.gelu_(x * 1)", "F.silu(x)", "F.silu(x * 1, True)", "F.mish(x)",
    "F.softplus(x, 2, 3)", "F.logsigmoid(x)", "F.prelu(x, w)", "F.prelu(x, w[:1])", "F.rrelu(x, training=True)",
    "F.rrelu(x)",
    "F.rrelu(x * 1, training=True, inplace=True)", "F.glu(x)", "F.glu(x, 0)", "F.softmin(x, 1)", "F.tanhshrink(x)",
    "F.softsign(x)", "F.gumbel_softmax(x)", "F.gumbel_softmax(x, hard=True)", "F.sigmoid(x)", "F.tanh(x)",
]  # fmt: skip
LOSSES = [
    "F.mse_loss(x, y)", "F.mse_loss(x, y, reduction='sum')", "F.mse_loss(x, y, reduction='none')",
    "F.smooth_l1_loss(x, y, beta=0.7)", "F.smooth_l1_loss(x, y, reduction='none')", "F.huber_loss(x, y, delta=0.7)",
    "F.huber_loss(x, y, reduction='none')", "F.soft_margin_loss(x, s)", "F.soft_margin_loss(x, s, reduction='none')",
    "F.binary_cross_entropy(x.sigmoid(), y.sigmoid())",
    "F.binary_cross_entropy(x.sigmoid(), y.sigmoid(), weights, reduction='none')",
    "F.binary_cross_entropy_with_logits(x, y.sigmoid())",
    "F.binary_cross_entropy_with_logits(x, y.sigmoid(), weights, pos_weight=weights, reduction='none')",
    "F.nll_loss(F.log_softmax(x, 1), c)",
    "F.nll_loss(F.log_softmax(x, 1), c, weights, reduction='none', ignore_index=5)",
    "F.cross_entropy(x, c)", "F.cross_entropy(x, c, weights, label_smoothing=0.2)",
    "F.cross_entropy(x, y.softmax(1), weights)", "F.cross_entropy(x.reshape(2, 6, 2), c.reshape(2, 2))",
    "F.cross_entropy(x.reshape(2, 6, 1, 2), c.reshape(2, 1, 2), reduction='none')",
    "F.kl_div(F.log_softmax(x, 1), y.softmax(1))", "F.kl_div(F.log_softmax(x, 1), y.log_softmax(1), log_target=True)",
    "F.poisson_nll_loss(x, y.detach().abs())", "F.gaussian_nll_loss(x, y, w.abs()[:4])",
    "F.cosine_embedding_loss(x, y, r, 0.1)", "F.triplet_margin_loss(x, y, x.flip(0))",
    "F.multilabel_soft_margin_loss(x, (s + 1) / 2)",
    "F.cosine_similarity(x, y)", "F.pairwise_distance(x, y)", "F.normalize(x)", "torch.xlogy(y.abs(), x.abs())",
    "A.norm(x, 3)", "F.bilinear(x, y, torch.ones(2, 6, 6, dtype=x.dtype) * w, w[:2])", "F.linear(x, y, w[:4])",
]  # fmt: skip
# Upstream has no second derivative of these: it is zero, or not implemented.
ONCE = [
    "F.hardsigmoid(x)", "F.l1_loss(x, y)", "F.margin_ranking_loss(x[:, 0], y[:, 0], r, 0.5)",
    "F.hinge_embedding_loss(x, s)",
    "F.multi_margin_loss(x, c)", "F.multi_margin_loss(x, c, 2, 0.7, weights, reduction='none')",
    "F.multilabel_margin_loss(x, torch.tensor([[1, -1, 0, 0, 0, 0]] * 4))",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2]))",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2]), mode='max')",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2]), mode='sum', per_sample_weights=w[:4])",
]  # fmt: skip
DROPOUTS = [
    "F.dropout(x, 0.3)", "F.dropout(x * 1, 0.3, inplace=True)", "F.alpha_dropout(x, 0.3, True)", "F.dropout1d(x, 0.3)",
    "torch.native_dropout(x, 0.3, True)[0]", "F.embedding(c, x.reshape(6, 4), padding_idx=1)",
    "F.embedding(c, x.reshape(6, 4), scale_grad_by_freq=True)",
]  # fmt: skip
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


@pytest.mark.parametrize("expression", [*ACTIVATIONS, *LOSSES, *ONCE, *DROPOUTS])
def test_gradients_and_nodes(oracle, expression):
    oracle.same(lambda torch: gradients(torch, expression, "float32", False), **TOLERANCE)


@pytest.mark.parametrize("expression", [*ACTIVATIONS, *LOSSES])
def test_second_derivatives(oracle, expression):
    oracle.same(lambda torch: gradients(torch, expression, "float64", True), rtol=1e-6, atol=1e-9)

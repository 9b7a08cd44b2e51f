"""More operators to differentiate: those behind the layers of networks. See gradient_cases.py."""

import importlib

from tests.ground.gradient_cases import Case


def _f(t):
    return importlib.import_module(f"{t.__name__}.nn.functional")


ACTIVATIONS = {
    "relu": lambda t, a: t.relu(a),
    "relu_": lambda t, a: a.clone().relu_(),
    "relu6": lambda t, a: _f(t).relu6(a * 5),
    "threshold": lambda t, a: _f(t).threshold(a, 0.5, -1.0),
    "threshold_": lambda t, a: _f(t).threshold(a * 2, 0.5, -1.0, inplace=True),
    "leaky_relu": lambda t, a: _f(t).leaky_relu(a, 0.1),
    "leaky_relu_": lambda t, a: _f(t).leaky_relu(a * 2, 0.1, inplace=True),
    "elu": lambda t, a: _f(t).elu(a, 1.5),
    "elu_": lambda t, a: _f(t).elu(a * 2, 1.5, inplace=True),
    "selu": lambda t, a: _f(t).selu(a),
    "celu": lambda t, a: _f(t).celu(a, 0.7),
    "celu_": lambda t, a: _f(t).celu(a * 2, 0.7, inplace=True),
    "gelu": lambda t, a: _f(t).gelu(a),
    "gelu_tanh": lambda t, a: _f(t).gelu(a, approximate="tanh"),
    "silu": lambda t, a: _f(t).silu(a),
    "mish": lambda t, a: _f(t).mish(a),
    "hardtanh": lambda t, a: _f(t).hardtanh(a),
    "hardtanh_": lambda t, a: _f(t).hardtanh(a * 2, inplace=True),
    "hardswish": lambda t, a: _f(t).hardswish(a * 3),
    "hardsigmoid": lambda t, a: _f(t).hardsigmoid(a * 3),
    "hardshrink": lambda t, a: _f(t).hardshrink(a),
    "softshrink": lambda t, a: _f(t).softshrink(a),
    "softplus": lambda t, a: _f(t).softplus(a, beta=2),
    "softsign": lambda t, a: _f(t).softsign(a),
    "tanhshrink": lambda t, a: _f(t).tanhshrink(a),
    "logsigmoid": lambda t, a: _f(t).logsigmoid(a),
    "glu": lambda t, a: _f(t).glu(a, 0),
    "rrelu_eval": lambda t, a: _f(t).rrelu(a),
    "rrelu": lambda t, a: _f(t).rrelu(a, training=True),
    "rrelu_": lambda t, a: _f(t).rrelu(a * 2, training=True, inplace=True),
    "softmin": lambda t, a: _f(t).softmin(a, 1),
    "normalize": lambda t, a: _f(t).normalize(a, dim=1),
    "dropout": lambda t, a: _f(t).dropout(a, 0.5),
    "dropout_": lambda t, a: _f(t).dropout(a * 2, 0.5, inplace=True),
    "native_dropout": lambda t, a: t.native_dropout(a, 0.5, True)[0],
    "native_dropout_backward": lambda t, a: t.ops.aten.native_dropout_backward(a, a.detach() > 0, 2.0),
    "alpha_dropout": lambda t, a: _f(t).alpha_dropout(a, 0.5, training=True),
    "native_dropout_eval": lambda t, a: t.native_dropout(a, 0.5, False)[0],
}

_TARGET = lambda t: t.tensor([2, 0])  # noqa: E731

LOSSES = {
    "mse_loss": lambda t, a, b: _f(t).mse_loss(a, b),
    "mse_loss_none": lambda t, a, b: _f(t).mse_loss(a, b, reduction="none"),
    "l1_loss": lambda t, a, b: _f(t).l1_loss(a, b, reduction="sum"),
    "smooth_l1_loss": lambda t, a, b: _f(t).smooth_l1_loss(a, b, beta=0.5),
    "huber_loss": lambda t, a, b: _f(t).huber_loss(a, b, reduction="sum", delta=0.5),
    "bce": lambda t, a, b: _f(t).binary_cross_entropy(t.sigmoid(a), t.sigmoid(b)),
    "bce_with_logits": lambda t, a, b: _f(t).binary_cross_entropy_with_logits(a, t.sigmoid(b)),
    "bce_with_logits_weighted": lambda t, a, b: _f(t).binary_cross_entropy_with_logits(
        a, t.sigmoid(b), t.tensor([[1.0, 2.0, 3.0]], dtype=a.dtype), "sum", pos_weight=t.tensor([2.0], dtype=a.dtype)
    ),
    "nll_loss": lambda t, a, b: _f(t).nll_loss(a, _TARGET(t)),
    "nll_loss_weighted": lambda t, a, b: _f(t).nll_loss(a, _TARGET(t), t.tensor([1.0, 2.0, 3.0], dtype=a.dtype)),
    "nll_loss2d": lambda t, a, b: _f(t).nll_loss(
        a.contiguous()[:, :, None, None], _TARGET(t)[:, None, None], reduction="sum"
    ),
    "cross_entropy": lambda t, a, b: _f(t).cross_entropy(a, _TARGET(t), label_smoothing=0.1),
    "cross_entropy_ignore": lambda t, a, b: _f(t).cross_entropy(a, _TARGET(t), ignore_index=2),
    "cross_entropy_probabilities": lambda t, a, b: _f(t).cross_entropy(a, b.softmax(1), reduction="sum"),
    "kl_div": lambda t, a, b: _f(t).kl_div(a.log_softmax(1), b.softmax(1), reduction="batchmean"),
    "soft_margin_loss": lambda t, a, b: _f(t).soft_margin_loss(a, b.detach().sign()),
    "multi_margin_loss": lambda t, a, b: _f(t).multi_margin_loss(a, _TARGET(t)),
    "multilabel_margin_loss": lambda t, a, b: _f(t).multilabel_margin_loss(a, t.tensor([[0, 2, -1], [1, -1, 0]])),
    "hinge_embedding_loss": lambda t, a, b: _f(t).hinge_embedding_loss(a, b.detach().sign()),
    "margin_ranking_loss": lambda t, a, b: _f(t).margin_ranking_loss(a, b, t.ones(2, 3), margin=0.3),
    "cosine_embedding_loss": lambda t, a, b: _f(t).cosine_embedding_loss(a, b, t.tensor([1, -1])),
    "triplet_margin_loss": lambda t, a, b: _f(t).triplet_margin_loss(a, b, a + b),
    "poisson_nll_loss": lambda t, a, b: _f(t).poisson_nll_loss(a, b.exp()),
    "gaussian_nll_loss": lambda t, a, b: _f(t).gaussian_nll_loss(a, b, a.exp()),
    "cosine_similarity": lambda t, a, b: _f(t).cosine_similarity(a, b),
    "pairwise_distance": lambda t, a, b: _f(t).pairwise_distance(a, b),
    "prelu": lambda t, a, b: _f(t).prelu(a, b[0]),
}

# (expression, shapes)
LAYERS = {
    "linear": (lambda t, x, w, b: _f(t).linear(x, w, b), [(4, 3), (2, 3), (2,)]),
    "linear_3d": (lambda t, x, w: _f(t).linear(x, w), [(2, 4, 3), (2, 3)]),
    "bilinear": (lambda t, x, y, w, b: _f(t).bilinear(x, y, w, b), [(4, 3), (4, 2), (2, 3, 2), (2,)]),
    "conv1d": (lambda t, x, w, b: _f(t).conv1d(x, w, b, stride=2, padding=1), [(2, 3, 7), (4, 3, 3), (4,)]),
    "conv2d": (lambda t, x, w, b: _f(t).conv2d(x, w, b, padding=1), [(2, 2, 4, 5), (3, 2, 3, 3), (3,)]),
    "conv2d_no_bias": (lambda t, x, w: _f(t).conv2d(x, w, dilation=2), [(1, 2, 5, 6), (3, 2, 2, 2)]),
    "conv2d_groups": (lambda t, x, w, b: _f(t).conv2d(x, w, b, groups=2), [(1, 4, 4, 4), (2, 2, 3, 3), (2,)]),
    "conv2d_same": (lambda t, x, w: _f(t).conv2d(x, w, padding="same"), [(1, 1, 4, 5), (2, 1, 2, 3)]),
    "conv3d": (lambda t, x, w: _f(t).conv3d(x, w), [(1, 1, 3, 4, 3), (2, 1, 2, 2, 2)]),
    "conv_transpose1d": (lambda t, x, w: _f(t).conv_transpose1d(x, w, stride=2), [(1, 2, 4), (2, 3, 3)]),
    "conv_transpose2d": (
        lambda t, x, w, b: _f(t).conv_transpose2d(x, w, b, stride=2, padding=1, output_padding=1),
        [(1, 2, 3, 3), (2, 3, 3, 3), (3,)],
    ),
    "max_pool1d": (lambda t, x: _f(t).max_pool1d(x, 2), [(1, 2, 6)]),
    "max_pool2d": (lambda t, x: _f(t).max_pool2d(x, 2), [(1, 2, 4, 5)]),
    "max_pool2d_overlapping": (lambda t, x: _f(t).max_pool2d(x, 3, 1, 1), [(1, 2, 4, 5)]),
    "max_pool3d": (lambda t, x: _f(t).max_pool3d(x, 2), [(1, 1, 4, 4, 2)]),
    "avg_pool1d": (lambda t, x: _f(t).avg_pool1d(x, 2), [(1, 2, 6)]),
    "avg_pool2d": (lambda t, x: _f(t).avg_pool2d(x, 3, 2, 1), [(1, 2, 4, 5)]),
    "avg_pool3d": (lambda t, x: _f(t).avg_pool3d(x, 2), [(1, 1, 4, 4, 2)]),
    "adaptive_avg_pool1d": (lambda t, x: _f(t).adaptive_avg_pool1d(x, 3), [(1, 2, 7)]),
    "adaptive_avg_pool2d": (lambda t, x: _f(t).adaptive_avg_pool2d(x, (2, 3)), [(1, 2, 4, 5)]),
    "adaptive_avg_pool2d_1": (lambda t, x: _f(t).adaptive_avg_pool2d(x, 1), [(1, 2, 4, 5)]),
    "adaptive_avg_pool3d": (lambda t, x: _f(t).adaptive_avg_pool3d(x, 2), [(1, 1, 3, 4, 3)]),
    "adaptive_max_pool2d": (lambda t, x: _f(t).adaptive_max_pool2d(x, 2), [(1, 2, 4, 5)]),
    "adaptive_max_pool3d": (lambda t, x: _f(t).adaptive_max_pool3d(x, 2), [(1, 1, 3, 4, 3)]),
    "pad": (lambda t, x: _f(t).pad(x, (1, 2, -1, 1)), [(1, 2, 4, 5)]),
    "pad_reflect": (lambda t, x: _f(t).pad(x, (1, 2, 1, 1), mode="reflect"), [(1, 2, 4, 5)]),
    "pad_reflect_1d": (lambda t, x: _f(t).pad(x, (1, 2), mode="reflect"), [(2, 2, 5)]),
    "pad_replicate": (lambda t, x: _f(t).pad(x, (1, 2, 1, 1), mode="replicate"), [(1, 2, 4, 5)]),
    "pad_replicate_1d": (lambda t, x: _f(t).pad(x, (1, 2), mode="replicate"), [(2, 2, 5)]),
    "pad_circular": (lambda t, x: _f(t).pad(x, (1, 2, 1, 1), mode="circular"), [(1, 2, 4, 5)]),
    "interpolate_nearest": (lambda t, x: _f(t).interpolate(x, scale_factor=2), [(1, 2, 3, 4)]),
    "interpolate_nearest_1d": (lambda t, x: _f(t).interpolate(x, 7), [(1, 2, 3)]),
    "interpolate_exact": (lambda t, x: _f(t).interpolate(x, (5, 3), mode="nearest-exact"), [(1, 2, 3, 4)]),
    "interpolate_linear": (lambda t, x: _f(t).interpolate(x, 7, mode="linear"), [(1, 2, 3)]),
    "interpolate_bilinear": (lambda t, x: _f(t).interpolate(x, (5, 3), mode="bilinear"), [(1, 2, 3, 4)]),
    "interpolate_corners": (
        lambda t, x: _f(t).interpolate(x, (5, 3), mode="bilinear", align_corners=True), [(1, 2, 3, 4)],
    ),
    "interpolate_trilinear": (lambda t, x: _f(t).interpolate(x, (2, 3, 4), mode="trilinear"), [(1, 1, 2, 3, 2)]),
    "reflection_3d": (lambda t, x: _f(t).pad(x, (1, 0, 1, 1, 0, 1), mode="reflect"), [(1, 1, 2, 3, 2)]),
    "replication_3d": (lambda t, x: _f(t).pad(x, (1, 0, 1, 1, 0, 1), mode="replicate"), [(1, 1, 2, 3, 2)]),
    "interpolate_nearest_3d": (lambda t, x: _f(t).interpolate(x, (3, 2, 4)), [(1, 1, 2, 3, 2)]),
    "interpolate_exact_1d": (lambda t, x: _f(t).interpolate(x, 7, mode="nearest-exact"), [(1, 2, 3)]),
    "interpolate_exact_3d": (lambda t, x: _f(t).interpolate(x, (3, 2, 4), mode="nearest-exact"), [(1, 1, 2, 3, 2)]),
    "interpolate_bicubic": (lambda t, x: _f(t).interpolate(x, (5, 3), mode="bicubic"), [(1, 2, 3, 4)]),
    "unfold": (lambda t, x: _f(t).unfold(x, 2, padding=1), [(1, 2, 3, 4)]),
    "fold": (lambda t, x: _f(t).fold(x, (3, 4), 2), [(1, 4, 6)]),
    "pixel_shuffle": (lambda t, x: t.pixel_shuffle(x, 2), [(1, 4, 2, 3)]),
    "pixel_unshuffle": (lambda t, x: t.pixel_unshuffle(x, 2), [(1, 1, 4, 6)]),
    "embedding_bag": (
        lambda t, w: _f(t).embedding_bag(t.tensor([0, 2, 1, 2]), w, t.tensor([0, 2]), mode="mean"), [(3, 2)],
    ),
}  # fmt: skip


# Upstream has no second derivatives of these.
NO_SECOND = ("hardsigmoid", "multi_margin_loss", "multilabel_margin_loss", "embedding_bag")


def cases():
    """All of them."""
    for name, expression in ACTIVATIONS.items():
        yield Case(name, expression, [[(2, 3)]], second=name not in NO_SECOND)
    for name, expression in LOSSES.items():
        yield Case(name, expression, [[(2, 3), (2, 3)]], second=name not in NO_SECOND)
    for name, (expression, shapes) in LAYERS.items():
        yield Case(name, expression, [shapes], second=name not in NO_SECOND)

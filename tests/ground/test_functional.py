"""torch.nn.functional: upstream's results, warnings and errors, and the reductions by name."""

import warnings

import pytest

COVERS = ["torch/nn/functional.py", "torch/nn/_reduction.py"]


def scope(torch):
    x = (torch.arange(24.0).reshape(4, 6) * 0.37) % 4 - 2
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": x,
        "y": (torch.arange(24.0).reshape(4, 6) * 0.59) % 4 - 2,
        "p": torch.softmax(x, 1),
        "s": (x > 0).float() * 2 - 1,
        "r": torch.tensor([1.0, -1.0, 1.0, -1.0]),
        "c": torch.tensor([1, 5, 0, 1]),
        "b": (torch.arange(24.0).reshape(4, 6) * 0.21) % 1,
    }


def run(torch, expression):
    torch.manual_seed(2)
    return eval(expression, scope(torch))


ACTIVATIONS = [
    "F.threshold(x, 0.5, -1.0)", "F.relu(x)", "F.glu(x)", "F.hardtanh(x, -0.5, 0.5)", "F.relu6(x)", "F.elu(x, 0.7)",
    "F.selu(x)", "F.celu(x, 1.3)", "F.leaky_relu(x, 0.2)", "F.prelu(x, torch.tensor([0.3]))", "F.rrelu(x)",
    "F.rrelu(x, 0.1, 0.2, True)", "F.logsigmoid(x)", "F.gelu(x)", "F.gelu(x, approximate='tanh')", "F.hardshrink(x)",
    "F.tanhshrink(x)", "F.softsign(x)", "F.softplus(x, 2, 3)", "F.softmin(x, 1)", "F.softmax(x, 1)",
    "F.softmax(x, 0, dtype=torch.float64)", "F.log_softmax(x, 1)", "F.log_softmax(x, 1, dtype=torch.float64)",
    "F.softmin(x, 1, dtype=torch.float64)", "F.softshrink(x, 0.3)", "F.tanh(x)", "F.sigmoid(x)", "F.hardsigmoid(x)",
    "F.silu(x)", "F.mish(x)", "F.hardswish(x)", "F.gumbel_softmax(x)", "F.gumbel_softmax(x, 0.5, True, dim=0)",
    "F.linear(x, y, torch.ones(4))", "F.bilinear(x, y, torch.ones(2, 6, 6), torch.ones(2))",
    "F.normalize(x)", "F.normalize(x, 1.0, 0)", "F.normalize(x, float('inf'), out=torch.empty(4, 6))",
    "F.one_hot(c, 7)", "F.cosine_similarity(x, y)", "F.pairwise_distance(x, y)",
]  # fmt: skip


@pytest.mark.parametrize("expression", ACTIVATIONS)
def test_activations(oracle, expression):
    oracle.same(lambda torch: run(torch, expression), rtol=2e-5, atol=1e-6)


IN_PLACE = [
    "threshold", "relu", "hardtanh", "relu6", "elu", "selu", "celu", "leaky_relu", "rrelu", "hardsigmoid", "silu",
    "mish", "hardswish",
]  # fmt: skip


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(oracle, name):
    def case(torch):
        x = scope(torch)["x"]
        arguments = (0.5, -1.0) if name == "threshold" else ()
        return getattr(torch.nn.functional, name)(x, *arguments, inplace=True) is x, x

    oracle.same(case, rtol=2e-5, atol=1e-6)


DROPOUTS = [
    "F.dropout(x)", "F.dropout(x, 0.2, False) is x", "F.alpha_dropout(x, 0.4, True)", "F.dropout1d(x, 0.5)",
    "F.dropout1d(x.reshape(2, 3, 4), 0.5)", "F.dropout2d(x.reshape(2, 3, 2, 2), 0.4)",
    "F.dropout2d(x.reshape(2, 3, 4))",
    "F.dropout2d(x)", "F.dropout3d(x.reshape(2, 3, 2, 2, 1))", "F.dropout3d(x.reshape(6, 2, 2, 1))",
    "F.feature_alpha_dropout(x, 0.5, True)", "F.dropout(x, 0.3, True, True)", "F.dropout1d(x, 0.3, True, True)",
    "F.dropout3d(x.reshape(6, 2, 2, 1), 0.3, True, True)", "F.alpha_dropout(x, 0.4, True, True)",
    "F.feature_alpha_dropout(x, 0.5, True, True)",
]  # fmt: skip


@pytest.mark.parametrize("expression", DROPOUTS)
def test_dropouts(oracle, expression):
    oracle.same(lambda torch: run(torch, expression))


LOSSES = [
    "F.nll_loss(F.log_softmax(x, 1), c{r})", "F.poisson_nll_loss(x, b{r})", "F.poisson_nll_loss(x, b, full=True{r})",
    "F.kl_div(F.log_softmax(x, 1), p{r})", "F.cross_entropy(x, c{r})", "F.cross_entropy(x, p, label_smoothing=0.1{r})",
    "F.binary_cross_entropy(b, p{r})", "F.binary_cross_entropy(b, p, torch.arange(6.0){r})",
    "F.binary_cross_entropy_with_logits(x, b, pos_weight=torch.arange(6.0){r})", "F.smooth_l1_loss(x, y, beta=0.5{r})",
    "F.smooth_l1_loss(x, y, beta=0.0{r})", "F.huber_loss(x, y, delta=0.4{r})", "F.huber_loss(x, y, weight=b{r})",
    "F.l1_loss(x, y{r})", "F.l1_loss(x, y, weight=b{r})", "F.mse_loss(x, y{r})", "F.mse_loss(x, y, weight=b{r})",
    "F.mse_loss(x, y[0]{r})", "F.margin_ranking_loss(x[:, 0], y[:, 0], r, 0.3{r})", "F.hinge_embedding_loss(x, s{r})",
    "F.multilabel_margin_loss(x, torch.tensor([[1, -1, 0, 0, 0, 0]] * 4){r})", "F.soft_margin_loss(x, s{r})",
    "F.multilabel_soft_margin_loss(x, (s > 0).float(), torch.arange(6.0){r})", "F.cosine_embedding_loss(x, y, r{r})",
    "F.multi_margin_loss(x, c, p=2, weight=torch.arange(6.0){r})",
    "F.triplet_margin_loss(x, y, x.flip(0), swap=True{r})",
    "F.triplet_margin_with_distance_loss(x, y, x.flip(0), distance_function=lambda a, b: (a - b).abs().sum(1){r})",
    "F.triplet_margin_with_distance_loss(x, y, x.flip(0), swap=True{r})",
]  # fmt: skip


@pytest.mark.parametrize("expression", LOSSES)
def test_losses(oracle, expression):
    def case(torch):
        return [run(torch, expression.format(r=f", reduction='{word}'")) for word in ("none", "mean", "sum")]

    oracle.same(case, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("expression", LOSSES)
def test_losses_refuse_other_reductions(oracle, expression):
    def case(torch):
        run(torch, expression.format(r=", reduction='middle'"))

    oracle.same_error(case, "middle")


GAUSSIAN = ["b + 0.1", "0.3", "b[:, 0]", "b[:, :1] + 0.1"]


@pytest.mark.parametrize("variance", GAUSSIAN)
def test_gaussian_nll_loss(oracle, torch, variance):
    if not hasattr(torch, "no_grad"):
        pytest.skip("needs torch.no_grad")
    oracle.same(lambda torch: run(torch, f"F.gaussian_nll_loss(x, y, {variance}, full=True)"))


def test_batchmean(oracle):
    oracle.same(lambda torch: run(torch, "F.kl_div(F.log_softmax(x, 1), p, reduction='batchmean')"))


EMBEDDINGS = [
    "F.embedding(c, x.reshape(6, 4))", "F.embedding(c, x.reshape(6, 4), padding_idx=-1, max_norm=1.0)",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2]))", "F.embedding_bag(c.reshape(2, 2), x.reshape(6, 4))",
    "F.embedding_bag(c.reshape(2, 2), x.reshape(6, 4), mode='max', max_norm=1.0)",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2]), mode='sum', per_sample_weights=r, padding_idx=1)",
    "F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0, 2, 4]), mode='sum', include_last_offset=True)",
]  # fmt: skip


@pytest.mark.parametrize("expression", EMBEDDINGS)
def test_embeddings(oracle, expression):
    oracle.same(lambda torch: run(torch, expression))


WARNINGS = [
    ("F.softmax(x)", "Implicit dimension choice for softmax has been deprecated"),
    ("F.mse_loss(x, y[0])", "Using a target size"),
    ("F.kl_div(F.log_softmax(x, 1), p)", "divides the total loss by both the batch size and the support size"),
    ("F.l1_loss(x, y, size_average=False)",
     "size_average and reduce args will be deprecated, please use reduction='sum'"),
    ("F.l1_loss(x, y, reduce=False)", "please use reduction='none' instead"),
    ("F.soft_margin_loss(x, s, size_average=True)", "please use reduction='mean' instead"),
    ("F.dropout2d(x)", "dropout2d: Received a 2-D input to dropout2d, which is deprecated"),
    ("F.dropout2d(x.reshape(2, 3, 4))", "assuming that channel-wise 1D dropout behavior is desired"),
    ("F.dropout3d(x)", "dropout3d: Received a 2-D input to dropout3d, which is deprecated"),
    ("F.gumbel_softmax(x, eps=1e-3)", "`eps` parameter is deprecated and has no effect"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "phrase"), WARNINGS)
def test_warnings(oracle, expression, phrase):
    def case(torch):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = run(torch, expression)
        return result, [phrase in str(warning.message) for warning in caught][:1]

    assert oracle.same(case)[1] == [True]


ERRORS = [
    ("F.dropout(x, -0.1)", "dropout probability has to be between 0 and 1, but got -0.1"),
    ("F.dropout1d(x.reshape(2, 3, 2, 2))", "dropout1d: Expected 2D or 3D input, but received a 4D input"),
    ("F.glu(torch.tensor(1.0))", "glu does not support scalars because halving size must be even"),
    ("F.hardtanh(x, 1.0, -1.0)", "min_val cannot be greater than max_val"),
    ("F.embedding(c, x, padding_idx=4)", "Padding_idx must be within num_embeddings"),
    ("F.embedding(c, x, padding_idx=-5)", "Padding_idx must be within num_embeddings"),
    ("F.embedding_bag(c, x.reshape(6, 4))", "offsets has to be a 1D Tensor but got None"),
    ("F.embedding_bag(c, x.reshape(6, 4), c.reshape(2, 2))", "offsets has to be a 1D Tensor"),
    ("F.embedding_bag(c.reshape(2, 2), x.reshape(6, 4), c)", "if input is 2D, then offsets has to be None"),
    ("F.embedding_bag(c.reshape(1, 2, 2), x)", "input has to be 1D or 2D Tensor, but got Tensor of dimension 3"),
    ("F.embedding_bag(c.reshape(2, 2), x, mode='median')", "mode has to be one of sum, mean or max"),
    ("F.embedding_bag(c.reshape(2, 2), x, mode='max', sparse=True)", "max mode does not support sparse weights"),
    ("F.embedding_bag(c, r, c)", "weight has to be a 2D Tensor, but got Tensor of dimension 1"),
    ("F.embedding_bag(c, x.reshape(6, 4), torch.tensor([0]), per_sample_weights=r)", "only supported for mode='sum'"),
    ("F.binary_cross_entropy(b, p[0])", "that is different to the input size"),
    ("F.binary_cross_entropy_with_logits(b, p[0])", "must be the same as input size"),
    ("F.margin_ranking_loss(x, y, r)", "All input tensors should have same dimension"),
    ("F.multi_margin_loss(x, c, p=3)", "only p == 1 and p == 2 supported"),
    ("F.multi_margin_loss(x, c, weight=x)", "weight must be one-dimensional"),
    ("F.triplet_margin_loss(x, y, x, margin=0)", "margin must be greater than 0, got 0"),
    ("F.triplet_margin_with_distance_loss(x, y, r)", "same number of dimensions"),
    ("F.gaussian_nll_loss(x, y, -1.0)", "var has negative entry/entries"),
    ("F.gaussian_nll_loss(x, y, -b - 1)", "var has negative entry/entries"),
    ("F.gaussian_nll_loss(x, y, torch.ones(3))", "var is of incorrect size"),
    ("F.mse_loss(x, y, weight=r)", "Weights and input must have the same size."),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "phrase"), ERRORS)
def test_errors(oracle, expression, phrase):
    oracle.same_error(lambda torch: run(torch, expression), phrase)

"""Losses and their backward operators, beside upstream's."""

import pytest

COVERS = [
    "aten/src/ATen/native/Loss.cpp",
    "aten/src/ATen/native/LossNLL.cpp",
    "aten/src/ATen/native/LossNLL2d.cpp",
    "aten/src/ATen/native/LossMultiMargin.cpp",
    "aten/src/ATen/native/LossMultiLabelMargin.cpp",
    "aten/src/ATen/native/Distance.cpp",
]

DTYPES = ["float32", "float64", "bfloat16"]
REDUCTIONS = [0, 1, 2]


def values(torch, dtype, *shape, begin=-2.0, step=0.37, modulus=4.0):
    """Numbers between -2 and 2."""
    count = 1
    for size in shape:
        count *= size
    made = torch.arange(count, dtype=torch.float64) * step % modulus + begin
    return made.reshape(shape).to(getattr(torch, dtype))


def tolerance(dtype):
    return {"bfloat16": 2e-2}.get(dtype, 2e-5 if dtype == "float32" else 1e-9)


def signs(torch, *shape):
    return (values(torch, "float64", *shape, step=1.3) > 0).double() * 2 - 1


# name -> arguments after the two operands
SQUARES = {
    "l1_loss": [()],
    "mse_loss": [()],
    "smooth_l1_loss": [(), (0.5,), (0.0,)],
    "huber_loss": [(), (0.3,)],
    "soft_margin_loss": [()],
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", SQUARES)
def test_losses_of_pairs(oracle, name, reduction, dtype):
    def case(torch):
        function = getattr(torch.ops.aten, name)
        results = []
        for shape in ((3, 4), (), (5,)):
            x, y = values(torch, dtype, *shape), values(torch, dtype, *shape, step=0.59)
            for arguments in SQUARES[name]:
                results.append(function(x, y, reduction, *arguments))
                if name != "l1_loss":
                    backward = getattr(torch.ops.aten, name + "_backward")
                    arriving = torch.ones_like(results[-1]) * 1.5
                    extra = arguments or ((1.0,) if "smooth" in name or "huber" in name else ())
                    results.append(backward(arriving, x, y, reduction, *extra))
        return results

    oracle.same(case, rtol=tolerance(dtype), atol=1e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"])
def test_losses_of_nothing_and_of_nan(oracle, name):
    def case(torch):
        function = getattr(torch.ops.aten, name)
        empty = torch.empty(0, 3)
        special = torch.tensor([float("nan"), float("inf"), 1.0])
        return [function(empty, empty, r) for r in REDUCTIONS], function(special, torch.ones(3), 0)

    oracle.same(case)


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss"])
def test_losses_broadcast(oracle, name):
    def case(torch):
        return getattr(torch.ops.aten, name)(values(torch, "float32", 3, 4), values(torch, "float32", 4).double())

    oracle.same(case)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_binary_cross_entropy(oracle, reduction, dtype):
    def case(torch):
        x = values(torch, dtype, 3, 4, begin=0.0, step=0.21, modulus=1.0)
        x[0, 1] = 1.0
        y = values(torch, dtype, 3, 4, begin=0.0, step=0.17, modulus=1.0)
        weight = values(torch, dtype, 4, begin=0.5)
        forward, backward = torch.ops.aten.binary_cross_entropy, torch.ops.aten.binary_cross_entropy_backward
        plain, weighted = forward(x, y, None, reduction), forward(x, y, weight, reduction)
        grads = [backward(torch.ones_like(plain), x, y, w, reduction)[1:] for w in (None, weight)]
        logits = torch.binary_cross_entropy_with_logits
        z = x * 6 - 3
        return (
            plain,
            weighted,
            grads,
            logits(z, y, None, None, reduction),
            logits(z, y, weight, None, reduction),
            logits(z, y, None, weight, reduction),
            logits(z, y, weight, weight, reduction),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=2e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_losses_made_of_operators(oracle, reduction, dtype):
    def case(torch):
        x, y = values(torch, dtype, 4, 3), values(torch, dtype, 4, 3, step=0.59)
        probabilities = torch.softmax(y, 1)
        probabilities[0, 0] = 0
        row_signs = signs(torch, 4).to(x.dtype)
        counts = (y.abs() * 3).floor()
        return (
            torch.kl_div(torch.log_softmax(x, 1), probabilities, reduction),
            torch.kl_div(torch.log_softmax(x, 1), torch.log_softmax(y, 1), reduction, log_target=True),
            torch.margin_ranking_loss(x[:, 0], y[:, 0], row_signs, 0.5, reduction),
            torch.hinge_embedding_loss(x, signs(torch, 4, 3).to(x.dtype), 1.0, reduction),
            torch.cosine_embedding_loss(x, y, row_signs, 0.1, reduction),
            torch.cosine_embedding_loss(x[0], y[0], row_signs[0], 0.0, reduction),
            torch.triplet_margin_loss(x, y, x.flip(0), 1.0, 2.0, 1e-6, False, reduction),
            torch.triplet_margin_loss(x, y, x.flip(0), 0.5, 1.0, 1e-6, True, reduction),
            [torch.poisson_nll_loss(x, counts, True, full, 1e-8, reduction) for full in (False, True)],
            torch.poisson_nll_loss(x.abs(), counts, False, False, 1e-8, reduction),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=4e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nll(oracle, reduction, weighted, dtype):
    def case(torch):
        weight = torch.tensor([0.5, 2.0, 1.0, 0.25], dtype=getattr(torch, dtype)) if weighted else None
        results = []
        for shape in ((5, 4), (4,), (1, 4)):
            x = torch.log_softmax(values(torch, dtype, *shape), -1)
            target = torch.tensor([1, 3, 0, 2, 1])[: shape[0]] if len(shape) > 1 else torch.tensor(2)
            for ignored in (-100, 1):
                forward = torch.ops.aten.nll_loss_forward(x, target, weight, reduction, ignored)
                grad = torch.ones_like(forward[0]) * 1.5
                backward = torch.ops.aten.nll_loss_backward
                gradient = backward(grad, x, target, weight, reduction, ignored, forward[1])
                results.append((*forward, gradient, gradient.stride()))
        return results

    oracle.same(case, rtol=tolerance(dtype), atol=1e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nll_2d(oracle, reduction, weighted):
    def case(torch):
        weight = torch.tensor([0.5, 2.0, 1.0]) if weighted else None
        x = torch.log_softmax(values(torch, "float32", 2, 3, 2, 4), 1)
        target = torch.arange(16).reshape(2, 2, 4) % 3
        results = []
        for ignored in (-100, 1):
            forward = torch.ops.aten.nll_loss2d_forward(x, target, weight, reduction, ignored)
            grad = torch.ones_like(forward[0]) * 1.5
            backward = torch.ops.aten.nll_loss2d_backward
            results.append((*forward, backward(grad, x, target, weight, reduction, ignored, forward[1])))
        return results

    oracle.same(case)


def test_nll_of_other_shapes(oracle):
    def case(torch):
        nd = torch.ops.aten.nll_loss_nd
        x = torch.log_softmax(values(torch, "float32", 2, 3, 4), 1)
        target = torch.arange(8).reshape(2, 4) % 3
        five = torch.log_softmax(values(torch, "float32", 2, 3, 2, 2, 2), 1)
        target5 = torch.arange(16).reshape(2, 2, 2, 2) % 3
        ignored = torch.ops.aten.nll_loss(torch.zeros(2, 3), torch.tensor([1, 1]), None, 1, 1)
        nothing = [torch.ops.aten.nll_loss(torch.zeros(0, 3), torch.zeros(0).long(), None, r) for r in REDUCTIONS]
        byte = torch.ops.aten.nll_loss(torch.zeros(2, 3), torch.tensor([1, 1], dtype=torch.uint8))
        return [(nd(x, target, None, r), nd(five, target5, None, r)) for r in REDUCTIONS], ignored, nothing, byte

    oracle.same(case)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_cross_entropy(oracle, reduction, dtype):
    def case(torch):
        cross_entropy = torch.ops.aten.cross_entropy_loss
        weight = torch.tensor([0.5, 2.0, 1.0, 0.25], dtype=getattr(torch, dtype))
        x = values(torch, dtype, 5, 4)
        classes = torch.tensor([1, 3, 0, 2, 1])
        probabilities = torch.softmax(values(torch, dtype, 5, 4, step=0.7), 1)
        image = values(torch, dtype, 2, 4, 3)
        results = []
        for w in (None, weight):
            for smoothing in (0.0, 0.2):
                results.append(cross_entropy(x, classes, w, reduction, -100, smoothing))
                results.append(cross_entropy(x, classes, w, reduction, 1, smoothing))
                results.append(cross_entropy(x, probabilities, w, reduction, -100, smoothing))
                results.append(cross_entropy(x[0], classes[0], w, reduction, -100, smoothing))
                results.append(cross_entropy(x[0], probabilities[0], w, reduction, -100, smoothing))
                results.append(cross_entropy(image, classes.repeat(2)[:6].reshape(2, 3), w, reduction, 2, smoothing))
        return results

    oracle.same(case, rtol=tolerance(dtype), atol=3e-2 if dtype == "bfloat16" else 1e-6)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("p", [1, 2])
def test_multi_margin(oracle, p, reduction):
    def case(torch):
        x, weight = values(torch, "float32", 5, 4), torch.tensor([0.5, 2.0, 1.0, 0.25])
        classes = torch.tensor([1, 3, 0, 2, 1])
        forward, backward = torch.ops.aten.multi_margin_loss, torch.ops.aten.multi_margin_loss_backward
        results = []
        for w in (None, weight):
            for scores, target in ((x, classes), (x[0], classes[0])):
                loss = forward(scores, target, p, 0.8, w, reduction)
                results += [loss, backward(torch.ones_like(loss) * 2, scores, target, p, 0.8, w, reduction)]
        return results

    oracle.same(case)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_multilabel_margin(oracle, reduction):
    def case(torch):
        x = values(torch, "float32", 3, 4)
        target = torch.tensor([[3, 0, -1, 1], [-1, 0, 0, 0], [2, 1, 3, 0]])
        forward = torch.ops.aten.multilabel_margin_loss_forward
        backward = torch.ops.aten.multilabel_margin_loss_backward
        results = []
        for scores, labels in ((x, target), (x[0], target[0])):
            loss, is_target = forward(scores, labels, reduction)
            grad = backward(torch.ones_like(loss) * 2, scores, labels, reduction, is_target)
            results += [loss, is_target, grad]
        return results

    oracle.same(case)


def test_distances(oracle):
    def case(torch):
        x, y = values(torch, "float32", 4, 3), values(torch, "float32", 4, 3, step=0.59)
        return (
            torch.pairwise_distance(x, y),
            torch.pairwise_distance(x, y[0], 1.0, 0.1, True),
            torch.pairwise_distance(x, y, float("inf")),
            torch.cosine_similarity(x, y),
            torch.cosine_similarity(x, y[:1], 0),
            torch.cosine_similarity(x * 0, y, -1, 0.5),
            torch.cosine_similarity(x.double(), y),
            torch.xlogy(torch.tensor([0.0, 0.0, 1.0]), torch.tensor([0.0, float("nan"), 2.0])),
        )

    oracle.same(case)


AT = "torch.ops.aten."
ERRORS = [
    (AT + "nll_loss_nd(torch.tensor(1.0), torch.tensor(0))", "Expected 1 or more dimensions (got 0)"),
    (AT + "nll_loss_nd(torch.ones(2, 3), torch.tensor([0]))", "Expected input batch_size (2) to match"),
    (AT + "nll_loss_nd(torch.ones(2, 3, 4), torch.ones(2, 5).long())", "Expected target size [2, 4], got [2, 5]"),
    (AT + "nll_loss(torch.ones(2, 3), torch.tensor([0, 3]))", "Target 3 is out of bounds"),
    (AT + "nll_loss(torch.ones(2, 3), torch.tensor([0, 1]).int())", "to be Long or Byte, but got Int"),
    (AT + "nll_loss(torch.ones(2, 3), torch.ones(2, 3).long())", "0D or 1D target tensor expected, multi-target"),
    (AT + "nll_loss(torch.ones(2, 3), torch.tensor([0, 1]), torch.ones(2))", "weight tensor should be defined either"),
    (AT + "nll_loss2d(torch.ones(2, 3), torch.ones(2).long())", "only batches of spatial targets supported (3D"),
    (AT + "cross_entropy_loss(torch.ones(2, 3), torch.ones(2, 3).long())", "Expected floating point type for target"),
    (AT + "cross_entropy_loss(torch.ones(2), torch.ones(2), None, 1, 1)", "ignore_index is not supported for floating"),
    (AT + "cross_entropy_loss(torch.ones(2, 3), torch.ones(2).long(), None, 1, -100, 2.0)", "between 0.0 and 1.0"),
    (AT + "binary_cross_entropy(torch.tensor([1.5]), torch.ones(1))", "should be between 0 and 1"),
    (AT + "smooth_l1_loss(torch.ones(1), torch.ones(1), 1, -1.0)", "does not support negative values for beta"),
    (AT + "huber_loss(torch.ones(1), torch.ones(1), 1, 0.0)", "does not support non-positive values for delta"),
    (AT + "multi_margin_loss(torch.ones(1, 2), torch.tensor([0]), 3)", "p"),
    (AT + "multi_margin_loss(torch.ones(1, 2), torch.tensor([2]))", "target out of range"),
    (AT + "multilabel_margin_loss(torch.ones(1, 2), torch.tensor([[2, 0]]))", "out of range"),
    (AT + "multilabel_margin_loss(torch.ones(1, 2), torch.tensor([0, 1]))", "inconsistent target size"),
    ("torch.cosine_embedding_loss(torch.ones(2), torch.ones(2), torch.ones(2, 2))", "multi-target not supported"),
    ("torch.cosine_embedding_loss(torch.ones(2), torch.ones(2), torch.ones(2))", "1D target tensor expects 2D input"),
    ("torch.triplet_margin_loss(torch.ones(2), torch.ones(2), torch.ones(1, 2))", "same number of dimensions"),
    ("torch.cosine_similarity(torch.tensor([1]), torch.tensor([1]), 0)", "expected common dtype to be floating point"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "phrase"), ERRORS)
def test_errors(oracle, expression, phrase):
    def case(torch):
        return eval(expression, {"torch": torch})

    oracle.same_error(case, phrase)

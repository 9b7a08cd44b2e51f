"""Embeddings, bags of them, one-hot rows and bilinear maps, beside upstream's."""

import pytest

COVERS = [
    "aten/src/ATen/native/Embedding.cpp",
    "aten/src/ATen/native/EmbeddingBag.cpp",
    "aten/src/ATen/native/Onehot.cpp",
    "aten/src/ATen/native/Linear.cpp",
]

DTYPES = ["float32", "float64", "bfloat16"]


def table(torch, dtype="float32", rows=6, columns=3):
    return (torch.arange(rows * columns).reshape(rows, columns) * 0.37 % 3 - 1).to(getattr(torch, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_embedding_and_its_gradient(oracle, dtype):
    def case(torch):
        weight = table(torch, dtype)
        results = []
        matrix, nothing = torch.tensor([[5, 1], [1, 2]]), torch.empty(0).long()
        for indices in (torch.tensor([1, 4, 1, 0]), matrix, torch.tensor(3), nothing):
            rows = torch.embedding(weight, indices)
            grad = rows * 0.5 + 1
            for padding_idx, by_frequency in ((-1, False), (1, False), (-1, True), (1, True)):
                backward = torch.ops.aten.embedding_dense_backward
                results.append((rows, backward(grad, indices, 6, padding_idx, by_frequency)))
        return results

    oracle.same(case, rtol=2e-2 if dtype == "bfloat16" else None)


def test_renorm(oracle):
    def case(torch):
        weight = table(torch)
        torch.embedding_renorm_(weight, torch.tensor([1, 4, 1]), 0.7, 2.0)
        torch.embedding_renorm_(weight, torch.tensor([[0, 2]]), 1.0, 1.0)
        return weight

    oracle.same(case)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_embedding_bag(oracle, mode):
    def case(torch):
        weight = table(torch)
        indices, offsets = torch.tensor([1, 4, 1, 0, 5, 2]), torch.tensor([0, 2, 2, 5])
        bag = torch.ops.aten.embedding_bag
        return (
            bag(weight, indices, offsets, False, mode)[0],
            bag(weight, indices, torch.tensor([0, 3, 6]), False, mode, False, None, True)[0],
            bag(weight, indices, offsets, False, mode, False, None, False, 1)[0],
            bag(weight, indices, offsets, False, 0, False, torch.arange(6.0))[0],
        )

    oracle.same(case)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_embedding_bag_backward(oracle, mode):
    def case(torch):
        weight = table(torch)
        indices, offsets = torch.tensor([1, 4, 1, 0, 5, 2]), torch.tensor([0, 2, 2, 5])
        results = []
        for padding_idx in (-1, 1):
            bags = torch.ops.aten._embedding_bag(weight, indices, offsets, False, mode, False, None, False, padding_idx)
            grad = bags[0] * 0.5 + 1
            backward = torch.ops.aten._embedding_bag_backward
            results.append(backward(grad, indices, offsets, *bags[1:], 6, False, mode, False, None, padding_idx))
        of_weights = torch.ops.aten._embedding_bag_per_sample_weights_backward
        bags = torch.ops.aten._embedding_bag(weight, indices, offsets, False, 0, False, torch.arange(6.0))
        results.append(of_weights(bags[0], weight, indices, offsets, bags[1], 0))
        return results

    oracle.same(case)


def test_one_hot(oracle):
    def case(torch):
        one_hot = torch.ops.aten.one_hot
        classes = torch.tensor([[0, 2], [1, 2]])
        return one_hot(classes), one_hot(classes, 5), one_hot(torch.tensor(1), 3), one_hot(classes[:0], 4)

    oracle.same(case)


@pytest.mark.parametrize("dtype", DTYPES)
def test_bilinear(oracle, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        weight = (torch.arange(24).reshape(2, 3, 4) * 0.31 % 2 - 1).to(kind)
        x, y = table(torch, dtype, 10, 3), table(torch, dtype, 10, 4)
        bias = torch.tensor([0.5, -1.0], dtype=kind)
        return (
            torch.bilinear(x, y, weight),
            torch.bilinear(x.reshape(2, 5, 3), y.reshape(2, 5, 4), weight, bias),
            torch.bilinear(x[0], y[0], weight, bias),
        )

    oracle.same(case, rtol=3e-2 if dtype == "bfloat16" else None, atol=3e-2 if dtype == "bfloat16" else None)


AT = "torch.ops.aten."
ERRORS = [
    ("torch.embedding(torch.ones(3), torch.tensor([0]))", "'weight' must be 2-D"),
    ("torch.embedding(torch.ones(3, 2), torch.tensor([0.0]))", "Expected tensor for argument #1 'indices'"),
    ("torch.embedding(torch.ones(3, 2), torch.tensor([3]))", "index out of range in self"),
    (AT + "one_hot(torch.tensor([1.0]))", "one_hot is only applicable to index tensor"),
    (AT + "one_hot(torch.tensor([-1]))", "Class values must be non-negative."),
    (AT + "one_hot(torch.tensor([3]), 2)", "Class values must be smaller than num_classes."),
    (AT + "one_hot(torch.empty(0).long())", "Can not infer total number of classes from empty tensor."),
    ("torch.bilinear(torch.ones(2, 3), torch.ones(3), torch.ones(1, 3, 3))", "input dimensions do not match"),
    ("torch.bilinear(torch.ones(2, 3), torch.ones(2, 4), torch.ones(1, 3, 3))", "input2 size does not match"),
    (AT + "_embedding_bag(torch.ones(3, 2), torch.tensor([0, 1]), torch.tensor([1]))", "offsets[0] has to be 0"),
    (AT + "_embedding_bag(torch.ones(3, 2), torch.tensor([0, 1]), torch.tensor([0, 3]))", "can not be greater than"),
    (AT + "embedding_sparse_backward(torch.ones(1, 2), torch.tensor([0]), 3, -1, True)", "scale_grad_by_freq"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "phrase"), ERRORS)
def test_errors(oracle, expression, phrase):
    def case(torch):
        return eval(expression, {"torch": torch})

    oracle.same_error(case, phrase)

"""Sparse tensors, as far as sparse gradients and their optimizer need them, beside upstream's."""

import importlib.util

import pytest

COVERS = [
    "aten/src/ATen/SparseTensorImpl.h",
    "aten/src/ATen/native/sparse/SparseTensor.cpp",
    "aten/src/ATen/native/sparse/SparseTensorMath.cpp",
]

AUTOGRAD = importlib.util.find_spec("annotated_src.torch.csrc.autograd.engine") is not None


def rows(torch, dtype="float32"):
    """Three rows of four, of which one is named twice."""
    values = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=getattr(torch, dtype))
    return torch.sparse_coo_tensor(torch.tensor([[2, 0, 2]]), values, (4, 2))


def points(torch):
    return torch.sparse_coo_tensor([[0, 1, 0], [1, 2, 1]], [1.0, 2.0, 3.0], (2, 3))


def parts(sparse):
    return sparse._indices(), sparse._values(), sparse.is_coalesced(), tuple(sparse.shape)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "int64"])
def test_parts_and_forms(oracle, dtype):
    def case(torch):
        x = rows(torch, dtype)
        once = x.coalesce()
        return (
            parts(x), parts(once), once.indices(), once.values(), once.coalesce() is once, x.to_dense(),
            parts(x.clone()), parts(x.detach()), parts(points(torch).coalesce()),
        )  # fmt: skip

    oracle.same(case)


def test_what_a_sparse_tensor_says_of_itself(oracle):
    def case(torch):
        x = rows(torch)
        return (
            x._nnz(), x.sparse_dim(), x.dense_dim(), x.shape, str(x.dtype), str(x.layout), x.is_sparse, x.numel(),
            x.dim(), x.stride(),
            x.is_contiguous(), str(x.device), str(torch._C._dispatch_keys(x)), torch.ones(2).is_sparse,
            torch.ones(2).to_dense(), x.requires_grad,
        )  # fmt: skip

    oracle.same(case)


def test_repr(oracle):
    def case(torch):
        x = rows(torch)
        empty = torch.sparse_coo_tensor((2, 3))
        wide = torch.sparse_coo_tensor([[0, 1]], torch.arange(60.0).reshape(2, 30), (4, 30))
        wanted = torch.sparse_coo_tensor([[0]], [1.0], requires_grad=True)
        return [repr(y) for y in (x, x.coalesce(), empty, points(torch), rows(torch, "float64"), wide, wanted)]

    oracle.same(case)


def test_constructors(oracle):
    def case(torch):
        values = torch.tensor([1.0, 2.0])
        indices = torch.tensor([[0, 3], [1, 1]])
        make = torch.sparse_coo_tensor
        return [
            parts(x)
            for x in (
                make(indices, values), make(indices, values, (5, 2)), make(indices.float(), values),
                make([[0, 1]], [1, 2], dtype=torch.float64), make((3, 2)), make(indices, values, is_coalesced=True),
                make(torch.empty(1, 0).long(), torch.empty(0, 2), (4, 2)), rows(torch).new(indices, values, (4, 2)),
            )
        ]  # fmt: skip

    oracle.same(case)


def test_arithmetic(oracle):
    def case(torch):
        x, dense = rows(torch), torch.arange(8.0).reshape(4, 2)
        scaled = x * 2
        in_place = dense.clone()
        same = in_place.add_(x, alpha=-0.5) is in_place
        product = x.clone()
        product *= 3
        return (
            dense + x, torch.add(dense, x, alpha=2), in_place, same, parts(scaled), parts(x / 2), parts(-x),
            parts(x * torch.tensor(2.0)), parts(product), (x + x).to_dense(), parts((x + x).coalesce()),
            parts(x.coalesce() + (x * 2).coalesce()), (x.clone().add_(x, alpha=3)).to_dense(), x.sum(),
            parts(x.clone().zero_()),
        )  # fmt: skip

    oracle.same(case)


def test_sparse_mask(oracle):
    def case(torch):
        dense = torch.arange(8.0).reshape(4, 2)
        ones = torch.ones(2, 3)
        return parts(dense.sparse_mask(rows(torch).coalesce())), parts(ones.sparse_mask(points(torch).coalesce()))

    oracle.same(case)


@pytest.mark.parametrize("padding_idx", [-1, 1])
def test_sparse_gradient_of_an_embedding(oracle, padding_idx):
    def case(torch):
        backward = torch.ops.aten.embedding_sparse_backward
        indices = torch.tensor([[1, 3], [3, 0]])
        grad = torch.arange(8.0).reshape(2, 2, 2)
        some = backward(grad, indices, 5, padding_idx, False)
        none = backward(grad[:0], indices[:0], 5, padding_idx, False)
        return parts(some), parts(none), some.to_dense()

    oracle.same(case)


@pytest.mark.skipif(not AUTOGRAD, reason="needs autograd")
def test_backward_leaves_a_sparse_gradient(oracle):
    def case(torch):
        weight = torch.arange(10.0).reshape(5, 2).requires_grad_()
        indices = torch.tensor([1, 3, 3])
        torch.nn.functional.embedding(indices, weight, sparse=True).pow(2).sum().backward()
        first = parts(weight.grad)
        torch.nn.functional.embedding(indices, weight, sparse=True).sum().backward()
        second = weight.grad.to_dense()
        weight.grad = None
        both = torch.nn.functional.embedding(indices, weight, sparse=True).sum() + weight.sum()
        both.backward()
        bag = torch.arange(10.0).reshape(5, 2).requires_grad_()
        torch.nn.functional.embedding_bag(indices, bag, torch.tensor([0, 1]), sparse=True).sum().backward()
        return first, second, weight.grad, bag.grad.is_sparse, bag.grad.to_dense()

    oracle.same(case)


S = "torch.sparse_coo_tensor(torch.tensor([[0, 1]]), torch.ones(2, 2), (3, 2))"
ERRORS = [
    (f"{S}.to_dense(torch.float64)", "dtype argument is not supported by sparse_to_dense"),
    (f"{S}.indices()", "Cannot get indices on an uncoalesced tensor, please call .coalesce() first"),
    (f"{S}.values()", "Cannot get values on an uncoalesced tensor, please call .coalesce() first"),
    ("torch.ones(2).coalesce()", "coalesce expected sparse coordinate tensor layout but got Strided"),
    ("torch.ones(2)._indices()", "Could not run 'aten::_indices' with arguments from the 'CPU' backend"),
    (f"{S}.exp()", "Could not run 'aten::exp' with arguments from the 'SparseCPU' backend"),
    (f"{S} + torch.ones(3, 2)", "add(sparse, dense) is not supported. Use add(dense, sparse) instead."),
    ("torch.sparse_coo_tensor([[0, 1]], [1.0])", "indices and values must have same nnz"),
    ("torch.sparse_coo_tensor([[0]], [1.0], (2, 2))", "len(size) == sparse_dim + dense_dim"),
    ("torch.sparse_coo_tensor([0], [1.0])", "indices must be sparse_dim x nnz"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "phrase"), ERRORS)
def test_errors(oracle, expression, phrase):
    oracle.same_error(lambda torch: eval(expression, {"torch": torch}), phrase)

"""x[...] and x[...] = y, and the operators that pick and place elements by position or by mask."""

import pytest

from tests.core.expressions import after, layout, names, shares_memory, value

COVERS = [
    "torch/csrc/autograd/python_variable_indexing.cpp",
    "aten/src/ATen/TensorIndexing.h",
    "aten/src/ATen/native/IndexingUtils.h",
    "aten/src/ATen/native/TensorAdvancedIndexing.cpp",
    "aten/src/ATen/native/Embedding.cpp",
]

GIVE_VIEWS = """
x[1]
x[-1]
x[1, 2]
x[-1, -6]
n[3]
x[np.int64(1)]
x[torch.tensor(1)]
x[torch.tensor(1), torch.tensor(2)]
x[1:3]
x[-2:]
x[:99]
x[::2]
x[::9]
x[1::2, 2:]
x[np.int64(1):np.int64(3)]
x[torch.tensor(1):torch.tensor(2)]
x[:, 0]
x[:, 1:3]
x[:]
x[:, :]
x[...]
x[()]
x[..., 1]
x[1, ...]
x[None]
x[:, None]
x[..., None]
x[None, 1, None, 2:4]
x[None, ..., None]
b[1, ..., 2]
b[:, -1]
b[0, 1:3, ::2]
z[...]
z[()]
z[None]
n[..., ...]
x[3:3]
x[3:1]
x[:, 6:6]
x[1:3, 2:4][1, 1:]
x.t()[2, 1:]
x.expand(2, 4, 6)[1, 2]
""".strip().splitlines()

GIVE_COPIES = """
x[i]
x[:, i]
x[i, i]
x[i, 1]
x[1, i]
x[i, None]
x[None, i]
x[i, 1:3]
x[1:, i]
x[..., i]
x[[0, 2]]
x[[0, 2], [1, 3]]
x[[0, 2],]
x[[[0, 1], [1, 2]]]
x[[i, i]]
x[[0, None]]
x[[range(2)]]
x[range(2)]
x[(slice(None), [0, 1])]
x[np.array([0, 2])]
x[np.array([[0, 1], [1, 2]])]
x[np.array([True, False, True, False])]
n[np.array(1)]
n[np.array(True)]
n[np.array([1, 2], np.int16)]
n[[1.5]]
n[[]]
x[i.int()]
x[torch.tensor([-1, 0])]
x[torch.tensor([[0, 1], [2, 3]])]
x[torch.tensor([[0], [1]]), torch.tensor([[1, 2, 3]])]
x[m]
x[m[:, 0]]
x[m[:, 0], [1]]
x[:, m[0]]
x[m[:, 0], :2]
x[[True, False, True, False]]
x[torch.tensor([1, 0, 1, 1], dtype=torch.uint8)]
x[True]
x[False]
x[True, i]
x[True, False]
x[:, True]
x[torch.tensor(True)]
x[torch.tensor(True), torch.tensor([0, 1])]
z[True]
z[False]
z[torch.tensor(True)]
b[i]
b[:, i]
b[:, :, i]
b[i, :, i]
b[0, :, i]
b[i, 0]
b[:, 0, i]
b[i, None, i]
b[:, i, i]
b[:, torch.tensor([[0, 1], [1, 2]])]
b[torch.tensor([[0, 1], [1, 2]]), :, torch.tensor([[0, 1], [1, 2]])]
b[m[:3, :4]]
b[:, m[:4, :5]]
b[m[:3, :4], m[0, :5]]
b[i, :, m[0, :5]]
b[None, :, i]
x.t()[i]
x.t()[:, i]
x[torch.zeros(0, dtype=torch.int64)]
x[:, torch.zeros(2, 0, dtype=torch.int64)]
x[torch.zeros(4, dtype=torch.bool)]
torch.ops.aten.index.Tensor(x, [None, i])
""".strip().splitlines()


@pytest.mark.parametrize("expression", GIVE_VIEWS)
def test_views(oracle, expression):
    def case(torch):
        scope = names(torch)
        result = eval(expression, scope)
        shared = [shares_memory(result, scope[name]) for name in "xbzn"] if result.numel() else None
        return result, layout(result), shared, result is scope["x"]

    oracle.same(case)


@pytest.mark.parametrize("expression", GIVE_COPIES)
def test_copies(oracle, expression):
    def case(torch):
        scope = names(torch)
        result = eval(expression, scope)
        return (
            result,
            layout(result),
            [shares_memory(result, scope[name]) for name in "xbzn"] if result.numel() else None,
        )

    oracle.same(case)


def test_select_is_what_an_int_calls(torch):
    x = torch.zeros(2, 3)
    x[0].fill_(1)
    assert x.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert x[0]._version == x._version == 1


ERRORS = {
    "x[4]": "index 4 is out of bounds for dimension 0 with size 4",
    "x[-5]": "index -5 is out of bounds for dimension 0 with size 4",
    "x[0, 6]": "index 6 is out of bounds for dimension 1 with size 6",
    "x[0, 0, 0]": "too many indices for tensor of dimension 2",
    "z[0]": "invalid index of a 0-dim tensor. Use `tensor.item()`",
    "z[0:1]": "slice() cannot be applied to a 0-dim tensor.",
    "z[torch.tensor(0)]": "too many indices for tensor of dimension 0",
    "x[::-1]": "step must be greater than zero",
    "x[::0]": "slice step cannot be zero",
    "x[1.:2]": "slice indices must be integers or None or have an __index__ method",
    "x[1.5]": "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got",
    "n[np.bool_(True)]": "valid indices (got numpy.bool)",
    "n[np.float32(1)]": "valid indices (got numpy.float32)",
    "n[{1}]": "valid indices (got set)",
    "x['a']": "invalid data type 'str'",
    "x[torch.tensor([5])]": "index 5 is out of bounds for dimension 0 with size 4",
    "x[i, torch.tensor([1, 9])]": "index 9 is out of bounds for dimension 1 with size 6",
    "x[torch.tensor([0.5])]": "tensors used as indices must be long, int, byte or bool tensors",
    "x[i.short()]": "tensors used as indices must be long, int, byte or bool tensors",
    "x[torch.tensor([True, False])]": "The shape of the mask [2] at index 0 does not match the shape of the indexed",
    "b[m[:3, :3]]": "The shape of the mask [3, 3] at index 1 does not match the shape of the indexed tensor [3, 4, 5]",
    "b[:, m[:3, :5]]": "The shape of the mask [3, 5] at index 0 does not match",
    "x[m, 0]": "too many indices for tensor of dimension 2",
    "x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]": "could not be broadcast together with shapes [2], [3]",
    "torch.ops.aten.index.Tensor(x, [i, i, i])": "too many indices for tensor of dimension 2 (got 3)",
    "torch.ops.aten.index.Tensor(x, [])": "at least one index must be provided",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


def test_byte_masks_warn(oracle):
    def case(torch):
        x = torch.arange(3)
        return x[torch.tensor([1, 0, 1], dtype=torch.uint8)]

    oracle.same_warnings(case, "indexing with dtype torch.uint8 is now deprecated")


ASSIGNMENTS = """
n[0] = 300
n[0] = 1.9
n[0] = True
n[0] = np.int32(7)
n[0] = np.float64(7.9)
n[0] = torch.tensor([3])
n[0] = torch.tensor(3.7)
n[1:3] = torch.tensor([8, 9])
n[m[:, 0]] = torch.tensor([1.5])
x[0] = 1
x[-1] = -1
x[1, 2] = 9
x[torch.tensor(1)] = 5
x[0] = torch.ones(6)
x[0] = torch.ones(1, 6)
x[0] = torch.ones(1, 1, 6)
x[0] = n[0]
x[0] = torch.arange(6)
x[:, 0] = n
x[1:3] = 7
x[1:3] = torch.ones(6)
x[1:3] = torch.ones(2, 1)
x[::2, 1::2] = b[0, :2, :3]
x[...] = x + 1
x[:] = 3
x[:2] = x[2:]
x[None] = 1
x[True] = 1
x[False] = 1
x[1, None, 2:4] = torch.tensor([[5.0, 6.0]])
x[i] = 4
x[i] = torch.ones(6)
x[i] = torch.ones(2, 1)
x[i] = torch.ones(1, 1, 2, 6)
x[i, i] = torch.tensor([9.0, 8.0])
x[:, i] = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
x[1, i] = 7
x[1:, i] = torch.ones(3, 2)
x[[0, 1]] = 3
x[[0, 1], [2, 3]] = 3
x[np.array([0, 1])] = 3
x[torch.tensor([-1])] = 3
x[torch.tensor([0, 0])] = torch.tensor([[1.0], [2.0]])
x[torch.zeros(0, dtype=torch.int64)] = 5
x[m] = 0
x[m] = torch.ones(20)
x[m] = torch.tensor(2)
x[~m] = torch.tensor([7.0])
x[m[:, 0]] = 2
x[m[:, 0], 1] = 2
x[:, m[0]] = 2
x[m[:, 0]] = torch.ones(3, 6)
z[...] = 5
z[()] = 5
z[True] = 5
z[None] = 5
b[i, :, i] = 1
b[i, :, i] = torch.arange(8.0).reshape(2, 4)
b[:, :, 1] = 0
b.transpose(0, 2)[1] = 3
x.expand(2, 4, 6)[0, 0, 0] = 5
x[0:0] = 1
x.index_put_((i,), torch.tensor(1.0))
x.index_put_((torch.tensor([0, 0, 1]), torch.tensor([0, 0, 1])), torch.ones(3), accumulate=True)
x.index_put_((torch.tensor([0, 0]),), torch.ones(6), True)
x.index_put_((m,), torch.tensor(1.0), accumulate=True)
x.masked_fill_(m, 2)
x.masked_fill_(m[0], torch.tensor(2.5))
n.masked_fill_(m[:, 0], 1.5)
x.masked_scatter_(m, torch.arange(30.0))
x.index_add_(0, i, torch.ones(2, 6))
x.index_add_(0, torch.tensor([0, 0]), torch.ones(2, 6), alpha=2)
x.index_add_(-1, i, torch.ones(4, 2))
n.index_add_(0, torch.tensor([1, 1]), torch.tensor([5, 6]))
z.index_add_(0, torch.tensor([0]), torch.tensor(2.0))
x.index_copy_(0, i, torch.ones(2, 6))
x.index_copy_(1, i, torch.ones(4, 2))
x.index_fill_(0, torch.tensor([-1]), 1)
x.index_fill_(1, i, torch.tensor(3))
x.scatter_(0, torch.tensor([[1, 2, 0]]), torch.ones(1, 3))
x.scatter_(1, torch.tensor([[1, 2], [0, 5]]), 7)
x.scatter_(0, torch.tensor([[1, 1]]), b[0])
x.scatter_(1, torch.tensor([[1, 1]]), torch.tensor([[5.0, 6.0]]))
torch.ops.aten.index_put_(b, [None, torch.tensor([1, -1, 1])], torch.ones(3, 1, 5), True)
torch.ops.aten.index_put_(b, [i, None, i], b[0, :, i].t().clone(), True)
b.index_put_((torch.tensor([[0, 0], [1, -1]]), torch.tensor([1, 1])), torch.arange(5.0), True)
b.transpose(0, 2).index_put_((torch.tensor([1, 1]),), torch.ones(4, 3), True)
b.index_add_(1, torch.tensor([1, 1, 0]), b[:, 1:] + 1)
b[1].t().index_add_(0, torch.tensor([1, 1]), torch.ones(2, 4))
b.scatter_add_(2, torch.tensor([[[1, 1, 0]], [[4, 4, 4]]]), torch.ones(2, 1, 3))
z.scatter_(0, torch.tensor(0), 3)
n.scatter_(0, i, torch.tensor([8, 9]))
x.scatter_add_(0, torch.tensor([[1, 1], [1, 1]]), torch.ones(2, 2))
x.scatter_add_(1, torch.tensor([[1, 1, 1]]), torch.ones(1, 3))
""".strip().splitlines()


@pytest.mark.parametrize("statement", ASSIGNMENTS)
def test_assignment(oracle, statement):
    oracle.same(lambda torch: after(torch, statement, "(x, b, z, n, x._version, b._version, z._version, n._version)"))


ASSIGNMENT_ERRORS = {
    "x[5] = 1": "index 5 is out of bounds for dimension 0 with size 4",
    "z[0] = 5": "invalid index of a 0-dim tensor",
    "x[torch.tensor([9])] = 1": "index 9 is out of bounds for dimension 0 with size 4",
    "x[i, 9] = 1": "index 9 is out of bounds for dimension 1 with size 6",
    "n[0] = 'a'": "can't assign a str to a torch.LongTensor",
    "n[0] = [1]": "can't assign a list to a torch.LongTensor",
    "n[0] = np.array(7)": "can't assign a numpy.ndarray to a torch.LongTensor",
    "n[0] = None": "can't assign a NoneType to a torch.LongTensor",
    "n[0] = 1 + 1j": "value cannot be converted to type int64_t without overflow",
    "n.to(torch.int8)[0] = 300": "value cannot be converted to type int8_t without overflow",
    "n[0] = torch.tensor([3, 4])": "the number of sizes provided (0) must be greater or equal",
    "x[0] = torch.ones(5)": "must match the existing size (5) at non-singleton dimension 0.  Target sizes: [6]. ",
    "x[:, 0] = torch.ones(4, 1)": "the number of sizes provided (1) must be greater or equal",
    "n[i] = torch.tensor([1.5, 2])": "Index put requires the source and destination dtypes match, got Long for the",
    "x[m] = torch.ones(19)": "shape mismatch: value tensor of shape [19] cannot be broadcast to indexing result of",
    "x[i] = torch.ones(3)": "shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of",
    "b[:, i] = torch.ones(7)": "cannot be broadcast to indexing result of shape [3, 2, 5]",
    "b[i, :, i] = torch.ones(7)": "cannot be broadcast to indexing result of shape [2, 4]",
    "x.index_put_((i, i, i), torch.tensor(1.0))": "too many indices for tensor of dimension 2",
    "x.masked_fill_(x, 1)": "masked_fill_ only supports boolean masks",
    "x[0].masked_fill_(m, 1)": "output with shape [6] doesn't match the broadcast shape [4, 6]",
    "x.masked_fill_(m, torch.ones(2))": "masked_fill_ only supports a 0-dimensional value tensor",
    "n.to(torch.uint8).masked_fill_(m[:, 0], 300)": "value cannot be converted to type uint8_t without overflow",
    "x.expand(2, 4, 6).index_add_(0, i[:1], b[:1, :, :1].expand(1, 4, 6))": "more than one element of the written-to",
    "x.masked_scatter_(m, torch.ones(3))": "Number of elements of source < number of ones in mask",
    "x.index_add_(0, i, torch.ones(3, 6))": "Number of indices (2) should be equal to source.size(dim): (3)",
    "x.index_add_(0, torch.tensor([9, 0]), torch.ones(2, 6))": "index 9 is out of bounds for dimension 0 with size 4",
    "x.index_add_(0, i, torch.ones(2, 5))": "source tensor shape must match self tensor shape",
    "x.index_add_(0, i, torch.ones(2, 6).long())": "self (Float) and source (Long) must have the same scalar type",
    "x.index_copy_(0, i, torch.ones(6))": "When source and destination are not scalars, their dimensionality must",
    "x.index_copy_(0, torch.tensor([9]), torch.ones(1, 6))": "index 9 is out of bounds for dimension 0 with size 4",
    "x.index_fill_(0, torch.tensor([9]), 1)": "index 9 is out of bounds for dimension 0 with size 4",
    "x.index_fill_(0, i, torch.ones(1))": "index_fill_ only supports a 0-dimensional value tensor",
    "x.scatter_(0, torch.tensor([[9]]), 1)": "index 9 is out of bounds for dimension 0 with size 4",
    "x.scatter_(0, torch.tensor([[-1]]), 1)": "index -1 is out of bounds for dimension 0 with size 4",
    "x.scatter_(0, torch.tensor([[1]]), x.double())": "scatter(): Expected self.dtype to be equal to src.dtype",
    "x.scatter_(0, torch.tensor([[1]]), x[:0])": "Expected index [1, 1] to be no larger than self [4, 6] apart from",
    "x.scatter_(0, torch.tensor([1]), 2)": "Index tensor must have the same number of dimensions as self tensor",
    "x.scatter_add_(0, torch.tensor([[1, 9]]), torch.ones(1, 2))": "index 9 is out of bounds for dimension 0 with",
}


@pytest.mark.parametrize("statement", ASSIGNMENT_ERRORS)
def test_assignment_error(oracle, statement):
    oracle.same_error(lambda torch: after(torch, statement, "x"), ASSIGNMENT_ERRORS[statement])


OPERATORS = """
x.gather(0, torch.tensor([[3, 0, 1]]))
x.gather(1, torch.tensor([[5], [0], [2]]))
x.gather(-1, torch.tensor([[0, 0, 0, 0, 0, 0, 5]]))
b.gather(1, torch.tensor([[[0, 3]], [[1, 1]]]))
x.gather(0, torch.tensor([[0]], dtype=torch.int32))
x.gather(0, torch.zeros(0, dtype=torch.int64))
z.gather(0, torch.tensor(0))
z.gather(0, torch.tensor([0, 0]))
torch.gather(x, dim=1, index=torch.tensor([[0, 0]]))
x.index_select(0, i)
x.index_select(1, i)
x.index_select(-1, torch.tensor(1))
x.index_select(0, i.int())
x.t().index_select(1, i)
x.index_select(0, i[:0])
z.index_select(0, torch.tensor([0]))
x.take(torch.tensor([[0, -1], [5, -24]]))
x.t().take(torch.tensor([1]))
torch.take_along_dim(x, torch.tensor([[0]]), 1)
torch.take_along_dim(x, torch.tensor([0, 5]))
x.masked_select(m)
x.masked_select(m[0])
x.masked_select(torch.tensor(True))
z.masked_select(torch.tensor(True))
x[0].masked_select(m)
x.masked_fill(m, 0)
x[0].masked_fill(m, 0)
x.t().masked_fill(m.t(), 0)
x.masked_fill(m, torch.tensor(2))
x[:1].masked_scatter(m, torch.arange(30.0))
x.nonzero()
n.nonzero()
z.nonzero()
torch.zeros(()).nonzero()
torch.zeros(0, 3).nonzero()
torch.nonzero(x > 20)
torch.nonzero(x > 20, as_tuple=True)
z.nonzero(as_tuple=True)
m.argwhere()
torch.where(m)
torch.where(m, x, -x)
torch.where(m, x, 0)
torch.where(m, 1.5, x)
torch.where(m, n[:, None], 0.5)
torch.where(m, 1, 2)
torch.where(m, 1.0, 2)
torch.where(m, True, False)
torch.where(m, x.double(), z)
torch.where(m, x.half(), n[:, None])
torch.where(m[:, :1], z, n[0])
torch.where(m[0], x, torch.zeros(4, 1))
torch.where(m.byte(), x, x)
x.where(m, 0)
x.where(m, -x)
x.index_put((i,), torch.tensor(1.0))
x.index_add(0, i, torch.ones(2, 6), alpha=3)
x.index_copy(0, i, torch.ones(2, 6))
x.index_fill(0, i, 3)
x.scatter(0, torch.tensor([[1, 2, 0]]), torch.ones(1, 3))
x.scatter(1, torch.tensor([[1, 2], [0, 5]]), 7)
x.scatter_add(0, torch.tensor([[1, 1], [1, 1]]), torch.ones(2, 2))
torch.scatter(x, 0, torch.tensor([[1, 2, 0]]), src=torch.ones(1, 3))
torch.index_select(x, 0, i, out=torch.empty(0))
torch.gather(x, 0, i[None], out=torch.empty(1, 2))
torch.masked_select(x, m, out=torch.empty(0))
torch.embedding(x, i)
torch.embedding(x, torch.tensor([[0, 1], [3, 3]]))
torch.embedding(x, torch.tensor(2))
""".strip().splitlines()


@pytest.mark.parametrize("expression", OPERATORS)
def test_operator(oracle, expression):
    def case(torch):
        result = value(torch, expression)
        return result, layout(result)

    oracle.same(case)


OPERATOR_ERRORS = {
    "x.gather(0, torch.tensor([[9]]))": "index 9 is out of bounds for dimension 0 with size 4",
    "x.gather(0, torch.tensor([[-1]]))": "index -1 is out of bounds for dimension 0 with size 4",
    "x.gather(0, torch.tensor([0]))": "Index tensor must have the same number of dimensions as input tensor",
    "x.gather(0, torch.tensor([[0] * 7]))": "Size does not match at dimension 1 expected index [1, 7] to be no larger",
    "x.gather(0, torch.tensor([[0.0]]))": "gather(): Expected dtype int32/int64 for index",
    "x.gather(2, i[None])": "Dimension out of range",
    "x.index_select(0, torch.tensor([9]))": "index out of range in self",
    "x.index_select(0, torch.tensor([-1]))": "index out of range in self",
    "x.index_select(0, torch.tensor([[0]]))": "Index is supposed to be a vector",
    "x.index_select(0, torch.tensor([0.0]))": "index_select(): Expected dtype int32 or int64 for index",
    "x.take(torch.tensor([99]))": "out of range: tried to access index 99 on a tensor of 24 elements",
    "x.take(torch.tensor([0.0]))": "Expected a long tensor for index",
    "x.masked_select(x)": "expected BoolTensor for mask",
    "x.masked_select(m.t())": "must match the size of tensor b",
    "x.masked_fill(m.t(), 0)": "The size of tensor a (4) must match the size of tensor b (6) at non-singleton",
    "torch.where(x, x, x)": "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
    "torch.where(m, x, torch.ones(5))": "The size of tensor a (6) must match the size of tensor b (5)",
    "torch.embedding(x, torch.tensor([9]))": "index out of range in self",
    "torch.embedding(x, torch.tensor([-1]))": "index out of range in self",
    "torch.embedding(x, torch.tensor([0.0]))": "to have one of the following scalar types: Long, Int; but got",
    "torch.embedding(x[0], i)": "'weight' must be 2-D",
}


@pytest.mark.parametrize("expression", OPERATOR_ERRORS)
def test_operator_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), OPERATOR_ERRORS[expression])


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]
)
def test_every_dtype(oracle, dtype):
    def case(torch):
        x = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
        i, m = torch.tensor([1, 0, 1]), torch.tensor([[True, False, True], [False, True, False]])
        y = x.clone()
        y[i] = x[0]
        y[m] = 1
        y[0, 1] = 0
        added = x.index_add(0, i, x[i])
        return [
            x[i], x[m], y, x.gather(1, i[None]), x.scatter(1, i[None], 1), x.masked_fill(m, 1), torch.where(m, x, y),
            added, x.scatter_add(0, i[None], x), x.take(i), x.index_select(1, i), x.nonzero(), x.index_fill(0, i, 1),
        ]  # fmt: skip

    oracle.same(case)


@pytest.mark.parametrize("statement", ["masked_fill_(m, 1)", "index_fill_(0, i[:1], 1)", "index_put_((i[:1],), z)"])
def test_writing_to_expanded_tensors_warns(oracle, statement):
    def case(torch):
        after(torch, f"x.expand(2, 4, 6).{statement}", "x")

    oracle.same_warnings(case, "on expanded tensors is deprecated")

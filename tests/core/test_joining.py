"""cat, stack and the copies that put elements side by side."""

from typing import NamedTuple

import pytest

from tests.core.expressions import layout, value

COVERS = [
    "aten/src/ATen/native/TensorShape.cpp",
    "aten/src/ATen/native/Repeat.cpp",
    "aten/src/ATen/native/TensorTransformations.cpp",
    "aten/src/ATen/native/TriangularOps.cpp",
]

JOINS = """
torch.cat([x, x])
torch.cat([x, x[:, :2]], 1)
torch.cat((x.t(), x.t()))
torch.cat((x.t(), x.t()), dim=-1)
torch.cat([x])
torch.cat([x, torch.empty(0)])
torch.cat([torch.empty(0), torch.empty(0)])
torch.cat([torch.empty(0, 6), x])
torch.cat([x, i[:, None].expand(2, 6)])
torch.cat([z[None], n])
torch.cat([i.int(), i.to(torch.int8), i > 0])
torch.cat([i.half(), i.to(torch.bfloat16)])
torch.cat([n, n], out=torch.empty(0))
torch.cat([x, x], 1, out=torch.empty(4, 12))
torch.concat([x, x], 1)
torch.concatenate([x, x])
torch.stack([x, x])
torch.stack([x, x], 1)
torch.stack([x, x], -1)
torch.stack([x, x], dim=2)
torch.stack((x.t(), x.t()))
torch.stack([z, z])
torch.stack([z, z.double()])
torch.stack([z, n[1]])
torch.stack([z.bool(), z.bool()])
torch.stack([z.bfloat16(), z.bfloat16()])
torch.stack([z], -1)
torch.stack([x, x.double()])
torch.stack([x[:0], x[:0]])
torch.stack([n, n], out=torch.empty(2, 4, dtype=torch.int64))
torch.stack(x.unbind())
torch.hstack([n, n])
torch.hstack([x, x])
torch.hstack([z, z])
torch.vstack([n, n])
torch.row_stack([x, x])
torch.dstack([n, n])
torch.column_stack([n, x])
x.repeat(2, 3)
x.repeat(2, 1, 1)
x.repeat((2, 0))
n.repeat(2, 2)
z.repeat(3)
x.repeat(1, 1)
x.tile(2)
n.tile(2, 1)
x.tile((2, 2))
x.repeat_interleave(2)
x.repeat_interleave(2, 1)
x.repeat_interleave(torch.tensor([1, 2, 0, 3]), 0)
x.repeat_interleave(torch.tensor([2]), dim=-1)
torch.repeat_interleave(torch.tensor([1, 2, 0, 3]))
z.repeat_interleave(3)
x.flip(0)
x.flip(0, -1)
x.flip((1,))
x.t().flip(0)
x.fliplr()
n.flipud()
z.flip(())
x.roll(1)
x.roll(1, 0)
x.roll(-2, 1)
x.roll((1, 2), (0, 1))
x.roll(shifts=7, dims=0)
x.tril()
x.tril(-1)
x.triu(1)
b.triu()
m.tril()
n.expand(3, 4).triu()
torch.tril_indices(3, 4, 1)
torch.triu_indices(3, 3, -1)
torch.triu_indices(2, 2, dtype=torch.int32)
torch.diag(n)
torch.diag(n, 1)
torch.diag(x)
torch.diag_embed(x, 1)
torch.diag_embed(x, 0, 0, -1)
""".strip().splitlines()


@pytest.mark.parametrize("expression", JOINS)
def test_join(oracle, expression):
    def case(torch):
        result = value(torch, expression)
        return result, layout(result)

    oracle.same(case)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float64", "complex64"]
)
def test_every_dtype(oracle, dtype):
    def case(torch):
        x = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
        return (
            torch.cat([x, x], 1),
            torch.stack([x, x]),
            torch.stack([x[0, 0], x[1, 1]]),
            x.repeat(2, 2),
            x.flip(1),
            x.triu(),
        )

    oracle.same(case)


@pytest.mark.parametrize("first", ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "complex64"])
def test_cat_promotes_as_arithmetic_does(oracle, first):
    def case(torch):
        others = (torch.bool, torch.int8, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64)
        x = torch.ones(2).to(getattr(torch, first))
        return [(torch.cat([x, x.to(dtype)]), torch.stack([x[0], x[0].to(dtype)])) for dtype in others]

    oracle.same(case)


ERRORS = {
    "torch.stack([])": "stack expects a non-empty TensorList",
    "torch.stack([x, x[0]])": "stack expects each tensor to be equal size, but got [4, 6] at entry 0 and [6] at entry",
    "torch.stack([x[:1], x[:3], x[:2]])": "but got [1, 6] at entry 0 and [3, 6] at entry 1",
    "torch.stack([x], 4)": "Dimension out of range (expected to be in range of [-3, 2], but got 4)",
    "torch.stack([x, 3])": "expected Tensor as element 1 in argument 0, but got int",
    "torch.stack(x)": "argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
    "torch.cat([])": "expected a non-empty list of Tensors",
    "torch.cat([x, z])": "zero-dimensional tensor (at position 1) cannot be concatenated",
    "torch.cat([z, z])": "zero-dimensional tensor (at position 0) cannot be concatenated",
    "torch.cat([x, x[:, :2]])": "Sizes of tensors must match except in dimension 0. Expected size 6 but got size 2",
    "torch.cat([x, x[0]])": "Tensors must have same number of dimensions: got 2 and 1",
    "torch.cat([x], -3)": "Dimension out of range",
    "torch.cat([x, x], out=torch.empty(0, dtype=torch.int64))": "can't be cast to the desired output type Long",
    "x.repeat(2)": "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
    "x.repeat(-1, 1)": "Trying to create tensor with negative dimension -4",
    "x.repeat_interleave(torch.tensor([1, 2]), 0)": "repeats must have the same size as input along dim",
    "x.repeat_interleave(-1)": "Repeats must be non-negative",
    "x.flip(0, 0)": "dim 0 appears multiple times in the list of dims",
    "x.flip(3)": "Dimension out of range",
    "x.roll((1, 2), (0,))": "shifts and dimensions must align. shifts: 2, dims:1",
    "n.tril()": "input tensor must have at least 2 dimensions",
    "torch.diag(b)": "Supports 1D or 2D tensors. Got 3D",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


def test_joins_copy(oracle):
    def case(torch):
        x = torch.zeros(2, 2)
        joined = torch.cat([x]), torch.stack([x]), x.repeat(1, 1), x.flip(0)
        x.fill_(1)
        return joined, [y._version for y in joined]

    oracle.same(case)


class _Pair(NamedTuple):
    first: object
    second: object


KINDS_OF_LISTS = {"list": lambda *both: [*both], "tuple": lambda *both: both, "named tuple": _Pair}


@pytest.mark.parametrize("name", KINDS_OF_LISTS)
def test_what_is_in_a_list_is_looked_at_in_each_call(oracle, name):
    """A call is remembered by its types; a list says nothing of what is in it."""
    kind = KINDS_OF_LISTS[name]

    def case(torch):
        x = torch.ones(2)
        return [torch.stack(kind(x, x)), torch.stack(kind(x, x))]

    def with_a_number(torch):
        return torch.stack(kind(torch.ones(2), 1))

    oracle.same(case)
    oracle.same_error(with_a_number, "expected Tensor as element 1 in argument 0, but got int")

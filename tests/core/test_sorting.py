"""Elements in order, counted, summed up one by one."""

import pytest

from tests.core.expressions import value

COVERS = [
    "aten/src/ATen/native/Sorting.cpp",
    "aten/src/ATen/native/Unique.cpp",
    "aten/src/ATen/native/SummaryOps.cpp",
    "aten/src/ATen/native/ReduceOps.cpp",
    "torch/functional.py",
]

NUMBERS = "torch.tensor([[3.0, 1.0, 2.0, 1.0], [float('nan'), 0.0, -1.0, float('inf')]])"

EXPRESSIONS = """
y.sort()
y.sort(0)
y.sort(descending=True)
y.sort(dim=0, descending=True)
y.sort(stable=True)
y.sort(stable=True, dim=-1, descending=True)
tuple(torch.sort(y, out=(torch.empty(0), torch.empty(0, dtype=torch.int64))))
z.sort()
n.sort(descending=True)
m.sort(stable=True, dim=1)
x[:0].sort()
y.half().sort(stable=True)
y.bfloat16().sort(stable=True, descending=True)
y.argsort()
torch.argsort(torch.tensor([2, 1, 2]), stable=True)
torch.argsort(torch.tensor([2, 1, 2]), stable=True, descending=True)
y.msort()
x.topk(2)
x.topk(2, 0, largest=False)
x.topk(k=3, dim=-1)
x.topk(0)
y.topk(1)
z.topk(1)
y.kthvalue(2)
y.kthvalue(1, 0)
y.kthvalue(2, keepdim=True)
n.kthvalue(3)
z.kthvalue(1)
torch.unique(torch.tensor([2, 1, 2]))
torch.unique(torch.tensor([[2, 1], [2, 5]]), return_inverse=True)
torch.unique(torch.tensor([2, 1, 2]), return_counts=True)
torch.tensor([2, 1, 2]).unique(return_inverse=True, return_counts=True)
torch.unique(y)
torch.unique(m, return_inverse=True)
torch.unique(z)
torch.unique(torch.empty(0), return_counts=True)
torch.unique(torch.tensor([[1, 2], [0, 5], [1, 2]]), dim=0, return_inverse=True, return_counts=True)
torch.unique(torch.tensor([[1, 1, 0], [2, 2, 5]]), dim=1)
torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_inverse=True, return_counts=True)
torch.unique_consecutive(torch.tensor([[1, 1, 0], [2, 2, 5]]), dim=1, return_counts=True)
torch.tensor([[1, 1], [2, 1]]).unique_consecutive(return_inverse=True)
torch.unique_consecutive(torch.empty(0), return_counts=True)
torch.bincount(torch.tensor([1, 1, 5]))
torch.bincount(torch.tensor([1, 1, 5]), minlength=8)
torch.bincount(torch.tensor([1, 2], dtype=torch.uint8))
torch.bincount(torch.tensor([1, 2, 1]), weights=torch.tensor([0.5, 0.25, 1.0]))
torch.bincount(torch.tensor([1, 2]), torch.tensor([1, 2]))
torch.bincount(torch.empty(0, dtype=torch.int64), minlength=2)
x.cumsum(0)
x.cumsum(-1)
n.cumsum(0)
n.int().cumsum(0)
m.cumsum(1)
n.cumsum(0, dtype=torch.float32)
z.cumsum(0)
torch.full((5,), 0.1, dtype=torch.float16).cumsum(0)
torch.full((300,), 0.1, dtype=torch.bfloat16).cumsum(0)
torch.full((300,), 0.1).cumsum(0)
(n + 1).cumprod(0)
(x + 1).cumprod(1)
x.cumsum_(1)
n.int().cumsum_(0)
torch.cumsum(x, 0, out=torch.empty(4, 6))
x[:0].cumsum(0)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_operator(oracle, expression):
    oracle.same(lambda torch: value(torch, f"(lambda y: {expression})({NUMBERS})"))


ERRORS = {
    "n.sort(1)": "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
    "x.topk(9)": "selected index k out of range",
    "x.topk(-1)": "selected index k out of range",
    "m.topk(1)": "topk does not support bool dtypes on CPU",
    "x.kthvalue(9)": "selected number k out of range for dimension 1",
    "x.kthvalue(0)": "selected number k out of range for dimension 1",
    "torch.bincount(torch.tensor([1, -1]))": "bincount only supports 1-d non-negative integral inputs.",
    "torch.bincount(torch.tensor([[1]]))": "bincount only supports 1-d non-negative integral inputs.",
    "torch.bincount(torch.tensor([1.0]))": "not implemented for 'Float'",
    "torch.bincount(torch.tensor([1, 2]), weights=torch.tensor([0.5]))": "weights should be 1-d and have the same",
    "x.cumsum(2)": "Dimension out of range",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"])
def test_random_numbers_in_order(oracle, dtype):
    def case(torch):
        torch.manual_seed(0)
        x = torch.randint(0, 50, (7, 40)).to(getattr(torch, dtype))
        # Which of several equal elements topk names is left open.
        largest = [x.topk(k, largest=flag).values for k in (1, 5, 40) for flag in (True, False)]
        return x.sort(stable=True), x.sort(0, descending=True).values, largest, x.unique(return_counts=True)

    oracle.same(case)

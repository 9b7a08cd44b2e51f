"""Dimensions folded into one value: sums, means, variances, extremes, norms, softmax."""

import pytest

from tests.core.operands import outcome, sample, value

COVERS = [
    "aten/src/ATen/native/ReduceOps.cpp",
    "aten/src/ATen/native/ReduceAllOps.cpp",
    "aten/src/ATen/native/TensorCompare.cpp",
    "aten/src/ATen/native/SoftMax.cpp",
    "aten/src/ATen/native/Sorting.cpp",
    "torch/return_types.py",
]

EXPRESSIONS = """
e2.max(0)
e2.amax((0, 2))
e2.argmax(0)
s0.max(0)
s0.max(-1)
s0.argmax(0)
s0.sum(0)
x.sum(())
x.sum([])
x.mean(())
x.amax(())
i.mean(dtype=torch.float64)
b.sum()
b.prod()
b.max()
b.max(0)
c.sum()
n.max()
n.min(0)
n.max(0)
n.argmax()
n.argmin()
n.amax()
n.aminmax()
x.std(correction=0)
x.std(unbiased=False)
x.std(0, False)
x.std((0, 1), True, True)
x.std(False)
x.var(correction=7)
x.std(dim=1, correction=2.5)
torch.var_mean(x, 0, correction=1)
torch.std_mean(x)
h.sum()
h.mean()
h.var()
h.sum(dtype=torch.float32)
x.sum(dtype=torch.int32)
x.sum(dtype=int)
u.sum()
u.sum(dtype=torch.uint8)
u.prod()
x.any()
u.any()
u.any(0)
u.all()
b.all(0)
b.all((0,))
x.all((0, 1))
e.all()
e.any()
x.all(0, True)
n.all()
x.sum(0, keepdim=True)
x.sum(axis=1, keepdims=True)
x.norm()
x.norm(1)
x.norm(float("inf"))
x.norm("fro")
x.norm(2, 0)
x.norm(p=0)
x.norm(p=2, dim=1, keepdim=True, dtype=torch.float64)
torch.linalg.vector_norm(x, ord=3, dim=1)
x.logsumexp(0)
x.logsumexp((0, 1))
i.logsumexp(0)
x.median()
i.median()
n.median()
n.median(0)
n.nanmedian()
e.median()
n.mode()
x.count_nonzero()
x.count_nonzero(0)
x.count_nonzero((0, 1))
n.nansum()
i.nansum()
x.softmax(0)
i.softmax(0, dtype=torch.float32)
h.softmax(0)
h.softmax(0, torch.float32)
s0.softmax(0)
e.softmax(0)
torch.sum(x, 0, out=torch.zeros(3))
torch.sum(x, 0, out=torch.zeros(3, dtype=torch.int64))
torch.max(x, 0, out=(torch.zeros(3), torch.zeros(3, dtype=torch.int64)))[1]
torch.max(x, out=torch.zeros(()))
torch.mean(x, 0, out=torch.zeros(3, dtype=torch.float64))
x.amax(0).stride()
x.sum(0, dtype=torch.bool)
i.prod(0)
x.prod(1)
x.argmax(keepdim=True)
x.argmax(1, True)
s0.argmax()
i.amax(dim=0)
x.sum(None)
x.sum(dim=None)
x.mean(None)
x.mean(dim=None, keepdim=True)
i.sum(dtype=torch.float16)
x.aminmax(dim=0)
x.min(1, True)
torch.max(x, x)
torch.max(x, 1)
x.max(x)
torch.max(x, dim=1)
torch.max(x, other=x)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(oracle, expression):
    oracle.same(lambda torch: value(torch, expression))


ERRORS = {
    "e.max()": "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reductio",
    "e.amax()": "amax(): Expected reduction dim to be specified for input.numel() == 0. Specify the reducti",
    "e.amax(0)": "amax(): Expected reduction dim 0 to have non-zero size.",
    "e.argmax()": "argmax(): Expected reduction dim to be specified for input.numel() == 0.",
    "e.argmax(0)": "argmax(): Expected reduction dim 0 to have non-zero size.",
    "e.max(0)": "max(): Expected reduction dim 0 to have non-zero size.",
    "e2.max(1)": "max(): Expected reduction dim 1 to have non-zero size.",
    "e2.amax(1)": "amax(): Expected reduction dim 1 to have non-zero size.",
    "e2.argmax(1)": "argmax(): Expected reduction dim 1 to have non-zero size.",
    "e.aminmax()": "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity",
    "e2.aminmax(dim=1)": "aminmax",
    "s0.max(1)": "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
    "s0.sum((0, -1))": "dim 0 appears multiple times in the list of dims",
    "x.sum((0, 0))": "dim 0 appears multiple times in the list of dims",
    "x.sum((0, -2))": "dim 0 appears multiple times in the list of dims",
    "x.sum(2)": "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    "x.prod(())": "prod() received an invalid combination of arguments - got",
    "i.mean()": "mean(): could not infer output dtype. Input dtype must be either a floating point or compl",
    "b.mean()": "mean(): could not infer output dtype. Input dtype must be either a floating point or compl",
    "c.max()": '"max_all" not implemented for \'ComplexFloat\'',
    "c.max(0)": "max(): does not support complex input",
    "c.amax()": '"max_values_cpu" not implemented for \'ComplexFloat\'',
    "c.argmax()": "argmax(): does not support complex input",
    "i.std()": "std and var only support floating point and complex dtypes",
    "x.sum(0, 1)": "sum()",
    "x.sum(0, 1, 2)": "sum()",
    "i.norm()": "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long",
    'torch.linalg.vector_norm(e, ord=float("inf"))': (
        "linalg.vector_norm cannot compute the inf norm on an empty tensor because the operation do"
    ),
    "i.softmax(0)": '"softmax_lastdim_kernel_impl" not implemented for \'Long\'',
    "x.softmax(5)": "Dimension out of range (expected to be in range of [-2, 1], but got 5)",
    "torch.sum(x, out=torch.zeros(3))": (
        "sum() received an invalid combination of arguments - got (Tensor, out=Tensor), but expecte"
    ),
    "torch.max(x, 0, out=(torch.zeros(3), torch.zeros(3)))": "Expected out tensor to have dtype long int, but got",
    "x.prod(None)": "prod() received an invalid combination of arguments - got",
    "x.max(None)": "max() received an invalid combination of arguments - got",
    "b.softmax(0)": '"softmax_lastdim_kernel_impl" not implemented for \'Bool\'',
    "x.sum(0.5)": "sum() received an invalid combination of arguments - got",
    'x.sum("a")': "sum() received an invalid combination of arguments - got",
    "x.max(0.5)": "max() received an invalid combination of arguments - got",
    "torch.max(c, c)": "maximum not implemented for complex tensors.",
    "torch.max(i, 2)": "Dimension out of range (expected to be in range of [-1, 0], but got 2)",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


REDUCTIONS = """
sum nansum mean prod amax amin argmax argmin any all max min std var logsumexp median nanmedian count_nonzero norm
""".split()
DTYPES = ("uint8", "int64", "bool", "float16", "bfloat16", "float32", "float64")


def folded(torch, name, x):
    """The reduction over all, and over one dimension and the other, kept or not."""
    function = getattr(torch, name)
    yield outcome(function, x)
    for dim in (0, -1):
        yield outcome(function, x, dim=dim)
        if name != "count_nonzero":
            yield outcome(function, x, dim=dim, keepdim=True)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_dtype(oracle, name):
    def case(torch):
        return [list(folded(torch, name, sample(torch, dtype))) for dtype in DTYPES]

    oracle.same(case)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_three_dimensions_and_nan(oracle, name):
    def case(torch):
        x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1) % 7
        x[1, 0, 2] = float("nan")
        return list(folded(torch, name, x)), list(folded(torch, name, torch.ones(2, 0, 3)))

    oracle.same(case)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax(oracle, name):
    def case(torch):
        function = getattr(torch, name)
        results = [outcome(function, sample(torch, dtype), dim) for dtype in ("float32", "float64") for dim in (0, 1)]
        big = torch.tensor([[1000.0, 0.0, -1000.0], [5.0, 5.0, float("-inf")]])
        return results, function(big, 1), function(big, 0), function(big, -1, torch.float64), function(big.half(), 1)

    oracle.same(case)


def test_float16_is_summed_in_float32(oracle):
    def case(torch):
        x = torch.full((4096,), 1.0, dtype=torch.float16)
        y = torch.full((300,), 0.1, dtype=torch.bfloat16)
        return x.sum(), x.mean(), (x * 100).mean(), y.sum(), y.mean(), y.prod(), y.var(), y.norm()

    oracle.same(case)


def test_ties_go_to_the_first(oracle):
    def case(torch):
        x = torch.tensor([[2, 5, 5], [5, 2, 2]])
        return x.argmax(), x.argmax(1), x.max(1), x.min(1), x.float().argmin(0), x.max(0, keepdim=True)

    oracle.same(case)


def test_names_of_a_pair(oracle):
    def case(torch):
        result = torch.tensor([3.0, 1.0]).max(0)
        values, indices = result
        pair = torch.return_types.max((1, 2))
        return type(result), result.values, result.indices, values, indices, repr(result), pair.values, result[1]

    oracle.same(case)


def test_out_of_several_results(oracle):
    def case(torch):
        values, indices = torch.empty(3), torch.empty(3, dtype=torch.int64)
        torch.max(torch.tensor([[1.0, 4.0, 2.0], [3.0, 0.0, 2.0]]), 0, out=(values, indices))
        return values, indices

    oracle.same(case)


def test_too_few_values_for_a_variance_warn(oracle):
    oracle.same_warnings(lambda torch: torch.ones(1).std(), "std(): degrees of freedom is <= 0")
    oracle.same_warnings(lambda torch: torch.ones(2, 1).var(1), "var(): degrees of freedom is <= 0")


def test_variance_of_large_numbers(oracle):
    oracle.same(lambda torch: (torch.arange(1000.0).add(1e6).var(), torch.arange(1000.0).add(1e6).std(0)))

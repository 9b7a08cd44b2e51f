"""Products of vectors, matrices and batches: values, strides, refusals, and the calls inside."""

import pytest

from tests.core.operands import names, value
from tests.core.test_operator_calls import our_calls, upstream_calls
from tests.oracle import upstream_is_installed

COVERS = [
    "aten/src/ATen/native/LinearAlgebra.cpp",
    "aten/src/ATen/native/Linear.cpp",
    "aten/src/ATen/native/Blas.cpp",
    "torch/functional.py",
]

EXPRESSIONS = """
torch.mm(x, x.t())
torch.mm(i[None], i[:, None])
torch.mm(x.half(), x.t().half() * 2049)
torch.bmm(x[None], x.t()[None])
torch.addmm(torch.ones(2), x, x.t())
torch.addmm(torch.ones(2), x, x.t(), beta=0, alpha=2)
torch.addmm(torch.ones(2) * float("nan"), x, x.t(), beta=0)
torch.addmm(i[:2], i[None].t()[:2], i[None][:, :2], beta=0.5)
torch.baddbmm(torch.ones(2), x[None], x.t()[None])
torch.baddbmm(torch.ones(1, 2, 2), x[None], x.t()[None], beta=2, alpha=3)
torch.addmv(torch.ones(2), x, x[0])
torch.addmv(torch.ones(()), x, x[0])
torch.dot(x[0], x[1])
torch.dot(i, i)
torch.mv(x, x[0])
torch.outer(x[0], i)
torch.ger(i, i)
torch.matmul(x, x.t())
torch.matmul(x[0], x.t())
torch.matmul(x[0], x[0])
torch.matmul(x[None, None], x.t()[None])
torch.matmul(torch.ones(4, 1, 2, 3), torch.ones(5, 3, 2))
torch.matmul(torch.ones(3), torch.ones(5, 3, 2))
torch.matmul(torch.ones(5, 2, 3), torch.ones(3))
torch.matmul(torch.ones(5, 2, 3).transpose(0, 1), torch.ones(3))
torch.matmul(torch.ones(2, 3), torch.ones(5, 3, 4))
torch.matmul(torch.ones(2, 0), torch.ones(5, 0, 4))
torch.matmul(torch.ones(0, 3), torch.ones(3, 2))
torch.matmul(torch.ones(2, 0), torch.ones(0, 2))
torch.matmul(x, x.t(), out=torch.zeros(2, 2))
torch.inner(x, x)
torch.inner(s0, x)
torch.inner(i, i)
torch.inner(x, i.float())
linear(x, torch.ones(4, 3))
linear(x[0], torch.ones(4, 3), torch.ones(4))
linear(x[0], torch.ones(3))
linear(torch.ones(2, 5, 3), torch.ones(4, 3), torch.ones(4))
linear(torch.ones(5, 2, 3).transpose(0, 1), torch.ones(4, 3), torch.ones(4))
torch.einsum("ij->ji", x)
torch.einsum("ii", torch.ones(3, 3))
torch.einsum("ii->i", torch.arange(9).reshape(3, 3))
torch.einsum("bij,bjk->bik", torch.arange(24.0).reshape(2, 3, 4), torch.arange(40.0).reshape(2, 4, 5))
torch.einsum("...ij,...jk->...ik", torch.ones(2, 3, 4), torch.ones(4, 5))
torch.einsum("ij", x)
torch.einsum("ji", torch.arange(6).reshape(2, 3))
torch.einsum("i,j", x[0], i.float())
torch.einsum("ij,kl->", x, x)
torch.einsum("i j , k j -> i k", x, x)
torch.einsum("ij,jk,kl->il", x, x.t(), x)
torch.einsum(x, [0, 1], [1, 0])
torch.einsum("b...i,b...->...i", torch.arange(24.0).reshape(2, 3, 4), torch.arange(6.0).reshape(2, 3))
torch.einsum("bhid,bhjd->bhij", torch.randn(2, 2, 3, 4) * 0 + 2, torch.ones(2, 2, 5, 4))
torch.einsum("i,ij,j->", x[:, 0], x, i.float())
torch.einsum("ij,ij->j", x, x)
torch.einsum("ij,i->j", x, torch.ones(2))
torch.einsum("nc,ncd->nd", x, y[:, :3])
torch.tensordot(x, x, dims=2)
torch.tensordot(x, x, dims=([1], [1]))
torch.tensordot(y, w, dims=([2], [1]))
torch.tensordot(y, y, dims=([0, 2], [0, 2]))
torch.mm(c[None], c[:, None])
torch.mm(x, x.t()).stride()
torch.mm(torch.ones(0, 3), torch.ones(3, 2))
torch.bmm(x[None].half(), x.t()[None].half())
torch.mv(i[None], i)
torch.mm(u[None], u[:, None])
torch.vdot(c, c)
torch.norm(x, dim=(0, 1))
torch.norm(x, float("-inf"), 1)
torch.norm(i.float(), p=1.5)
torch.norm(c)
torch.softmax(torch.ones(2, 0), 1)
torch.softmax(torch.tensor([float("-inf")] * 2), 0)
torch.softmax(torch.tensor([float("inf"), 1]), 0)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(oracle, expression):
    oracle.same(lambda torch: value(torch, expression))


ERRORS = {
    "torch.mm(x, x)": "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
    "torch.mm(x, x[0])": "mat2 must be a matrix",
    "torch.mm(x, x.t().double())": "expected m1 and m2 to have the same dtype, but got: float != double",
    "torch.mm(b[None], b[:, None])": '"addmm_impl_cpu_" not implemented for \'Bool\'',
    "torch.bmm(x[None], x[None])": (
        "Expected size for first two dimensions of batch2 tensor to be: [1, 3] but got: [1, 2]."
    ),
    "torch.bmm(x, x)": "batch1 must be a 3D tensor",
    "torch.addmm(torch.ones(3), x, x.t())": (
        "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dime"
    ),
    "torch.addmm(torch.ones(2).double(), x, x.t())": "self and mat2 must have the same dtype, but got Double and Float",
    "torch.dot(x, x)": "1D tensors expected, but got 2D and 2D tensors",
    "torch.dot(x[0], x[0, :2])": (
        "inconsistent tensor size, expected tensor [3] and src [2] to have the same number of eleme"
    ),
    "torch.dot(i, x[0])": "dot : expected both vectors to have same dtype, but found Long and Float",
    "torch.mv(x, x)": "vector + matrix @ vector expected, got 1, 2, 2",
    "torch.mv(x, x[0, :2])": "size mismatch, got input (2), mat (2x3), vec (2)",
    "torch.outer(x, x)": "outer: Expected 1-D argument self, but got 2-D",
    "torch.matmul(x, x)": "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
    "torch.matmul(s0, x)": "both arguments to matmul need to be at least 1D, but they are 0D and 2D",
    "torch.matmul(torch.ones(5, 2, 3), torch.ones(4, 3, 2))": (
        "The size of tensor a (5) must match the size of tensor b (4) at non-singleton dimension 0"
    ),
    "torch.matmul(b, b)": '"dot" not implemented for \'Bool\'',
    "torch.inner(x, torch.ones(2))": (
        "inner() the last dimension must match on both input tensors but got shapes [2, 3] and [2]"
    ),
    "linear(x, torch.ones(4, 2))": "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x4)",
    'torch.einsum("ij,jk", x, x)': (
        "einsum(): subscript j has size 2 for operand 1 which does not broadcast with previously se"
    ),
    'torch.einsum("ij->k", x)': "einsum(): output subscript k does not appear in the equation for any input operand",
    'torch.einsum("ijk->i", x)': (
        "einsum(): the number of subscripts in the equation (3) does not match the number of dimens"
    ),
    'torch.einsum("ij->ii", x)': "einsum(): output subscript i appears more than once in the output",
    'torch.einsum("ij,ij", x)': "einsum(): fewer operands were provided than specified in the equation",
    "torch.tensordot(x, x, dims=([1], [0]))": (
        "contracted dimensions need to match, but first has size 3 in dim 1 and second has size 2 i"
    ),
    "torch.tensordot(x, x, dims=3)": "tensordot expects dims < ndim_a or ndim_b, but got dims=3",
    "x @ x": "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
    "x.mm(3)": "mm(): argument 'mat2' (position",
    "torch.mm(x, x.t(), out=torch.zeros(2, 2, dtype=torch.double))": (
        "Expected out tensor to have dtype float, but got double instead"
    ),
    "torch.norm(i)": "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long",
    "torch.softmax(c, 0)": '"softmax_lastdim_kernel_impl" not implemented for \'ComplexFloat\'',
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


@pytest.mark.parametrize("dtype", ["int64", "float16", "bfloat16", "float32", "float64", "complex64"])
def test_products_of_every_dtype(oracle, dtype):
    def case(torch):
        a = (torch.arange(60) % 7).reshape(3, 4, 5).to(getattr(torch, dtype))
        b = (torch.arange(60) % 5).reshape(3, 4, 5).to(getattr(torch, dtype)).transpose(1, 2)
        c = torch.ones(4, 4, dtype=a.dtype)
        results = [a @ b, a[0] @ b[0], a @ b[0], a[0] @ b, a @ b[0, :, 0], a[0, 0] @ b, torch.bmm(a, b)]
        results += [torch.addmm(c, a[0], b[0], beta=2, alpha=3), torch.baddbmm(c, a, b, beta=2)]
        return results, torch.einsum("bij,bjk->ik", a, b), torch.tensordot(a, b, dims=([0, 2], [0, 1]))

    oracle.same(case)


CALLS = """
linear(x, w)
linear(x, w, torch.ones(4))
linear(y, w, torch.ones(4))
linear(x[0], w)
linear(x[0], w, torch.ones(4))
linear(y.transpose(0, 1), w, torch.ones(4))
torch.matmul(x, w.t())
torch.matmul(y, w.t())
torch.matmul(y, x[0])
torch.matmul(x[0], x[1])
torch.matmul(x[0], w.t())
torch.matmul(x, x[0])
torch.matmul(y, y.transpose(1, 2))
torch.matmul(x[0], y.transpose(1, 2))
torch.outer(x[0], x[1])
torch.inner(x, x)
torch.inner(x[0], x[0])
torch.tensordot(y, w, dims=([2], [1]))
torch.einsum("bij,bkj->bik", y, y)
torch.einsum("ij,kj->ik", x, w)
torch.einsum("ij->i", x)
torch.einsum("i,i->i", x[0], x[1])
torch.einsum("ij,kj,lj->ikl", x, w, w)
x.softmax(0)
x.square()
x.clip(0, 1)
x.norm()
torch.max(x, x)
1 - x
""".strip().splitlines()

# What upstream's kernels ask for to make their results, where ours have an array at once.
MACHINERY = "as_strided as_strided_ empty empty_strided fill_ copy_ to _to_copy result_type _reshape_alias".split()


def without_machinery(tree):
    """The tree less the lines of the machinery and what is below them, and less views below a reshape."""
    lines, hidden = [], None
    for line in tree.splitlines():
        depth = len(line) - len(line.lstrip())
        name = line.strip().removeprefix("aten::")
        if hidden is not None and depth > hidden:
            continue
        hidden = depth if name in MACHINERY or name in ("reshape", "transpose") else None
        if name not in MACHINERY:
            lines.append(line)
    return "\n".join(lines)


@pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")
@pytest.mark.parametrize("statement", CALLS)
def test_nested_calls(statement, monkeypatch):
    monkeypatch.setattr("tests.core.test_operator_calls.prepared", names)
    ours, theirs = our_calls(statement, monkeypatch), upstream_calls(statement)
    assert without_machinery(ours) == without_machinery(theirs)

"""Views: values, strides and offsets, shared memory and versions, and what cannot be a view."""

import random

import pytest

from tests.core.expressions import after, layout, names, shares_memory, value

COVERS = [
    "aten/src/ATen/native/TensorShape.cpp",
    "aten/src/ATen/InferSize.h",
    "aten/src/ATen/TensorUtils.h",
    "c10/core/WrapDimMinimal.h",
    "torch/functional.py",
    "torch/_tensor.py",
]

VIEWS = """
x.view(3, 8)
x.view(-1)
x.view((2, -1))
x.view(torch.Size([24]))
x.view(4, 1, 6, 1)
x.t().view(6, 2, 2)
x.t().view(6, 4)
x[:, :4].view(2, 2, 2, 2)
z.view(1, 1)
z.view(-1)
torch.empty(3, 0, 2).view(0, 6)
torch.empty(0).view(-1, 3)
x.view(torch.int32)
x.view(torch.int16)
x.view(torch.float64)
x.view(dtype=torch.uint8)
x.t().view(torch.int32)
z.view(torch.int32)
x.view_as(b.view(-1)[:24])
x.reshape(3, 8)
x.t().reshape(6, 2, 2)
x.flatten()
b.flatten(1)
b.flatten(start_dim=1)
b.flatten(0, 1)
z.flatten()
x.ravel()
x.unflatten(1, (2, -1))
x.unflatten(dim=1, sizes=(2, 3))
b.unflatten(-1, [5, 1])
x.transpose(0, 1)
x.transpose(-1, 0)
z.transpose(0, 0)
b.swapaxes(0, 2)
b.swapdims(0, 2)
x.t()
n.t()
z.t()
b.T
x.T
b.mT
x.permute(1, 0)
b.permute((2, 0, 1))
b.permute(-1, 0, -2)
b.movedim(0, 2)
b.movedim((0, 1), (2, 0))
b.moveaxis(-1, 0)
z.movedim((), ())
x.expand(2, 4, 6)
x.expand(2, -1, -1)
x.expand((1, 4, 6))
x.expand(1, 1, 4, 6)
x[:1].expand(5, -1)
x[:, :1].expand(4, 3)
x.t()[None].expand(2, 6, 4)
z.expand(3)
z.expand(1)
z.expand(2, 3)
n.expand(0, 4)
x.expand_as(b[:1, :, :1].expand(2, 4, 6))
n.broadcast_to(3, 4)
x.unsqueeze(0)
x.unsqueeze(1)
x.unsqueeze(-1)
x.unsqueeze(dim=2)
x.t().unsqueeze(0)
x.t().unsqueeze(1)
x.t().unsqueeze(2)
z.unsqueeze(0)
x[:, :1].squeeze()
x[:1, :1].squeeze()
x[:, :1].squeeze(1)
x[:, :1].squeeze(0)
x[:1, :1].squeeze((0, 1))
x[:1, :1].squeeze(dim=-1)
z.squeeze(0)
x.select(0, 1)
x.select(1, -1)
b.select(1, 2)
n.select(0, 3)
x.narrow(0, 1, 2)
x.narrow(1, -2, 1)
x.narrow(0, torch.tensor(1), 2)
x.narrow(0, 4, 0)
x.diagonal()
x.diagonal(1)
x.diagonal(-2)
b.diagonal(0, 0, 2)
b.diagonal(1, dim1=-1, dim2=-2)
x.unfold(1, 2, 2)
x.unfold(0, 3, 1)
b.unfold(-1, 2, 3)
z.unfold(0, 1, 1)
x.as_strided((2, 2), (1, 2), 3)
x[1].as_strided((2,), (1,))
x.as_strided((3, 3), (0, 1))
x.as_strided((), ())
x.split(3)
x.split(4, 1)
x.split([1, 3])
x.split(split_size=2, dim=-1)
torch.split(x, (2, 2))
x.split_with_sizes((1, 0, 3))
torch.empty(0, 2).split(0)
x.chunk(3)
x.chunk(9)
x.chunk(2, dim=1)
torch.empty(0, 2).chunk(3)
x.tensor_split(3)
x.tensor_split((1, 3))
x.tensor_split(torch.tensor([1, 3]), 1)
x.tensor_split(torch.tensor(2))
x.unbind()
b.unbind(1)
b.unbind(-1)
torch.empty(0, 2).unbind()
torch.broadcast_tensors(x, z, n[:, None])
torch.meshgrid(i, n, indexing="ij")
torch.meshgrid(i, n, indexing="xy")
torch.meshgrid([i, z.long()])
torch.atleast_1d(z)
torch.atleast_2d(n)
torch.atleast_3d(x)
torch.atleast_2d(z, n)
torch.ops.aten.alias(x)
""".strip().splitlines()


@pytest.mark.parametrize("expression", VIEWS)
def test_view(oracle, expression):
    def case(torch):
        result = value(torch, expression)
        return result, layout(result)

    oracle.same(case)


VIEWS_OF_X = [line for line in VIEWS if line.startswith("x.") and not line.startswith(("x.expand_as",))]


def test_views_share_the_memory_and_the_version(oracle):
    def case(torch):
        found = []
        for expression in VIEWS_OF_X:
            scope = names(torch)
            result = eval(expression, scope)
            result = result[0] if isinstance(result, tuple) else result
            scope["x"].add_(1)
            found.append((expression, shares_memory(result, scope["x"]), result._version, scope["x"]._version))
        return found

    oracle.same(case)


def test_a_write_through_a_view_is_seen_in_the_base(oracle):
    def case(torch):
        x = torch.zeros(4, 6)
        x.t()[1].fill_(1)
        x.view(2, 12)[1, ::5] = 2
        x.unfold(1, 2, 2)[0, 1].mul_(7)
        x.diagonal(2)[0] = 3
        return x, x._version

    oracle.same(case)


@pytest.mark.parametrize(
    "statement",
    [
        "x.t_()", "x.transpose_(0, 1)", "x.unsqueeze_(1)", "x.unsqueeze_(0).squeeze_()", "x.unsqueeze_(0).squeeze_(0)",
        "x.unsqueeze_(0).squeeze_((0,))", "x.as_strided_((2, 3), (1, 2), 1)",
    ],
)  # fmt: skip
def test_in_place(oracle, statement):
    def case(torch):
        x, version = after(
            torch, f"y = x.view(4, 6)\nr = {statement}\ny[0, 1] = 9", "(x, (r is x, x._version, y._version))"
        )
        return x, layout(x), version

    oracle.same(case)


@pytest.mark.parametrize("seed", range(40))
def test_which_shapes_are_views_of_which_strides(oracle, seed):
    """compute_stride: 50 random sizes, orders and holes for each seed."""

    def case(torch):
        draw, found = random.Random(seed), []
        for _ in range(50):
            sizes = [draw.choice((1, 2, 3, 4)) for _ in range(draw.randint(0, 4))]
            x = torch.zeros([size + draw.choice((0, 0, 1)) for size in sizes])
            for dim, size in enumerate(sizes):
                x = x.narrow(dim, 0, size)
            x = x.permute(draw.sample(range(len(sizes)), len(sizes)))
            rest, target = x.numel(), []
            while rest > 1 and draw.random() < 0.9:
                factor = draw.choice([k for k in range(1, rest + 1) if rest % k == 0])
                target.append(factor)
                rest //= factor
            target += [rest] if rest > 1 or draw.random() < 0.5 else []
            try:
                found.append((target, x.stride(), x.view(target).stride()))
            except RuntimeError:
                found.append((target, x.stride(), "no view", x.reshape(target).stride()))
        return found

    oracle.same(case)


COPIES = [
    "x.t().reshape(3, 8)",
    "x.t().flatten()",
    "x.t().ravel()",
    "b.permute(2, 0, 1).reshape(60)",
    "x[:, :5].reshape(-1)",
]


@pytest.mark.parametrize("expression", COPIES)
def test_reshape_copies_where_no_view_can_be(oracle, expression):
    def case(torch):
        scope = names(torch)
        result = eval(expression, scope)
        return result, layout(result), shares_memory(result, scope["x"]), shares_memory(result, scope["b"])

    oracle.same(case)


ERRORS = {
    "x.view(4)": "shape '[4]' is invalid for input of size 24",
    "x.view(5, -1)": "shape '[5, -1]' is invalid for input of size 24",
    "x.view(-1, -1)": "only one dimension can be inferred",
    "x.view(-2, 12)": "invalid shape dimension -2",
    "torch.empty(0).view(-1, 0)": "because the unspecified dimension size -1 can be any value and is ambiguous",
    "x.t().view(24)": "view size is not compatible with input tensor's size and stride",
    "x[:, :5].view(torch.float64)": "self.size(-1) must be divisible by 2",
    "x.t().view(torch.float64)": "self.stride(-1) must be 1",
    "z.view(torch.int16)": "self.dim() cannot be 0 to view Float as Short",
    "x.transpose(0, 2)": "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    "x.permute(0)": "is not equal to len(dims) = 1",
    "x.permute(0, 0)": "duplicate dims are not allowed",
    "b.t()": "t() expects a tensor with <= 2 dimensions, but self is 3D",
    "n.mT": "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.",
    "b.movedim((0, 1), (2, 2))": "movedim: repeated dim in `destination`",
    "b.movedim((0, 1), (2,))": "movedim: Invalid source or destination dims",
    "x.expand(-1, 4, 6)": "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0",
    "x.expand(4, 7)": "must match the existing size (6) at non-singleton dimension 1.  Target sizes: [4, 7].",
    "x.expand(6)": "the number of sizes provided (1) must be greater or equal to the number of dimensions in the",
    "x.unsqueeze(3)": "Dimension out of range (expected to be in range of [-3, 2], but got 3)",
    "x.squeeze(5)": "Dimension out of range",
    "x.select(2, 0)": "Dimension out of range",
    "x.select(0, 4)": "select(): index 4 out of range for tensor of size [4, 6] at dimension 0",
    "z.select(0, 0)": "select() cannot be applied to a 0-dim tensor.",
    "x.narrow(0, 3, 2)": "start (3) + length (2) exceeds dimension size (4).",
    "x.narrow(0, 5, 0)": "start out of range (expected to be in range of [-4, 4], but got 5)",
    "x.narrow(0, 0, -1)": "narrow(): length must be non-negative.",
    "z.narrow(0, 0, 1)": "narrow() cannot be applied to a 0-dim tensor.",
    "x.diagonal(0, 0, 0)": "diagonal dimensions cannot be identical",
    "x.unfold(1, 7, 1)": "maximum size for tensor at dimension 1 is 6 but size is 7",
    "x.unfold(1, 2, 0)": "step is 0 but must be > 0",
    "x.as_strided((9, 9), (9, 9))": "are out of bounds for storage of size 96",
    "x.as_strided((2,), (-1,))": "Negative strides are not supported",
    "x.as_strided((2,), (1, 2))": "mismatch in length of strides and shape",
    "x.flatten(1, 0)": "flatten() has invalid args: start_dim cannot come after end_dim",
    "x.unflatten(1, (2, 2))": "don't multiply up to the size of dim 1 (6) in the input tensor",
    "x.unflatten(1, ())": "unflatten: sizes must be non-empty",
    "x.split([1, 2])": "split_with_sizes expects split_sizes to sum exactly to 4",
    "x.split([-1, 5])": "split_with_sizes expects split_sizes have only non-negative entries",
    "x.split(-1)": "split expects split_size be non-negative, but got split_size=-1",
    "x.split(0)": "split_size can only be 0 if dimension size is 0",
    "z.split(1)": "split expects at least a 1-dimensional tensor",
    "x.chunk(0)": "chunk expects `chunks` to be greater than 0, got: 0",
    "z.chunk(1)": "chunk expects at least a 1-dimensional tensor",
    "x.tensor_split(0)": "number of sections must be larger than 0, got 0",
    "z.unbind()": "Dimension specified as 0 but tensor has no dimensions",
    "torch.meshgrid(i, z)": "meshgrid expects all tensors to have the same dtype",
    "torch.broadcast_tensors(x, n)": "The size of tensor a (6) must match the size of tensor b (4)",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


def test_broadcast_shapes(oracle):
    oracle.same(lambda torch: torch.broadcast_shapes((3, 1), (2,), 1))
    oracle.same_error(lambda torch: torch.broadcast_shapes((3,), (2,)), "broadcast")

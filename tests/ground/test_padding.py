"""pad in its four modes, the operators under it, and their backward operators."""

import pytest

from tests.ground.test_convolution import ramp

COVERS = [
    "aten/src/ATen/native/PadNd.cpp",
    "aten/src/ATen/native/ReflectionPad.cpp",
    "aten/src/ATen/native/ReplicationPadding.cpp",
]


def pad(torch, *args, **keywords):
    return torch.ops.aten.pad(*args, **keywords)


CONSTANT = [(1, 2), (0, 0), (1, -1), (-1, 2, 3, 0), (-1, -1, -2, 0), (0, 0, 1, 0, 0, 2), (1, 1, 1, 1, 1, 1, 0, 1)]


@pytest.mark.parametrize("padding", CONSTANT)
def test_constant(oracle, padding):
    def case(torch):
        x = ramp(torch, 2, 3, 4, 5)
        results = [
            pad(torch, x, padding), pad(torch, x, padding, value=2.5), pad(torch, x.long(), padding),
            torch.constant_pad_nd(x.transpose(2, 3), padding, 1), torch.constant_pad_nd(x > 0, padding, True),
        ]  # fmt: skip
        return results, [result.stride() for result in results]

    oracle.same(case)


def test_constant_of_other_shapes(oracle):
    def case(torch):
        x = ramp(torch, 4)
        return pad(torch, x, (1, 2)), pad(torch, x[:0], (1, 2)), pad(torch, x[0], ()), pad(torch, x, (-2, -2))

    oracle.same(case)


MODES = ["reflect", "replicate", "circular"]
SHAPES = {
    "1d": ((2, 3, 5), [(1, 2), (4, 0), (-1, 2), (-2, -1)]),
    "1d, no batch": ((3, 5), [(1, 2)]),
    "2d": ((2, 3, 4, 5), [(1, 2, 3, 0), (-1, 4, 2, -1), (0, 0, 0, 0)]),
    "2d, no batch": ((3, 4, 5), [(1, 2, 3, 0)]),
    "3d": ((1, 2, 3, 4, 5), [(1, 2, 3, 0, 1, 2), (-1, 1, 0, -2, 2, 0)]),
    "empty batch": ((0, 3, 4, 5), [(1, 2, 3, 0)]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mode", MODES)
def test_modes(oracle, mode, shape):
    def case(torch):
        sizes, paddings = SHAPES[shape]
        x = ramp(torch, *sizes)
        results = [pad(torch, x, padding, mode) for padding in paddings]
        results += [pad(torch, x.transpose(-1, -2), paddings[0][:2] * (len(paddings[0]) // 2), mode)]
        return results, [result.stride() for result in results]

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "bfloat16", "float64", "complex64"])
def test_dtypes(oracle, dtype):
    def case(torch):
        x = torch.arange(24).reshape(1, 2, 3, 4).to(getattr(torch, dtype))
        return [pad(torch, x, (1, 2, 2, 1), mode) for mode in ("constant", *MODES)]

    oracle.same(case)


@pytest.mark.parametrize("shape", [name for name in SHAPES if "empty" not in name])
@pytest.mark.parametrize("kind", ["reflection", "replication"])
def test_backward(oracle, kind, shape):
    def case(torch):
        sizes, paddings = SHAPES[shape]
        x = ramp(torch, *sizes)
        name = f"{kind}_pad{len(paddings[0]) // 2}d"
        forward, backward = getattr(torch.ops.aten, name), getattr(torch.ops.aten, f"{name}_backward")
        return [backward(ramp(torch, *forward(x, padding).shape), x, padding) for padding in map(list, paddings)]

    oracle.same(case)


def test_replicating_more_than_the_size(oracle):
    def case(torch):
        x = ramp(torch, 1, 2, 3)
        grad = ramp(torch, 1, 2, 14)
        return pad(torch, x, (7, 4), "replicate"), torch.ops.aten.replication_pad1d_backward(grad, x, [7, 4])

    oracle.same(case)


ERRORS = {
    "pad(x, (1,))": "Padding length must be divisible by 2",
    "pad(x, (1,) * 10)": "Padding length should be less than or equal to two times the input dimension but got padding",
    "pad(x, (-9, 0))": "narrow(): length must be non-negative",
    "pad(x, (-5, -5))": "narrow(): length must be non-negative",
    "pad(x, (1, 1), 'reflect')": "Padding size 2 is not supported for 4D input tensor",
    "pad(x, (1, 1), 'circular')": "Padding size 2 is not supported for 4D input tensor",
    "pad(x[0, 0], (1, 1, 1, 1), 'replicate')": "Padding size 4 is not supported for 2D input tensor",
    "pad(x, (8, 8, 8, 8), 'reflect')": "Argument #4: Padding size should be less than the corresponding input dimensi",
    "pad(x, (1, 1, 1, 8), 'reflect')": "got: padding (1, 8) at dimension 2 of input [2, 4, 8, 8]",
    "pad(x[0], (9, 0), 'reflect')": "Padding size should be less than the corresponding input dimension, but got: pad",
    "pad(x, (9, 1, 1, 1), 'circular')": "Padding value causes wrapping around more than once",
    "pad(x, (-9, 0, 1, 1), 'circular')": "Negative padding value is resulting in an empty dimension",
    "pad(x, (1, 1, 1, 1), 'mirror')": "Unrecognised padding mode mirror",
    "pad(x, (1, 1, 1, 1), 'reflect', 1.0)": "Padding mode \"reflect\" doesn't take in value argument",
    "pad(x.bool(), (1, 1, 1, 1), 'reflect')": "\"reflection_pad2d\" not implemented for 'Bool'",
    "pad(x.bool(), (1, 1, 1, 1), 'replicate')": "\"replication_pad2d\" not implemented for 'Bool'",
    "pad(x[:, :, :0], (1, 1, 1, 1), 'reflect')": "with possibly 0 batch size and other non-zero dimensions for input,",
    "pad(x[:, :, :0], (1, 1, 1, 1), 'replicate')": "with possibly 0 batch size and other non-zero dimensions for inpu",
    "torch.constant_pad_nd(x, (1,))": "Length of pad must be even but instead it equals 1",
    "torch.constant_pad_nd(x, (1,) * 10)": "Length of pad should be no more than twice the number of dimensions",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    def case(torch):
        return eval(expression, {"torch": torch, "pad": torch.ops.aten.pad, "x": ramp(torch, 2, 4, 8, 8)})

    oracle.same_error(case, ERRORS[expression])


def test_functional(oracle):
    def case(torch):
        F, x = torch.nn.functional, ramp(torch, 2, 3, 4, 5)
        return (
            F.pad(x, (1, 2)),
            F.pad(x, (1, 2), "constant", 3.5),
            F.pad(x, (1, 2, 3, 0), mode="reflect"),
            F.pad(x, (1, 2, 3, 0), "replicate"),
            F.pad(x, (1, 2, 3, 0), "circular"),
            F.pad(x[0, 0, 0], (1, 2), value=1),
        )

    oracle.same(case)

"""Activations and their backward operators, beside upstream's."""

import pytest

COVERS = ["aten/src/ATen/native/Activation.cpp", "aten/src/ATen/native/SoftMax.cpp"]

DTYPES = ["float32", "float64", "bfloat16", "float16"]

# name -> further arguments, one case each
FORWARD = {
    "relu": [()],
    "relu6": [()],
    "threshold": [(0.1, 20.0), (-0.5, -3)],
    "leaky_relu": [(), (0.2,)],
    "hardtanh": [(), (-0.5, 0.25)],
    "hardsigmoid": [()],
    "hardswish": [()],
    "hardshrink": [(), (0.2,)],
    "softshrink": [(), (0.2,)],
    "elu": [(), (1.5,), (0.5, 2.0, 0.7)],
    "selu": [()],
    "celu": [(), (2.0,)],
    "gelu": [()],
    "silu": [()],
    "mish": [()],
    "softplus": [(), (2.0, 3.0)],
    "log_sigmoid": [()],
    "glu": [(), (0,), (1,)],
}
IN_PLACE = (
    "relu", "relu6", "threshold", "leaky_relu", "hardtanh", "hardsigmoid", "hardswish", "elu", "selu", "celu", "gelu",
    "silu", "mish",
)  # fmt: skip

# backward operator -> arguments after the gradient and self
BACKWARD = {
    "threshold_backward": [(0,), (0.3,)],
    "leaky_relu_backward": [(0.1, False), (0.2, True)],
    "hardtanh_backward": [(-1, 1), (-0.5, 2)],
    "hardsigmoid_backward": [()],
    "hardswish_backward": [()],
    "hardshrink_backward": [(0.5,)],
    "softshrink_backward": [(0.5,)],
    "gelu_backward": [()],
    "silu_backward": [()],
    "mish_backward": [()],
    "softplus_backward": [(1, 20), (2.0, 3.0)],
    "sigmoid_backward": [()],
    "tanh_backward": [()],
}


def sample(torch, dtype, shape=(4, 6)):
    """Numbers on both sides of every limit, and the limits themselves."""
    count = 1
    for size in shape:
        count *= size
    values = torch.arange(count, dtype=torch.float64) * 0.37 % 9 - 4.5
    limits = torch.tensor([0.0, 0.5, -0.5, 3.0, -3.0, 6.0, 1.0, -1.0], dtype=torch.float64)
    values = torch.cat([limits, values])[:count]
    return values.reshape(shape).to(getattr(torch, dtype))


def tolerance(dtype):
    return {"float16": 2e-3, "bfloat16": 2e-2}.get(dtype, 2e-5 if dtype == "float32" else 1e-9)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FORWARD)
def test_forward(oracle, name, dtype):
    def case(torch):
        x = sample(torch, dtype)
        function = getattr(torch.ops.aten, name)
        results = [function(x, *arguments) for arguments in FORWARD[name]]
        transposed = function(x.t().contiguous().t(), *FORWARD[name][0])
        strided = function(x[:, ::3], *FORWARD[name][0])
        return results, transposed, transposed.stride(), strided

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_and_out(oracle, name):
    def case(torch):
        x = sample(torch, "float32")
        y = x.clone()
        same = getattr(torch.ops.aten, name + "_")(y, *FORWARD[name][-1]) is y
        out = None
        if name not in ("relu", "relu6", "selu", "celu"):
            out = torch.empty(0)
            getattr(torch.ops.aten, name).out(x, *FORWARD[name][-1], out=out)
        return same, y, out

    oracle.same(case, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", FORWARD)
def test_odd_shapes_and_special_values(oracle, name):
    def case(torch):
        function = getattr(torch.ops.aten, name)
        special = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0])
        if name == "glu":
            return function(torch.empty(0, 2)), function(special)
        arguments = FORWARD[name][0]
        number = torch.tensor(1.5)
        return [function(x, *arguments) for x in (torch.empty(0, 2), number, special)]

    oracle.same(case, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BACKWARD)
def test_backward(oracle, name, dtype):
    def case(torch):
        x = sample(torch, dtype)
        grad = sample(torch, dtype).flip(0, 1) + 0.3
        function = getattr(torch.ops.aten, name)
        return [function(grad, x, *arguments) for arguments in BACKWARD[name]]

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gelu_by_tanh(oracle, dtype):
    def case(torch):
        x = sample(torch, dtype)
        grad = sample(torch, dtype).flip(0)
        return (
            torch.ops.aten.gelu(x, approximate="tanh"),
            torch.ops.aten.gelu_backward(grad, x, approximate="tanh"),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elu_backward(oracle, dtype):
    def case(torch):
        x = sample(torch, dtype)
        grad = sample(torch, dtype).flip(0)
        result = torch.ops.aten.elu(x, 1.5, 1.2, 0.7)
        backward = torch.ops.aten.elu_backward
        return backward(grad, 1.5, 1.2, 0.7, False, x), backward(grad, 1.5, 1.2, 0.7, True, result)

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_log_sigmoid_and_glu_backward(oracle, dtype):
    def case(torch):
        x = sample(torch, dtype)
        grad = sample(torch, dtype).flip(0)
        output, buffer = torch.ops.aten.log_sigmoid_forward(x)
        return (
            output,
            buffer,
            torch.ops.aten.log_sigmoid_backward(grad, x, buffer),
            torch.ops.aten.glu_backward(grad[:, :3], x, 1),
            torch.ops.aten.glu_backward(grad[:2], x, 0),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=1e-4 if "16" in dtype else 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_prelu(oracle, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        x = sample(torch, dtype, (2, 3, 4))
        weight = torch.tensor([0.25, 0.5, -1.0], dtype=kind)
        broadcast = weight.reshape(1, 3, 1)
        return (
            torch.prelu(x, weight),
            torch.prelu(x, weight[:1]),
            torch.prelu(x[0, :, 0], weight[:1]),
            torch.prelu(torch.tensor(-2.0, dtype=kind), weight[1]),
            torch.ops.aten._prelu_kernel_backward(x.flip(0), x, broadcast),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_rrelu(oracle, dtype):
    def case(torch):
        x = sample(torch, dtype)
        noise = torch.empty_like(x)
        torch.manual_seed(4)
        trained = torch.ops.aten.rrelu_with_noise(x, noise, 0.1, 0.3, True)
        again = torch.rrelu(x, 0.2, 0.4, True)
        backward = torch.ops.aten.rrelu_with_noise_backward
        in_place = torch.rrelu_(x.clone(), 0.2, 0.4, True)
        return (
            trained,
            noise,
            again,
            in_place,
            torch.rrelu(x),
            backward(x.flip(0), x, noise, 0.1, 0.3, True, False),
            backward(x.flip(0), x, noise, 0.1, 0.3, False, False),
        )

    oracle.same(case, rtol=tolerance(dtype), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_backward(oracle, name, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        results = []
        for shape, dim in (((4, 6), 1), ((4, 6), 0), ((2, 3, 4), -2), ((), 0), ((0, 3), 1)):
            x = sample(torch, dtype, shape)
            output = getattr(torch, name)(x, dim)
            grad = (x * 0.5 + 0.25).to(kind)
            results.append(getattr(torch.ops.aten, f"_{name}_backward_data")(grad, output, dim, kind))
        return results

    oracle.same(case, rtol=tolerance(dtype), atol=1e-2 if "16" in dtype and dtype != "float64" else 1e-5)


ERRORS = [
    ("torch.relu(torch.tensor([True]))", "Boolean inputs not supported for relu"),
    ("torch.ops.aten.hardtanh(torch.tensor([True]))", "Bool inputs not supported for hardtanh"),
    ("torch.ops.aten.hardtanh(torch.tensor([1], dtype=torch.uint8))", "with negative limits"),
    ("torch.ops.aten.leaky_relu(torch.tensor([1]))", "not implemented for 'Long'"),
    ("torch.ops.aten.gelu(torch.ones(2), approximate='erf')", "approximate argument must be either none or tanh"),
    ("torch.ops.aten.softshrink(torch.ones(2), -1.0)", "lambda must be in range [0, 3.40282e+38] for input"),
    ("torch.celu(torch.ones(2), alpha=0)", "alpha cannot be 0 for CELU"),
    ("torch.prelu(torch.ones(2, 3), torch.ones(2))", "Mismatch of parameter numbers and input channel size"),
    ("torch.prelu(torch.ones(2, 3).double(), torch.ones(3))", "Type promoting not supported"),
    ("torch.prelu(torch.tensor(1.0), torch.ones(3))", "Not allow zero-dim input tensor"),
    ("torch.ops.aten.glu(torch.ones(3))", "Halving dimension must be even, but dimension 0 is size 3"),
    ("torch.ops.aten.glu(torch.tensor(1.0))", "glu does not support 0-dimensional tensors"),
    ("torch.rrelu(torch.ones(2), 0.5, 0.1)", "Lower bound should be less than or equal to the upper bound"),
    ("torch.ops.aten.leaky_relu_backward(torch.ones(2), torch.ones(2), -1.0, True)", "negative slope"),
    ("torch.ops.aten.elu_backward(torch.ones(2), -1.0, 1, 1, True, torch.ones(2))", "negative slope"),
]


@pytest.mark.parametrize(("expression", "phrase"), ERRORS)
def test_errors(oracle, expression, phrase):
    def case(torch):
        return eval(expression, {"torch": torch})

    oracle.same_error(case, phrase)

"""Poolings: forward, indices, backward operators, errors."""

import pytest

from tests.ground.test_convolution import ramp

COVERS = [
    "aten/src/ATen/native/Pool.h",
    "aten/src/ATen/native/Pooling.cpp",
    "aten/src/ATen/native/MaxPooling.cpp",
    "aten/src/ATen/native/DilatedMaxPool2d.cpp",
    "aten/src/ATen/native/DilatedMaxPool3d.cpp",
    "aten/src/ATen/native/AveragePool2d.cpp",
    "aten/src/ATen/native/AveragePool3d.cpp",
    "aten/src/ATen/native/AdaptivePooling.h",
    "aten/src/ATen/native/AdaptiveAveragePooling.cpp",
    "aten/src/ATen/native/AdaptiveAveragePooling3d.cpp",
    "aten/src/ATen/native/AdaptiveMaxPooling2d.cpp",
    "aten/src/ATen/native/AdaptiveMaxPooling3d.cpp",
]

# sizes; kernel, stride, padding, dilation, ceil_mode
MAX = {
    "1d": ((2, 3, 9), (2, [], 0, 1, False)),
    "1d, overlapping, padded": ((2, 3, 9), (3, 2, 1, 1, False)),
    "1d, dilated, ceil": ((3, 10), (3, 2, 1, 2, True)),
    "2d": ((2, 3, 6, 8), (2, [], 0, 1, False)),
    "2d, no batch": ((3, 6, 8), (2, [], 0, 1, False)),
    "2d, odd size": ((2, 3, 7, 9), (2, [], 0, 1, False)),
    "2d, ceil": ((2, 3, 7, 9), (2, 2, 0, 1, True)),
    "2d, overlapping, padded": ((2, 3, 7, 8), (3, 2, 1, 1, False)),
    "2d, uneven": ((2, 3, 7, 8), ((3, 2), (1, 2), (1, 0), (2, 1), True)),
    "2d, gaps": ((2, 3, 9, 9), (2, 3, 1, 1, False)),
    "2d, stride 1": ((1, 2, 5, 6), (3, 1, 1, 1, False)),
    "2d, ceil, last window in the padding": ((1, 1, 4, 4), (2, 3, 1, 1, True)),
    "2d, large window": ((1, 2, 13, 14), (12, 1, 0, 1, False)),
    "2d, empty batch": ((0, 3, 6, 8), (2, [], 0, 1, False)),
    "3d": ((2, 3, 4, 6, 5), (2, [], 0, 1, False)),
    "3d, overlapping, padded": ((2, 4, 6, 5), (3, (1, 2, 2), 1, 1, True)),
}


def dims_of(name):
    return int(name[0])


@pytest.mark.parametrize("name", MAX)
def test_max(oracle, name):
    def case(torch):
        sizes, numbers = MAX[name]
        x = ramp(torch, *sizes)
        dims = dims_of(name)
        values = getattr(torch, f"max_pool{dims}d")(x, *numbers)
        with_indices = getattr(torch.ops.aten, f"max_pool{dims}d_with_indices")
        numbers = [[number] * dims if isinstance(number, int) and number is not False else number for number in numbers]
        numbers[-1] = MAX[name][1][-1]
        return values, with_indices(x, *numbers), values.stride(), with_indices(-x, *numbers)

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64", "float16", "bfloat16", "float64"])
def test_max_dtypes(oracle, dtype):
    def case(torch):
        x = (ramp(torch, 1, 2, 7, 9) * 50).to(getattr(torch, dtype))
        return torch.ops.aten.max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1])

    oracle.same(case)


def test_max_of_nan_and_infinity(oracle):
    def case(torch):
        x = ramp(torch, 1, 1, 6, 6)
        x[0, 0, 0, 1] = x[0, 0, 1, 0] = x[0, 0, 4, 4] = float("nan")
        low = torch.full((1, 1, 4, 4), -float("inf"))
        return [
            torch.ops.aten.max_pool2d_with_indices(y, kernel, stride, padding)
            for y in (x, low)
            for kernel, stride, padding in (([2, 2], [2, 2], [0, 0]), ([3, 3], [1, 1], [1, 1]))
        ] + [torch.max_pool1d(x[0, 0], 2), torch.ops.aten.adaptive_max_pool2d(x, [2, 4])]

    oracle.same(case)


def with_lists(torch, name, table):
    """The operator's arguments with a list for each number."""
    sizes, numbers = table[name]
    dims = dims_of(name)
    numbers = list(numbers)
    for position, number in enumerate(numbers):
        if type(number) is int and position < (4 if table is MAX else 3):
            numbers[position] = [number] * dims
    if numbers[1] == []:
        numbers[1] = numbers[0]
    return ramp(torch, *sizes), [list(number) if isinstance(number, tuple) else number for number in numbers]


@pytest.mark.parametrize("name", [name for name in MAX if "1d" not in name])
def test_max_backward(oracle, name):
    def case(torch):
        x, numbers = with_lists(torch, name, MAX)
        forward = getattr(torch.ops.aten, f"max_pool{dims_of(name)}d_with_indices")
        backward = getattr(torch.ops.aten, f"max_pool{dims_of(name)}d_with_indices_backward")
        output, indices = forward(x, *numbers)
        result = backward(ramp(torch, *output.shape), x, *numbers, indices)
        return result, result.stride()

    oracle.same(case)


# sizes; kernel, stride, padding, ceil_mode, count_include_pad, divisor_override
AVERAGE = {
    "1d": ((2, 3, 9), (2, [], 0, False, True)),
    "1d, padded, ceil": ((3, 10), (3, 2, 1, True, False)),
    "2d": ((2, 3, 6, 8), (2, [], 0, False, True, None)),
    "2d, no batch": ((3, 6, 8), (2, [], 0, False, True, None)),
    "2d, padded": ((2, 3, 7, 8), (3, 2, 1, False, True, None)),
    "2d, padded, not counted": ((2, 3, 7, 8), (3, 2, 1, False, False, None)),
    "2d, ceil": ((2, 3, 7, 8), (3, 2, 1, True, True, None)),
    "2d, ceil, padding not counted": ((2, 3, 8, 8), (3, 2, 1, True, False, None)),
    "2d, divisor": ((2, 3, 7, 8), (3, 2, 1, True, False, 5)),
    "2d, uneven": ((2, 3, 7, 8), ((3, 2), (1, 3), (1, 0), True, False, None)),
    "2d, gaps": ((1, 2, 9, 9), (2, 3, 1, True, True, None)),
    "2d, empty batch": ((0, 3, 6, 8), (2, [], 0, False, True, None)),
    "3d": ((2, 3, 4, 6, 5), (2, [], 0, False, True, None)),
    "3d, padded, ceil": ((2, 4, 6, 5), (3, (1, 2, 2), 1, True, False, None)),
    "3d, divisor": ((2, 4, 6, 5), (2, 2, 1, True, True, 3)),
}


@pytest.mark.parametrize("name", AVERAGE)
def test_average(oracle, name):
    def case(torch):
        sizes, numbers = AVERAGE[name]
        dims = dims_of(name)
        pool = torch.avg_pool1d if dims == 1 else getattr(torch.ops.aten, f"avg_pool{dims}d")
        x, lists = with_lists(torch, name, AVERAGE)
        result = pool(x, *lists)
        return result, result.stride()

    oracle.same(case)


@pytest.mark.parametrize("name", [name for name in AVERAGE if "1d" not in name])
def test_average_backward(oracle, name):
    def case(torch):
        x, numbers = with_lists(torch, name, AVERAGE)
        forward = getattr(torch.ops.aten, f"avg_pool{dims_of(name)}d")
        backward = getattr(torch.ops.aten, f"avg_pool{dims_of(name)}d_backward")
        result = backward(ramp(torch, *forward(x, *numbers).shape), x, *numbers)
        return result, result.stride()

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["int64", "float16", "bfloat16", "float64"])
def test_average_dtypes(oracle, dtype):
    def case(torch):
        x = (ramp(torch, 1, 2, 7, 9) * 50).to(getattr(torch, dtype))
        results = [torch.ops.aten.avg_pool2d(x, [3, 3], [2, 2], [1, 1])]
        if x.is_floating_point():
            results.append(torch.ops.aten._adaptive_avg_pool2d(x, [3, 4]))
            numbers = ([3, 3], [2, 2], [1, 1])
            grad = ramp(torch, 1, 2, 4, 5).to(x.dtype)
            _, indices = torch.ops.aten.max_pool2d_with_indices(x, *numbers)
            results += [
                torch.ops.aten.avg_pool2d_backward(grad, x, *numbers, False, True, None),
                torch.ops.aten.max_pool2d_with_indices_backward(grad, x, *numbers, [1, 1], False, indices),
                torch.ops.aten._adaptive_avg_pool2d_backward(grad, x),
            ]
        return results

    oracle.same(case)


def test_average_of_infinity_stays_in_its_window(oracle):
    def case(torch):
        x = ramp(torch, 1, 1, 6, 7)
        x[0, 0, 0, 1] = float("inf")
        x[0, 0, 4, 4] = float("nan")
        return torch.ops.aten.avg_pool2d(x, [3, 3], [2, 2], [1, 1]), torch.ops.aten._adaptive_avg_pool2d(x, [4, 3])

    oracle.same(case)


ADAPTIVE = {
    "1d": ((2, 3, 9), 4),
    "1d, no batch": ((3, 9), 2),
    "2d": ((2, 3, 6, 8), (3, 4)),
    "2d, sizes that do not divide": ((2, 3, 7, 10), (3, 4)),
    "2d, no batch, one number": ((3, 7, 10), (3, 3)),
    "2d, more windows than elements": ((2, 3, 4, 3), (6, 7)),
    "2d, one window": ((2, 3, 4, 3), (1, 1)),
    "2d, one row": ((2, 3, 4, 3), (1, 2)),
    "2d, no window": ((2, 3, 4, 3), (0, 2)),
    "2d, empty batch": ((0, 3, 4, 3), (2, 2)),
    "3d": ((2, 3, 5, 6, 7), (2, 3, 4)),
    "3d, one window": ((3, 5, 6, 7), (1, 1, 1)),
}


@pytest.mark.parametrize("name", ADAPTIVE)
def test_adaptive(oracle, name):
    def case(torch):
        sizes, output_size = ADAPTIVE[name]
        x = ramp(torch, *sizes)
        aten, dims = torch.ops.aten, dims_of(name)
        size = [output_size] if isinstance(output_size, int) else output_size
        average = getattr(aten, f"adaptive_avg_pool{dims}d")(x, size)
        maximum, indices = getattr(aten, f"adaptive_max_pool{dims}d")(x, size)
        return average, average.stride(), maximum, indices, maximum.stride()

    oracle.same(case)


@pytest.mark.parametrize("name", [name for name in ADAPTIVE if "1d" not in name and "no window" not in name])
def test_adaptive_backward(oracle, name):
    def case(torch):
        sizes, output_size = ADAPTIVE[name]
        x = ramp(torch, *sizes)
        aten, dims = torch.ops.aten, dims_of(name)
        maximum, indices = getattr(aten, f"adaptive_max_pool{dims}d")(x, output_size)
        grad = ramp(torch, *maximum.shape)
        return (
            getattr(aten, f"_adaptive_avg_pool{dims}d_backward")(grad, x),
            getattr(aten, f"adaptive_max_pool{dims}d_backward")(grad, x, indices),
        )

    oracle.same(case)


def test_operands_that_are_not_contiguous(oracle):
    def case(torch):
        x = ramp(torch, 8, 6, 3, 2).permute(3, 2, 1, 0)
        aten = torch.ops.aten
        return (
            aten.max_pool2d_with_indices(x, [3, 2], [2, 1], [1, 1]),
            aten.avg_pool2d(x[..., ::2, :], [2, 2]),
            aten.adaptive_avg_pool2d(x, [2, 3]),
            aten.adaptive_max_pool2d(x, [2, 3]),
        )

    oracle.same(case)


ERRORS = {
    "aten.max_pool2d(x[0, 0], 2)": "non-empty 3D or 4D (batch mode) tensor expected for input",
    "aten.max_pool2d(x, 9)": "Given input size: (4x8x8). Calculated output size: (4x0x0). Output size is too small",
    "aten.max_pool2d(x, 2, 2, 2)": "pad should be at most half of effective kernel size, but got pad=2, kernel_size=2",
    "aten.max_pool2d(x, 2, 2, -1)": "pad must be non-negative, but got pad: -1",
    "aten.max_pool2d(x, (2, 2, 2))": "max_pool2d: kernel_size must either be a single int, or a tuple of two ints",
    "aten.max_pool2d(x, 2, (1, 1, 1))": "max_pool2d: stride must either be omitted, a single int, or a tuple of two in",
    "aten.max_pool2d(x, 2, 2, 0, (1, 1, 1))": "max_pool2d: dilation must be either a single int, or a tuple of two i",
    "aten.max_pool2d(x, 0)": "stride should not be zero",
    "aten.max_pool2d(x, 0, 1)": "kernel size should be greater than zero, but got kH: 0 kW: 0",
    "aten.max_pool2d(x, 2, -1)": "stride should be greater than zero, but got dH: -1 dW: -1",
    "aten.max_pool2d(x, 2, 2, 0, 0)": "dilation should be greater than zero, but got dilationH: 0 dilationW: 0",
    "aten.max_pool2d(x[:, :0], 2)": "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, ",
    "aten.max_pool2d(x.bool(), 2)": "\"max_pool2d\" not implemented for 'Bool'",
    "aten.max_pool3d(x[0], 2)": "non-empty 4D or 5D (batch mode) tensor expected for input",
    "aten.max_pool3d(y, 9)": "Given input size: (3x5x6x7). Calculated output size: (3x0x0x0). Output size is too smal",
    "aten.max_pool3d(y, (2, 2))": "max_pool3d: kernel_size must either be a single int, or a tuple of three ints",
    "aten.max_pool3d(y[:, :0], 2)": "Expected input's non-batch dimensions to have positive length, but input has a s",
    "torch.max_pool1d(x, 2)": "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for in",
    "torch.max_pool1d(x[0], 9)": "max_pool1d() Invalid computed output size: 0",
    "torch.max_pool1d(x[0], 2, 2, 2)": "max_pool1d() padding should be at most half of kernel size, but got padding=2",
    "torch.max_pool1d(x[0], 0)": "max_pool1d() kernel_size must be greater than zero, but got 0",
    "torch.max_pool1d(x[0], 2, 0)": "max_pool1d() stride must be greater than zero, but got 0",
    "torch.max_pool1d(x[0], (2, 2))": "kernel_size must be an int, list of ints or tuple of ints of size 1 but got si",
    "torch.max_pool1d(x[0].long(), 2)": "\"max_pool1d_impl\" not implemented for 'Long'",
    "torch.max_pool1d_with_indices(x, 2)": "Expected 2 to 3 dimensions, but got 4-dimensional tensor for argument #1",
    "aten.avg_pool2d(x, 9)": "Given input size: (4x8x8). Calculated output size: (4x0x0). Output size is too small",
    "aten.avg_pool2d(x, 2, 2, 2)": "pad should be at most half of effective kernel size, but got pad=2, kernel_size=2",
    "aten.avg_pool2d(x, 2, divisor_override=0)": "divisor must be not zero",
    "aten.avg_pool2d(x.int(), 2)": "\"avg_pool2d\" not implemented for 'Int'",
    "aten.avg_pool2d(x, (2, 2, 2))": "avg_pool2d: kernel_size must either be a single int, or a tuple of two ints",
    "aten.avg_pool2d(x[0, 0], 2)": "Dimension out of range (expected to be in range of [-2, 1], but got -3)",
    "aten.avg_pool3d(x[0, 0], 2)": "non-empty 4D or 5D (batch mode) tensor expected for input",
    "aten.avg_pool3d(y, 9)": "input image (T: 5 H: 6 W: 7) smaller than kernel size (kT: 9 kH: 9 kW: 9)",
    "aten.avg_pool3d(y, (2, 2))": "avg_pool3d: kernel_size must be a single int, or a tuple of three ints",
    "aten.avg_pool3d(y.int(), 2)": "\"avg_pool3d_out_frame\" not implemented for 'Int'",
    "torch.avg_pool1d(x, 2)": "Expected 2 to 3 dimensions, but got 4-dimensional tensor for argument #1 'self' (while ",
    "torch.avg_pool1d(x[0], (2, 2))": "avg_pool1d() argument 'kernel_size' should contain one int (got 2)",
    "aten.adaptive_avg_pool2d(x[0, 0], (2, 2))": "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [8, 8]",
    "aten.adaptive_avg_pool2d(x, (2, 2, 2))": "adaptive_avg_pool2d: output_size must be 2",
    "aten.adaptive_avg_pool2d(x, (-1, -1))": "elements of output_size must be greater than or equal to 0 but received",
    "aten.adaptive_avg_pool2d(x.long(), (2, 2))": "\"adaptive_avg_pool2d\" not implemented for 'Long'",
    "aten.adaptive_avg_pool2d(x[:, :, :0], (2, 2))": "Expected input to have non-zero size for non-batch dimensions, ",
    "aten.adaptive_avg_pool3d(y[0, 0], (2, 2, 2))": "adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got [5, 6, ",
    "torch.adaptive_avg_pool1d(x, 2)": "Expected 2 to 3 dimensions, but got 4-dimensional tensor for argument #1",
    "torch.adaptive_avg_pool1d(x[0], (2, 2))": "adaptive_avg_pool1d() argument 'output_size' should contain one int",
    "aten.adaptive_max_pool2d(x[0, 0], (2, 2))": "adaptive_max_pool2d(): Expected 3D or 4D tensor, but got: [8, 8]",
    "aten.adaptive_max_pool2d(x, (2,))": "adaptive_max_pool2d(): internal error: output_size.size() must be 2",
    "aten.adaptive_max_pool2d(x, (-1, -1))": "Trying to create tensor with negative dimension -1: [2, 4, -1, -1]",
    "aten.adaptive_max_pool2d(x.long(), (2, 2))": "\"adaptive_max_pool2d\" not implemented for 'Long'",
    "aten.adaptive_max_pool2d(x[:, :, :0], (2, 2))": "Expected input to have non-zero size for non-batch dimensions, ",
    "aten.adaptive_max_pool3d(y.int(), (2, 2, 2))": "\"adaptive_max_pool3d_cpu\" not implemented for 'Int'",
    "aten.avg_pool2d_backward(x, x, [2, 2], [2, 2], [0, 0], False, True, None)": "Expected a tensor of dimension 4 and",
    "aten._adaptive_avg_pool2d_backward(x[:, :, :0], x)": "Expected grad_output to have non-zero size for non-batch d",
    "aten._adaptive_avg_pool2d_backward(x, x[0])": "Expected dimensions 3 for `grad_output` but got dimensions 4",
    "aten.max_pool2d_with_indices_backward(x[:, :, :4, :4], x, [2, 2], [2, 2], [0, 0], [1, 1], False, x.long())": (
        "Expected a tensor of dimension 4 and tensor.size[2] == 4 but got: dimension 4 and tensor.size[2] = 8"
    ),
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    def case(torch):
        scope = {"torch": torch, "aten": torch.ops.aten, "x": ramp(torch, 2, 4, 8, 8), "y": ramp(torch, 2, 3, 5, 6, 7)}
        return eval(expression, scope)

    oracle.same_error(case, ERRORS[expression])


CALLS = """
F.max_pool1d(x[0], 2)
F.max_pool1d(x[0], 2, 1, 1, 2, True)
F.max_pool1d(x[0], 3, return_indices=True)
F.max_pool1d(x[0], 3, None, 0, 1, False, True)
F.max_pool2d(x, 2)
F.max_pool2d(x, (3, 2), stride=(2, 1), padding=(1, 0))
F.max_pool2d(x, 3, return_indices=True)
F.max_pool3d(y, 2, ceil_mode=True)
F.max_pool3d(y, 2, return_indices=True)
F.avg_pool1d(x[0], 3, 2, 1, True, False)
F.avg_pool2d(x, 3)
F.avg_pool2d(x, 3, stride=1, padding=1, count_include_pad=False, divisor_override=2)
F.avg_pool3d(y, (1, 2, 3))
F.adaptive_avg_pool1d(x[0], 3)
F.adaptive_avg_pool2d(x, 1)
F.adaptive_avg_pool2d(x, (None, 3))
F.adaptive_avg_pool3d(y, (2, None, 1))
F.adaptive_max_pool1d(x[0], 3)
F.adaptive_max_pool1d(x[0], 3, return_indices=True)
F.adaptive_max_pool2d(x, 3)
F.adaptive_max_pool2d(x, (3, None), True)
F.adaptive_max_pool3d(y, 2)
F.lp_pool1d(x[0], 2, 3)
F.lp_pool1d(x[0].abs(), 3, 3, 2)
F.lp_pool1d(x[0], float("inf"), 3)
F.lp_pool2d(x, 2, 3, 1, True)
F.lp_pool2d(x, 2.0, (3, 2))
F.lp_pool2d(x, -float("inf"), 3)
F.lp_pool3d(y, 2, 2)
""".strip().splitlines()


@pytest.mark.parametrize("expression", CALLS)
def test_functional(oracle, expression):
    def case(torch):
        scope = {"F": torch.nn.functional, "x": ramp(torch, 2, 4, 8, 8), "y": ramp(torch, 2, 3, 5, 6, 7)}
        return eval(expression, scope)

    oracle.same(case)


def test_too_few_dimensions_for_a_default(oracle):
    def case(torch):
        return torch.nn.functional.adaptive_avg_pool2d(torch.ones(2, 2), (None, 2))

    oracle.same_error(case, "Input dimension should be at least 3")

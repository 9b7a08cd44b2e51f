"""Convolutions: forward, backward operator, shapes, dtypes, errors."""

import pytest

COVERS = [
    "aten/src/ATen/native/Convolution.cpp", "aten/src/ATen/native/ConvUtils.h",
    "aten/src/ATen/native/Im2Col.cpp", "aten/src/ATen/native/Col2Im.cpp", "aten/src/ATen/native/PixelShuffle.cpp",
]  # fmt: skip


def ramp(torch, *shape, dtype=None):
    """Numbers without a pattern that an exchange of dimensions would leave as it is."""
    count = 1
    for size in shape:
        count *= size
    values = (torch.arange(count) * 37 % 101).to(torch.float32) / 50 - 1
    return values.reshape(shape).to(dtype or torch.float32)


# input, weight, with a bias, the other arguments
CASES = {
    "1d": ((2, 4, 9), (6, 4, 3), True, {}),
    "1d, no batch": ((4, 9), (6, 4, 3), True, {"padding": 1}),
    "1d, strided, dilated, groups": ((2, 4, 12), (6, 2, 3), False, dict(stride=2, padding=2, dilation=2, groups=2)),
    "2d": ((2, 3, 6, 7), (4, 3, 3, 3), True, {}),
    "2d, no batch": ((3, 6, 7), (4, 3, 3, 3), True, {}),
    "2d, padded": ((2, 3, 6, 7), (4, 3, 3, 3), True, {"padding": 1}),
    "2d, padded unevenly": ((2, 3, 6, 7), (4, 3, 3, 2), False, {"padding": (2, 0)}),
    "2d, strided": ((2, 3, 6, 7), (4, 3, 3, 3), True, {"stride": 2}),
    "2d, strided unevenly": ((2, 3, 7, 8), (4, 3, 3, 2), True, {"stride": (1, 3), "padding": (1, 1)}),
    "2d, dilated": ((2, 3, 8, 9), (4, 3, 3, 3), True, {"dilation": (2, 3), "padding": (1, 2)}),
    "2d, groups": ((2, 4, 6, 7), (6, 2, 3, 3), True, {"groups": 2}),
    "2d, depthwise": ((2, 4, 6, 7), (8, 1, 3, 3), True, {"groups": 4, "padding": 1}),
    "2d, all at once": ((3, 4, 9, 8), (6, 2, 3, 2), True, dict(stride=(2, 1), padding=(1, 2), dilation=2, groups=2)),
    "2d, 1x1": ((2, 5, 4, 3), (3, 5, 1, 1), True, {}),
    "2d, 1x1, strided": ((2, 5, 4, 3), (3, 5, 1, 1), False, {"stride": 2}),
    "2d, kernel as large as the input": ((2, 3, 4, 5), (4, 3, 4, 5), True, {}),
    "2d, empty batch": ((0, 3, 6, 7), (4, 3, 3, 3), True, {}),
    "3d": ((2, 3, 4, 5, 6), (4, 3, 2, 3, 2), True, {}),
    "3d, all at once": ((2, 4, 6, 5, 7), (4, 2, 2, 3, 2), True, dict(stride=(1, 2, 1), padding=1, groups=2)),
}  # fmt: skip


def arguments(torch, name, dtype=None):
    shape, weight_shape, has_bias, keywords = CASES[name]
    bias = ramp(torch, weight_shape[0], dtype=dtype) if has_bias else None
    return ramp(torch, *shape, dtype=dtype), ramp(torch, *weight_shape, dtype=dtype), bias, keywords


@pytest.mark.parametrize("name", CASES)
def test_forward(oracle, name):
    def case(torch):
        x, weight, bias, keywords = arguments(torch, name)
        conv = getattr(torch, f"conv{weight.dim() - 2}d")
        result = conv(x, weight, bias, **keywords)
        return result, result.stride()

    oracle.same(case, atol=1e-5)


def numbers(dim, *, stride=1, padding=0, dilation=1, output_padding=0, groups=1):
    """The arguments of convolution_backward from those of conv2d."""
    lists = [[value] * dim if isinstance(value, int) else list(value) for value in (stride, padding, dilation)]
    return *lists, [output_padding] * dim, groups


def gradients(torch, x, weight, bias, transposed, output_padding, keywords, mask=(True, True, True)):
    dim = weight.dim() - 2
    if x.dim() == dim + 1:
        x = x.unsqueeze(0)
    stride, padding, dilation, output_padding, groups = numbers(dim, output_padding=output_padding, **keywords)
    rest = (stride, padding, dilation, transposed, output_padding, groups)
    output = torch.convolution(x, weight, bias, *rest)
    grad = ramp(torch, *output.shape).to(output.dtype)
    sizes = None if bias is None else [bias.shape[0]]
    return torch.ops.aten.convolution_backward(grad, x, weight, sizes, *rest, list(mask))


@pytest.mark.parametrize("name", [name for name in CASES if "empty" not in name])
def test_backward(oracle, name):
    def case(torch):
        x, weight, bias, keywords = arguments(torch, name)
        return gradients(torch, x, weight, bias, False, 0, keywords, (True, True, bias is not None))

    oracle.same(case, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("column_bytes", [1, 1 << 30])
def test_as_much_of_the_batch_at_a_time_as_the_cache_holds(oracle, monkeypatch, column_bytes):
    from annotated_src.aten.native.mkldnn import conv

    monkeypatch.setattr(conv, "COLUMN_BYTES", column_bytes)

    def case(torch):
        results = []
        for name in ("2d, padded", "2d, all at once"):
            x, weight, bias, keywords = arguments(torch, name)
            results.append(torch.conv2d(x, weight, bias, **keywords))
            results.append(gradients(torch, x, weight, bias, False, 0, keywords))
        return results

    oracle.same(case, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mask", [(True, False, False), (False, True, False), (True, True, False)])
def test_backward_gives_what_is_asked_for(oracle, mask):
    def case(torch):
        x, weight, bias, keywords = arguments(torch, "2d, padded")
        return gradients(torch, x, weight, bias, False, 0, keywords, mask)

    oracle.same(case, rtol=1e-4, atol=1e-5)


TRANSPOSED = {
    "1d": ((2, 4, 5), (4, 3, 3), {}),
    "1d, no batch": ((4, 5), (4, 3, 3), {"stride": 2}),
    "2d": ((2, 4, 5, 6), (4, 3, 3, 3), {}),
    "2d, strided": ((2, 4, 5, 6), (4, 3, 3, 3), {"stride": 2, "padding": 1}),
    "2d, output padding": ((2, 4, 5, 6), (4, 3, 3, 3), {"stride": 2, "padding": 1, "output_padding": 1}),
    "2d, dilated": ((2, 4, 5, 6), (4, 3, 3, 2), {"dilation": 2, "output_padding": 1}),
    "2d, groups": ((2, 4, 5, 6), (4, 3, 3, 3), {"groups": 2, "stride": 3}),
    "3d": ((1, 4, 3, 4, 5), (4, 2, 2, 3, 2), {"stride": 2}),
}


@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed(oracle, name):
    def case(torch):
        shape, weight_shape, keywords = TRANSPOSED[name]
        x, weight = ramp(torch, *shape), ramp(torch, *weight_shape)
        bias = ramp(torch, weight_shape[1] * keywords.get("groups", 1))
        return getattr(torch, f"conv_transpose{weight.dim() - 2}d")(x, weight, bias, **keywords)

    oracle.same(case, atol=1e-5)


@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed_backward(oracle, name):
    def case(torch):
        shape, weight_shape, keywords = TRANSPOSED[name]
        keywords = dict(keywords)
        output_padding = keywords.pop("output_padding", 0)
        bias = ramp(torch, weight_shape[1] * keywords.get("groups", 1))
        x, weight = ramp(torch, *shape), ramp(torch, *weight_shape)
        return gradients(torch, x, weight, bias, True, output_padding, keywords)

    oracle.same(case, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float64", "int64", "float16", "bfloat16"])
def test_dtypes(oracle, dtype):
    def case(torch):
        x, weight, bias, keywords = arguments(torch, "2d, padded")
        dtype_ = getattr(torch, dtype)
        x, weight, bias = ((value * 8).round().to(dtype_) for value in (x, weight, bias))
        return torch.conv2d(x, weight, bias, **keywords)

    oracle.same(case)


def test_operands_that_are_not_contiguous(oracle):
    def case(torch):
        x = ramp(torch, 7, 6, 3, 2).permute(3, 2, 1, 0)
        weight = ramp(torch, 3, 3, 3, 4).permute(3, 0, 1, 2)
        return torch.conv2d(x, weight), torch.conv2d(x[:, :, ::2], weight, padding=1)

    oracle.same(case, atol=1e-5)


WORDS = {
    "valid": ((2, 3, 6, 7), (4, 3, 3, 3), {"padding": "valid"}),
    "valid, strided": ((2, 3, 6, 7), (4, 3, 3, 3), {"padding": "valid", "stride": 2}),
    "same": ((2, 3, 6, 7), (4, 3, 3, 3), {"padding": "same"}),
    "same, even kernel": ((2, 3, 6, 7), (4, 3, 2, 4), {"padding": "same"}),
    "same, dilated": ((2, 3, 6, 7), (4, 3, 2, 3), {"padding": "same", "dilation": (3, 2)}),
    "same, 1d": ((2, 3, 7), (4, 3, 4), {"padding": "same"}),
    "same, 3d, no batch": ((3, 4, 5, 6), (4, 3, 2, 3, 2), {"padding": "same"}),
}


@pytest.mark.parametrize("name", WORDS)
def test_padding_in_words(oracle, name):
    def case(torch):
        shape, weight_shape, keywords = WORDS[name]
        weight = ramp(torch, *weight_shape)
        return getattr(torch, f"conv{weight.dim() - 2}d")(ramp(torch, *shape), weight, None, **keywords)

    oracle.same(case, atol=1e-5)


def test_double_backward(oracle):
    def case(torch):
        x, weight, bias, keywords = arguments(torch, "2d, all at once")
        stride, padding, dilation, output_padding, groups = numbers(2, **keywords)
        rest = (stride, padding, dilation, False, output_padding, groups)
        grad = torch.ones_like(torch.convolution(x, weight, bias, *rest))
        second = (x.flip(0), weight.flip(1), bias)
        return torch.ops.aten._convolution_double_backward(*second, grad, weight, x, *rest, [True, True, True])

    oracle.same(case, rtol=1e-4, atol=1e-5)


ERRORS = {
    "torch.conv2d(x[0, 0], w)": "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8",
    "torch.conv1d(x, w)": "Expected 2D (unbatched) or 3D (batched) input to conv1d",
    "torch.conv2d(x, w[0])": "expected stride to be a single integer value or a list of 1 values to match",
    "torch.conv2d(x[:, :3], w)": "expected input[2, 3, 8, 8] to have 4 channels, but got 3 channels instead",
    "torch.conv2d(x, w, groups=3)": "to have 12 channels, but got 4 channels instead",
    "torch.conv2d(x, w, groups=4)": "expected weight to be divisible by 4 at dimension 0",
    "torch.conv2d(x, w, groups=7)": "Given groups=7, expected weight to be at least 7 at dimension 0",
    "torch.conv2d(x, w, groups=0)": "non-positive groups is not supported",
    "torch.conv2d(x, w, b[:5])": "expected bias to be 1-dimensional with 6 elements, but got bias of size [5]",
    "torch.conv2d(x, w, b[None])": "expected bias to be 1-dimensional with 6 elements, but got bias of size [1, 6]",
    "torch.conv2d(x[:, :, :2, :2], w)": "padded input size per channel: (2 x 2). Kernel size: (3 x 3). Kernel size ca",
    "torch.conv2d(x, w, stride=0)": "non-positive stride is not supported",
    "torch.conv2d(x, w, padding=-1)": "negative padding is not supported",
    "torch.conv2d(x, w, dilation=0)": "non-positive dilation is not supported",
    "torch.conv2d(x, w, stride=(1, 1, 1))": "a list of 2 values to match the convolution dimensions, but got stride=[1",
    "torch.conv2d(x.double(), w)": "expected scalar type Double but found Float",
    "torch.conv2d(x.long(), w)": "expected scalar type Long but found Float",
    "torch.conv2d(x, w, b.double())": "Input type (float) and bias type (double) should be the same",
    "torch.conv2d(x.bool(), w.bool())": "\"slow_conv2d_cpu\" not implemented for 'Bool'",
    "torch.conv2d(x, w, padding='same', stride=2)": "padding='same' is not supported for strided convolutions",
    "torch.conv2d(x, w, padding='full')": "Invalid padding string: 'full'",
    "torch.conv_transpose2d(x, w)": "Given transposed=1, weight of size [6, 4, 3, 3], expected input[2, 4, 8, 8] to h",
    "torch.conv_transpose2d(x, w[:4], output_padding=1)": "output padding must be smaller than either stride or dilat",
    "torch.conv_transpose2d(x, w[:4], b)": "expected bias to be 1-dimensional with 4 elements, but got bias of size [",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    def case(torch):
        scope = {"torch": torch, "x": ramp(torch, 2, 4, 8, 8), "w": ramp(torch, 6, 4, 3, 3), "b": ramp(torch, 6)}
        return eval(expression, scope)

    oracle.same_error(case, ERRORS[expression])


def test_functional(oracle):
    def case(torch):
        F, x, w, b = torch.nn.functional, ramp(torch, 2, 4, 8, 8), ramp(torch, 6, 4, 3, 3), ramp(torch, 6)
        return (
            F.conv2d(x, w, b, padding=1),
            F.conv1d(x[0, :, :3], w[0], b[:4]),
            F.conv_transpose2d(x, w[:4], stride=2),
            F.conv2d(x, w, padding="same"),
        )

    oracle.same(case, atol=1e-5)


CALLS = """
F.unfold(x, 3)
F.unfold(x, 3, padding=1)
F.unfold(x, (3, 2), dilation=2, padding=(1, 0), stride=(2, 1))
F.unfold(x[0], 2, stride=2)
F.fold(F.unfold(x, 2, stride=2), 8, 2, stride=2)
F.fold(F.unfold(x, 3, padding=1), (8, 8), 3, padding=1)
F.fold(F.unfold(x[0], (3, 2), 2, 1, (2, 1)), (8, 8), (3, 2), 2, 1, (2, 1))
F.pixel_shuffle(x, 2)
F.pixel_shuffle(x[0], 1)
F.pixel_unshuffle(x, 2)
F.pixel_unshuffle(x[None, :, :, ::2], 4)
torch.pixel_shuffle(x.long(), 2)
""".strip().splitlines()


@pytest.mark.parametrize("expression", CALLS)
def test_columns_and_pixels(oracle, expression):
    def case(torch):
        result = eval(expression, {"torch": torch, "F": torch.nn.functional, "x": ramp(torch, 2, 4, 8, 8)})
        return result, result.stride()

    oracle.same(case)


REARRANGEMENT_ERRORS = {
    "F.pixel_shuffle(x, 3)": "dimension to be divisible by the square of upscale_factor, but input.size(-3)=4 is no",
    "F.pixel_shuffle(x[0, 0], 2)": "pixel_shuffle expects input to have at least 3 dimensions, but got input with 2",
    "F.pixel_shuffle(x, 0)": "pixel_shuffle expects a positive upscale_factor, but got 0",
    "F.pixel_unshuffle(x, 3)": "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)",
    "F.unfold(x, 0)": "kernel size should be greater than zero, but got kernel_height: 0 kernel_width: 0",
    "F.unfold(x, 2, stride=0)": "stride should be greater than zero, but got stride_height: 0 stride_width: 0",
    "F.unfold(x[:, :0], 2)": "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dime",
    "F.unfold(x, 9)": "calculated shape of the array of sliding blocks as (0, 0), but its components must be at least ",
    "F.fold(x[0], 4, 3)": "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got",
    "F.fold(x[0], 4, 2)": "expected size of input's dimension 2 to match the calculated number of sliding blocks 3 * 3",
}


@pytest.mark.parametrize("expression", REARRANGEMENT_ERRORS)
def test_rearrangement_error(oracle, expression):
    def case(torch):
        return eval(expression, {"F": torch.nn.functional, "x": ramp(torch, 2, 4, 8, 8)})

    oracle.same_error(case, REARRANGEMENT_ERRORS[expression])

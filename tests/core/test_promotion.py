"""The dtype in which two operands meet: every pair of dtypes, tensors with dimensions, 0-d tensors and numbers."""

import pytest

COVERS = ["aten/src/ATen/native/TypeProperties.cpp", "aten/src/ATen/TensorIterator.cpp", "c10/core/ScalarType.h"]

DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
    "complex64", "complex128", "bool",
)  # fmt: skip
NUMBERS = (True, 2, -1, 2.5, 2 + 1j)
# Upstream has half precision complex numbers, which are left out here.
COMPLEX_HALF = {("float16", "complex64"), ("float16", "complex128"), ("float16", "number")}


def first_operands(torch):
    for dtype in DTYPES:
        yield dtype, torch.tensor([3, 1, 2]).to(getattr(torch, dtype))
        yield dtype, torch.tensor(2).to(getattr(torch, dtype))


def second_operands(torch):
    for dtype in DTYPES:
        yield dtype, torch.tensor([2, 1, 3]).to(getattr(torch, dtype))
        yield dtype, torch.tensor(2).to(getattr(torch, dtype))
    for number in NUMBERS:
        yield "number", number


def meets_in_complex_half(first, a, second, b):
    pair = (first, second) if first == "float16" else (second, first)
    return pair in COMPLEX_HALF and (second != "number" or isinstance(b, complex))


def result(function, a, b):
    """The result as short text, or the error's name."""
    try:
        answer = function(a, b)
    except Exception as error:
        return type(error).__name__
    return f"{str(answer.dtype).removeprefix('torch.')} {answer.tolist()}"


@pytest.mark.parametrize("name", ["add", "sub", "mul", "eq", "lt", "ge", "maximum", "floor_divide", "remainder"])
def test_every_pair(oracle, name):
    def case(torch):
        return [
            result(getattr(torch, name), a, b)
            for first, a in first_operands(torch)
            for second, b in second_operands(torch)
            if not meets_in_complex_half(first, a, second, b)
        ]

    oracle.same(case)


@pytest.mark.parametrize("name", ["div", "pow", "atan2", "bitwise_and", "logical_or", "fmod", "rsub"])
def test_every_pair_by_dtype(oracle, name):
    """The dtype and shape only: the last digits of quotients and powers may differ."""

    def dtype_of(text):
        return text.partition(" ")[0]

    def case(torch):
        return [
            dtype_of(result(getattr(torch, name), a, b))
            for first, a in first_operands(torch)
            for second, b in second_operands(torch)
            if not meets_in_complex_half(first, a, second, b)
        ]

    oracle.same(case)


@pytest.mark.parametrize("name", ["add_", "mul_", "div_", "eq_", "pow_", "clamp_min_"])
def test_every_pair_in_place(oracle, name):
    """The dtype, or that it is refused: of two reasons for it, upstream may name the other."""

    def dtype_of(text):
        return "refused" if text.endswith("Error") else text.partition(" ")[0]

    def case(torch):
        return [
            dtype_of(result(getattr(torch.Tensor, name), a, b))
            for first, a in first_operands(torch)
            for second, b in second_operands(torch)
            if not meets_in_complex_half(first, a, second, b)
        ]

    oracle.same(case)


def test_float16_with_a_number_is_computed_in_float32(oracle):
    def case(torch):
        x = torch.tensor([1.1, 2.3, 1000.0])
        results = []
        for h in (x.half(), x.bfloat16()):
            results += [h + 0.1, h * 0.1, h / 0.1, h - 0.1, 0.1 - h, h % 0.1, h**0.1, h + torch.tensor(0.1)]
            results += [torch.add(h, h, alpha=0.1), torch.addcmul(h, h, h, value=0.1), torch.lerp(h, h + 1, 0.1)]
            results += [h * torch.tensor([2049, 3, 5]), h // 0.1, torch.clamp(h, 1.1), h > 1.1, torch.rsub(h, 0.1)]
        return results

    oracle.same(case, rtol=0, atol=0)


def test_the_default_dtype_decides_for_python_floats(oracle):
    def case(torch):
        i = torch.arange(3)
        torch.set_default_dtype(torch.float64)
        try:
            return i + 1.5, i / 2, i.sqrt(), i.float() + 1.5, torch.tensor(True) * 0.5, i.mean(dtype=torch.float32)
        finally:
            torch.set_default_dtype(torch.float32)

    oracle.same(case)


def test_integers_wrap_around(oracle):
    def case(torch):
        u = torch.tensor([200, 100], dtype=torch.uint8)
        i = torch.tensor([2**62, -(2**62)])
        return u + u, u * 3, u - 201, -u, u + 300, u == 300, i * 4, i + i, u.sum(), u.int() * 2**30

    oracle.same(case)

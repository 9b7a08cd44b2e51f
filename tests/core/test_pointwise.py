"""Arithmetic, element by element: values, dtypes, strides, refusals."""

import pytest

from tests.core.operands import outcome, sample, value

COVERS = [
    "aten/src/ATen/TensorIterator.cpp",
    "aten/src/ATen/native/BinaryOps.cpp",
    "aten/src/ATen/native/UnaryOps.cpp",
    "aten/src/ATen/native/PointwiseOps.cpp",
    "aten/src/ATen/native/Pow.cpp",
    "aten/src/ATen/native/Lerp.cpp",
    "aten/src/ATen/native/TensorCompare.cpp",
    "aten/src/ATen/MemoryOverlap.cpp",
    "torch/_tensor.py",
]

EXPRESSIONS = """
torch.ones(1).std()
torch.tensor([float("-inf")] * 2).logsumexp(0)
torch.tensor([3, 1, 2, 4]).median(0)
torch.tensor([3, 1, 2, 4, 1]).mode()
torch.maximum(n, torch.tensor(2))
torch.fmax(n, torch.tensor(2))
torch.sign(n)
torch.tensor([-7, 7]) // torch.tensor([2, -2])
torch.div(torch.tensor([-7, 7]), torch.tensor([2, -2]), rounding_mode="trunc")
torch.div(torch.tensor([-7, 7]), 2, rounding_mode="floor")
torch.div(torch.tensor([-7.0, 7]), 2, rounding_mode="trunc")
torch.div(torch.tensor([-7.0, 7, 0]), 0, rounding_mode="floor")
torch.div(torch.tensor([-7.0, 7, 0]), float("inf"), rounding_mode="floor")
torch.div(i, 2, rounding_mode=None)
torch.div(b, b)
torch.remainder(torch.tensor([-7, 7]), torch.tensor([3, -3]))
torch.fmod(torch.tensor([-7, 7]), 3)
torch.remainder(torch.tensor([-7.0, 7.0, 0, 5]), torch.tensor([3.0, -3, 0.0, float("inf")]))
torch.remainder(torch.tensor([-7.0, 0.0, -0.0]), float("inf"))
torch.remainder(torch.tensor([6.0, -6.0]), -3.0)
torch.fmod(torch.tensor([-7.0, 7.0, 0]), torch.tensor([3.0, -3, 0.0]))
i ** torch.tensor([-1, -1, -1])
torch.tensor([-1, 1, 2, 0]) ** torch.tensor([-3, -2, -2, -1])
i ** 0.5
i ** 2
i ** True
b ** 2
b ** True
2 ** b
i ** 2.5
2 ** i
2.5 ** i
1 ** i
torch.pow(1, torch.tensor([1.0]))
torch.pow(1.5, torch.tensor([1.0]))
x ** 0.5
x ** (-1)
torch.tensor([2.0, -2.0]) ** (-2)
torch.tensor([2.0, -2.0, float("-inf"), -0.0]) ** 0.5
torch.pow(torch.tensor([1, 2, 3], dtype=torch.uint8), 8)
torch.pow(torch.tensor([7, 2, 3], dtype=torch.int32), 40)
torch.tensor([2, 3]).pow_(2)
torch.tensor([2.0, 3]).pow_(2)
torch.tensor([2, 3]).div_(2, rounding_mode="floor")
i // 2.0
i // True
i % 2.0
i / 2
i / True
b + b
b * b
b + 1
b * 2.0
b < b
b / 2
torch.abs(c)
-u
torch.floor(i)
torch.ceil(i)
torch.round(i)
torch.frac(x * 1.5)
torch.round(torch.tensor([0.5, 1.5, 2.5, -0.5, 1.25]))
torch.round(torch.tensor([0.55, 1.25, 123.456]), decimals=1)
torch.round(torch.tensor([0.55, 1.25, 123.456]), decimals=-1)
torch.round(torch.tensor([0.55, 1.25, 123.456]), decimals=2)
torch.sqrt(i)
torch.sqrt(b)
torch.exp(u)
torch.sigmoid(b)
torch.square(i)
torch.square(b)
torch.reciprocal(i)
torch.rsqrt(i)
torch.logical_not(x)
torch.bitwise_not(b)
torch.bitwise_not(u)
~i
b & b
b & 1
i | 2
i ^ i
b ^ True
1 & i
1 | b
i << 1
i >> 1
1 << i
u << 9
torch.tensor([1, 2]) << torch.tensor([-1, 64])
torch.tensor([1, -2]) >> torch.tensor([-1, 64])
torch.logical_and(x, i[0])
torch.logical_xor(b, b)
torch.isnan(n)
torch.isnan(i)
torch.isinf(torch.tensor([float("inf"), -float("inf"), 1]))
torch.isfinite(n)
torch.isfinite(i)
torch.isposinf(torch.tensor([float("inf"), -float("inf")]))
torch.nan_to_num(torch.tensor([float("inf"), -float("inf"), float("nan"), 1]))
torch.nan_to_num(torch.tensor([float("inf"), -float("inf"), float("nan"), 1]), 1.0, 2.0, 3.0)
torch.nan_to_num(i)
torch.nan_to_num(b)
torch.nan_to_num(h * float("nan"), posinf=1)
torch.clamp(x, 0.5)
torch.clamp(i, 0.5)
torch.clamp(i, max=1.5)
torch.clamp(i, 1, 0)
torch.clamp(b, 0)
torch.clamp(n, 0, 1)
torch.clamp(x, float("nan"))
torch.clamp(x, torch.tensor([0.0, 1, 2]))
torch.clamp(x, torch.tensor(0.5), torch.tensor(0.7))
torch.clamp(i, torch.tensor(0.5))
torch.clamp(x, min=0, max=torch.tensor(1.0))
torch.clamp(i, min=True)
i.clamp_min(1)
x.clamp_max(i)
torch.clamp_min(i, 1.5)
torch.maximum(i, x[0])
torch.maximum(b, b)
torch.fmin(i, i)
torch.lerp(x, x + 1, 0.5)
torch.lerp(x, x + 1, x)
torch.lerp(x, x + 1, torch.tensor(0.3))
torch.addcmul(x, x, x, value=2)
torch.addcmul(i, i, i, value=2)
torch.addcmul(i, i, i, value=2.5)
torch.addcdiv(x, x, x, value=3)
torch.addcmul(x, i, i)
torch.hypot(x, x)
torch.atan2(x, x)
torch.atan2(i, i)
torch.erf(i)
torch.erf(h)
+x
-c
abs(i)
x.add(1, alpha=2)
torch.true_divide(1, i)
torch.floor_divide(7, i + 1)
torch.add(1, 1)
x.__rpow__(2)
7 // (i + 1)
2 / i
x.logical_and_(x)
x.eq_(1)
b.mul_(True)
u.add_(300)
u.mul_(-1)
i.add_(True)
h.add_(torch.ones(3, dtype=torch.float64))
i.eq_(1.5)
u.lt_(u)
i.bitwise_and_(1)
i.__iand__(1)
x.logical_not_()
x.floor_()
i.floor_()
torch.sqrt(i, out=torch.zeros(3, dtype=torch.float64))
torch.sqrt(x, out=torch.zeros(3, dtype=torch.half))
u == 300
u < 300
u + 300
torch.remainder(u, 300)
300 - u
u // 300
300 ** u
u / 300
torch.fmod(u, 300)
u & 300
u << 300
x == "a"
x == None
torch.add(torch.zeros(3), 1, out=torch.zeros(2))
torch.arange(10.0)[1:].add_(torch.arange(9.0))
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(oracle, expression):
    oracle.same(lambda torch: value(torch, expression))


ERRORS = {
    "torch.tensor([-7, 7, 5]) // torch.tensor([2, -2, 0])": "ZeroDivisionError",
    'torch.div(torch.tensor([-7, 7]), torch.tensor([2, 0]), rounding_mode="trunc")': "ZeroDivisionError",
    'torch.div(i, 2, rounding_mode="up")': (
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'"
    ),
    'torch.div(b, b, rounding_mode="floor")': '"div_floor_cpu" not implemented for \'Bool\'',
    "b // b": '"div_floor_cpu" not implemented for \'Bool\'',
    "b % b": '"remainder_cpu" not implemented for \'Bool\'',
    "torch.remainder(torch.tensor([-7, 7]), 0)": "ZeroDivisionError",
    "torch.fmod(torch.tensor([-7, 7]), 0)": "ZeroDivisionError",
    "i ** (-1)": "Integers to negative integer powers are not",
    "b ** b": '"pow" not implemented for \'Bool\'',
    "torch.pow(True, b)": '"pow" not implemented for \'Bool\'',
    "torch.pow(i, -2)": "Integers to negative integer powers are not",
    "torch.pow(torch.tensor([1, 2, 3], dtype=torch.uint8), 300)": (
        "value cannot be converted to type uint8_t without overflow"
    ),
    "torch.tensor([2, 3]).pow_(2.0)": "result type Float can't be cast to the desired output type Long",
    "torch.tensor([2, 3]).div_(2)": "result type Float can't be cast to the desired output type Long",
    "torch.abs(b)": '"abs_cpu" not implemented for \'Bool\'',
    "torch.floor(b)": '"floor_vml_cpu" not implemented for \'Bool\'',
    "torch.trunc(b)": '"trunc_vml_cpu" not implemented for \'Bool\'',
    "torch.frac(i)": '"frac_cpu" not implemented for \'Long\'',
    "torch.round(i, decimals=1)": '"round_cpu" not implemented for \'Long\'',
    "torch.bitwise_not(x)": '"bitwise_not_cpu" not implemented for \'Float\'',
    "~x": "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
    "i & b": "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
    "x & x": '"bitwise_and_cpu" not implemented for \'Float\'',
    "x << 1": '"lshift_cpu" not implemented for \'Float\'',
    "torch.logical_and(x, True)": "logical_and(): argument 'other' (position 2) must be Tensor, not bool",
    "torch.clamp(x)": "torch.clamp: At least one of 'min' or 'max' must not be None",
    "i.clamp_(0.5)": "result type Float can't be cast to the desired output type",
    "c.clamp(1)": "clamp is not supported for complex types",
    "torch.maximum(c, c)": "maximum not implemented for complex tensors.",
    "torch.minimum(i, 2)": "minimum(): argument 'other' (position 2) must be Tensor, not int",
    "torch.lerp(x, x.double(), 0.5)": "expected dtype",
    "torch.lerp(i, i, 0.5)": '"lerp_kernel_scalar" not implemented for \'Long\'',
    "torch.addcdiv(i, i, i)": "Integer division with addcdiv is no longer",
    "torch.addcdiv(x, i, i)": "Integer division with addcdiv is no longer",
    "torch.hypot(i, i)": '"hypot_cpu" not implemented for \'Long\'',
    "torch.atan2(i, 2)": "atan2(): argument 'other' (position 2) must be Tensor, not int",
    "+b": "The `+` operator, on a bool tensor is not supported.",
    "torch.sub(b, 1)": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to i",
    "1 - b": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to i",
    "b - b": "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `log",
    "x - True": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to i",
    "torch.rsub(b, 1)": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to i",
    "torch.mul(x, out=x)": "mul()",
    "torch.eq(x, [1])": "eq() received an invalid combination of arguments - got (Tensor, list), but expected one o",
    "torch.add(x)": "add() received an invalid combination of arguments - got (Tensor), but expected",
    "x.add(1, 2, 3)": "add() received an invalid combination of arguments - got",
    "torch.exp(1.0)": "exp(): argument 'input' (position 1) must be Tensor, not float",
    "torch.positive(b)": "The `+` operator, on a bool tensor is not supported.",
    "2 % i": "ZeroDivisionError",
    "b.add_(1)": "result type Long can't be cast to the desired output type Bool",
    "i.sqrt_()": "result type Float can't be cast to the desired output type Long",
    "i.exp_()": "result type Float can't be cast to the desired output type Long",
    "i.sigmoid_()": "result type Float can't be cast to the desired output type Long",
    "i.div_(2)": "result type Float can't be cast to the desired output type Long",
    "i.true_divide_(2)": "result type Float can't be cast to the desired output type Long",
    "torch.sqrt(i, out=i)": "result type Float can't be cast to the desired output type Long",
    "u ** 300": "value cannot be converted to type uint8_t without overflow",
    "u.clamp(max=300)": "value cannot be converted to type uint8_t without overflow",
    'x < "a"': "'<' not supported between instances of 'Tensor' and 'str'",
    "x + None": "unsupported operand type(s) for +: 'Tensor' and 'NoneType'",
    "x @ 2": "unsupported operand type(s) for @: 'Tensor' and 'int'",
    'x / "a"': "unsupported operand type(s) for /: 'Tensor' and 'str'",
    '"a" - x': "unsupported operand type(s) for -: 'str' and 'Tensor'",
    'x ** "a"': "unsupported operand type(s) for ** or pow(): 'Tensor' and 'str'",
    "x.expand(4, 2, 3).add_(1)": (
        "unsupported operation: more than one element of the written-to tensor refers to a single m"
    ),
    "torch.zeros(3).add_(torch.zeros(2, 3))": "output with shape [3] doesn't match the broadcast shape [2, 3]",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    oracle.same_error(lambda torch: value(torch, expression), ERRORS[expression])


UNARY = """
abs neg positive sign signbit reciprocal sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sigmoid erf erfc sin cos tan
asin acos atan sinh cosh tanh floor ceil trunc frac round square isnan isinf isfinite isposinf isneginf logical_not
bitwise_not nan_to_num absolute negative fix arcsin arccos arctan
""".split()
DTYPES = ("uint8", "int64", "bool", "float16", "bfloat16", "float32", "float64", "complex64")
SPECIAL = "[0.0, -0.0, inf, -inf, nan, 1.0, -1.0, 2.5, -2.5, 30.0, -30.0, 1e-8, 88.9, 1e30]"


@pytest.mark.parametrize("name", UNARY)
def test_unary(oracle, name):
    def case(torch):
        special = torch.tensor(eval(SPECIAL, {"inf": float("inf"), "nan": float("nan")}))
        function = getattr(torch, name)
        results = [outcome(function, sample(torch, dtype)) for dtype in DTYPES]
        expanded = torch.tensor([0.5, 2.0]).half().expand(3, 2)
        return results, function(special) if name != "bitwise_not" else None, outcome(function, expanded)

    oracle.same(case)


IN_PLACE = [name for name in UNARY if not name.startswith("is") and name not in ("positive", "signbit")]


@pytest.mark.parametrize("name", IN_PLACE)
def test_unary_in_place_and_out(oracle, name):
    def case(torch):
        results = []
        for dtype in DTYPES:
            x = sample(torch, dtype).clone()
            # Where the operator refuses, nothing may have been written.
            results.append((outcome(getattr(torch.Tensor, name + "_"), x), x))
            refused = isinstance(outcome(getattr(torch, name), sample(torch, dtype)), str)
            # The length of complex numbers is laid out another way there.
            if refused or name.startswith("abs") and dtype.startswith("complex"):
                continue
            out = torch.empty(0)
            results.append((outcome(getattr(torch, name), sample(torch, dtype), out=out), out))
        return results

    oracle.same(case)


def test_an_operator_in_place_returns_its_operand(torch):
    x = torch.ones(2)
    before = x._version
    assert x.add_(1) is x
    assert torch.exp(x, out=x) is x
    assert x._version == before + 2


def test_erf_to_the_last_digits(oracle):
    def case(torch):
        x = torch.arange(-300, 300).double() / 50
        return torch.erf(x), torch.erfc(x), torch.erf(x.float()), torch.erf(torch.arange(50) / 50000)

    oracle.same(case, rtol=2e-7, atol=0)
    oracle.same(lambda torch: torch.erf(torch.arange(-300, 300).double() / 50), rtol=4e-15, atol=0)


def test_resize_of_out_warns(oracle):
    def case(torch):
        torch.add(torch.ones(3), 1, out=torch.empty(2))
        torch.add(torch.ones(3), 1, out=torch.empty(0))

    oracle.same_warnings(case, "An output with one or more elements was resized since it had shape [2]")


def test_overlapping_memory(oracle):
    def ahead(torch):
        x = torch.arange(10.0)
        x[1:].add_(x[:-1])

    def into_a_shifted_window(torch):
        x = torch.arange(10.0)
        torch.add(x[:5], 1, out=x[2:7])

    oracle.same_error(ahead, "unsupported operation: some elements of the input tensor and the written-to tensor")
    oracle.same_error(into_a_shifted_window, "unsupported operation: some elements of the input tensor")

    def fine(torch):
        x = torch.arange(10.0)
        x[:5].add_(x[5:])
        x[::2].mul_(x[1::2])
        torch.add(x[:5], 1, out=x[:5])
        return x

    oracle.same(fine)


def test_layout_follows_the_operands(oracle):
    def case(torch):
        x = torch.arange(24.0).reshape(2, 3, 4)
        p = x.permute(2, 0, 1)
        results = [p + 1, p + p, p * torch.ones(2, 3), p + torch.ones(4, 2, 3), torch.ones(4, 2, 3) + p, p > 3]
        results += [x[:, :1].expand(2, 3, 4) + 1, p.int() + p, p.half() * 2, p / 3]
        return [(result, result.stride()) for result in results]

    oracle.same(case)


def test_no_warning_of_numpy_is_heard(torch, recwarn):
    x = torch.tensor([0.0, -1.0, 3e38])
    x / 0, x.log(), x * 10, x.exp(), x.half(), x.sum(), x // 0, x % 0, (x * 10).long(), x.sqrt(), x.std()
    x.add_(x), x.mul_(10.0)
    assert not recwarn.list


def test_numpy_scalars_are_numbers(oracle):
    def case(torch):
        import numpy

        x = torch.ones(2)
        two = numpy.float64(2)
        return x + two, x * numpy.int64(3), numpy.float32(2) * x, x == numpy.int32(1), x.add(two)

    oracle.same(case)

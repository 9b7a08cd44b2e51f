"""Tensors from sizes and numbers: zeros, full, arange, *_like, new_* and their errors."""

import pytest

COVERS = [
    "aten/src/ATen/native/TensorFactories.cpp",
    "aten/src/ATen/native/RangeFactories.cpp",
    "aten/src/ATen/native/Fill.cpp",
    "aten/src/ATen/native/Resize.cpp",
    "c10/core/MemoryFormat.h",
    "c10/core/Scalar.h",
]

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
    "complex128",
]  # fmt: skip
SHAPES = [(), (0,), (3,), (2, 3), (2, 0, 3), (1, 4, 1)]


def facts(x):
    """What two tensors of undefined contents have in common."""
    return str(x.dtype), tuple(x.shape), x.stride(), str(x.device), x.is_contiguous(), x._version, x.storage_offset()


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_value_everywhere(oracle, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        made = []
        for shape in SHAPES:
            made += [
                torch.zeros(shape, dtype=kind),
                torch.ones(shape, dtype=kind),
                torch.full(shape, 1, dtype=kind),
                torch.full(shape, 2.75, dtype=kind),
                torch.zeros(1).new_full(shape, True, dtype=kind),
            ]
        return made, [facts(x) for x in made]

    oracle.same(case)


@pytest.mark.parametrize("default", ["float16", "bfloat16", "float32", "float64"])
def test_the_default_dtype(oracle, default):
    def case(torch):
        torch.set_default_dtype(getattr(torch, default))
        try:
            made = [
                torch.zeros(2), torch.ones(2), torch.empty(2), torch.full((2,), 1.5), torch.full((2,), 1),
                torch.full((2,), True), torch.arange(3.0), torch.arange(3), torch.arange(0, 3, 1.0),
                torch.linspace(0, 1, 3), torch.eye(2), torch.scalar_tensor(2), torch.tensor(1.5),
                torch.tensor([1, 2.0]),
                torch.tensor([]), torch.Tensor(2), torch.Tensor([1]), torch.tensor([1, 2]) / 2,
                torch.tensor([1, 2]) + 1.5, torch.tensor([1.0], dtype=torch.float32) + 1.5,
            ]  # fmt: skip
            return [str(x.dtype) for x in made], str(torch.get_default_dtype())
        finally:
            torch.set_default_dtype(torch.float32)

    oracle.same(case)


@pytest.mark.parametrize("bad", ["int64", "complex64", "bool"])
def test_only_floats_can_be_the_default_dtype(oracle, bad):
    def case(torch):
        torch.set_default_dtype(getattr(torch, bad))

    oracle.same_error(case, "only floating-point types are supported as the default type")


def test_empty_tensors_have_the_strides_of_their_format(oracle):
    def case(torch):
        return (
            [facts(torch.empty(shape)) for shape in SHAPES],
            facts(torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)),
            facts(torch.empty(2, 3, 4, 5, 6, memory_format=torch.channels_last_3d)),
            facts(torch.empty_strided((2, 3), (1, 2))),
            facts(torch.empty_strided((2, 3), (7, 2))),
            facts(torch.empty_strided((2, 3), (0, 1))),
            facts(torch.empty_strided((), ())),
            torch.empty(2, 3, 4, 5, memory_format=torch.channels_last).is_contiguous(memory_format=torch.channels_last),
            torch.empty(2, 3, 4, 5).is_contiguous(memory_format=torch.channels_last),
            torch.empty(2, 1, 4, 5).is_contiguous(memory_format=torch.channels_last),
            torch.empty(2, 3).is_contiguous(memory_format=torch.channels_last),
        )

    oracle.same(case)


def layouts(torch):
    """Tensors whose dimensions lie in memory in many ways."""
    x = torch.arange(120.0)
    return [
        x.view(2, 3, 4, 5),
        x.view(2, 3, 4, 5).permute(3, 1, 0, 2),
        x.view(2, 3, 20).transpose(0, 2),
        x.view(10, 12)[::2, ::3],
        x.view(10, 12).t()[::2, ::3],
        x.view(12, 10)[:, :1],
        x[:3].view(1, 3, 1).expand(4, 3, 5),
        x[:2].view(2, 1).expand(2, 6),
        x[7],
        x[:0].view(0, 3),
        x.view(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
        x.view(5, 24)[1:3],
    ]


@pytest.mark.parametrize("index", range(12))
def test_like_and_new(oracle, index):
    def case(torch):
        x = layouts(torch)[index]
        made = [
            torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 3), torch.zeros_like(x, dtype=torch.int64),
            torch.ones_like(x, memory_format=torch.contiguous_format), x.new_zeros(2, 3), x.new_ones((2,)),
            x.new_full((2, 2), 4), x.new_zeros((), dtype=torch.bool),
        ]  # fmt: skip
        fresh = [torch.empty_like(x), x.new_empty(3), x.new_empty((3, 2)), x.new_empty_strided((2, 3), (1, 2))]
        return made, [facts(y) for y in made + fresh]

    oracle.same(case)


@pytest.mark.parametrize("index", range(12))
def test_copies_keep_the_order_of_dimensions(oracle, index):
    def case(torch):
        x = layouts(torch)[index]
        made = [x.clone(), x.contiguous(), x.to(torch.float64), x.to(torch.float32, copy=True), x.double().float()]
        made += [
            x.clone(memory_format=torch.contiguous_format),
            x.to(torch.int32, memory_format=torch.contiguous_format),
        ]
        return made, [facts(y) for y in made], x.contiguous() is x, x.to(torch.float32) is x

    oracle.same(case)


RANGES = [
    (5,), (0,), (5.0,), (2.5,), (1, 5), (5, 0, -2), (1, 1), (0, 1, 0.1), (0, 2, 0.3), (-3, 3), (10, -1, -3),
    (2**62, 2**62 + 3), (1.5, 4), (0, 1, 0.25), (0, 7, 3), (0.0, 6, 2),
]  # fmt: skip


@pytest.mark.parametrize("arguments", RANGES, ids=str)
def test_arange(oracle, arguments):
    def case(torch):
        x = torch.arange(*arguments)
        return x, facts(x)

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float64"])
def test_arange_with_a_dtype(oracle, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        return [torch.arange(*a, dtype=kind) for a in ((7,), (1, 7, 2), (0, 3, 1.5), (1.5, 6), (9, 0, -2))]

    oracle.same(case)


def test_arange_counts_in_the_wide_type(oracle):
    def case(torch):
        return torch.arange(0, 1000, 0.7), torch.arange(0, 300, dtype=torch.float16), torch.arange(0, 30, 0.1)

    oracle.same(case, rtol=1e-6)


def test_linspace_logspace_range_eye(oracle):
    def case(torch):
        made = [
            torch.linspace(0, 1, 5), torch.linspace(3, 10, 6), torch.linspace(0, 1, 1), torch.linspace(0, 1, 0),
            torch.linspace(0, 10, 4, dtype=torch.int64), torch.linspace(5, -5, 7, dtype=torch.float64),
            torch.linspace(torch.tensor(0.0), 2, 3), torch.linspace(0, torch.tensor(2.0), 3),
            torch.linspace(-1, 1, 9, dtype=torch.float16), torch.logspace(0, 2, 3), torch.logspace(0, 3, 4, base=2),
            torch.range(0, 3), torch.range(1, 4, 0.5), torch.eye(3), torch.eye(2, 4), torch.eye(3, 1), torch.eye(0),
            torch.eye(2, dtype=torch.bool), torch.scalar_tensor(3), torch.scalar_tensor(3, dtype=torch.int32),
        ]  # fmt: skip
        return made, [facts(x) for x in made]

    oracle.same(case)


def test_into_out(oracle):
    def case(torch):
        outs = [torch.empty(0), torch.empty(2, 3), torch.empty(5), torch.empty(0), torch.empty(0, dtype=torch.int64)]
        results = [
            torch.zeros(2, 3, out=outs[0]),
            torch.ones(2, 3, out=outs[1]),
            torch.arange(5, out=outs[2]),
            torch.eye(2, out=outs[3]),
            torch.full((2,), 7, out=outs[4]),
        ]
        same = [a is b for a, b in zip(results, outs, strict=True)]
        return results, same, torch.linspace(0, 1, 3, out=torch.empty(0)), outs[1]._version

    oracle.same(case)


SIZES = {
    "numbers": lambda torch: torch.zeros(2, 3),
    "tuple": lambda torch: torch.zeros((2, 3)),
    "list": lambda torch: torch.zeros([2, 3]),
    "Size": lambda torch: torch.zeros(torch.Size([2, 3])),
    "keyword": lambda torch: torch.zeros(size=(2, 3)),
    "none": lambda torch: torch.zeros(()),
    "tensors": lambda torch: torch.zeros(torch.tensor(2), 3),
    "tensors in a tuple": lambda torch: torch.zeros((torch.tensor(2), 3)),
    "a shape": lambda torch: torch.zeros(torch.ones(2, 3).shape[1:]),
    "options": lambda torch: torch.zeros(2, dtype=float, device="cpu", layout=torch.strided, requires_grad=False),
    "int is int64": lambda torch: torch.zeros(2, dtype=int),
}


@pytest.mark.parametrize("name", SIZES)
def test_ways_to_give_a_size(oracle, name):
    oracle.same(SIZES[name])


ERRORS = {
    "zeros: Dimension size must be non-negative": lambda torch: torch.zeros(2, -1),
    "Trying to create tensor with negative dimension -1": lambda torch: torch.ones(-1),
    'zeros() missing 1 required positional arguments: "size"': lambda torch: torch.zeros(),
    "argument 'dtype' must be torch.dtype, not str": lambda torch: torch.zeros(2, dtype="float32"),
    "argument 'size' (position 1) must be tuple of ints, not float": lambda torch: torch.zeros(2.0),
    "argument 'size' (position 1) must be tuple of ints, not int": lambda torch: torch.full(2, 3),
    "argument 'fill_value' (position 2) must be Number, not Tensor": lambda torch: torch.full([2], torch.ones(1)),
    "required rank 4 tensor to use channels_last": lambda torch: torch.empty(2, memory_format=torch.channels_last),
    "unsupported memory format Preserve": lambda torch: torch.empty(2, memory_format=torch.preserve_format),
    "dimensionality of sizes (2) must match dimensionality of strides (1)": (
        lambda torch: torch.empty_strided((2, 3), (1,))
    ),
    "uint8_t without overflow": lambda torch: torch.full((2,), 300, dtype=torch.uint8),
    "int without overflow": lambda torch: torch.full((2,), 1e10, dtype=torch.int32),
    "int64_t without overflow": lambda torch: torch.full((2,), float("nan"), dtype=torch.int64),
    "c10::Half without overflow": lambda torch: torch.full((2,), 1e10, dtype=torch.float16),
    "type float without overflow": lambda torch: torch.full((2,), 1j, dtype=torch.float32),
    "int too big to convert": lambda torch: torch.full((2,), 2**64),
    "step must be nonzero": lambda torch: torch.arange(0, 1, 0),
    "step must be nonzero ": lambda torch: torch.arange(1, 4, 0.5, dtype=torch.int64),
    "upper bound and lower bound inconsistent with step sign": lambda torch: torch.arange(1, 0),
    "unsupported range: 0 -> nan": lambda torch: torch.arange(0, float("nan")),
    "\"arange_cpu\" not implemented for 'Bool'": lambda torch: torch.arange(2, dtype=torch.bool),
    "number of steps must be non-negative": lambda torch: torch.linspace(0, 1, -1),
    "n must be greater or equal to 0, got -1": lambda torch: torch.eye(-1),
    "fill_ only supports 0-dimension value tensor": lambda torch: torch.ones(3).fill_(torch.ones(3)),
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    oracle.same_error(ERRORS[phrase], phrase.strip())


def test_what_fill_accepts(oracle):
    def case(torch):
        return (
            torch.full((2,), -1, dtype=torch.uint8),
            torch.full((2,), float("inf"), dtype=torch.float16),
            torch.full((2,), 1 + 0j, dtype=torch.float32),
            torch.full((2,), 5, dtype=torch.bool),
            torch.full((2,), 1j),
            torch.full((2,), torch.tensor(3)),
            torch.ones(3).fill_(torch.tensor(2)),
            torch.zeros((), dtype=torch.int64).fill_(2.7),
            torch.zeros(1).expand(3).fill_(1),
            torch.fill(torch.ones(2), 4),
        )

    oracle.same(case)


def test_resize_keeps_what_is_in_memory(oracle):
    def case(torch):
        x = torch.arange(6.0)
        y = torch.arange(6.0).view(2, 3)
        z = torch.arange(4.0)
        base = z.untyped_storage().data_ptr()
        return (
            x.resize_(2), x.resize_(3, 2), y.t().resize_(2, 2), y.resize_as_(torch.empty(3)),
            z.resize_(2).data_ptr() == base, z.resize_(8)[:4], x is x.resize_(1), x.untyped_storage().nbytes(),
        )  # fmt: skip

    oracle.same(case)

"""copy_ and to: elements from one tensor into another, between dtypes and layouts."""

import pytest

COVERS = [
    "aten/src/ATen/native/Copy.cpp",
    "aten/src/ATen/native/TensorConversions.cpp",
    "aten/src/ATen/MemoryOverlap.h",
    "torch/csrc/autograd/utils/python_arg_parsing.h",
]

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
    "float64", "complex64", "complex128",
]  # fmt: skip


@pytest.mark.parametrize("source", DTYPES)
def test_every_dtype_into_every_other(oracle, source):
    def case(torch):
        x = torch.tensor([0, 1, 2, 3, 100, 127]).to(getattr(torch, source))
        kinds = [getattr(torch, name) for name in DTYPES]
        copied = [torch.empty(6, dtype=kind).copy_(x) for kind in kinds]
        return [x.to(kind) for kind in kinds], copied

    oracle.same(case, rtol=0, atol=0)


@pytest.mark.parametrize("source", ["float16", "bfloat16", "float32", "float64"])
def test_floats_into_integers_and_narrower_floats(oracle, source):
    def case(torch):
        values = [
            0.0,
            0.5,
            1.5,
            -1.5,
            2.5,
            99.99,
            -100.7,
            1 / 3,
            65504.0,
            1e-7,
            float("inf"),
            -float("inf"),
            float("nan"),
        ]
        x = torch.tensor(values, dtype=torch.float64).to(getattr(torch, source))
        finite = x[:7]
        integers = [finite.to(getattr(torch, name)) for name in ("int8", "int16", "int32", "int64")]
        floats = [x.to(getattr(torch, name)) for name in ("bool", "float16", "bfloat16", "float32", "float64")]
        return integers, floats, finite.abs().to(torch.uint8), finite.to(torch.uint8)

    oracle.same(case, rtol=0, atol=0)


def test_double_to_half_rounds_as_upstream_does(oracle):
    def case(torch):
        x = torch.arange(20000, dtype=torch.float64) / 20000
        odd = torch.tensor([1 + 2**-11 + 2**-40, 1 + 2**-11, 1 + 3 * 2**-11 - 2**-40], dtype=torch.float64)
        return x.half(), x.bfloat16(), odd.half(), x.mul(1 << 40).long().bfloat16()

    oracle.same(case, rtol=0, atol=0)


def test_out_of_range_floats(oracle):
    def case(torch):
        x = torch.tensor([1e30, float("inf"), -1e30, float("nan"), 3e9])
        return x.to(torch.int64)[:4], x.to(torch.int32), x.to(torch.int16)

    oracle.same(case)


TO = {
    "dtype": lambda torch, x: x.to(torch.int64),
    "device": lambda torch, x: x.to("cpu"),
    "device object": lambda torch, x: x.to(torch.device("cpu")),
    "device and dtype": lambda torch, x: x.to("cpu", torch.float64),
    "keywords": lambda torch, x: x.to(device="cpu", dtype=torch.int32),
    "other": lambda torch, x: x.to(torch.ones(1, dtype=torch.int16)),
    "nothing": lambda torch, x: x.to(),
    "None": lambda torch, x: x.to(None),
    "None and dtype": lambda torch, x: x.to(None, torch.int64),
    "Python type": lambda torch, x: x.to(int),
    "non_blocking": lambda torch, x: x.to(torch.float64, True),
    "non_blocking keyword": lambda torch, x: x.to("cpu", non_blocking=True),
    "copy": lambda torch, x: x.to(torch.float32, copy=True),
    "copy position": lambda torch, x: x.to(torch.float32, False, True),
    "memory_format": lambda torch, x: x.t().to(torch.float64, memory_format=torch.contiguous_format),
    "format alone": lambda torch, x: x.t().to(memory_format=torch.contiguous_format),
    "channels_last": lambda torch, x: x.view(1, 2, 2, 1).expand(2, 2, 2, 2).to(memory_format=torch.channels_last),
    "channels_last again": (
        lambda torch, x: (
            x.view(1, 2, 2, 1)
            .expand(2, 2, 2, 2)
            .to(memory_format=torch.channels_last)
            .to(torch.float32, memory_format=torch.channels_last)
        )
    ),
    "cpu:0": lambda torch, x: x.to("cpu:0"),
    "cpu()": lambda torch, x: x.cpu(),
    "type_as": lambda torch, x: x.type_as(torch.ones(1, dtype=torch.int64)),
}


@pytest.mark.parametrize("name", TO)
def test_ways_to_say_to(oracle, name):
    def case(torch):
        x = torch.tensor([[1.5, 2.5], [3.5, -4.5]])
        y = TO[name](torch, x)
        return y, y.stride(), y is x, y.data_ptr() == x.data_ptr()

    oracle.same(case)


def test_shorthands(oracle):
    def case(torch):
        x = torch.tensor([0.0, 1.5, -2.5])
        made = [
            x.bool(), x.abs().byte(), x.char(), x.short(), x.int(), x.long(), x.half(), x.bfloat16(), x.float(),
            x.double(), x.cfloat(), x.cdouble(),
        ]  # fmt: skip
        return made, x.float() is x, x.long().long().dtype == torch.int64

    oracle.same(case)


def test_copy_broadcasts_its_source(oracle):
    def case(torch):
        x = torch.zeros(2, 3)
        y = torch.arange(12.0).view(3, 4).t()[:2]
        return (
            x.copy_(torch.arange(3)),
            x.copy_(torch.tensor(7)),
            x.copy_(y),
            x.t().copy_(y.t()),
            x.copy_(x[:1].clone()),
        )

    oracle.same(case)


def test_copy_within_one_memory(oracle):
    def case(torch):
        x = torch.arange(6.0)
        x[1:].copy_(x[:-1].clone())
        y = torch.arange(4.0).view(2, 2)
        same = y.copy_(y) is y
        return x, y, same, y._version

    oracle.same(case)


ERRORS = {
    "The size of tensor a (3) must match the size of tensor b (2)": lambda torch: torch.zeros(3).copy_(torch.zeros(2)),
    "output with shape [3] doesn't match the broadcast shape [2, 3]": (
        lambda torch: torch.zeros(3).copy_(torch.zeros(2, 3))
    ),
    "more than one element of the written-to tensor refers to a single memory location": (
        lambda torch: torch.zeros(1).expand(3).copy_(torch.zeros(3))
    ),
    "must be Tensor, not list": lambda torch: torch.zeros(3).copy_([1, 2, 3]),
    "to() received an invalid combination of arguments": lambda torch: torch.zeros(3).to(torch.int64, torch.int32),
    "to() received an invalid combination of arguments ": lambda torch: torch.zeros(3).to(dtype="x"),
    "to() received an invalid combination of arguments  ": lambda torch: torch.zeros(3).to(other=torch.zeros(2)),
    "Expected one of cpu, cuda": lambda torch: torch.zeros(3).to("foo"),
    "preserve memory format is unsupported": (
        lambda torch: torch.zeros(2, 3).t().contiguous(memory_format=torch.preserve_format)
    ),
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    oracle.same_error(ERRORS[phrase], phrase.strip())


def test_complex_to_real_warns(torch, recwarn, monkeypatch):
    from annotated_src.aten.native.cpu import copy_kernel

    monkeypatch.setattr(copy_kernel, "_warned_of_complex", False)
    assert torch.tensor([1 + 2j]).to(torch.float32).tolist() == [1.0]
    assert [str(w.message) for w in recwarn] == ["Casting complex values to real discards the imaginary part"]


def test_numbers_out_of_range_are_no_reason_to_warn(oracle):
    def case(torch):
        x = torch.tensor([1e300, float("nan"), -1e300], dtype=torch.float64)
        for kind in (torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.uint8, torch.complex64):
            x.to(kind)
            torch.empty(3, dtype=kind).copy_(x)
        torch.tensor([1e300, 1e10], dtype=torch.float16)
        torch.tensor([10**6]).half()
        torch.tensor([1e38]).bfloat16().half()
        import warnings

        warnings.warn("only this")

    oracle.same_warnings(case, "only this")

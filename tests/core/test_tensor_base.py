"""What a tensor answers about itself, and Python's protocols: len, bool, index, iteration, copies, pickling."""

import copy
import operator
import pickle

import pytest

COVERS = [
    "torch/_tensor.py",
    "torch/csrc/autograd/python_variable.cpp",
    "torch/storage.py",
    "torch/csrc/Storage.cpp",
    "torch/csrc/TypeInfo.cpp",
    "torch/csrc/Device.cpp",
    "torch/csrc/Dtype.cpp",
    "torch/csrc/Layout.cpp",
    "torch/csrc/Size.cpp",
    "aten/src/ATen/native/TensorProperties.cpp",
]

DTYPES = ["bool", "uint8", "int16", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_properties(oracle, dtype):
    def case(torch):
        answers = []
        for shape in ((), (3,), (2, 3), (2, 0)):
            x = torch.ones(shape, dtype=getattr(torch, dtype))
            answers.append(
                (
                    str(x.dtype), str(x.device), tuple(x.shape), tuple(x.size()), x.dim(), x.ndim, x.ndimension(),
                    x.numel(), x.nelement(), x.stride(), x.storage_offset(), x.element_size(), x.itemsize, x.nbytes,
                    x.is_cuda, x.is_cpu, x.is_meta, x.is_sparse, x.is_floating_point(), x.is_complex(), x.is_signed(),
                    x.is_contiguous(), str(x.layout), x.requires_grad, x.is_leaf, x.grad is None, x.grad_fn is None,
                    x.is_shared(), x.is_pinned(), x.get_device(), x.is_inference(), x.is_conj(), x._version,
                    torch.numel(x), torch.is_tensor(x), torch.is_floating_point(x), torch.is_complex(x), x.type(),
                    type(x.shape).__name__, x.data_ptr() == 0,
                )
            )  # fmt: skip
        return answers

    oracle.same(case)


def test_size_and_stride_of_a_dimension(oracle):
    def case(torch):
        x = torch.ones(2, 3, 4)
        return [x.size(d) for d in range(-3, 3)], [x.stride(d) for d in range(-3, 3)], x.shape[1:], x.size().numel()

    oracle.same(case)


ERRORS = {
    "expected to be in range of [-2, 1], but got 5": lambda torch: torch.ones(2, 3).size(5),
    "expected to be in range of [-2, 1], but got -3": lambda torch: torch.ones(2, 3).stride(-3),
    "tensor has no dimensions": lambda torch: torch.tensor(1).size(0),
    "size(): argument 'dim' (position 1) must be int, not str": lambda torch: torch.ones(1).size("a"),
    "argument 'input' (position 1) must be Tensor, not int": lambda torch: torch.numel(3),
    "len() of a 0-d tensor": lambda torch: len(torch.tensor(1)),
    "iteration over a 0-d tensor": lambda torch: list(torch.tensor(1)),
    "Boolean value of Tensor with more than one value is ambiguous": lambda torch: bool(torch.ones(2)),
    "Boolean value of Tensor with no values is ambiguous": lambda torch: bool(torch.ones(0)),
    "only one element tensors can be converted to Python scalars": lambda torch: float(torch.ones(2)),
    "only one element tensors can be converted to Python scalars ": lambda torch: int(torch.ones(2)),
    "value cannot be converted to type double without overflow": lambda torch: float(torch.tensor(1j)),
    "int64_t without overflow": lambda torch: int(torch.tensor(2**64 - 1, dtype=torch.uint64)),
    "cannot convert float infinity to integer": lambda torch: int(torch.tensor(float("inf"))),
    "a Tensor with 3 elements cannot be converted to Scalar": lambda torch: torch.ones(3).item(),
    "only integer tensors of a single element can be converted to an index": (
        lambda torch: operator.index(torch.tensor(1.5))
    ),
    "only supports Tensor or scalar, but you passed in": lambda torch: "a" in torch.ones(2),
    "Float did not match Double": lambda torch: torch.allclose(torch.ones(1), torch.ones(1, dtype=torch.float64)),
    "rtol must be greater than or equal to zero, but got -1": (
        lambda torch: torch.isclose(torch.ones(1), torch.ones(1), rtol=-1)
    ),
    "argument 'other' (position 2) must be Tensor, not int": lambda torch: torch.equal(torch.ones(1), 3),
    "Cannot access accelerator device": lambda torch: torch.ones(1).pin_memory(),
    "Expected one of cpu, cuda": lambda torch: torch.device("foo"),
    "Device string must not be empty": lambda torch: torch.device(""),
    "Invalid device string: 'cuda:01'": lambda torch: torch.device("cuda:01"),
    "type (string) must not include an index": lambda torch: torch.device("cuda:1", 1),
    "received an invalid combination of arguments": lambda torch: torch.device(3.0),
    "torch.finfo() requires a floating point input type": lambda torch: torch.finfo(torch.int32),
    "torch.iinfo() requires an integer input type": lambda torch: torch.iinfo(torch.float32),
    "torch.bool is not supported by torch.iinfo": lambda torch: torch.iinfo(torch.bool),
    "argument 'type' (position 1) must be torch.dtype, not str": lambda torch: torch.finfo("a"),
    "Unknown Complex ScalarType for Long": lambda torch: torch.int64.to_complex(),
    "index 24 out of range": lambda torch: torch.ones(6).untyped_storage()[24],
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    if phrase.startswith("index 24"):
        # Upstream's message says the same in other words.
        oracle.same_error(ERRORS[phrase], "24")
    else:
        oracle.same_error(ERRORS[phrase], phrase.strip())


def test_numbers(oracle):
    def case(torch):
        one = torch.tensor([2.5])
        return (
            bool(torch.tensor(0.0)), bool(torch.tensor([3])), float(torch.tensor(3)), int(torch.tensor(-2.7)),
            float(one), complex(one), operator.index(torch.tensor([3])), operator.index(torch.tensor(True)),
            [10, 20, 30][torch.tensor(1)], list(range(torch.tensor(2))), one.item(), torch.tensor(True).item(),
            torch.tensor(3).item(), torch.tensor(1 + 2j).item(), torch.tensor(1.1, dtype=torch.bfloat16).item(),
            torch.tensor(2**64 - 1, dtype=torch.uint64).item(), int(torch.tensor(1e30, dtype=torch.float64)),
            torch.ones(1, 1, 1).item(), torch.tensor(0).is_nonzero(), "ab" * torch.tensor(2),
        )  # fmt: skip

    oracle.same(case)


def test_protocols(oracle):
    def case(torch):
        x = torch.arange(6).view(2, 3)
        first, second = x
        return (
            len(x), list(x), first, second, [type(row).__name__ for row in x], reversed(x), reversed(torch.tensor(3)),
            4 in x, 9 in x, torch.tensor(5) in x, hash(x) == id(x), {x: 1}[x], x.unbind()[0]._version,
        )  # fmt: skip

    oracle.same(case)


def test_deepcopy_keeps_what_is_shared(oracle):
    def case(torch):
        x = torch.arange(6.0).view(2, 3).t()
        y = copy.deepcopy(x)
        x[0, 0] = 9
        pair = torch.zeros(4)
        base, view = copy.deepcopy([pair, pair[1:]])
        view[0] = 5
        again = copy.deepcopy([x, x])
        return y, y.stride(), base, again[0] is again[1], copy.copy(x).data_ptr() == x.data_ptr(), copy.copy(x) is x

    oracle.same(case)


def test_pickle(oracle):
    def case(torch):
        values = [torch.arange(6).view(2, 3), torch.arange(6.0)[::2], torch.tensor(True), torch.ones(2, 0)]
        values += [torch.float32, torch.Size([2, 3]), torch.device("cuda", 1), torch.strided, torch.channels_last]
        back = [pickle.loads(pickle.dumps(value)) for value in values]
        same = [back[4] is torch.float32, back[7] is torch.strided, back[8] is torch.channels_last]
        return back[:4], [x.stride() for x in back[:4]], same, back[5] == values[5], back[6] == values[6]

    oracle.same(case)


def test_storage(oracle):
    def case(torch):
        x = torch.arange(6.0).view(2, 3)
        s = x.untyped_storage()
        s2 = copy.deepcopy(s)
        s[0] = 1
        return (
            s.nbytes(), s.size(), len(s), s[3], s.tolist(), s[-1], s is x[1].untyped_storage(), s.is_shared(),
            s.data_ptr() == x.data_ptr(), x[1].storage_offset(), x[1].data_ptr() - x.data_ptr(), str(s.device),
            s2.tolist(), x, s.element_size(), repr(torch.ones(1).untyped_storage()), torch.is_storage(s),
            torch.UntypedStorage(4).nbytes(), torch.UntypedStorage([1, 2]).tolist(), s.clone().tolist() == s.tolist(),
            torch.is_storage(x), list(s[0:2]), x.is_set_to(x.view(2, 3)), x.is_set_to(x[1]),
        )  # fmt: skip

    oracle.same(case)


def test_typed_storage(oracle):
    def case(torch):
        s = torch.arange(3.0)[1:].storage()
        return (
            s.tolist(), s.size(), len(s), s[1], s.nbytes(), str(s.dtype), str(s), list(s), s.element_size(),
            torch.is_storage(s), s.untyped().nbytes(), s.clone().tolist(), str(s.device), s.is_cuda,
        )  # fmt: skip

    oracle.same(case)


def test_data_is_a_view_that_counts_for_itself(oracle):
    def case(torch):
        x = torch.zeros(3)
        y = x.data
        y.fill_(4)
        z = x.detach()
        z.fill_(5)
        versions = x._version, y._version, z._version
        x.data = torch.ones(2, 2)
        return x, versions, y, x.shape

    oracle.same(case)


def test_versions(oracle):
    def case(torch):
        x = torch.zeros(4)
        seen = [x._version]
        view = x[1:]
        for write in (lambda: x.fill_(1), lambda: view.zero_(), lambda: x.copy_(torch.ones(4)), lambda: x.add_(1)):
            write()
            seen.append((x._version, view._version))
        return seen, x.clone()._version, x.double()._version, torch.arange(3)._version, torch.tensor([1])._version

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_finfo(oracle, dtype):
    def case(torch):
        info = torch.finfo(getattr(torch, dtype))
        return (
            repr(info), info.bits, info.eps, info.max, info.min, info.tiny, info.smallest_normal, info.resolution,
            info.dtype, info == torch.finfo(getattr(torch, dtype)), info == torch.finfo(torch.float32),
            repr(torch.finfo()),
        )  # fmt: skip

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "uint64"])
def test_iinfo(oracle, dtype):
    def case(torch):
        info = torch.iinfo(getattr(torch, dtype))
        return repr(info), info.bits, info.max, info.min, info.dtype

    oracle.same(case)


def test_dtypes_and_devices(oracle):
    def case(torch):
        kinds = [getattr(torch, name) for name in DTYPES]
        return (
            [(repr(k), k.itemsize, k.is_floating_point, k.is_complex, k.is_signed) for k in kinds],
            torch.float is torch.float32, torch.long is torch.int64, torch.half is torch.float16,
            torch.cfloat is torch.complex64, repr(torch.float32.to_complex()), repr(torch.complex128.to_real()),
            repr(torch.device("cpu")), repr(torch.device("cuda:1")), str(torch.device("cuda", 0)),
            torch.device(type="cuda", index=1).index, torch.device("cpu") == torch.device("cpu:0"),
            {torch.device("cpu"): 1}[torch.device("cpu")], torch.device(torch.device("cpu")).type,
            repr(torch.strided), repr(torch.channels_last), repr(torch.contiguous_format), repr(torch.preserve_format),
        )  # fmt: skip

    oracle.same(case)


def test_version(torch):
    assert torch.__version__ == "2.13.0+annotated"
    assert torch.__version__ >= (2, 13) and torch.__version__ < "2.14" and not torch.__version__ < (2, 9)
    assert torch.__version__.split("+")[0] == "2.13.0"


def test_nearly_equal(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0, float("nan"), float("inf"), -float("inf")])
        y = torch.tensor([1.0 + 1e-6, 2.1, float("nan"), float("inf"), float("inf")])
        i, b = torch.tensor([1, 100]), torch.tensor([True, False])
        return (
            torch.isclose(x, y), torch.isclose(x, y, equal_nan=True), torch.isclose(x, y, rtol=0, atol=0),
            torch.isclose(x, y, atol=1), torch.isclose(i, i + 1), torch.isclose(i, i + 1, rtol=0.1),
            torch.isclose(b, ~b), torch.isclose(x[:2], y[:1]), torch.allclose(x[:1], y[:1]), torch.allclose(x, y),
            x.allclose(x, equal_nan=True), torch.isclose(x[:2].half(), y[:2].half()), torch.equal(x, x),
            torch.equal(i, i.float()), torch.equal(i, i[:1]), x[:2].equal(x[:2].clone()), torch.equal(b[:0], b[:0]),
            torch.isclose(x[:2].double(), y[:2].double()), torch.isclose(b, b, rtol=1),
        )  # fmt: skip

    oracle.same(case)


def test_operators_by_name(oracle):
    def case(torch):
        return (
            torch.ops.aten.add is torch.add if "annotated" in torch.__version__ else True,
            torch.ops.aten.add.Tensor(torch.ones(2), torch.ones(2)), torch.ops.aten.zeros.default([2]),
            torch.ops.aten.full([2], 3.0), torch.ops.aten.clone.default(torch.ones(1)),
            str(torch.ops.aten.fill_.Scalar),
            hasattr(torch.ops.aten, "no_such_operator"), torch.ops.aten.arange.start_step(0, 5, 2),
        )  # fmt: skip

    oracle.same(case)

"""torch.tensor, torch.as_tensor, x.new_tensor and the legacy constructors: tensors from Python data."""

import numpy
import pytest

COVERS = ["torch/csrc/utils/tensor_new.cpp", "torch/csrc/tensor/python_tensor.cpp"]


class Numbers:
    """A sequence that is neither list nor tuple."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        if index > 1:
            raise IndexError
        return index


DATA = {
    "empty": lambda torch: [],
    "empty row": lambda torch: [[]],
    "two empty rows": lambda torch: [[], []],
    "int": lambda torch: 3,
    "float": lambda torch: 2.5,
    "bool": lambda torch: True,
    "complex": lambda torch: 1 + 2j,
    "ints": lambda torch: [1, 2, 3],
    "floats": lambda torch: [1.0, 2.5],
    "bools": lambda torch: [True, False],
    "int and float": lambda torch: [1, 2.5],
    "bool and int": lambda torch: [True, 2],
    "bool and float": lambda torch: [True, 2.5],
    "float and bool": lambda torch: [1.0, True],
    "int and complex": lambda torch: [1, 2j],
    "nested": lambda torch: [[1, 2], [3, 4]],
    "list and tuple": lambda torch: [[1, 2], (3, 4)],
    "three dimensions": lambda torch: [[[1], [2]], [[3], [4.5]]],
    "range": lambda torch: range(3),
    "bytearray": lambda torch: bytearray(b"abc"),
    "sequence": lambda torch: Numbers(),
    "not a number": lambda torch: [float("nan"), float("inf"), -float("inf")],
    "the largest int": lambda torch: [2**63 - 1, -(2**63)],
    "float32 scalar": lambda torch: numpy.float32(2),
    "float64 scalar": lambda torch: numpy.float64(2),
    "int32 scalar": lambda torch: numpy.int32(2),
    "bool scalar": lambda torch: numpy.bool_(True),
    "float16 scalars": lambda torch: [numpy.float16(2)],
    "float32 scalars": lambda torch: [numpy.float32(2), numpy.float32(3)],
    "float64 scalars": lambda torch: [numpy.float64(2)],
    "mixed scalars": lambda torch: [numpy.float32(1), numpy.float64(2)],
    "uint8 scalars": lambda torch: [numpy.uint8(1)],
    "scalar and float": lambda torch: [numpy.int32(2), 2.5],
    "complex scalars": lambda torch: [numpy.complex64(1)],
    "array": lambda torch: numpy.arange(4.0).reshape(2, 2),
    "float32 array": lambda torch: numpy.ones(2, numpy.float32),
    "transposed array": lambda torch: numpy.arange(6).reshape(2, 3).T,
    "0-d array": lambda torch: numpy.array(7),
    "arrays in a list": lambda torch: [numpy.ones(2), numpy.zeros(2)],
    "float32 arrays in a list": lambda torch: [numpy.ones(2, numpy.float32)],
    "array and list": lambda torch: [[1, 2], numpy.array([3, 4])],
    "tensor": lambda torch: torch.tensor([1, 2]),
    "0-d tensors": lambda torch: [torch.tensor(1.5), torch.tensor(3)],
    "tensors of one element": lambda torch: [torch.tensor([1]), torch.tensor([2])],
    "tensor and float": lambda torch: [torch.tensor(3), 2.5],
}


@pytest.mark.parametrize("name", DATA)
def test_shape_and_dtype_are_inferred(oracle, name):
    def case(torch):
        x = torch.tensor(DATA[name](torch))
        return x, x.stride(), x.is_contiguous(), x._version

    oracle.same(case)


DTYPES = ["bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "uint16"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_dtype_is_given(oracle, dtype):
    def case(torch):
        kind = getattr(torch, dtype)
        data = [2, [1, 0], [[True, False]], numpy.arange(3), numpy.ones(2), torch.tensor([1.5, 2.5]), range(2)]
        return [torch.tensor(x, dtype=kind) for x in data] + [torch.as_tensor(x, dtype=kind) for x in data]

    oracle.same(case)


def test_values_at_the_limits(oracle):
    def case(torch):
        return (
            torch.tensor(1.5, dtype=torch.int64), torch.tensor(-1.9, dtype=torch.int32),
            torch.tensor(-1, dtype=torch.uint8), torch.tensor(1e10, dtype=torch.float16),
            torch.tensor(70000, dtype=torch.float16), torch.tensor(2**70, dtype=torch.float32),
            torch.tensor(0.5, dtype=torch.bool), torch.tensor(float("nan"), dtype=torch.bool),
            torch.tensor([2**64 - 1, 2**63], dtype=torch.uint64), torch.tensor(2**53 + 1, dtype=torch.float64),
            torch.tensor([0.1, 1 / 3, 1e-40], dtype=torch.float32), torch.tensor([0.1, 65519.0], dtype=torch.float16),
            torch.tensor([1 / 3, 1e38], dtype=torch.bfloat16), torch.tensor(2048.999999999, dtype=torch.float16),
        )  # fmt: skip

    oracle.same(case, rtol=0, atol=0)


ERRORS = {
    "expected sequence of length 2 at dim 1 (got 1)": lambda torch: torch.tensor([[1, 2], [3]]),
    "expected sequence of length 1 at dim 1 (got 2)": lambda torch: torch.tensor([[1], [2, 3]]),
    "expected sequence of length 2 at dim 2 (got 1)": lambda torch: torch.tensor([[[1, 2]], [[3]]]),
    "expected sequence of length 2 at dim 1 (got 3)": lambda torch: torch.tensor([numpy.ones(2), numpy.ones(3)]),
    "not a sequence": lambda torch: torch.tensor([[1, 2], 3]),
    "'list' object cannot be interpreted as an integer": lambda torch: torch.tensor([1, [2]]),
    "Overflow when unpacking long": lambda torch: torch.tensor(2**63),
    "Overflow when unpacking long ": lambda torch: torch.tensor([0, -(2**63) - 1]),
    "int too big to convert": lambda torch: torch.tensor(2**64, dtype=torch.uint64),
    "type uint8 without overflow": lambda torch: torch.tensor(300, dtype=torch.uint8),
    "type uint8 without overflow ": lambda torch: torch.tensor([1.0, -1.5], dtype=torch.uint8),
    "type int32 without overflow": lambda torch: torch.tensor(1e10, dtype=torch.int32),
    "type int64 without overflow": lambda torch: torch.tensor(float("nan"), dtype=torch.int64),
    "must be real number, not complex": lambda torch: torch.tensor(1j, dtype=torch.float32),
    "new(): invalid data type 'str'": lambda torch: torch.tensor("a"),
    "new(): invalid data type 'bytes'": lambda torch: torch.tensor(b"a"),
    "too many dimensions 'str'": lambda torch: torch.tensor(["a"]),
    "Could not infer dtype of NoneType": lambda torch: torch.tensor([None]),
    "Could not infer dtype of dict": lambda torch: torch.tensor([{}]),
    "Could not infer dtype of set": lambda torch: torch.tensor({1}),
    "Could not infer dtype of generator": lambda torch: torch.tensor(x for x in [1]),
    "can't convert np.ndarray of type numpy.str_": lambda torch: torch.tensor(numpy.array(["a"])),
    "can't convert np.ndarray of type numpy.object_": lambda torch: torch.tensor(numpy.array([None])),
    "len() of unsized object": lambda torch: torch.tensor([numpy.array(1), numpy.array(2)]),
    "only integer tensors of a single element": lambda torch: torch.tensor([torch.tensor([1, 2])]),
    "tensor() takes 1 positional argument but 2 were given": lambda torch: torch.tensor(1, 2),
    "got an unexpected keyword argument 'foo'": lambda torch: torch.tensor([1], foo=2),
    "argument 'dtype' must be torch.dtype, not str": lambda torch: torch.tensor([1], dtype="int"),
    "got an unexpected keyword argument 'requires_grad'": lambda torch: torch.as_tensor([1], requires_grad=True),
    "new(): data must be a sequence (got float)": lambda torch: torch.Tensor(2.5),
    "new(): invalid data type 'str' ": lambda torch: torch.Tensor("a"),
    "received an invalid combination of arguments": lambda torch: torch.Tensor(2, dtype=torch.int64),
    "without overflow": lambda torch: torch.ByteTensor([300]),
    "expected": lambda torch: torch.IntTensor(torch.ones(2)),
    "invalid type: 'foo'": lambda torch: torch.ones(2).type("foo"),
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    oracle.same_error(ERRORS[phrase], phrase.strip())


def test_as_tensor_shares_memory(oracle):
    def case(torch):
        array = numpy.zeros(3)
        shared, cast = torch.as_tensor(array), torch.as_tensor(array, dtype=torch.float32)
        x = torch.ones(2)
        array[0] = 5
        return shared, cast, torch.as_tensor(x) is x, torch.as_tensor(x, dtype=torch.float64), torch.as_tensor(3)

    oracle.same(case)


def test_tensor_copies(oracle):
    def case(torch):
        array, x = numpy.zeros(2), torch.zeros(2)
        copies = torch.tensor(array), torch.tensor(x), x.new_tensor(array)
        array[0] = x[0] = 7
        return copies

    oracle.same(case)


def test_new_tensor(oracle):
    def case(torch):
        i, x = torch.tensor(3), torch.tensor(1.5)
        return (
            x.new_tensor([1, 2]), i.new_tensor([1.5, 2.5]), i.new_tensor([1.5], dtype=torch.float64), x.new([1, 2]),
            i.new([1, 2]), x.new(2, 3).shape, x.new(), i.new(torch.Size([2])).shape,
        )  # fmt: skip

    oracle.same(case)


def test_legacy_constructors(oracle):
    def case(torch):
        i = torch.tensor([3])
        return (
            torch.Tensor(2, 3).shape, torch.Tensor(2).shape, torch.Tensor(torch.Size([2, 3])).shape, torch.Tensor(),
            torch.Tensor([1, 2]), torch.Tensor((2, 3)), torch.Tensor(range(3)), torch.Tensor(numpy.ones(2)),
            torch.Tensor(i), torch.Tensor([1], device="cpu"), torch.FloatTensor([1, 2]), torch.LongTensor([1.5]),
            torch.LongTensor(2).dtype == torch.int64, torch.BoolTensor([1, 0]), torch.HalfTensor([1]),
            torch.DoubleTensor(numpy.ones(2, numpy.float32)), torch.BFloat16Tensor([1]), torch.ByteTensor([1]),
            isinstance(torch.ones(2), torch.FloatTensor), isinstance(i, torch.FloatTensor),
            isinstance(i, torch.LongTensor), torch.FloatTensor.__name__, str(torch.FloatTensor.dtype),
        )  # fmt: skip

    oracle.same(case)


def test_type(oracle):
    def case(torch):
        x = torch.tensor([1.5])
        names = [torch.ones(1, dtype=getattr(torch, dtype)).type() for dtype in DTYPES]
        return names, x.type("torch.LongTensor"), x.type(torch.LongTensor), x.type(torch.int32), torch.typename(x)

    oracle.same(case)


def test_warnings(oracle):
    def copy_construct(torch):
        return torch.tensor(torch.ones(2))

    def new_tensor(torch):
        return torch.ones(2).new_tensor(torch.ones(2))

    oracle.same_warnings(copy_construct, "To copy construct from a tensor, it is recommended to use")
    oracle.same_warnings(new_tensor, "To copy construct from a tensor, it is recommended to use")


def test_a_list_of_arrays_is_slow_and_says_so_once(torch, recwarn, monkeypatch):
    from annotated_src.torch.csrc.utils import tensor_new

    monkeypatch.setattr(tensor_new, "_warned_list_of_arrays", False)
    torch.tensor([numpy.ones(2), numpy.zeros(2)])
    torch.tensor([numpy.ones(2)])
    assert [str(w.message)[:63] for w in recwarn] == [
        "Creating a tensor from a list of numpy.ndarrays is extremely slow"[:63]
    ]


def test_requires_grad_is_no_argument_of_an_operator(oracle):
    def case(torch):
        return torch.ones(2).clone(requires_grad=True)

    oracle.same_error(case, "got an unexpected keyword argument 'requires_grad'")


def test_factories_take_requires_grad(oracle):
    def case(torch):
        made = [torch.ones(2, requires_grad=flag) for flag in (True, False)]
        made += [
            torch.zeros_like(made[0]),
            torch.tensor([1.0], requires_grad=True),
            torch.arange(3.0, requires_grad=True),
        ]
        return [x.requires_grad for x in made]

    oracle.same(case)

"""Between tensors and NumPy arrays, sharing memory."""

import numpy
import pytest

COVERS = ["torch/csrc/utils/tensor_numpy.cpp", "torch/csrc/utils/tensor_list.cpp"]

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_there_and_back(oracle, dtype):
    def case(torch):
        array = numpy.arange(6).reshape(2, 3).astype(dtype)
        x = torch.from_numpy(array)
        return x, x.numpy(), x.tolist(), torch.from_numpy(array.T), torch.from_numpy(array.T).stride()

    oracle.same(case)


def test_both_sides_see_each_others_writes(oracle):
    def case(torch):
        array = numpy.zeros(4)
        x = torch.from_numpy(array)
        array[0] = 1
        x[1] = 2
        x.numpy()[2] = 3
        x.view(2, 2).numpy()[1, 1] = 4
        return x, array, x.numpy().base is None, x.untyped_storage().nbytes()

    oracle.same(case)


LAYOUTS = {
    "0-d": lambda: numpy.array(1.5),
    "empty": lambda: numpy.ones((3, 0)),
    "steps": lambda: numpy.arange(12.0).reshape(3, 4)[::2, 1::2],
    "broadcast": lambda: numpy.broadcast_to(numpy.arange(3.0), (2, 3)),
    "fortran": lambda: numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)),
    "new axis": lambda: numpy.arange(3.0)[:, None],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(oracle, name):
    def case(torch):
        x = torch.from_numpy(LAYOUTS[name]())
        return x, x.is_contiguous(), x.storage_offset()

    oracle.same(case)


def test_numpy_changes_its_own_shape_only(torch):
    x = torch.zeros(4)
    array = x.numpy()
    array.shape = (2, 2)
    assert x.shape == (4,)
    source = numpy.zeros(4)
    y = torch.from_numpy(source)
    source.shape = (2, 2)
    assert y.shape == (4,)


ERRORS = {
    "expected np.ndarray (got list)": lambda torch: torch.from_numpy([1]),
    "expected np.ndarray (got numpy.float32)": lambda torch: torch.from_numpy(numpy.float32(1)),
    "At least one stride in the given numpy array is negative": lambda torch: torch.from_numpy(numpy.arange(3)[::-1]),
    "can't convert np.ndarray of type numpy.str_": lambda torch: torch.from_numpy(numpy.array(["a"])),
    "The only supported types are: float64, float32, float16": (
        lambda torch: torch.from_numpy(numpy.array([1, 2], dtype="M8[s]"))
    ),
    "numpy.longdouble": lambda torch: torch.from_numpy(numpy.ones(2, dtype=numpy.longdouble)),
    "given numpy array has byte order different": lambda torch: torch.from_numpy(numpy.array([1], dtype=">i4")),
    "given numpy array strides not a multiple of the element byte size": (
        lambda torch: torch.from_numpy(numpy.zeros(3, dtype=[("a", "i1"), ("b", "i4")])["b"])
    ),
    "Got unsupported ScalarType BFloat16": lambda torch: torch.ones(2, dtype=torch.bfloat16).numpy(),
    "Can't call numpy() on Tensor that requires grad": lambda torch: torch.ones(2, requires_grad=True).numpy(),
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    oracle.same_error(ERRORS[phrase], phrase)


def test_force(oracle):
    def case(torch):
        return torch.ones(2, requires_grad=True).numpy(force=True), torch.ones(2).numpy(force=False)

    oracle.same(case)


def test_a_read_only_array_warns_once(torch, recwarn, monkeypatch):
    from annotated_src.torch.csrc.utils import tensor_numpy

    monkeypatch.setattr(tensor_numpy, "_warned_not_writeable", False)
    array = numpy.frombuffer(b"abcd", dtype=numpy.uint8)
    assert torch.from_numpy(array).tolist() == [97, 98, 99, 100]
    torch.as_tensor(array)
    assert [str(w.message)[:38] for w in recwarn] == ["The given NumPy array is not writable,"]
    recwarn.clear()
    monkeypatch.setattr(tensor_numpy, "_warned_not_writeable", False)
    torch.tensor(array)
    assert not recwarn


def test_numpy_takes_tensors(oracle):
    def case(torch):
        x = torch.tensor([1.0, 4.0])
        return (
            numpy.asarray(x), numpy.asarray(x, dtype=numpy.int64), numpy.sqrt(x), numpy.float64(2) * x,
            x + numpy.ones(2), x * numpy.float64(2), x.__array__(), x.__array_wrap__(numpy.array([True])),
            numpy.stack([x, x]), len(x.numpy()),
        )  # fmt: skip

    oracle.same(case)


def test_tolist(oracle):
    def case(torch):
        return (
            torch.tensor(3).tolist(), torch.tensor(2.5).tolist(), torch.tensor([[True], [False]]).tolist(),
            torch.ones(2, 0).tolist(), torch.tensor([1.1], dtype=torch.float16).tolist(),
            torch.tensor([1.1], dtype=torch.bfloat16).tolist(), torch.tensor(1 + 2j).tolist(),
            torch.arange(6).view(2, 3).t().tolist(), torch.tensor([float("inf")]).tolist(),
        )  # fmt: skip

    oracle.same(case)

"""Check 2 of the GPU path: the strict array module is as strict as CuPy, and the product gets by with it.

That the operators do is shown by `pytest --device strict tests/core tests/ground`. Here are the module's own rules, and
what a whole step of a model transfers: nothing but its data, its labels and the number that is asked for.
"""

import re

import numpy
import pytest

from annotated_src.aten.native import activation
from annotated_src.walkthrough.strict import api
from annotated_src.walkthrough.strict.marks import HiddenTransfer
from annotated_src.walkthrough.strict.module import strict_module as xp
from tests.on_device import CPU_ONLY
from tests.source_map import CHECKOUT

HOST = numpy.arange(6.0).reshape(2, 3)


@pytest.fixture
def array():
    return xp.asarray(HOST)


def same(found, expected):
    assert type(found) is xp.ndarray
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert (found.get() == expected).all()


# -- conversion


@pytest.mark.parametrize(
    "convert",
    [numpy.asarray, numpy.array, numpy.ascontiguousarray, memoryview, lambda x: HOST.__setitem__(..., x), list().index],
    ids=["asarray", "array", "ascontiguousarray", "buffer", "assignment", "index"],
)
def test_nothing_becomes_a_host_array_by_itself(array, convert):
    with pytest.raises((TypeError, ValueError)):
        convert(array)


def test_the_refusal_says_what_to_do(array):
    with pytest.raises(TypeError, match=re.escape("Implicit conversion to a NumPy array is not allowed.")):
        numpy.asarray(array)


def test_what_is_asked_for_goes_to_the_host(array):
    assert (array.get() == HOST).all()
    assert array[0, 1].item() == float(array[0, 1]) == 1.0
    assert int(array.sum()) == 15
    assert array.tolist() == HOST.tolist()
    assert bool(array[0, 1])


# -- mixing


@pytest.mark.parametrize(
    "mix",
    [
        lambda x: x + HOST,
        lambda x: HOST + x,
        lambda x: numpy.add(HOST, x),
        lambda x: xp.add(x, HOST),
        lambda x: xp.add(x, x, out=HOST.copy()),
        lambda x: xp.where(x > 0, x, HOST),
        lambda x: xp.where(HOST > 0, x, x),
        lambda x: xp.concatenate([x, HOST]),
        lambda x: x.__setitem__(0, HOST[0]),
        lambda x: x.__getitem__(numpy.array([0])),
        lambda x: x.__getitem__([0]),
        lambda x: x.take(numpy.array([0])),
        lambda x: x == HOST,
        lambda x: x @ HOST.T,
        lambda x: x.fill(numpy.array(1.0)),
        lambda x: xp.copyto(x, HOST),
        lambda x: x.__iadd__(HOST),
        lambda x: xp.full((2,), numpy.array(1.0)),
        lambda x: xp.add(x, [1.0, 2.0, 3.0]),
    ],
)
def test_host_arrays_are_refused(array, mix):
    with pytest.raises(TypeError):
        mix(array)


def test_scalars_may_pass(array):
    same(array + 1, HOST + 1)
    same(2.0 * array, 2.0 * HOST)
    same(array * numpy.float64(3), HOST * 3)
    same(numpy.float64(3) * array, HOST * 3)
    same(xp.where(array > 2, array, 0.0), numpy.where(HOST > 2, HOST, 0.0))


# -- what is an array, and what is not there


def test_there_are_no_scalars(array):
    for found in (array[0, 0], array.sum(), array.argmax(), xp.add(1, 2), array.max()):
        assert type(found) is xp.ndarray
        assert found.shape == ()


def test_a_card_needs_numbers_to_slice_by(array):
    with pytest.raises(TypeError):
        HOST[: array.argmax()]


@pytest.mark.parametrize("name", ["errstate", "nditer", "object_", "strings", "ma"])
def test_what_cupy_lacks_does_not_exist(name):
    assert hasattr(numpy, name)
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(xp, name)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.sum(where=x > 0),
        lambda x: xp.add(x, x, where=x > 0),
        lambda x: x.sum(initial=1.0),
        lambda x: xp.take(x, xp.asarray([0]), mode="clip"),
        lambda x: xp.zeros_like(x, device="cpu"),
        lambda x: x.astype(int, casting="unsafe"),
        lambda x: xp.asarray(["a"]),
        lambda x: xp.logical_not(x.astype(complex)),
        lambda x: xp.add.at(x.astype("int8"), xp.asarray([0]), 1),
        lambda x: x.sort(kind="quicksort"),
    ],
)
def test_arguments_and_types_that_cupy_does_not_take(array, call):
    with pytest.raises((TypeError, ValueError)):
        call(array)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: xp.maximum.reduce(x),
        lambda x: xp.multiply.at(x, xp.asarray([0]), 1),
        lambda x: xp.minimum.reduceat(x, xp.asarray([0])),
        lambda x: xp.RawModule,
    ],
)
def test_what_cupy_has_not_got_yet(array, call):
    with pytest.raises(NotImplementedError):
        call(array)


def test_indices_outside_wrap_around(array):
    same(array[xp.asarray([2, -3])], HOST[[0, 1]])
    same(array.take(xp.asarray([3, 4]), axis=1), HOST[:, [0, 1]])


def test_numpys_functions_of_strict_arrays_are_the_modules(array):
    same(numpy.exp(array), numpy.exp(HOST))
    same(numpy.sum(array, axis=0), HOST.sum(0))


def test_the_loops_are_cupys(array):
    assert xp.sqrt(array.astype("int8")).dtype == "float16"
    assert xp.add(array.astype("float16"), 2.0).dtype == "float16"
    assert (array.astype("int8") + array.astype("float32")).dtype == "float32"
    assert xp.add(array.astype("uint8"), 1).dtype == "uint8"


def test_views_share_memory(array):
    view = array[0].reshape(3, 1).T
    assert view.base is array
    view += 1
    same(array, HOST + [[1], [0]])
    assert array[1].data.ptr - array.data.ptr == 24
    assert array.T.flags.f_contiguous
    assert xp.lib.stride_tricks.as_strided(array, (2, 2), (24, 8)).base is array


# -- transfers


def test_transfers_and_launches_are_logged(log):
    with log.recording() as entries:
        x = xp.asarray(HOST)
        y = (x.reshape(3, 2) * 2).sum()
        y.item()
        xp.nonzero(x)
    assert [(entry.kind, entry.name or entry.nbytes) for entry in entries] == [
        ("H2D", 48), ("launch", "multiply"), ("launch", "sum"), ("D2H", 8), ("D2H", 8), ("launch", "nonzero")
    ]  # fmt: skip


def test_a_transfer_in_a_kernel_must_be_marked(card, torch):
    scope = {}
    exec(compile("def peek(self):\n    return float(self.array.sum())\n", activation.__file__, "exec"), scope)
    with pytest.raises(HiddenTransfer, match="carries 4 bytes D2H"):
        scope["peek"](torch.ones(2, device="cuda"))


def test_a_step_transfers_its_data_and_its_loss_and_nothing_else(log, torch):
    F = torch.nn.functional
    torch.manual_seed(0)
    kernel = torch.randn(4, 1, 3, 3).to("cuda").requires_grad_()
    bias = torch.zeros(4).to("cuda").requires_grad_()
    weight = torch.randn(10, 64).to("cuda").requires_grad_()
    images, labels = torch.randn(2, 1, 8, 8, device="cpu"), torch.tensor([3, 7], device="cpu")
    with log.recording() as entries:
        x, y = images.to("cuda"), labels.to("cuda")
        copied_in = len(entries)
        features = F.max_pool2d(F.relu(F.conv2d(x, kernel, bias, padding=1)), 2)
        loss = F.cross_entropy(F.linear(features.flatten(1), weight), y)
        loss.backward()
        kernel.detach().sub_(kernel.grad, alpha=0.1)
        computed = len(entries)
        loss.item()
    assert {entry.kind for entry in entries[copied_in:computed]} == {"launch"}
    assert computed - copied_in > 50
    transfers = [entry.kind for entry in entries if entry.kind in ("H2D", "D2H")]
    assert transfers == ["H2D", "H2D", "D2H"]


@pytest.mark.parametrize(
    "layer",
    [
        "embedding(i, w, padding_idx=1)",
        "embedding(i, w, scale_grad_by_freq=True)",
        "embedding_bag(i, w, padding_idx=1)",
        "embedding_bag(i, w, mode='max')",
        "adaptive_avg_pool1d(x, 3)",
        "adaptive_max_pool1d(x, 3)",
        "avg_pool1d(x, 2, padding=1)",
        "max_pool1d(x, 2, padding=1)",
        "pad(x, (1, 2), mode='reflect')",
        "pad(x, (1, 2), mode='replicate')",
        "interpolate(x, scale_factor=1.5, mode='linear')",
        "interpolate(x, scale_factor=1.5)",
        "gelu(x)",
        "softmax(x, -1)",
        "huber_loss(x, x.detach() * 2)",
        "binary_cross_entropy(x.sigmoid(), x.detach().sigmoid())",
        "multi_margin_loss(x[0], i[0])",
        "multilabel_margin_loss(x[0], one)",
        "cross_entropy(x[0], i[0] % 4, ignore_index=0)",
        "conv_transpose1d(x, w[:3, :, None])",
        "fold(unfold(x[None], 2), (3, 4), 2)",
        "cosine_similarity(x, x.flip(0))",
        "normalize(x)",
    ],
)
def test_layers_ask_the_card_nothing(log, torch, layer):
    torch.manual_seed(0)
    given = {
        "x": torch.randn(2, 3, 4).to("cuda").requires_grad_(),
        "w": torch.randn(5, 3).to("cuda").requires_grad_(),
        "i": torch.tensor([[1, 3, 0], [2, 2, 3]]).to("cuda"),
        "one": torch.tensor([[1, -1, 0, 0]] * 3).to("cuda"),
    }
    with log.recording() as entries:
        eval(layer, vars(torch.nn.functional), given).sum().backward()
    assert {entry.kind for entry in entries} == {"launch"}


# -- what is not asked of a card


def test_every_row_of_the_cpu_only_list_has_a_reason_and_some_tests(request):
    """Asked of the files that are run beside this one; `pytest --device strict tests/core tests/ground tests/gpu`."""
    ids = [item.nodeid for item in request.session.items]
    assert all(len(reason) > 20 for reason in CPU_ONLY)
    for test in [f"tests/{test}" for tests in CPU_ONLY.values() for test in tests]:
        beside = [nodeid for nodeid in ids if nodeid.startswith(test.partition("::")[0])]
        assert not beside or any(nodeid.startswith(test) for nodeid in beside), test


def test_marks_are_few_and_give_reasons():
    """The lines of the product that transfer; who adds one says why."""
    marks = []
    for path in sorted((CHECKOUT / "annotated_src").rglob("*.py")):
        if "walkthrough" not in path.parts:
            marks += re.findall(r"# (?:D2H|H2D): (.*)", path.read_text("utf-8"))
    assert all(len(reason) > 12 for reason in marks)
    assert len(marks) == 58


def test_the_record_says_its_version():
    assert api.VERSION.startswith("14.")
    assert len(api.NAMES) > 1000

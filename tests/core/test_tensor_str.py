"""Printing: every character as upstream has it.

The tensors are made of what is equal to the last bit on both sides: uniform numbers, sums and products.
"""

import random

import pytest

COVERS = ["torch/_tensor_str.py", "torch/_tensor.py"]

DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "bool",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
SHAPES = ("()", "(1,)", "(7,)", "(40,)", "(2, 3)", "(1, 1)", "(3, 1, 4)", "(2, 2, 2, 3)", "(9, 30)")


@pytest.fixture(autouse=True)
def _options_as_they_were(torch):
    yield
    torch.set_printoptions(profile="default")


def same_text(oracle, *expressions, **options):
    """The tensors that the expressions make print alike, under these options."""

    def case(torch):
        torch.set_printoptions(**options)
        try:
            return [repr(eval(expression, {"torch": torch})) for expression in expressions]
        finally:
            torch.set_printoptions(profile="default")

    oracle.same(case)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(oracle, dtype):
    # A seed for each, so that the numbers do not depend on the order of the tests.
    expressions = [f"torch.manual_seed(1) and (torch.rand({shape}) * 9).to(torch.{dtype})" for shape in SHAPES]
    expressions += [f"torch.zeros({shape}, dtype=torch.{dtype})" for shape in ("()", "(3,)", "(2, 2)")]
    expressions += [f"torch.empty({shape}, dtype=torch.{dtype})" for shape in ("(0,)", "(0, 3)", "(2, 0, 4)")]
    same_text(oracle, *expressions)


def test_integers(oracle):
    same_text(
        oracle,
        "torch.tensor([1, -20, 300])",
        "torch.tensor([[-128, 127], [0, 1]], dtype=torch.int8)",
        "torch.tensor(2**63 - 1)",
        "torch.tensor([True, False])",
        "torch.arange(30).reshape(5, 6).t()",
        "torch.arange(24).reshape(2, 3, 4)[:, ::2]",
    )


def test_floating_numbers_without_fractions(oracle):
    """All whole: `1.`; the point stands for the dtype. inf and nan, which have none, are as wide as if they had."""
    same_text(
        oracle,
        "torch.tensor([1., -2., 300.])",
        "torch.tensor([1., float('inf'), float('nan')])",
        "torch.tensor([0., -0.])",
        "torch.tensor([100000000., 1.])",
        "torch.tensor([100000001., 1.], dtype=torch.float64)",
        "torch.tensor([1., 1000.])",
        "torch.tensor([1., 1001.])",
        "torch.tensor([float('nan')])",
        "torch.tensor([float('-inf'), 0.])",
    )


def test_fractions(oracle):
    same_text(
        oracle,
        "torch.tensor([.5, 1.25, -3.])",
        "torch.tensor([1e-4, 1.])",
        "torch.tensor([9e-5, 1e-5])",
        "torch.tensor([5e-5])",
        "torch.tensor([1e-4], dtype=torch.float64)",
        "torch.tensor([.1, 100.])",
        "torch.tensor([.1, 100.1])",
        "torch.tensor([.12345, float('inf'), float('-inf'), float('nan')])",
        "torch.tensor([1e-38, 1e38])",
        "torch.tensor([5e-324, 1e308], dtype=torch.float64)",
        "torch.tensor([1e-40])",
        "torch.tensor([65504., 6e-8], dtype=torch.float16)",
        "torch.tensor(3.14159)",
        "torch.tensor([1.00001, 2.])",
    )


def test_complex_numbers(oracle):
    same_text(
        oracle,
        "torch.tensor([1 + 2j, -.5j])",
        "torch.tensor([1 + 2j, 3 - 4j])",
        "torch.tensor(1e-9 + 1e9j)",
        "torch.tensor([complex(float('nan'), float('-inf')), 1j])",
        "torch.tensor([[complex(-0., -0.), 12345.678 + .1j]], dtype=torch.complex128)",
        "torch.zeros(2, 0, dtype=torch.complex64)",
    )


@pytest.mark.parametrize(
    "shape", ["(1001,)", "(1000,)", "(40, 40)", "(7, 200)", "(11, 11, 11)", "(2, 600)", "(1001, 1)"]
)
@pytest.mark.parametrize("dtype", ["int64", "float32", "complex64", "bfloat16"])
def test_long_tensors_are_summarized(oracle, shape, dtype):
    same_text(oracle, f"torch.manual_seed(2) and (torch.rand({shape}) * 1e4).to(torch.{dtype})")


def test_only_what_is_shown_decides_the_format(oracle):
    same_text(oracle, "torch.arange(2000.)", "torch.arange(2000).scatter_(0, torch.tensor([900]), 10**9)")


def test_long_lines_are_broken(oracle):
    same_text(
        oracle,
        "torch.arange(100)",
        "torch.linspace(0, 1, 50)",
        "torch.linspace(0, 1, 50, dtype=torch.float64)",
        "torch.linspace(-1e9, 1, 12)",
        "torch.zeros(20, dtype=torch.int32)",
        "torch.zeros(21, dtype=torch.int16)",
        "torch.ones(2, 40)",
        *[f"torch.zeros({length}, dtype=torch.int32)" for length in range(14, 28)],
        *[f"torch.zeros({length}, dtype=torch.uint8)" for length in range(14, 28)],
    )


@pytest.mark.parametrize(
    "options",
    [{"precision": 0}, {"precision": 2}, {"precision": 8}, {"threshold": 5}, {"threshold": 0},
     {"edgeitems": 1, "threshold": 10},
     {"edgeitems": 0, "threshold": 10}, {"edgeitems": 0}, {"linewidth": 20}, {"linewidth": 1}, {"linewidth": 200},
     {"sci_mode": True}, {"sci_mode": False}, {"profile": "short"}, {"profile": "full"},
     {"profile": "short", "precision": 6}, {"precision": 3, "sci_mode": True, "linewidth": 40}],
)  # fmt: skip
def test_set_printoptions(oracle, options):
    same_text(
        oracle,
        "torch.arange(30.) / 29",
        "torch.arange(40).reshape(4, 10)",
        "torch.manual_seed(1) and torch.rand(9, 12) * 4 - 2",
        "torch.manual_seed(1) and torch.rand(3, 8, 9) * 4 - 2",
        "torch.manual_seed(1) and torch.rand(1100) * 4 - 2",
        "torch.tensor([1., 2.])",
        "torch.tensor([1e-9, 1.])",
        "torch.tensor([1 + 2j, .5j])",
        "torch.tensor(.123456789)",
        **options,
    )


def test_options_hold_until_they_are_changed(oracle):
    def case(torch):
        from importlib import import_module

        module = import_module(f"{torch.__name__}._tensor_str")
        torch.set_printoptions(precision=2, sci_mode=True)
        inside = module.get_printoptions()
        torch.set_printoptions(linewidth=100)
        kept = module.get_printoptions()
        with module.printoptions(precision=1, sci_mode=False):
            within = repr(torch.tensor(0.25)), module.get_printoptions()
        after = module.get_printoptions()
        torch.set_printoptions(profile="default")
        return inside, kept, within, after, module.get_printoptions()

    oracle.same(case)


def test_options_come_back_after_an_error(torch):
    from annotated_src.torch import _tensor_str

    with pytest.raises(KeyError), _tensor_str.printoptions(precision=1):
        raise KeyError
    assert _tensor_str.get_printoptions()["precision"] == 4


def test_the_default_dtype_is_not_named(oracle):
    def case(torch):
        texts = []
        for default in (torch.float64, torch.float16, torch.float32):
            torch.set_default_dtype(default)
            texts += [repr(torch.ones(2, dtype=dtype)) for dtype in (torch.float16, torch.float32, torch.float64)]
            texts += [repr(torch.ones(1, dtype=dtype)) for dtype in (torch.complex64, torch.complex128, torch.int64)]
            texts += [repr(torch.ones(0, dtype=dtype)) for dtype in (torch.float32, torch.float64, torch.int64)]
        return texts

    oracle.same(case)


def test_str_and_format(oracle):
    def case(torch):
        number, row = torch.tensor(3.14159), torch.tensor([1, 2])
        return str(row), f"{number:.2f}", f"{number}", f"{torch.tensor(7):>5}", f"{row}", f"{torch.tensor(True)}"

    oracle.same(case)


def test_format_of_a_tensor_with_dimensions(oracle):
    def case(torch):
        return f"{torch.ones(2):.2f}"

    oracle.same_error(case, "unsupported format string passed to Tensor.__format__")


def test_a_subclass_is_named(oracle):
    def case(torch):
        class Mine(torch.Tensor):
            pass

        return repr(torch.ones(2, 2, dtype=torch.float64).as_subclass(Mine))

    oracle.same(case)


def test_contents_of_ones_own(oracle):
    def case(torch):
        return torch.ones(2, dtype=torch.float64).__repr__(tensor_contents="...")

    oracle.same(case)


def test_suffixes_of_autograd(oracle):
    def case(torch):
        return repr(torch.ones(2, requires_grad=True)), repr(torch.ones(15, 2, dtype=torch.float64, requires_grad=True))

    oracle.same(case)


def test_the_name_of_grad_fn_comes_last(oracle):
    def case(torch):
        return repr(torch.ones(15, 2, dtype=torch.float64, requires_grad=True) + 1)

    oracle.same(case)


# -- a sweep: tensors and options by chance, the same ones at every run


def _by_chance(seed):
    """An expression for a tensor, and options."""
    chance = random.Random(seed)
    shape = tuple(chance.choice((1, 1, 2, 3, 5, 7, 8, 13, 30)) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4))))
    values = chance.choice((
        "(torch.rand({0}) - .5) * 6",
        "torch.randint(-200, 200, {0})",
        "torch.rand({0}) * torch.tensor([1e-6, 1e-3, 1., 1e3, 1e6])[torch.randint(0, 5, {0})]",
        "(torch.rand({0}) * 1000 - 500).round() / 100",
        "torch.randint(0, 2, {0}) * 1e8",
        "1 / torch.randint(-1, 3, {0})",
        "(torch.rand({0}) - .5) * 1e-5",
    )).format(shape)  # fmt: skip
    expression = f"torch.manual_seed({seed}) and ({values}).to(torch.{chance.choice(DTYPES)})"
    options = {
        "precision": chance.choice((4, 4, 0, 1, 2, 6)),
        "threshold": chance.choice((1000, 1000, 5, 40)),
        "edgeitems": chance.choice((3, 3, 1, 2, 0)),
        "linewidth": chance.choice((80, 80, 30, 120)),
        "sci_mode": chance.choice((None, None, None, True, False)),
    }
    return expression, options


@pytest.mark.parametrize("block", range(20))
def test_tensors_by_chance(oracle, block):
    chosen = [_by_chance(seed) for seed in range(20 * block, 20 * block + 20)]

    def case(torch):
        texts = []
        for expression, options in chosen:
            x = eval(expression, {"torch": torch})
            torch.set_printoptions(**options)
            texts.append(repr(x))
            torch.set_printoptions(profile="default")
        return texts

    oracle.same(case)

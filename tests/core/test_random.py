"""Random numbers: the same seed gives upstream's numbers, and leaves the generator where upstream's stands.

Every draw is followed by the generator's state, all 5056 bytes of it: one draw more or less would show in whatever
is drawn next, and the state shows it at once.
"""

import copy
import hashlib
import pickle
import warnings

import pytest

COVERS = [
    "aten/src/ATen/CPUGeneratorImpl.cpp",
    "aten/src/ATen/core/MT19937RNGEngine.h",
    "aten/src/ATen/core/DistributionsHelper.h",
    "aten/src/ATen/core/TransformationHelper.h",
    "aten/src/ATen/native/DistributionTemplates.h",
    "aten/src/ATen/native/cpu/DistributionTemplates.h",
    "aten/src/ATen/native/cpu/MultinomialKernel.cpp",
    "aten/src/ATen/native/Distributions.cpp",
    "aten/src/ATen/native/TensorFactories.cpp",
    "torch/csrc/Generator.cpp",
    "torch/random.py",
]

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
# Both sides of 16, from where normal numbers are made sixteen at a time, with and without a tail.
SIZES = ((0,), (), (1,), (5,), (15,), (16,), (17,), (31,), (32,), (3, 7), (4, 5, 6), (1000,))


def state(torch):
    """Where the default generator of the tests' device stands, short enough to be recorded."""
    where = torch.cuda if torch.empty(0).is_cuda else torch
    return hashlib.sha256(bytes(where.get_rng_state().tolist())).hexdigest()


def drawn(expression):
    """A case that draws after a seed and returns what came, its strides and where the generator stands then."""

    def case(torch):
        torch.manual_seed(7)
        x = eval(expression, {"torch": torch})
        return x, x.stride(), state(torch)

    return case


def same_draws(oracle, expressions):
    for expression in expressions:
        oracle.same(drawn(expression))


def same_refusal(oracle, expression, phrase):
    """Both refuse, and neither has drawn anything."""

    def case(torch):
        torch.manual_seed(7)
        before = state(torch)
        try:
            eval(expression, {"torch": torch})
        finally:
            assert state(torch) == before

    oracle.same_error(case, phrase)


# -- real numbers


@pytest.mark.parametrize("dtype", [*FLOATS, "complex64", "complex128"])
@pytest.mark.parametrize("name", ["rand", "randn"])
def test_rand_and_randn(oracle, name, dtype):
    same_draws(oracle, [f"torch.{name}({size}, dtype=torch.{dtype})" for size in SIZES])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "call",
    ["uniform_(-.3, 1.9)", "uniform_(1, 1.01)", "normal_(1.5, 2.3)", "normal_(0, 0)", "exponential_()",
     "exponential_(2.5)"],
)  # fmt: skip
def test_fill_with_real_numbers(oracle, call, dtype):
    same_draws(oracle, [f"torch.zeros({size}, dtype=torch.{dtype}).{call}" for size in SIZES])


def test_a_second_normal_number_waits(oracle):
    """Of a pair of normal numbers, the second is the next call's first, be that of another dtype."""

    def case(torch):
        torch.manual_seed(3)
        odd = torch.randn(3)
        waiting = state(torch)
        sixteen = torch.randn(16)
        later = torch.randn(1, dtype=torch.float64)
        return odd, waiting, sixteen, later, torch.randn(2), state(torch)

    oracle.same(case)


def test_seeding_forgets_the_number_that_waits(oracle):
    def case(torch):
        torch.manual_seed(3)
        torch.randn(1)
        torch.manual_seed(4)
        return torch.randn(1), state(torch)

    oracle.same(case)


@pytest.mark.parametrize(
    "call",
    ["torch.zeros(3), 1.", "torch.zeros(20), torch.ones(20)", "0., torch.rand(20)", "torch.rand(4, 5), torch.rand(5)",
     "torch.rand(4, 5).t(), 2.", "1., 2., (3, 4)", "0, 1, (20,)", "torch.rand(3, dtype=torch.float64), torch.rand(3)",
     "0., 1., (3,), out=torch.empty(5)", "torch.zeros(3), 1., out=torch.empty(3)",
     "torch.zeros(3), torch.ones(3), out=torch.empty(0)", "0., torch.ones(3), out=torch.empty(0)"],
)  # fmt: skip
def test_normal(oracle, call):
    same_draws(oracle, [f"torch.normal({call})"])


# -- integers


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", *FLOATS])
def test_random_over_the_whole_dtype(oracle, dtype):
    same_draws(oracle, [f"torch.zeros({size}, dtype=torch.{dtype}).random_()" for size in ((), (5,), (3, 7))])


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int64", "uint16", "uint32", "uint64", "bool", *FLOATS])
def test_random_with_bounds(oracle, dtype):
    calls = ["random_(2)", "random_(0, 2)", "random_(1, None)"]
    calls = calls[:2] if dtype == "uint64" else calls
    same_draws(oracle, [f"torch.zeros(20, dtype=torch.{dtype}).{call}" for call in calls])


@pytest.mark.parametrize("high", [2**28 - 1, 2**28, 2**32, 2**40])
def test_a_wide_range_takes_two_draws_a_number(oracle, high):
    same_draws(oracle, [f"torch.randint({high}, (4,))", f"torch.zeros(4).random_({high})"])


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64", "bfloat16"])
def test_random_over_64_bits(oracle, dtype):
    same_draws(oracle, [f"torch.zeros(5, dtype=torch.{dtype}).random_(-2**63, None)"])


@pytest.mark.parametrize(
    "call",
    ["10, (4,)", "3, 10, (2, 3)", "-5, 5, (100,)", "1, 3, (2,), dtype=torch.int16", "2, (9,), dtype=torch.bool",
     "2**24 - 3, 2**24 + 5, (8,), dtype=torch.float32", "300, (8,), dtype=torch.bfloat16", "-2**63, 2**63 - 1, (3,)",
     "size=(2,), high=3, low=1", "3, (2,), out=torch.empty(0)", "1, (0,)"],
)  # fmt: skip
def test_randint(oracle, call):
    same_draws(oracle, [f"torch.randint({call})"])


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", *FLOATS])
def test_randperm(oracle, dtype):
    same_draws(oracle, [f"torch.randperm({n}, dtype=torch.{dtype})" for n in (0, 1, 2, 3, 10, 100)])


def test_a_long_randperm(oracle):
    same_draws(oracle, ["torch.randperm(20000)", "torch.randperm(3, out=torch.empty(5, dtype=torch.int64))"])


# -- chances


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", *FLOATS])
def test_bernoulli(oracle, dtype):
    made = f"torch.zeros(3, 7, dtype=torch.{dtype})"
    same_draws(
        oracle,
        [f"{made}.bernoulli_()", f"{made}.bernoulli_(.3)", f"{made}.bernoulli_(torch.rand(3, 7))",
         f"{made}.bernoulli_(torch.rand(7, dtype=torch.float64))", f"torch.bernoulli({made}, .4)"],
    )  # fmt: skip


@pytest.mark.parametrize(
    "call",
    ["torch.bernoulli(torch.rand(3, 4))", "torch.bernoulli(torch.rand(3, 4).t())",
     "torch.bernoulli(torch.rand(3, 4, dtype=torch.float64))", "torch.bernoulli(torch.rand(3, 4).half())",
     "torch.zeros(3, 4).t().bernoulli_(torch.rand(4, 3))", "torch.zeros(3, 4).bernoulli_(torch.rand(4, 3).t())",
     "torch.zeros(3, 4).bernoulli_(torch.rand(3, 1))", "torch.bernoulli(torch.rand(3), out=torch.empty(0))",
     "torch.rand(5).bernoulli(p=.2)"],
)  # fmt: skip
def test_bernoulli_with_a_tensor_of_chances(oracle, call):
    same_draws(oracle, [call])


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("samples", [1, 2, 5, 20])
def test_multinomial(oracle, samples, replacement):
    weights = ["torch.rand(20)", "torch.rand(3, 20)", "torch.rand(20, dtype=torch.float64)", "torch.rand(20).half()",
               "torch.rand(4, 20).t()[:, :3].t()", "torch.arange(20.)"]  # fmt: skip
    same_draws(oracle, [f"torch.multinomial({row}, {samples}, {replacement})" for row in weights])


# -- layout, devices, generators


@pytest.mark.parametrize("call", ["random_()", "uniform_()", "normal_()", "bernoulli_(.4)", "exponential_()"])
def test_memory_is_filled_in_its_own_order(oracle, call):
    views = (".t()", "[:, ::2]", ".t()[::2]", "[:, :1]", "[:, 3]", "[None].expand(1, 6, 8)")
    same_draws(oracle, [f"torch.zeros(6, 8){view}.{call}" for view in views])
    views = (".permute(2, 0, 1)", ".permute(1, 2, 0)", "[:, ::2].permute(2, 1, 0)", ".transpose(0, 2)[:, :1]")
    same_draws(oracle, [f"torch.zeros(3, 4, 5){view}.{call}" for view in views])


@pytest.mark.parametrize("call", ["rand_like(x)", "randn_like(x)", "randint_like(x, 7)", "randint_like(x, 3, 7)",
                                  "randint_like(x, torch.tensor(5))", "rand_like(x, dtype=torch.float64)",
                                  "randint_like(x, 9, dtype=torch.int32)"])  # fmt: skip
def test_like(oracle, call):
    for made in ("torch.zeros(3)", "torch.zeros(5, 7).t()"):
        same_draws(oracle, [f"torch.{call.replace('x', made, 1)}"])


@pytest.mark.parametrize(
    "call",
    ["rand(3, generator=G)", "randn(20, generator=G)", "randint(10, (4,), generator=G)", "randperm(9, generator=G)",
     "randint(1, 10, (4,), generator=G)", "zeros(3).random_(5, generator=G)", "zeros(3).uniform_(generator=G)",
     "zeros(3).bernoulli_(.5, generator=G)", "multinomial(torch.ones(4), 2, generator=G)",
     "multinomial(torch.ones(4), 9, True, generator=G)", "normal(0., 1., (3,), generator=G)",
     "rand(3, generator=None)", "rand_like(torch.zeros(3), generator=G)"],
)  # fmt: skip
def test_a_generator_of_ones_own(oracle, call):
    """Draws come from it, and the default one stands still."""
    same_draws(oracle, [f"torch.{call.replace('G', 'torch.Generator(torch.empty(0).device).manual_seed(3)')}"])


def test_on_the_device(torch, device):
    """Upstream's CUDA numbers are others; here the device makes no difference."""
    torch.manual_seed(5)
    there = torch.randn(20, device=device)
    assert there.device.type == device
    torch.manual_seed(5)
    assert torch.equal(there.to("cpu"), torch.randn(20))


def test_each_operator_writes_once(oracle):
    calls = ("uniform_()", "normal_()", "random_()", "random_(3)", "bernoulli_()", "exponential_()")
    made = ["rand(3)", "randperm(3)", "randint(3, (2,))", "bernoulli(torch.rand(3))", "multinomial(torch.ones(3), 2)",
            "normal(0., torch.ones(3))", "rand(3, out=torch.empty(0))", "randperm(3, out=torch.empty(0))",
            "normal(torch.zeros(3), torch.ones(3), out=torch.empty(0))"]  # fmt: skip
    made += [f"zeros({size}).{call}" for call in calls for size in (0, 3)]

    def case(torch):
        return [eval(f"torch.{call}", {"torch": torch})._version for call in made]

    oracle.same(case)


def test_in_place_forms_return_the_tensor_itself(torch):
    x = torch.zeros(3)
    for y in (x.uniform_(), x.normal_(), x.random_(), x.bernoulli_(), x.exponential_(), x.random_(1, 3)):
        assert y is x


# -- refusals


REFUSED = [
    ("torch.randint(5, 5, (2,))", "random_ expects 'from' to be less than 'to', but got from=5 >= to=5"),
    ("torch.randint(3, (2,), dtype=torch.bool)", "to - 1 is out of bounds for bool"),
    ("torch.randint(300, (2,), dtype=torch.uint8)", "to - 1 is out of bounds for unsigned char"),
    ("torch.randint(-1, 256, (2,), dtype=torch.uint8)", "from is out of bounds for unsigned char"),
    ("torch.randint(0, 2**17, (2,), dtype=torch.float16)", "to - 1 is out of bounds for c10::Half"),
    ("torch.randint(3, (2,), dtype=torch.complex64)", "handles only integral, floating-point and boolean types"),
    ("torch.randint(3.5, (2,))", "randint()"),
    ("torch.randperm(-1)", "negative dimension -1"),
    ("torch.randperm(300, dtype=torch.uint8)", "without overflow"),
    ("torch.randperm(3000, dtype=torch.float16)", "n cannot be greater than 2049 for Half type."),
    ("torch.randperm(3, dtype=torch.bool)", "\"randperm\" not implemented for 'Bool'"),
    ("torch.rand(-1)", "negative dimension -1"),
    ("torch.rand(2, dtype=torch.int64)", "\"check_uniform_bounds\" not implemented for 'Long'"),
    ("torch.randn(2, dtype=torch.int64)", "\"normal_kernel_cpu\" not implemented for 'Long'"),
    ("torch.rand(2, generator=3)", "rand() received an invalid combination of arguments"),
    ("torch.empty(2).normal_(0, -1)", "normal expects std >= 0.0, but found std -1"),
    ("torch.normal(0., -1., (2,))", "normal expects std >= 0.0, but found std -1"),
    ("torch.normal(torch.zeros(2), torch.tensor([1., -1.]))", "normal expects all elements of std >= 0.0"),
    ("torch.normal(torch.zeros(2), torch.ones(3))", "The size of tensor a (2) must match the size of tensor b (3)"),
    ("torch.empty(2).uniform_(3, 1)", "uniform_ expects to return a [from, to) range, but found from=3 > to=1"),
    ("torch.empty(2).uniform_(0, 1e39)", "to is out of bounds for float"),
    ("torch.empty(2).uniform_(-3e38, 3e38)", "which result in to-from to exceed the limit"),
    ("torch.empty(2).bernoulli_(2)", "bernoulli_ expects p to be in [0, 1], but got p=2"),
    ("torch.bernoulli(torch.tensor([2.]))", "Expected p_in >= 0 && p_in <= 1 to be true, but got false."),
    ("torch.bernoulli(torch.tensor([1]))", "\"bernoulli_tensor_cpu_p_\" not implemented for 'Long'"),
    ("torch.zeros(3, 4).bernoulli_(torch.zeros(5))", "must match the existing size (5) at non-singleton dimension 1"),
    ("torch.multinomial(torch.tensor([-1., 2]), 1)", "probability tensor contains either `inf`, `nan` or element < 0"),
    ("torch.multinomial(torch.tensor([1., float('inf')]), 1)", "contains either `inf`, `nan` or element < 0"),
    ("torch.multinomial(torch.zeros(2), 1)", "invalid multinomial distribution (sum of probabilities <= 0)"),
    ("torch.multinomial(torch.zeros(2), 2, True)", "invalid multinomial distribution (sum of probabilities <= 0)"),
    ("torch.multinomial(torch.tensor([1., -2]), 2, True)", "encountering probability entry < 0"),
    ("torch.multinomial(torch.tensor([1., 2]), 3)", "cannot sample n_sample > prob_dist.size(-1) samples without"),
    ("torch.multinomial(torch.tensor([1., 2]), 0)", "cannot sample n_sample <= 0 samples"),
    ("torch.multinomial(torch.tensor([1, 2]), 1)", "only supports floating-point dtypes for input, got: Long"),
    ("torch.multinomial(torch.zeros(2, 2, 2), 1)", "prob_dist must be 1 or 2 dim"),
    ("torch.empty(2, dtype=torch.int64).exponential_()", "dtype must be a floating point but you specified Long"),
    ("torch.empty(2).exponential_(0)", "exponential_ expects lambda > 0.0, but found lambda=0"),
    ("torch.empty(2, dtype=torch.int64).random_(-1)", "but got from=0 >= to=-1"),
    ("torch.empty(2, dtype=torch.complex64).random_()", "\"random_kernel_cpu\" not implemented for 'ComplexFloat'"),
    ("torch.empty(2, dtype=torch.int32).random_(-2**63, None)", "handles only int64, double, float and bfloat16"),
    ("torch.empty(1).expand(3).uniform_()", "more than one element of the written-to tensor refers to a single"),
    ("torch.empty(1).expand(3).normal_()", "more than one element of the written-to tensor refers to a single"),
    ("torch.empty(1).expand(3).random_()", "more than one element of the written-to tensor refers to a single"),
    ("torch.empty(1).expand(3).bernoulli_()", "more than one element of the written-to tensor refers to a single"),
]


@pytest.mark.parametrize(("expression", "phrase"), REFUSED, ids=[expression for expression, _ in REFUSED])
def test_refused(oracle, expression, phrase):
    same_refusal(oracle, expression, phrase)


def test_a_range_that_a_floating_dtype_cannot_hold_warns(oracle):
    def case(torch):
        torch.zeros(2, dtype=torch.float16).random_(-3000, 3001)

    oracle.same_warnings(case, "is out of bounds [-(2^11), 2^11]")


# -- the generator


@pytest.mark.parametrize("seed", [0, 1, -1, -5, 2**32, 2**63 + 7, 2**64 - 1, -(2**63)])
def test_seeds(oracle, seed):
    """64 bits are remembered, the low 32 of them count."""

    def case(torch):
        generator = torch.Generator()
        assert generator.manual_seed(seed) is generator
        fresh = generator.get_state()
        numbers = torch.randint(1000, (3,), generator=generator)
        return generator.initial_seed(), fresh[:40], fresh.sum(), numbers, torch.manual_seed(seed).initial_seed()

    oracle.same(case)


SEEDS_REFUSED = [
    ("torch.Generator().manual_seed(2**64)", "Overflow when unpacking long long"),
    ("torch.Generator().manual_seed(-2**63 - 1)", "Overflow when unpacking long long"),
    ("torch.Generator().manual_seed(1.5)", "manual_seed expected a long, but got float"),
    ("torch.Generator().manual_seed(True)", "manual_seed expected a long, but got bool"),
    ("torch.manual_seed(2**64)", "Overflow when unpacking long long"),
    ("torch.manual_seed('a')", "invalid literal for int()"),
    ("torch.Generator([])", "argument 'device' (position 1) must be torch.device, not list"),
    ("torch.Generator().set_state(torch.zeros(5056))", "RNG state must be a torch.ByteTensor"),
    ("torch.Generator().set_state([1])", "expected a torch.ByteTensor, but got list"),
    ("torch.Generator().set_state(torch.zeros(5056, dtype=torch.uint8))", "Invalid mt19937 state"),
    ("torch.Generator().set_state(torch.Generator().get_state()[:100])", "found the input RNG state size to be 100"),
    ("torch.Generator().set_state(torch.zeros(10112, dtype=torch.uint8)[::2])", "RNG state must be contiguous"),
    ("torch.Generator().get_offset()", "CPU Generator does not use offset"),
]


@pytest.mark.parametrize(("expression", "phrase"), SEEDS_REFUSED, ids=[expression for expression, _ in SEEDS_REFUSED])
def test_seeds_and_states_refused(oracle, expression, phrase):
    same_refusal(oracle, expression, phrase)


@pytest.mark.parametrize("count", [0, 1, 7, 623, 624, 625, 1248, 5000])
def test_the_state_after_some_draws(oracle, count):
    """The words are renewed every 624 draws."""

    def case(torch):
        torch.manual_seed(11)
        torch.rand(count)
        saved = torch.get_rng_state()
        ahead = torch.rand(3)
        torch.set_rng_state(saved)
        again = torch.rand(3)
        return saved, ahead, torch.equal(ahead, again)

    oracle.same(case)


@pytest.mark.parametrize("count", [0, 3, 624])
def test_a_state_goes_over_to_upstream_and_back(torch, count):
    """The bytes that we save are those that real torch loads, and the other way round."""
    real = pytest.importorskip("torch")
    ours, theirs = torch.Generator().manual_seed(5), real.Generator().manual_seed(9)
    torch.randn(count, generator=ours)
    theirs.set_state(real.tensor(ours.get_state().tolist(), dtype=real.uint8))
    expected = pytest.approx(torch.randn(20, generator=ours).tolist(), rel=1e-5)
    assert real.randn(20, generator=theirs).tolist() == expected
    real.randn(count, generator=theirs)
    ours.set_state(torch.tensor(theirs.get_state().tolist(), dtype=torch.uint8))
    assert ours.initial_seed() == theirs.initial_seed()
    assert real.rand(20, generator=theirs).tolist() == torch.rand(20, generator=ours).tolist()


def test_a_new_generator_begins_at_a_fixed_seed(oracle):
    def case(torch):
        generator = torch.Generator()
        return generator.initial_seed(), str(generator.device), torch.rand(3, generator=generator)

    oracle.same(case)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_of_a_generator(oracle, duplicate):
    def case(torch):
        generator = torch.Generator().manual_seed(3)
        torch.randn(3, generator=generator)
        twin = duplicate(generator)
        numbers = torch.randn(5, generator=twin)
        return numbers, torch.randn(5, generator=generator), twin.initial_seed(), str(twin.device)

    oracle.same(case)


def test_clone_state(oracle):
    def case(torch):
        generator = torch.Generator().manual_seed(3)
        torch.rand(3, generator=generator)
        twin = generator.clone_state()
        return torch.rand(3, generator=twin), torch.rand(3, generator=generator), twin is generator

    oracle.same(case)


def test_seed_is_not_foretold(torch):
    generator = torch.Generator()
    first, second = generator.seed(), generator.seed()
    assert first != second
    assert generator.initial_seed() == second
    assert torch.seed() == torch.initial_seed() == torch.random.initial_seed()


def test_fork_rng(oracle):
    def case(torch):
        torch.manual_seed(2)
        with torch.random.fork_rng(devices=[]):
            inside = torch.rand(3)
        with torch.random.fork_rng(enabled=False):
            after = torch.rand(3)
        return inside, after, torch.rand(3)

    oracle.same(case)


def test_fork_rng_restores_after_an_error(torch):
    before = torch.get_rng_state()
    with pytest.raises(KeyError), torch.random.fork_rng():
        torch.rand(3)
        raise KeyError
    assert torch.equal(torch.get_rng_state(), before)


def test_outside_of_a_worker_thread_there_is_no_generator(oracle):
    def case(torch):
        return torch.random.thread_safe_generator()

    oracle.same(case)


def test_importing_torch_draws_nothing_and_warns_of_nothing(torch):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.manual_seed(0)
        torch.randint(2**24, (3,), dtype=torch.float32)

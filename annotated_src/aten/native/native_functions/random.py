"""Operators that draw random numbers."""

from annotated_src.aten.native import distributions, tensor_factories
from annotated_src.aten.native.native_functions.factory import OPTIONS, OPTIONS_AND_FORMAT
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

# The options behind a generator that has to be given.
GENERATOR_AND_OPTIONS = OPTIONS.replace("*, ", "*, Generator? generator, ")
GENERATOR_OPTIONS_AND_FORMAT = OPTIONS_AND_FORMAT.replace("*, ", "*, Generator? generator, ")
GENERATOR = "*, Generator? generator=None"
OUT = "Tensor(a!) out) -> Tensor(a!)"


def _long(options):
    return options.replace("dtype=None", "dtype=long")


def register():
    """Define them."""
    _factories()
    _factories_of_integers()
    _like()
    _in_place()
    _normal()
    _bernoulli_and_multinomial()


def _factories():
    for name, kernel, out, key in (
        ("rand", tensor_factories.rand, tensor_factories.rand_out, EXPLICIT),
        ("randn", tensor_factories.randn, tensor_factories.randn_out, IMPLICIT),
    ):
        native(f"{name}(SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: kernel})
        native(f"{name}.generator(SymInt[] size, {GENERATOR_AND_OPTIONS}) -> Tensor", {EXPLICIT: kernel})
        native(f"{name}.out(SymInt[] size, *, {OUT}", {key: out})
        native(f"{name}.generator_out(SymInt[] size, *, Generator? generator, {OUT}", {IMPLICIT: out})


def _factories_of_integers():
    options, with_generator = _long(OPTIONS), _long(GENERATOR_AND_OPTIONS)
    high, low = tensor_factories.randint, tensor_factories.randint_low
    high_out, low_out = tensor_factories.randint_out, tensor_factories.randint_low_out
    native(f"randint(SymInt high, SymInt[] size, {options}) -> Tensor", {EXPLICIT: high})
    native(f"randint.generator(SymInt high, SymInt[] size, {with_generator}) -> Tensor", {EXPLICIT: high})
    native(f"randint.low(SymInt low, SymInt high, SymInt[] size, {options}) -> Tensor", {EXPLICIT: low})
    native(
        f"randint.low_generator(SymInt low, SymInt high, SymInt[] size, {with_generator}) -> Tensor", {EXPLICIT: low}
    )
    native(f"randint.out(SymInt high, SymInt[] size, *, {OUT}", {EXPLICIT: high_out})
    native(
        f"randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, {OUT}", {EXPLICIT: high_out}
    )
    native(f"randint.low_out(SymInt low, SymInt high, SymInt[] size, *, {OUT}", {EXPLICIT: low_out})
    native(
        f"randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, {OUT}",
        {EXPLICIT: low_out},
    )
    native(f"randperm(SymInt n, {options}) -> Tensor", {EXPLICIT: tensor_factories.randperm})
    native(f"randperm.generator(SymInt n, {with_generator}) -> Tensor", {EXPLICIT: tensor_factories.randperm})
    native(f"randperm.out(SymInt n, *, {OUT}", {EXPLICIT: tensor_factories.randperm_out})
    native(
        f"randperm.generator_out(SymInt n, *, Generator? generator, {OUT}", {BOTH: tensor_factories.randperm_out_cpu}
    )


def _like():
    plain, given = OPTIONS_AND_FORMAT, GENERATOR_OPTIONS_AND_FORMAT
    for name, kernel in (("rand_like", tensor_factories.rand_like), ("randn_like", tensor_factories.randn_like)):
        native(f"{name}(Tensor self, {plain}) -> Tensor", {EXPLICIT: kernel})
        native(f"{name}.generator(Tensor self, {given}) -> Tensor", {EXPLICIT: kernel})
    high = tensor_factories.randint_like
    tensor = tensor_factories.randint_like_tensor
    low = tensor_factories.randint_like_low
    native(f"randint_like(Tensor self, SymInt high, {plain}) -> Tensor", {EXPLICIT: high})
    native(f"randint_like.generator(Tensor self, SymInt high, {given}) -> Tensor", {EXPLICIT: high})
    native(f"randint_like.Tensor(Tensor self, Tensor high, {plain}) -> Tensor", {EXPLICIT: tensor})
    native(f"randint_like.Tensor_generator(Tensor self, Tensor high, {given}) -> Tensor", {EXPLICIT: tensor})
    native(f"randint_like.low_dtype(Tensor self, SymInt low, SymInt high, {plain}) -> Tensor", {EXPLICIT: low})
    native(
        f"randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, {given}) -> Tensor", {EXPLICIT: low}
    )


def _in_place():
    native(
        f"random_.from(Tensor(a!) self, int from, int? to, {GENERATOR}) -> Tensor(a!)",
        {BOTH: distributions.random_from},
    )
    native(f"random_.to(Tensor(a!) self, int to, {GENERATOR}) -> Tensor(a!)", {BOTH: distributions.random_to})
    native(f"random_(Tensor(a!) self, {GENERATOR}) -> Tensor(a!)", {BOTH: distributions.random_})
    native(
        f"uniform_(Tensor(a!) self, float from=0, float to=1, {GENERATOR}) -> Tensor(a!)",
        {BOTH: distributions.uniform_},
    )
    native(
        f"exponential_(Tensor(a!) self, float lambd=1, {GENERATOR}) -> Tensor(a!)",
        {BOTH: distributions.exponential_},
    )


def _normal():
    native(
        f"normal_(Tensor(a!) self, float mean=0, float std=1, {GENERATOR}) -> Tensor(a!)",
        {BOTH: distributions.normal_},
    )
    for overload, parameters, kernel in (
        ("Tensor_float", "Tensor mean, float std=1", distributions.normal_tensor_float),
        ("float_Tensor", "float mean, Tensor std", distributions.normal_float_tensor),
        ("Tensor_Tensor", "Tensor mean, Tensor std", distributions.normal_tensor_tensor),
    ):
        native(f"normal.{overload}({parameters}, {GENERATOR}) -> Tensor", {BOTH: kernel})
        native(f"normal.{overload}_out({parameters}, {GENERATOR}, {OUT}", {BOTH: distributions.normal_out})
    options = OPTIONS.removeprefix("*, ")
    native(
        f"normal.float_float(float mean, float std, SymInt[] size, {GENERATOR}, {options}) -> Tensor",
        {EXPLICIT: tensor_factories.normal},
    )
    native(
        f"normal.float_float_out(float mean, float std, SymInt[] size, {GENERATOR}, {OUT}",
        {EXPLICIT: tensor_factories.normal_out},
    )


def _bernoulli_and_multinomial():
    native(f"bernoulli(Tensor self, {GENERATOR}) -> Tensor", {EXPLICIT: distributions.bernoulli})
    native(f"bernoulli.out(Tensor self, {GENERATOR}, {OUT}", {BOTH: distributions.bernoulli_out})
    native(f"bernoulli.p(Tensor self, float p, {GENERATOR}) -> Tensor", {EXPLICIT: distributions.bernoulli_p})
    native(
        f"bernoulli_.Tensor(Tensor(a!) self, Tensor p, {GENERATOR}) -> Tensor(a!)", {BOTH: distributions.bernoulli_}
    )
    native(
        f"bernoulli_.float(Tensor(a!) self, float p=0.5, {GENERATOR}) -> Tensor(a!)",
        {BOTH: distributions.bernoulli_},
    )
    weights = f"Tensor self, SymInt num_samples, bool replacement=False, {GENERATOR}"
    native(f"multinomial.out({weights}, {OUT}", {BOTH: distributions.multinomial_out})
    native(f"multinomial({weights}) -> Tensor", {BOTH: distributions.multinomial})

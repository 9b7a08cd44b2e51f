"""How an entry of the list of operators becomes an operator.

    native(SCHEMA, {KEYS: kernel})      one operator
    structured(kernel, SCHEMA, ...)     a pointwise operator in its forms: `add`, in place `add_`, into `add.out`;
                                        one kernel with an `out` argument serves them all
    aliases(NAME, TARGET, SCHEMA, ...)  the forms of an operator that only calls another

Schemas are upstream's, to the letter (a test compares them). A kernel's parameters are the schema's.
"""

from annotated_src.aten import ops
from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.aten.core.function_schema import split_name

BOTH = "CPU, CUDA"
IMPLICIT = "CompositeImplicitAutograd"
EXPLICIT = "CompositeExplicitAutograd"


def native(schema, kernels):
    """Define `aten::SCHEMA` and file its kernels under their dispatch keys."""
    entry = dispatcher.register_def(f"aten::{schema}")
    for keys, kernel in kernels.items():
        for key in keys.split(", "):
            entry.register_kernel(key, kernel)


def structured(kernel, *schemas, keys=BOTH):
    """Define the forms of one operator: those whose name ends in `_` write to `self`."""
    for schema in schemas:
        name, _ = split_name(schema)
        native(schema, {keys: in_place(kernel) if name.endswith("_") else kernel})


def aliases(name, target, *schemas):
    """Define the forms of an operator that is another under a second name: `absolute` calls `abs`."""
    for schema in schemas:
        own_name, _ = split_name(schema)
        native(schema, {IMPLICIT: Alias(target + own_name.removeprefix(name))})


def in_place(kernel):
    """A kernel with `out`, called so that it writes to its first argument."""

    def write_to_self(self, *args, **kwargs):
        if len(args) == 1 and not kwargs:
            # What most of them are, `x.add_(y)`: Python calls it in half the time.
            return kernel(self, args[0], out=self)
        return kernel(self, *args, out=self, **kwargs)

    return write_to_self


class Alias:
    """A kernel that calls the operator of another name with the same arguments."""

    def __init__(self, target):
        self.target = target

    def __call__(self, /, *args, **kwargs):
        return getattr(ops, self.target)(*args, **kwargs)

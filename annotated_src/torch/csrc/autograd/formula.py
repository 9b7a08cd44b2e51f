"""FormulaNode: a node that knows an operator's derivative. Retells what tools/autograd generates into Functions.h.

    class MulBackward0(FormulaNode):
        operators = ("mul.Tensor", "mul_.Tensor")
        inputs = ("self", "other")             the arguments that a gradient flows to
        saves = ("self", "other")              what the formulas need: arguments, or "result"
        only_for = {"self": "other",           of those, what only one input's formula needs: kept only
                    "other": "self"}           if that input wants a gradient

        def grad_self(self, grad):             one formula an input; called only if its gradient is wanted
            return grad * self.saved("other")

`saves` may also name results (`outputs`), and facts about a tensor: "self_sym_sizes" is the shape of `self`, for which
the tensor itself need not be kept. `lists` names arguments for which the schema takes one number as well.

Gradients that come in may be None: no gradient has reached that output. A node whose formulas share work writes `apply`
instead.
"""

from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.autograd.function import Node, _next_number
from annotated_src.torch.csrc.autograd.saved_variable import SavedVariable


class FormulaNode(Node):
    """One call of an operator, remembered for backward."""

    operators = ()
    inputs = ("self",)
    outputs = ("result",)
    saves = ()
    only_for = {}
    lists = ()

    def __init_subclass__(cls):
        # `saves` and `only_for`, sorted once for each formula and not at each call: names, each with the number of
        # the one edge that needs it.
        needed_by = {name: cls.inputs.index(one) for name, one in cls.only_for.items()}
        cls._formulas = [f"grad_{name}" for name in cls.inputs]
        cls._kept_arguments = [
            (name, needed_by.get(name), fact(name)) for name in cls.saves if name not in cls.outputs
        ]
        cls._kept_results = [
            (name, number, needed_by.get(name)) for number, name in enumerate(cls.outputs) if name in cls.saves
        ]

    def __init__(self, next_edges):
        # Node.__init__, written out: there is one of these for each operator call that is recorded.
        self._sequence_number = next(_next_number)
        self._next_edges = next_edges
        self._input_metadata = []
        self._saved = {}

    # -- what the formulas need

    def save_arguments(self, bound, original_self=None):
        """Keep what the formulas need of the arguments, {name: value}.

        `original_self()` is a copy of a `self` that is about to be written.
        """
        for name, needed_by, (argument, look) in self._kept_arguments:
            if needed_by is not None and self._next_edges[needed_by].function is None:
                self._saved[name] = None
            elif name == "self" and original_self is not None:
                self.save(name, original_self())
            elif name in bound:
                value = bound[name]
                self.save(name, [value] if name in self.lists and isinstance(value, int) else value)
            else:
                self._saved[name] = look(bound[argument])

    def save_results(self, results):
        """Keep what the formulas need of the results."""
        for name, number, needed_by in self._kept_results:
            if needed_by is not None and self._next_edges[needed_by].function is None:
                self._saved[name] = None
            elif number < len(results):
                self.save(name, results[number], is_output=True)

    def save(self, name, value, is_output=False):
        """Keep one argument or result."""
        if isinstance(value, TensorImpl):
            value = SavedVariable(value, is_output)
        elif isinstance(value, (list, tuple)) and any(isinstance(item, TensorImpl) for item in value):
            value = [SavedVariable(item, is_output) if isinstance(item, TensorImpl) else item for item in value]
        self._saved[name] = value

    def saved(self, name):
        """What was kept under `name`; RuntimeError if a tensor has been freed, or written to since."""
        value = self._saved[name]
        if isinstance(value, SavedVariable):
            return value.unpack(self)
        if isinstance(value, list):
            return [item.unpack(self) if isinstance(item, SavedVariable) else item for item in value]
        return value

    def __getattr__(self, name):
        """`node._saved_other`, as upstream's nodes have it; `_raw_saved_other` is the SavedVariable."""
        if name.startswith("_saved_") and name[7:] in self._saved:
            return _shown(name[7:], self.saved(name[7:]))
        if name.startswith("_raw_saved_") and name[11:] in self._saved:
            return self._saved[name[11:]]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self):
        shown = [name for name in self._saved if not name.endswith(("_dtype", "_info"))]
        return [*super().__dir__(), *(f"_saved_{name}" for name in shown)]

    def release_variables(self):
        for value in self._saved.values():
            if isinstance(value, SavedVariable):
                value.release()
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, SavedVariable):
                        item.release()

    # -- backward

    def apply(self, *grads):
        """Each input's formula, where its gradient is wanted."""
        if not _any_arrived(grads):
            return [None] * len(self._next_edges)
        results = []
        for index, formula in enumerate(self._formulas):
            wanted = self.should_compute_output(index)
            results.append(getattr(self, formula)(*grads) if wanted else None)
        return results


def _any_arrived(grads):
    for grad in grads:
        if grad is not None:
            return True
    return False


# What a formula may need to know about an argument, less than the tensor itself.
_FACTS = {
    "_sym_sizes": lambda tensor: tensor.array.shape,
    "_sym_numel": lambda tensor: tensor.array.size,
    "_sym_strides": lambda tensor: tensor.strides(),
    "_dim": lambda tensor: tensor.array.ndim,
    "_dtype": lambda tensor: tensor.dtype,
    "_info": lambda tensor: (tensor.array.shape, tensor.dtype, tensor.device),
}


def fact(name):
    """The argument that "self_sym_sizes" is a fact about, and the function that tells it; two Nones for an argument."""
    for suffix, look in _FACTS.items():
        if name.endswith(suffix):
            return name.removesuffix(suffix), look
    return None, None


# Positions, whose sign upstream loses on the way to Python: -1 is shown as 2**64 - 1.
_UNSIGNED = {
    "diagonal", "dim", "dim0", "dim1", "dim2", "dimension", "dims", "end", "ignore_index", "index", "offset", "pad",
    "padding_idx", "shifts", "start",
}  # fmt: skip


def _shown(name, value):
    """A saved value as upstream's Python shows it: lists are tuples."""
    if isinstance(value, (list, tuple)):
        return tuple([_shown(name, item) for item in value])
    if name in _UNSIGNED and isinstance(value, int):
        return value % 2**64
    return value

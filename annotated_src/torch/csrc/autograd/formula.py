"""FormulaNode: a node that knows an operator's derivative. Retells what tools/autograd generates into Functions.h.

    class MulBackward0(FormulaNode):
        operators = ("mul.Tensor",)
        inputs = ("self", "other")                         the arguments that a gradient flows to
        saves = ("self", "other")                          what the formulas need
        saves_for = {"self": "other", "other": "self"}     ... and kept only if this input's gradient is wanted

        def grad_self(self, grad):                         one formula an input; called only if its gradient is wanted
            return grad * self.saved("other")

`saves` names arguments, results (`outputs`), or facts about a tensor: "self_sym_sizes" is the shape of `self`, so that
the tensor itself need not be kept. `lists` names arguments for which the schema takes one number as well.

Gradients that come in may be None: no gradient has reached that output. A node whose formulas share work writes `apply`
instead.
"""

from annotated_src.aten import ops
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import Node
from annotated_src.torch.csrc.autograd.saved_variable import SavedVariable


class FormulaNode(Node):
    """One call of an operator, remembered for backward."""

    operators = ()
    inputs = ("self",)
    outputs = ("result",)
    saves = ()
    saves_for = {}
    lists = ()

    def __init__(self, next_edges):
        super().__init__(next_edges)
        self._saved = {}

    # -- what the formulas need

    def save_arguments(self, bound, in_place=False):
        """Keep what `saves` names of the arguments, {name: value}; of a `self` about to be written, a copy."""
        for name in self.saves:
            if name in self.outputs:
                continue
            only_for = self.saves_for.get(name)
            if only_for is not None and not self.should_compute_output(self.inputs.index(only_for)):
                self._saved[name] = None
            elif name in bound:
                value = bound[name]
                if in_place and name == "self":
                    value = ops.clone(value)
                self.save(name, [value] if name in self.lists and isinstance(value, int) else value)
            else:
                self._saved[name] = fact(name, bound)

    def save_results(self, results):
        """Keep what `saves` names of the results."""
        for name, result in zip(self.outputs, results, strict=False):
            if name in self.saves:
                self.save(name, result, is_output=True)

    def save(self, name, value, is_output=False):
        """Keep one argument or result."""
        if isinstance(value, TensorImpl):
            value = SavedVariable(value, is_output)
        elif _is_list_of(value, TensorImpl):
            value = [SavedVariable(item, is_output) if isinstance(item, TensorImpl) else item for item in value]
        self._saved[name] = value

    def saved(self, name):
        """What was kept under `name`; RuntimeError if a tensor has been freed, or written to since."""
        value = self._saved[name]
        if isinstance(value, SavedVariable):
            return value.unpack(self)
        if _is_list_of(value, SavedVariable):
            return [item.unpack(self) if isinstance(item, SavedVariable) else item for item in value]
        return value

    def __getattr__(self, name):
        """`node._saved_other`, as upstream's nodes have it."""
        if name.startswith("_saved_") and name[7:] in self._saved:
            return _shown(self.saved(name[7:]))
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

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
        if all(grad is None for grad in grads):
            return [None] * len(self._next_edges)
        results = []
        for index, name in enumerate(self.inputs):
            wanted = self.should_compute_output(index)
            results.append(getattr(self, f"grad_{name}")(*grads) if wanted else None)
        return results


def fact(name, bound):
    """What a formula needs to know about an argument, less than the tensor itself: "self_sym_sizes"."""
    argument, _, kind = name.rpartition("_sym_")
    if kind == "sizes":
        return tuple(bound[argument].array.shape)
    if kind == "numel":
        return bound[argument].numel()
    if kind == "strides":
        return bound[argument].strides()
    argument, _, kind = name.rpartition("_")
    if kind == "dim":
        return bound[argument].array.ndim
    if kind == "dtype":
        return bound[argument].dtype
    raise TorchError(f"no formula can save {name!r}; arguments are {', '.join(bound)}")


def _is_list_of(value, kind):
    return isinstance(value, (list, tuple)) and any(isinstance(item, kind) for item in value)


def _shown(value):
    """A saved value as upstream's Python shows it: lists as tuples, integers without a sign."""
    if isinstance(value, list):
        return tuple(value)
    if type(value) is int and value < 0:
        return value % 2**64
    return value

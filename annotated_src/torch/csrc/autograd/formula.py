"""FormulaNode: a node that knows an operator's derivative. Retells what tools/autograd generates into Functions.h.

    class MulBackward0(FormulaNode):
        operators = ("mul.Tensor",)
        inputs = ("self", "other")             the arguments that a gradient flows to
        saves = ("self", "other")              what the formulas need: arguments, or "result"

        def grad_self(self, grad):             one formula an input; called only if its gradient is wanted
            return grad * self.saved("other")

Gradients that come in may be None: no gradient has reached that output. A node whose formulas share work writes `apply`
instead.
"""

from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.autograd.function import Node
from annotated_src.torch.csrc.autograd.saved_variable import SavedVariable


class FormulaNode(Node):
    """One call of an operator, remembered for backward."""

    operators = ()
    inputs = ("self",)
    saves = ()

    def __init__(self, next_edges):
        super().__init__(next_edges)
        self._saved = {}

    # -- what the formulas need

    def save(self, name, value, is_output=False):
        """Keep one argument or result."""
        if isinstance(value, TensorImpl):
            value = SavedVariable(value, is_output)
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], TensorImpl):
            value = [SavedVariable(item, is_output) for item in value]
        self._saved[name] = value

    def saved(self, name):
        """What was kept under `name`; RuntimeError if a tensor has been freed, or written to since."""
        value = self._saved[name]
        if isinstance(value, SavedVariable):
            return value.unpack(self)
        if isinstance(value, list) and value and isinstance(value[0], SavedVariable):
            return [item.unpack(self) for item in value]
        return value

    def __getattr__(self, name):
        """`node._saved_other`, as upstream's nodes have it."""
        if name.startswith("_saved_") and name[7:] in self._saved:
            return self.saved(name[7:])
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

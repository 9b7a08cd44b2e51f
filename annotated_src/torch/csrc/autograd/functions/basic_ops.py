"""Nodes without arithmetic. Retells torch/csrc/autograd/functions/basic_ops.h."""

from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import Node


class GraphRoot(Node):
    """Where backward begins if it begins at several tensors: its outputs are the gradients that the caller gave."""

    def __init__(self, edges, grads):
        super().__init__(edges)
        self.grads = grads

    def name(self):
        return "torch::autograd::GraphRoot"

    def apply(self, *grads):
        return self.grads


class NotImplemented(Node):
    """Stands where an operator has no derivative formula; raises when backward comes by."""

    def __init__(self, operator, next_edges):
        super().__init__(next_edges)
        self.operator = operator

    def apply(self, *grads):
        raise TorchError(
            f"derivative for {self.operator} is not implemented: its result cannot be differentiated here. "
            "Detach it, or compute it from operators that have a derivative."
        )


class Error(Node):
    """Raises its message when backward comes by."""

    def __init__(self, message, next_edges=()):
        super().__init__(next_edges)
        self.message = message

    def apply(self, *grads):
        raise TorchError(self.message)


def delayed_error(message, tensors):
    """The tensors (or Nones), cut off from their history: whoever differentiates them gets this RuntimeError."""
    # Here, because variable.py imports this package.
    from annotated_src.torch.csrc.autograd import variable

    node = Error(message)
    results = []
    for tensor in tensors:
        if tensor is None:
            node.add_undefined_input()
        else:
            tensor = variable.detached_alias(tensor)
            variable.set_history(tensor, node)
        results.append(tensor)
    return tuple(results)


class UndefinedGradBackward(Node):
    """Swallows the gradient: behind it, none arrives."""

    def apply(self, grad):
        return (None,)


class UndefinedGrad:
    """`UndefinedGrad()(tensor)`: the tensor once more, as if no gradient had reached it."""

    def __call__(self, tensor):
        from annotated_src.torch.csrc.autograd import variable

        node = UndefinedGradBackward([variable.gradient_edge(tensor)])
        result = variable.detached_alias(tensor)
        variable.set_history(result, node)
        return result

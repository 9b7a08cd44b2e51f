"""Nodes without arithmetic. Retells torch/csrc/autograd/functions/basic_ops.h."""

from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import Node


class GraphRoot(Node):
    """Where backward begins: its outputs are the gradients that the caller gave."""

    def __init__(self, edges, grads):
        super().__init__(edges)
        self.grads = grads

    def apply(self, *grads):
        return self.grads


class NotImplemented_(Node):
    """Stands where an operator has no derivative formula; raises when backward comes by."""

    def __init__(self, operator, next_edges):
        super().__init__(next_edges)
        self.operator = operator

    def name(self):
        return "NotImplemented"

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

"""InputBuffer: the gradients that have arrived at a node so far. Retells torch/csrc/autograd/input_buffer.h."""

from annotated_src.aten import ops


class InputBuffer:
    """One slot for each output of the node's operator; what arrives at a slot twice is added."""

    __slots__ = ("buffer",)

    def __init__(self, size):
        self.buffer = [None] * size

    def add(self, position, grad):
        """Add `grad` to slot `position`."""
        if grad is None:
            return
        old = self.buffer[position]
        # Never in place: the first gradient to arrive may be someone else's as well.
        self.buffer[position] = grad if old is None else ops.add.Tensor(old, grad)

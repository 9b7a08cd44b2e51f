"""InputBuffer: the gradients that have arrived at a node so far. Retells torch/csrc/autograd/input_buffer.h."""

from sys import getrefcount

from annotated_src.aten import ops
from annotated_src.aten.sparse_tensor_impl import is_sparse
from annotated_src.c10.core.autograd_state import state


class InputBuffer:
    """One slot for each output of the node's operator; what arrives at a slot twice is added."""

    __slots__ = ("buffer",)

    def __init__(self, size):
        self.buffer = [None] * size

    def add(self, position, grad):
        """Add `grad` to slot `position`."""
        if grad is None:
            return
        if self.buffer[position] is None:
            self.buffer[position] = grad
        elif not is_sparse(grad) and self._can_accumulate_inplace(position):
            ops.add_.Tensor(self.buffer[position], grad)
        else:
            self.buffer[position] = ops.add.Tensor(self.buffer[position], grad)

    def _can_accumulate_inplace(self, position):
        """Whether nobody else would see the sum; in a graph of the backward pass the summands are needed."""
        if state.grad_mode or not self.is_unshared(position):
            return False
        return not is_sparse(self.buffer[position]) and self.buffer[position].is_non_overlapping_and_dense()

    def is_unshared(self, position):
        """Whether only this slot refers to its gradient, and nothing else to that gradient's memory."""
        # (the slot and the question itself make two; no variable may stand for what is counted: it would count)
        return (
            self.buffer[position] is not None
            and getrefcount(self.buffer[position]) == 2
            and _has_memory_for_itself(self.buffer[position])
        )


def _has_memory_for_itself(tensor):
    if tensor._storage is None:
        return True
    if tensor.autograd_meta is None or tensor.autograd_meta.base is None:
        return getrefcount(tensor._storage) == 2
    # A view: its base, which nobody else may have, has the storage too.
    return getrefcount(tensor.autograd_meta.base) == 2 and getrefcount(tensor._storage) == 3

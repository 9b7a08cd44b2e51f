"""AccumulateGrad: where a leaf's gradient ends up. Retells torch/csrc/autograd/functions/accumulate_grad.h.

    no .grad yet                    the incoming gradient: itself if nobody else refers to it, else a copy
    .grad, ordinary backward        added in place: whoever holds .grad sees it grow
    .grad, create_graph=True        a new tensor, so that the sum can be differentiated

That it *adds* is what makes a tensor used twice, or two backward calls, come out right.

Deviation: upstream asks only whether the gradient itself has no other owner; here what it is a view of must have none
either, and both must be contiguous.
"""

from sys import getrefcount

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import Node, current

# Who refers to a gradient on its way from the engine to `_accumulate`: the engine's buffer, two tuples of arguments,
# two parameters, and getrefcount's own. A count that is higher only costs a copy.
_ON_THE_WAY = 6


class AccumulateGrad(Node):
    """Adds what arrives to `variable.grad`."""

    def __init__(self, leaf):
        super().__init__()
        # Before all others: an update that is ready need not wait.
        self._sequence_number = 2**64 - 1
        self.variable = leaf
        self.add_input_metadata(leaf)

    def tensor_pre_hooks(self):
        # The leaf keeps them: this node lives only as long as a graph leads to it.
        hooks = self.variable.autograd_meta.backward_hooks
        return ((0, hooks),) if hooks else ()

    def name(self):
        return "torch::autograd::AccumulateGrad"

    def apply(self, grad):
        """Add `grad` to the leaf's; nothing is passed on."""
        if grad is None:
            return ()
        meta = self.variable.autograd_meta
        if not meta.requires_grad:
            return ()
        if meta.grad_fn is not None:
            raise TorchError(
                "leaf variable has been moved into the graph interior: it was written in place after it was used as a "
                "leaf. Write to a clone() instead."
            )
        self._accumulate(meta, grad)
        for hook in list((meta.post_accumulate_grad_hooks or {}).values()):
            hook(self.variable)
        return ()

    def _accumulate(self, meta, grad):
        if meta.grad is None:
            # (called by hand, and not by the engine, the node is not the current one: the caller has the gradient)
            stolen = current.node is self and getrefcount(grad) <= _ON_THE_WAY and self._memory_is_free(grad)
            # A tensor of its own: should the gradient be a view, its base goes.
            meta.grad = make_tensor(grad.array) if stolen else ops.clone(grad)
        elif state.grad_mode:
            meta.grad = ops.add(meta.grad, grad)
        else:
            ops.add_(meta.grad, grad)

    def _memory_is_free(self, grad):
        """Whether the gradient's memory can become the leaf's: dense, nobody else's, and not part of a graph."""
        if state.grad_mode or grad.key_set != self.variable.key_set or not self.variable.is_contiguous():
            return False
        base = None if grad.autograd_meta is None else grad.autograd_meta.base
        if base is None:
            owner = grad.array
            seen_by_others = grad._storage is not None
        else:
            owner = base.array
            # The base belongs to the view alone, the storage to these two; here are a variable and an argument besides.
            seen_by_others = getrefcount(base) > 3 or getrefcount(grad._storage) > 3
        return not seen_by_others and owner.base is None and owner.size == grad.array.size and grad.is_contiguous()

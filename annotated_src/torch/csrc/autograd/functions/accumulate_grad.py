"""AccumulateGrad: where a leaf's gradient ends up. Retells torch/csrc/autograd/functions/accumulate_grad.h.

    no .grad yet                    the incoming gradient itself if nobody else has it, else a copy
    .grad, ordinary backward        added in place: whoever holds .grad sees it grow
    .grad, create_graph=True        a new tensor, so that the sum can be differentiated

That it *adds* is what makes two backward calls come out right. (What arrives within one call is added before it gets
here, in the InputBuffer.)

Deviation: upstream asks only whether anyone else refers to the tensor, here nobody may refer to its memory either.
With `z = x.view(-1) + y.view(-1)`, where each leaf gets a view of one gradient, upstream's x.grad and y.grad share
memory, and a second backward, which adds to both in place, counts double (pytorch#34082).
"""

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import InputMetadata, Node, current
from annotated_src.torch.csrc.autograd.utils.grad_layout_contract import clone_obey_contract, obeys_layout_contract


class AccumulateGrad(Node):
    """Adds what arrives to `variable.grad`."""

    may_keep_gradient = True

    def __init__(self, leaf):
        # Before all others: an update that is ready need not wait.
        self._sequence_number = 2**64 - 1
        self._next_edges = ()
        self._input_metadata = [InputMetadata(leaf)]
        self.variable = leaf

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
            # (called by hand, not by the engine, the node is not the current one: the caller has the gradient)
            unshared = current.node is self and current.grad_is_unshared
            if unshared and not state.grad_mode and obeys_layout_contract(grad, self.variable):
                meta.grad = ops.detach.default(grad)
            else:
                meta.grad = clone_obey_contract(grad, self.variable)
        elif state.grad_mode:
            meta.grad = ops.add.Tensor(meta.grad, grad)
        else:
            ops.add_.Tensor(meta.grad, grad)

"""SavedVariable: a tensor kept for backward. Retells torch/csrc/autograd/saved_variable.h.

It remembers the version the tensor had. If the memory has been written since, the gradient would be computed from
values that the operator never saw; `unpack` raises instead.

An output of the node itself is kept without its grad_fn: node -> output -> node would be a circle.
"""

from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import variable

ALREADY_FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)


class SavedVariable:
    """A tensor and the version at which it was saved."""

    __slots__ = ("data", "hooks", "is_leaf", "is_output", "output_nr", "packed", "requires_grad", "saved_version", "was_released")

    def __init__(self, tensor, is_output=False):
        self.was_released = False
        self.packed = None
        self.hooks = default_hooks()
        self.is_leaf = variable.is_leaf(tensor)
        self.is_output = is_output and not self.is_leaf
        self.output_nr = variable.output_nr(tensor)
        self.requires_grad = variable.requires_grad(tensor)
        self.saved_version = variable.current_version(tensor)
        self.data = variable.detached_alias(tensor) if self.is_output else tensor
        if self.hooks is not None:
            pack, _ = self.hooks
            self.packed = pack(self.data)
            self.data = None

    def unpack(self, grad_fn):
        """The tensor as it was; RuntimeError if it has been released or written to."""
        if self.was_released:
            raise TorchError(ALREADY_FREED)
        if self.hooks is not None:
            _, unpack = self.hooks
            return unpack(self.packed)
        self._check_version(grad_fn)
        if not self.is_output:
            return self.data
        return variable.alias_with_grad_fn(self.data, grad_fn, self.output_nr, self.requires_grad)

    def _check_version(self, grad_fn):
        version = variable.current_version(self.data)
        if version == self.saved_version:
            return
        made_by = grad_fn if self.is_output else variable.grad_fn(self.data)
        if made_by is None:
            where = "."
        else:
            where = f", which is output {self.output_nr} of {made_by.name()}, is at version {version}; expected version {self.saved_version} instead."
        raise TorchError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{variable.type_name(self.data)} {list(self.data.array.shape)}]{where} "
            "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True)."
        )

    def release(self):
        """Drop the tensor."""
        self.was_released = True
        self.data = None
        self.packed = None


def default_hooks():
    """The innermost pair of torch.autograd.graph.saved_tensors_hooks, or None."""
    stack = getattr(state, "saved_tensors_hooks", None)
    return stack[-1] if stack else None

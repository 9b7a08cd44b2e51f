"""Nodes for copies and for writes through views. Retells torch/csrc/autograd/functions/tensor.h.

    v = x[0]; v.mul_(w)

writes a part of x. What made x is from now on CopySlices: its gradient, outside of the part, belongs to the old x as it
is; within the part it goes through the write's own node first.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.function import Node, current


class CopyBackwards(Node):
    """copy_(self, src): what `self` held is gone, its place holds src's values."""

    def __init__(self, next_edges, src):
        super().__init__(next_edges)
        self.src_dtype = src.dtype
        self.src_device = src.device

    def name(self):
        return "torch::autograd::CopyBackwards"

    def apply(self, grad):
        if grad is None:
            return None, None
        grad_self = ops.zeros_like(grad) if self.should_compute_output(0) else None
        grad_src = None
        if self.should_compute_output(1):
            grad_src = ops.to(grad, device=self.src_device, dtype=self.src_dtype)
        return grad_self, grad_src


class Geometry:
    """Sizes, strides and offset of a tensor within its storage."""

    __slots__ = ("offset", "shape", "strides")

    def __init__(self, tensor):
        self.shape = tensor.array.shape
        self.strides = tensor.strides()
        self.offset = tensor.storage_offset()


class CopySlices(Node):
    """Undoes an in-place write, `function`, to the part `view` of `base`, whose gradient goes to `base_edge`."""

    def __init__(self, base_edge, base, view, function):
        super().__init__([base_edge, *function._next_edges[1:]])
        self.base = Geometry(base)
        self.view = Geometry(view)
        self.function = function
        self.add_input_metadata(base)

    def name(self):
        return "torch::autograd::CopySlices"

    def apply(self, grad):
        if grad is None:
            return [None] * len(self._next_edges)
        result = ops.new_empty_strided(grad, self.base.shape, self.base.strides)
        ops.copy_(result, grad)
        part = ops.as_strided(result, self.view.shape, self.view.strides, self.view.offset - self.base.offset)
        grads = self._undo_the_write(ops.clone(part))
        if not self.should_compute_output(0):
            return (None, *grads[1:])
        if grads[0] is None:
            ops.zero_(part)
        else:
            ops.copy_(part, grads[0])
        return (result, *grads[1:])

    def _undo_the_write(self, grad):
        # The write's own first edge leads to what the view was before: the engine does not go there, yet it needs
        # that gradient.
        previous, current.wanted = current.wanted, None
        try:
            return self.function(grad)
        finally:
            current.wanted = previous

    def release_variables(self):
        self.function.release_variables()

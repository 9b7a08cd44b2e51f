"""Nodes for writes through views. Retells torch/csrc/autograd/functions/tensor.h.

    v = x[0]; v.mul_(w)

writes a part of x. What made x is from now on CopySlices: its gradient, outside of the part, belongs to the old x as it
is; within the part it goes through the write's own node first.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.function import Node


class Geometry:
    """Sizes, strides and offset of a tensor within its storage."""

    __slots__ = ("offset", "shape", "strides")

    def __init__(self, tensor):
        self.shape = tuple(tensor.array.shape)
        self.strides = tuple(stride // tensor.array.itemsize for stride in tensor.array.strides)
        self.offset = tensor.storage_offset()


class CopySlices(Node):
    """Undoes an in-place write, `function`, to the part `view` of `base`, whose gradient goes to `base_edge`."""

    def __init__(self, base_edge, base, view, function):
        super().__init__([base_edge, *function._next_edges[1:]])
        self.base = Geometry(base)
        self.view = Geometry(view)
        self.function = function

    def apply(self, grad):
        result = ops.empty_strided(self.base.shape, self.base.strides, dtype=grad.dtype, device=grad.device)
        ops.copy_(result, grad)
        offset = self.view.offset - self.base.offset
        part = ops.as_strided(result, self.view.shape, self.view.strides, offset)
        grads = self.function(ops.clone(part))
        if grads[0] is None:
            ops.zero_(part)
        else:
            ops.copy_(part, grads[0])
        return (result, *grads[1:])

    def release_variables(self):
        self.function.release_variables()


class AsStridedBackward0(Node):
    """A view's gradient, put into the place of the base that the view looks at."""

    def __init__(self, base_edge, base, view):
        super().__init__([base_edge])
        self.base = Geometry(base)
        self.view = Geometry(view)

    def apply(self, grad):
        return (
            ops.as_strided_backward(
                grad, self.base.shape, self.base.strides, self.view.shape, self.view.strides,
                self.view.offset - self.base.offset,
            ),
        )  # fmt: skip

"""Autograd kernels that no formula describes. Retells torch/csrc/autograd/VariableTypeManual.cpp.

    copy_      its node is CopyBackwards; source and target may differ in dtype and device
    detach     a view without history, which shares the version counter: a write through it is noticed all the same
    detach_    makes the tensor a leaf
    resize_    changes the shape, which no gradient survives
"""

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.autograd.function import current
from annotated_src.torch.csrc.autograd.functions.tensor import CopyBackwards
from annotated_src.torch.csrc.autograd.variable import gradient_edge, requires_grad
from annotated_src.torch.csrc.autograd.variable_type import InplaceKernel, NotDifferentiableKernel


class CopyKernel(InplaceKernel):
    """copy_(self, src)"""

    def make_node(self, args, kwargs, original_self=None):
        target, src = args[0], args[1] if len(args) > 1 else kwargs["src"]
        node = CopyBackwards([gradient_edge(target), gradient_edge(src)], src)
        if anomaly_mode.is_enabled():
            anomaly_mode.store_stack(node, current.node)
        return node


class DetachKernel(NotDifferentiableKernel):
    """detach(self): what `make_view` made is without history as it is."""


class DetachInPlaceKernel(NotDifferentiableKernel):
    """detach_(self)"""

    def __call__(self, *args, **kwargs):
        result = super().__call__(*args, **kwargs)
        return variable.detach_history(result)


class ResizeKernel(InplaceKernel):
    """resize_(self, size) and resize_as_"""

    def __call__(self, *args, **kwargs):
        if state.grad_mode and requires_grad(args[0]):
            raise TorchError("cannot resize variables that require grad: detach() them first")
        return super().below(args, kwargs)


def register():
    """File them, before the others are filed."""
    for name, kind in (
        ("copy_", CopyKernel),
        ("detach", DetachKernel),
        ("detach_", DetachInPlaceKernel),
        ("resize_", ResizeKernel),
        ("resize_as_", ResizeKernel),
    ):
        entry = dispatcher.find_schema(f"aten::{name}")
        kernel = kind(entry)
        entry.register_kernel("Autograd", kernel)
        if issubclass(kind, InplaceKernel):
            entry.register_kernel("ADInplaceOrView", kernel)

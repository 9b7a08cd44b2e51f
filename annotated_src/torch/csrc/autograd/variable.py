"""What a tensor keeps for autograd. Retells torch/csrc/autograd/variable.h.

    requires_grad     a leaf whose gradient is wanted
    grad_fn           the node that made this tensor, and which of its outputs it is (`output_nr`)
    grad              what backward accumulated, for leaves (and for those that asked by retain_grad)
    grad_accumulator  the AccumulateGrad node of a leaf: the end of the road for gradients

Most tensors keep nothing: their `autograd_meta` is None until something has to be kept.

Views. A view of a differentiable tensor knows its `base`. If the memory is written in place through either, the
history of both changes: the base's node becomes one that undoes the write (CopySlices), and a view that finds its
version out of date asks the base for a new grad_fn.

Left out: forward-mode gradients, view functions of backends without as_strided.
"""

import weakref

from annotated_src.c10.core.tensor_impl import TensorImpl, make_view
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import NO_EDGE, Edge
from annotated_src.torch.csrc.autograd.functions.accumulate_grad import AccumulateGrad
from annotated_src.torch.csrc.autograd.functions.tensor import AsStridedBackward0, CopySlices

# How a view was made: an in-place write to it is only undone where this is DEFAULT.
DEFAULT, IN_CUSTOM_FUNCTION, MULTI_OUTPUT_NODE, NO_GRAD_MODE, INFERENCE_MODE = range(5)


class AutogradMeta:
    """What autograd keeps about one tensor."""

    __slots__ = (
        "grad", "grad_fn", "output_nr", "requires_grad", "grad_accumulator", "hooks", "post_accumulate_grad_hooks",
        "retains_grad", "view", "_backward_hooks",
    )  # fmt: skip

    def __init__(self):
        self.grad = None
        self.grad_fn = None
        self.output_nr = 0
        self.requires_grad = False
        self.grad_accumulator = None
        self.hooks = {}
        self.post_accumulate_grad_hooks = {}
        self.retains_grad = False
        self.view = None


class ViewInfo:
    """What a differentiable view knows: whose memory it looks at, how it was made, and when its grad_fn was right."""

    __slots__ = ("attr_version", "base", "creation_meta")

    def __init__(self, base, creation_meta, attr_version):
        self.base = base
        self.creation_meta = creation_meta
        self.attr_version = attr_version


def materialize_autograd_meta(tensor):
    """The tensor's AutogradMeta, made if there is none."""
    if tensor.autograd_meta is None:
        tensor.autograd_meta = AutogradMeta()
    return tensor.autograd_meta


def requires_grad(tensor):
    """Whether gradients flow into this tensor: as a leaf that wants one, or as the result of a recorded operator."""
    meta = tensor.autograd_meta
    if meta is None:
        return False
    if meta.requires_grad or meta.grad_fn is not None:
        return True
    return meta.view is not None and requires_grad(meta.view.base)


def is_leaf(tensor):
    """Whether no recorded operator made this tensor."""
    return grad_fn(tensor) is None


def output_nr(tensor):
    """Which output of its grad_fn this tensor is."""
    return 0 if tensor.autograd_meta is None else tensor.autograd_meta.output_nr


def current_version(tensor):
    """How often the tensor's memory was written in place."""
    counter = tensor._version_counter
    return 0 if counter is None else counter.value


def grad_fn(tensor):
    """The node that made this tensor, or None for a leaf."""
    meta = tensor.autograd_meta
    if meta is None:
        return None
    if meta.view is not None and meta.view.attr_version != current_version(tensor):
        _renew_view_history(tensor, meta)
    return meta.grad_fn


def _renew_view_history(tensor, meta):
    """The memory was written since this view's grad_fn was made: look at the base's new history from here."""
    base = meta.view.base
    if not requires_grad(base):
        return
    _check_creation_meta(meta.view.creation_meta, "The current version of this view cannot be differentiated")
    node = AsStridedBackward0(gradient_edge(base), base, tensor)
    node.add_input_metadata(tensor)
    meta.grad_fn = node
    meta.output_nr = 0
    meta.view.attr_version = current_version(tensor)


def grad_accumulator(tensor):
    """The leaf's AccumulateGrad node; None if it wants no gradient."""
    meta = tensor.autograd_meta
    if meta is None or not meta.requires_grad:
        return None
    if meta.grad_fn is not None:
        raise TorchError("grad_accumulator() should be only called on leaf Variables")
    # Held weakly: the node keeps the tensor alive, and is kept alive by the graphs that end in it.
    node = meta.grad_accumulator() if meta.grad_accumulator is not None else None
    if node is None:
        node = AccumulateGrad(tensor)
        meta.grad_accumulator = weakref.ref(node)
    return node


def gradient_edge(tensor):
    """Where this tensor's gradient goes: to the node that made it, or to the leaf's AccumulateGrad."""
    node = grad_fn(tensor)
    if node is not None:
        return Edge(node, tensor.autograd_meta.output_nr)
    node = grad_accumulator(tensor)
    return NO_EDGE if node is None else Edge(node, 0)


def set_gradient_edge(tensor, edge):
    """From now on `edge.function` is what made this tensor."""
    meta = materialize_autograd_meta(tensor)
    meta.grad_fn = edge.function
    meta.output_nr = edge.input_nr
    if meta.view is not None:
        meta.view.attr_version = current_version(tensor)


def set_history(tensor, node):
    """`tensor` is the next output of `node`."""
    set_gradient_edge(tensor, Edge(node, node.add_input_metadata(tensor)))


def rebase_history(tensor, node):
    """`node` wrote `tensor` in place: for a view, the write is a step in the base's history."""
    meta = materialize_autograd_meta(tensor)
    if meta.view is None:
        set_history(tensor, node)
        return
    _check_creation_meta(meta.view.creation_meta, "A view was written in place that cannot be differentiated so")
    node.add_input_metadata(tensor)
    base = meta.view.base
    # (the base's edge is taken before its history changes)
    copy_slices = CopySlices(gradient_edge(base), base, tensor, node)
    set_history(base, copy_slices)
    # The view is out of date now; it finds its new grad_fn when it is asked.
    meta.view.attr_version = -1
    grad_fn(tensor)


def as_view(base, tensor, creation_meta):
    """Note that `tensor` is a differentiable view of `base`, or of what `base` is a view of."""
    base_meta = base.autograd_meta
    if base_meta is not None and base_meta.view is not None:
        if base_meta.view.creation_meta != DEFAULT:
            creation_meta = base_meta.view.creation_meta
        base = base_meta.view.base
    meta = materialize_autograd_meta(tensor)
    meta.view = ViewInfo(base, creation_meta, current_version(tensor))


_CREATION = {
    MULTI_OUTPUT_NODE: "it is one of several outputs of a view function (split, unbind, ...), which the graph cannot "
    "replace one by one. Write to the whole tensor, or clone() this output",
    NO_GRAD_MODE: "it was made in no_grad mode and is modified inplace with grad mode enabled. Make the view and write "
    "to it in the same mode",
    IN_CUSTOM_FUNCTION: "it was created inside a custom Function (or because an input was returned as-is), which the "
    "autograd logic to handle view+inplace would override. Clone it, or return a new tensor from forward()",
    INFERENCE_MODE: "it was made in inference mode",
}


def _check_creation_meta(creation_meta, what):
    if creation_meta != DEFAULT:
        raise TorchError(f"{what}: a view of this tensor is being modified inplace, but {_CREATION[creation_meta]}.")


def check_inplace(tensor):
    """A leaf that wants a gradient may not be written in place while operators are recorded."""
    meta = tensor.autograd_meta
    if meta is None:
        return
    if meta.view is not None and requires_grad(meta.view.base):
        if is_leaf(meta.view.base):
            raise TorchError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation. "
                "Write under torch.no_grad(), or to a clone()."
            )
        _check_creation_meta(meta.view.creation_meta, "Output is a view")
    elif meta.requires_grad and is_leaf(tensor):
        raise TorchError(
            "a leaf Variable that requires grad is being used in an in-place operation. "
            "Its old value could not be differentiated. Write under torch.no_grad(), or to a clone()."
        )


def detached_alias(tensor):
    """The same memory without history; its version counter is shared."""
    return make_view(tensor, tensor.array)


def detach_history(tensor):
    """Make `tensor` a leaf without history."""
    meta = tensor.autograd_meta
    if meta is not None:
        meta.grad_fn = None
        meta.output_nr = 0
        meta.requires_grad = False
    return tensor


def alias_with_grad_fn(tensor, node, number, wants_grad):
    """The same memory as output `number` of `node`."""
    alias = make_view(tensor, tensor.array)
    if node is not None:
        set_gradient_edge(alias, Edge(node, number))
    else:
        materialize_autograd_meta(alias).requires_grad = wants_grad
    return alias


def type_name(tensor):
    """`torch.FloatTensor`, as error messages name a dtype on a device."""
    module = "torch" if tensor.device.type == "cpu" else f"torch.{tensor.device.type}"
    return f"{module}.{tensor.dtype.cpp_name}Tensor"


def tensors_in(values):
    """All tensors among arguments, in order, with those in lists."""
    found = []
    for value in values:
        if isinstance(value, TensorImpl):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(item for item in value if isinstance(item, TensorImpl))
    return found

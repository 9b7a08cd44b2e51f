"""What a tensor keeps for autograd. Retells torch/csrc/autograd/variable.h.

    requires_grad     a leaf whose gradient is wanted
    grad_fn           the node that made this tensor, and which of its outputs it is (`output_nr`)
    grad              what backward accumulated, for leaves (and for those that asked by retain_grad)
    grad_accumulator  the AccumulateGrad node of a leaf: the end of the road for gradients

Most tensors keep nothing: their `autograd_meta` is None until something has to be kept.

Views. A view of a tensor knows its `base`. If the memory is written in place through either, the history of both
changes: the base's node becomes one that undoes the write (CopySlices), and a view that finds its version out of date
makes itself a new grad_fn from the base's.

Left out: forward-mode gradients, view functions of backends without as_strided.
"""

import weakref

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.scalar_type import COMPLEX, FLOATING
from annotated_src.c10.core.tensor_impl import TensorImpl, make_view
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd.function import NO_EDGE, Edge
from annotated_src.torch.csrc.autograd.functions.accumulate_grad import AccumulateGrad
from annotated_src.torch.csrc.autograd.functions.tensor import CopySlices

# How a view was made: an in-place write to it can be undone only where this is DEFAULT.
DEFAULT, IN_CUSTOM_FUNCTION, MULTI_OUTPUT_NODE, NO_GRAD_MODE, INFERENCE_MODE = range(5)


class AutogradMeta:
    """What autograd keeps about one tensor."""

    # On the class, because most tensors keep only one or two of these.
    grad = None
    grad_fn = None
    output_nr = 0
    requires_grad = False
    grad_accumulator = None
    backward_hooks = None
    post_accumulate_grad_hooks = None
    retains_grad = False
    view = None
    base = None


class DifferentiableViewMeta(AutogradMeta):
    """What a view knows besides: its base, how it was made, and the version at which its grad_fn was right."""

    __slots__ = ("attr_version", "base", "creation_meta")

    def __init__(self, base, creation_meta, attr_version):
        self.base = base
        self.creation_meta = creation_meta
        self.attr_version = attr_version

    @property
    def view(self):
        """These three, where an AutogradMeta has None."""
        return self


def materialize_autograd_meta(tensor):
    """The tensor's AutogradMeta, made if there is none."""
    if tensor.autograd_meta is None:
        tensor.autograd_meta = AutogradMeta()
    return tensor.autograd_meta


def is_differentiable_type(tensor):
    """Gradients are for floating and complex numbers."""
    return tensor.dtype.category >= FLOATING


def requires_grad(tensor):
    """Whether gradients flow into this tensor: as a leaf that wants one, or as the result of a recorded operator."""
    meta = tensor.autograd_meta
    if meta is None:
        return False
    if meta.requires_grad or meta.grad_fn is not None:
        return True
    if meta.base is None:
        return False
    # A view of a tensor that has come to want a gradient since. (A base is never a view itself.)
    meta = meta.base.autograd_meta
    return meta is not None and (meta.requires_grad or meta.grad_fn is not None)


def is_leaf(tensor):
    """Whether no recorded operator made this tensor."""
    meta = tensor.autograd_meta
    return meta is None or meta.grad_fn is None


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
    if meta.grad_fn is None and not requires_grad(base):
        return
    handle_view_on_rebase(meta, indirect=True)
    previous, state.grad_mode = state.grad_mode, True
    try:
        # The view once more, recorded: its node is the AsStridedBackward0 that this one takes over.
        offset = tensor.storage_offset()
        seen_again = ops.as_strided.default(base, tensor.array.shape, tensor.strides(), offset)
    finally:
        state.grad_mode = previous
    _replace_grad_fn(meta, tensor, seen_again.autograd_meta.grad_fn, 0)
    meta.view.attr_version = current_version(tensor)


def grad_accumulator(tensor):
    """The leaf's AccumulateGrad node; None if it wants no gradient."""
    meta = tensor.autograd_meta
    if meta is None or not meta.requires_grad:
        return None
    # Held weakly: the node keeps the tensor alive, and is kept alive by the graphs that end in it.
    node = None if meta.grad_accumulator is None else meta.grad_accumulator()
    if node is None:
        node = AccumulateGrad(tensor)
        meta.grad_accumulator = weakref.ref(node)
    return node


def gradient_edge(tensor):
    """Where this tensor's gradient goes: to the node that made it, or to the leaf's AccumulateGrad."""
    meta = tensor.autograd_meta
    if meta is None:
        return NO_EDGE
    node = meta.grad_fn if meta.view is None else grad_fn(tensor)
    if node is not None:
        return Edge(node, meta.output_nr)
    node = grad_accumulator(tensor)
    return NO_EDGE if node is None else Edge(node, 0)


def set_gradient_edge(tensor, edge):
    """From now on `edge.function` is what made this tensor."""
    meta = materialize_autograd_meta(tensor)
    if meta.grad_fn is None:
        meta.grad_fn, meta.output_nr = edge.function, edge.input_nr
    else:
        _replace_grad_fn(meta, tensor, edge.function, edge.input_nr)
    if meta.view is not None:
        meta.view.attr_version = current_version(tensor)


def _replace_grad_fn(meta, tensor, node, number):
    """Another node makes the tensor now. Hooks stay with the old one, retain_grad moves to the new one."""
    old, old_number = meta.grad_fn, meta.output_nr
    meta.grad_fn, meta.output_nr = node, number
    meta.backward_hooks = None
    if meta.retains_grad and old is not None:
        node.add_retains_grad_hook(old.pop_retains_grad_hook(old_number), number)


def set_history(tensor, node):
    """`tensor` is the next output of `node`."""
    number = node.add_input_metadata(tensor)
    if tensor.autograd_meta is not None:
        set_gradient_edge(tensor, Edge(node, number))
        return
    # Fresh from its kernel, as most are: nothing is known of it that would have to be mended.
    meta = tensor.autograd_meta = AutogradMeta()
    meta.grad_fn, meta.output_nr = node, number


def rebase_history(tensor, node):
    """`node` wrote `tensor` in place: for a view, the write is a step in the base's history."""
    meta = materialize_autograd_meta(tensor)
    if meta.view is None:
        set_history(tensor, node)
        return
    node.add_input_metadata(tensor)
    base = meta.view.base
    # (the base's edge is taken before its history changes)
    set_gradient_edge(base, Edge(CopySlices(gradient_edge(base), base, tensor, node), 0))
    # The view is out of date now and finds its new grad_fn.
    grad_fn(tensor)


# -- views


def as_view(base, tensor, creation_meta):
    """Note that `tensor` is a view of `base`, or of what `base` is a view of."""
    base_meta = base.autograd_meta
    if base_meta is not None and base_meta.base is not None:
        if creation_meta == DEFAULT:
            creation_meta = base_meta.creation_meta
        base = base_meta.base
    counter = tensor._version_counter
    tensor.autograd_meta = DifferentiableViewMeta(base, creation_meta, 0 if counter is None else counter.value)


_WHY = {
    MULTI_OUTPUT_NODE: "This view is the output of a function that returns multiple views (split, unbind, ...). Such "
    "functions do not allow the output views to be modified inplace. Use an out-of-place operation instead.",
    NO_GRAD_MODE: "Whether the write is to be recorded cannot be told, so it is forbidden: make the view and write to "
    "it either both inside the no_grad block or both outside.",
    INFERENCE_MODE: "Whether the write is to be recorded cannot be told, so it is forbidden: make the view and write "
    "to it either both inside the inference_mode block or both outside.",
    IN_CUSTOM_FUNCTION: "This view was created inside a custom Function (or because an input was returned as-is) and "
    "the autograd logic to handle view+inplace would override the custom backward. Clone the output of the custom "
    "Function before writing to it.",
}


def handle_view_on_rebase(meta, indirect=False):
    """RuntimeError if a write to this view (or, indirectly, to its base) cannot be put into the graph."""
    creation_meta = meta.view.creation_meta
    if creation_meta == DEFAULT:
        return
    what = "its base or another view of its base has been" if indirect else "is being"
    view = "A view" if meta.grad_fn is None else f"Output {meta.output_nr} of {meta.grad_fn.operator_name()} is a view"
    if creation_meta in (NO_GRAD_MODE, INFERENCE_MODE):
        mode = "inference" if creation_meta == INFERENCE_MODE else "no_grad"
        now = "in normal mode" if creation_meta == INFERENCE_MODE else "with grad mode enabled"
        # (a recorded view of a view that was not)
        made = "was created" if meta.grad_fn is None else "of a view which was created"
        message = f"{view} {made} in {mode} mode and {what} modified inplace {now}."
    else:
        message = f"{view} and {what} modified inplace."
    raise TorchError(f"{message} {_WHY[creation_meta]}")


def check_inplace(tensor):
    """What may not be written in place while operators are recorded: leaves, and views that the graph cannot follow."""
    meta = tensor.autograd_meta
    if meta is None:
        return
    if meta.view is not None:
        handle_view_on_rebase(meta)
        if requires_grad(tensor) and is_leaf(meta.view.base):
            raise TorchError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation. "
                "Write under torch.no_grad(), or to a clone()."
            )
    if meta.requires_grad and meta.grad_fn is None:
        raise TorchError(
            "a leaf Variable that requires grad is being used in an in-place operation. "
            "Its old value could not be differentiated. Write under torch.no_grad(), or to a clone()."
        )


# -- the same memory under another history


def detached_alias(tensor):
    """The same memory without history; its version counter is shared."""
    return make_view(tensor, tensor.array)


def detach_history(tensor):
    """Make `tensor` a leaf that wants no gradient. RuntimeError for a view, whose base keeps the history."""
    meta = tensor.autograd_meta
    if meta is None:
        return tensor
    if meta.view is not None:
        raise TorchError(
            "Can't detach views in-place. Use detach() instead: a view shares its base's history, which would remain."
        )
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


def alias_of_leaf(tensor, leaf):
    """The same memory as `tensor`, with a gradient that goes to `leaf`'s accumulator."""
    alias = make_view(tensor, tensor.array)
    meta = materialize_autograd_meta(alias)
    meta.requires_grad = True
    meta.grad_accumulator = weakref.ref(grad_accumulator(leaf))
    return alias


# -- the setters of tensor attributes


def set_requires_grad(tensor, wanted):
    """Make a leaf want a gradient, or not. RuntimeError for integers, and for results of recorded operators."""
    if not isinstance(wanted, bool):
        raise TorchError(f"requires_grad must be a bool, not {type(wanted).__name__}")
    if not is_leaf(tensor):
        hint = (
            "" if wanted else " If you want to use a computed variable in a subgraph that doesn't require "
            "differentiation use var_no_grad = var.detach()."
        )  # fmt: skip
        raise TorchError(f"you can only change requires_grad flags of leaf variables.{hint}")
    if wanted and not is_differentiable_type(tensor):
        raise TorchError(
            f"only Tensors of floating point and complex dtype can require gradients, not {tensor.dtype}: convert it "
            "first, as by .float()"
        )
    if wanted:
        _refuse_complex(tensor)
    if wanted and tensor.is_inference() and not state.inference_mode:
        raise TorchError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed. Make a clone() first."
        )
    if wanted or tensor.autograd_meta is not None:
        materialize_autograd_meta(tensor).requires_grad = wanted


def set_requires_grad_of_new(tensor, wanted):
    """What the factories' `requires_grad=` does to their result."""
    if wanted and not is_differentiable_type(tensor):
        raise TorchError(
            f"Only Tensors of floating point and complex dtype can require gradients, not {tensor.dtype}: give a "
            "floating dtype"
        )
    if wanted:
        _refuse_complex(tensor)
        materialize_autograd_meta(tensor).requires_grad = True
    return tensor


def _refuse_complex(tensor):
    # Deviation: upstream differentiates complex numbers. The formulas here lack the conjugates, and would be wrong.
    if tensor.dtype.category == COMPLEX:
        raise NotImplementedError(
            f"gradients of complex numbers are left out here, but got {tensor.dtype}: keep the real and the imaginary "
            "part in two real tensors, and differentiate with respect to these"
        )


def set_grad(tensor, grad):
    """`tensor.grad = grad`: None, or a tensor of the same shape, dtype and device."""
    if grad is None:
        if tensor.autograd_meta is not None:
            tensor.autograd_meta.grad = None
        return
    _check_grad(tensor, grad)
    materialize_autograd_meta(tensor).grad = grad


def _check_grad(tensor, grad):
    if not isinstance(grad, TensorImpl):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(grad).__name__}")
    if grad is tensor:
        raise TorchError("can't assign Variable as its own grad")
    if grad.dtype is not tensor.dtype:
        raise TorchError(
            f"attempting to assign a gradient with dtype '{grad.dtype}' to a tensor with grad_dtype '{tensor.dtype}'. "
            "Convert the gradient to the tensor's dtype."
        )
    if grad.device.type != tensor.device.type:
        raise TorchError(
            f"attempting to assign a gradient with device type '{grad.device.type}' to a tensor with device type "
            f"'{tensor.device.type}'. Move the gradient to the tensor's device."
        )
    if grad.array.shape != tensor.array.shape:
        raise TorchError(
            f"attempting to assign a gradient of size '{list(grad.array.shape)}' to a tensor of size "
            f"'{list(tensor.array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )


def set_data(tensor, other):
    """`tensor.data = other`: the tensor object stays, with its history and its version; its memory is the other's."""
    if not isinstance(other, TensorImpl):
        raise TypeError(f"Variable data has to be a tensor, but got {type(other).__name__}")
    if requires_grad(tensor) and not is_differentiable_type(other):
        raise TorchError("data set to a tensor that requires gradients must be floating point or complex dtype")
    meta = tensor.autograd_meta
    if meta is not None and (other.dtype is not tensor.dtype or other.device != tensor.device):
        # Its AccumulateGrad expects gradients of the old dtype.
        meta.grad_accumulator = None
    tensor.key_set = other.key_set
    tensor.array = other.array
    tensor._storage = other.storage_impl


class _RetainGrad:
    """The hook of retain_grad: keeps what it sees as the tensor's `.grad`. The tensor is held weakly by its node."""

    def __init__(self, tensor):
        self.tensor = weakref.ref(tensor)

    def __call__(self, grad):
        tensor = self.tensor()
        if tensor is None or grad is None:
            return
        meta = tensor.autograd_meta
        meta.grad = ops.clone(grad) if meta.grad is None else ops.add(meta.grad, grad)


def retain_grad(tensor):
    """Keep the gradient of a result, as a leaf's is kept. RuntimeError if it wants none."""
    if not requires_grad(tensor):
        raise TorchError("can't retain_grad on Tensor that has requires_grad=False")
    node = grad_fn(tensor)
    if node is None or tensor.autograd_meta.retains_grad:
        return
    node.add_retains_grad_hook(_RetainGrad(tensor), tensor.autograd_meta.output_nr)
    tensor.autograd_meta.retains_grad = True

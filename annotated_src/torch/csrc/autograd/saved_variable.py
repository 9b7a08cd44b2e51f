"""SavedVariable: a tensor kept for backward. Retells torch/csrc/autograd/saved_variable.h.

It remembers the version the tensor had. If the memory has been written since, the gradient would be computed from
values that the operator never saw; `unpack` raises instead.

An output of the node itself is kept without its grad_fn: node -> output -> node would be a circle.
"""

from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.tensor.python_tensor import type_string

ALREADY_FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)


class SavedVariable:
    """A tensor and the version at which it was saved."""

    __slots__ = (
        "data", "is_leaf", "is_output", "output_nr", "packed", "requires_grad", "saved_version", "unpack_hook",
        "was_released",
    )  # fmt: skip

    def __init__(self, tensor, is_output=False):
        if tensor.is_inference():
            raise TorchError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode "
                "in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
                "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
            )
        meta = tensor.autograd_meta
        counter = tensor._version_counter
        self.was_released = False
        self.unpack_hook = self.packed = None
        self.is_leaf = meta is None or meta.grad_fn is None
        self.is_output = is_output and not self.is_leaf
        self.output_nr = 0 if meta is None else meta.output_nr
        self.requires_grad = meta is not None and variable.requires_grad(tensor)
        self.saved_version = 0 if counter is None else counter.value
        self.data = variable.detached_alias(tensor) if self.is_output else tensor
        if state.saved_tensors_hooks:
            pack, unpack = state.saved_tensors_hooks[-1]
            self._set_hooks(pack, unpack)

    def register_hooks(self, pack_hook, unpack_hook):
        """Pack this one saved tensor; RuntimeError if it is packed already."""
        if self.was_released:
            raise TorchError("Cannot register hooks on a SavedTensor whose value has been freed: backward has run")
        if self.unpack_hook is not None:
            raise TorchError(
                "Calling register_hooks on a saved tensor whose hooks have already been set: it has one pair"
            )
        self._set_hooks(pack_hook, unpack_hook)

    def _set_hooks(self, pack, unpack):
        previous, state.grad_mode = state.grad_mode, False
        version = variable.current_version(self.data)
        try:
            self.packed = pack(variable.detached_alias(self.data) if self.is_output else self.data)
        finally:
            state.grad_mode = previous
        if variable.current_version(self.data) != version:
            raise TorchError("A saved tensor pack hook is modifying its input in place. Pack a clone of it instead.")
        self.unpack_hook = unpack
        # A leaf has to come back as the very leaf, whatever the hooks make of its values.
        self.data = self.data if self.is_leaf and self.requires_grad else self._without_data(self.data)

    def _without_data(self, tensor):
        """What is left of the tensor in the graph when its values are packed away: the node that made it."""
        return None if self.is_output else variable.gradient_edge(tensor)

    def unpack(self, grad_fn):
        """The tensor as it was; RuntimeError if it has been released or written to."""
        if self.was_released:
            raise TorchError(ALREADY_FREED)
        if self.unpack_hook is not None:
            return self._unpack_by_hook(grad_fn)
        self._check_version(grad_fn)
        if not self.is_output:
            return self.data
        return variable.alias_with_grad_fn(self.data, grad_fn, self.output_nr, self.requires_grad)

    def _unpack_by_hook(self, grad_fn):
        data = self.unpack_hook(self.packed)
        if not isinstance(data, variable.TensorImpl):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(data).__name__}"
            )
        if not self.requires_grad:
            return data
        if self.is_output:
            return variable.alias_with_grad_fn(data, grad_fn, self.output_nr, True)
        if isinstance(self.data, variable.TensorImpl):
            return variable.alias_of_leaf(data, self.data)
        return variable.alias_with_grad_fn(data, self.data.function, self.output_nr, True)

    def _check_version(self, grad_fn):
        counter = self.data._version_counter
        version = 0 if counter is None else counter.value
        if version == self.saved_version:
            return
        made_by = grad_fn if self.is_output else variable.grad_fn(self.data)
        where = "" if made_by is None else f", which is output {self.output_nr} of {made_by.operator_name()},"
        hint = (
            "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
            "question was changed in there or anywhere later. Good luck!"
            if anomaly_mode.is_enabled()
            else "enable anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True)."
        )
        raise TorchError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{type_string(self.data)} {list(self.data.array.shape)}]{where} is at version {version}; "
            f"expected version {self.saved_version} instead. Hint: {hint}"
        )

    def release(self):
        """Drop the tensor."""
        self.was_released = True
        self.data = None
        self.packed = None

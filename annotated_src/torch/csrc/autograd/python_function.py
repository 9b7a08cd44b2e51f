"""What torch.autograd.Function does in C++. Retells torch/csrc/autograd/python_function.cpp (THPFunction_apply).

    MyFunction.apply(x, y)
        1. a node is made: the `ctx` that forward sees, with edges to where the gradients of x and y go
        2. forward runs; operators in it record nothing
        3. each output gets the node as its grad_fn; inputs that were written to (mark_dirty) get a new history
    backward later: the engine calls the node, the node calls MyFunction.backward(ctx, *grads)
"""

import warnings

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.autograd.function import Node, current
from annotated_src.torch.csrc.autograd.saved_variable import ALREADY_FREED, SavedVariable


class FunctionBase(Node):
    """The node of one call of a custom Function; Python knows it as `ctx`. torch._C._FunctionBase upstream."""

    def __init__(self):
        super().__init__()
        self.to_save = None
        self.non_differentiable = ()
        self.dirty_tensors = ()
        self.materialize_grads = True
        self.needs_input_grad = ()
        # Which of forward's arguments are tensors: only they have edges.
        self._is_variable_input = ()
        self._saved_variables = ()
        self._was_released = False

    @property
    def saved_tensors(self):
        """What save_for_backward kept; RuntimeError once it has been freed, or if it was written to since."""
        if self._was_released:
            raise TorchError(ALREADY_FREED)
        return tuple(None if saved is None else saved.unpack(self) for saved in self._saved_variables)

    def release_variables(self):
        for saved in self._saved_variables:
            if saved is not None:
                saved.release()
        self._was_released = True

    def __call__(self, *grads):
        """The engine's call (PyNode::apply upstream): the user's backward, and a check of what it returns."""
        if self.materialize_grads:
            grads = [_materialized(metadata, grad) for metadata, grad in zip(self._input_metadata, grads, strict=True)]
        results = self.apply(*grads)
        results = results if isinstance(results, tuple) else (results,)
        return self._checked_results(results)

    def _checked_results(self, results):
        """The gradients of the arguments that are tensors; those of the others have to be None."""
        expected = len(self._is_variable_input)
        if len(results) < expected or any(result is not None for result in results[expected:]):
            raise TorchError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got "
                f"{len(results)}): one for each argument of forward"
            )
        grads = []
        for position, (is_variable, result) in enumerate(zip(self._is_variable_input, results, strict=False)):
            if is_variable:
                self._check_is_tensor(position, result)
                grads.append(result)
            elif result is not None:
                raise TorchError(
                    f"function {self.name()} returned a gradient different than None at position {position + 1}, but "
                    "the corresponding forward input was not a Variable"
                )
        return grads

    def _check_is_tensor(self, position, result):
        if result is not None and not isinstance(result, TensorImpl):
            raise TorchError(
                f"expected Variable or None (got {type(result).__name__}) as gradient {position} of function "
                f"{self.name()}: return a tensor, or None for inputs without one"
            )

    @classmethod
    def apply(cls, *args):
        """`MyFunction.apply(...)` (THPFunction_apply upstream)."""
        node = cls._backward_cls()
        node.needs_input_grad = tuple(isinstance(x, TensorImpl) and variable.requires_grad(x) for x in args)
        is_executable = state.grad_mode and any(node.needs_input_grad)
        if is_executable:
            node._is_variable_input = tuple(isinstance(x, TensorImpl) for x in args)
            node._next_edges = [variable.gradient_edge(x) for x in args if isinstance(x, TensorImpl)]
            if anomaly_mode.is_enabled():
                anomaly_mode.store_stack(node, current.node)
        outputs = _run_forward(cls, node, args)
        return _process_outputs(node, args, outputs, is_executable)


def _run_forward(cls, node, args):
    overridden = cls.setup_context is not _default_setup_context(cls)
    previous, state.grad_mode = state.grad_mode, False
    try:
        if not overridden:
            return cls.forward(node, *args)
        outputs = cls.forward(*args)
        cls.setup_context(node, args, outputs)
        return outputs
    finally:
        state.grad_mode = previous


def _default_setup_context(cls):
    """The one of the class that brought the name in: torch/autograd/function.py's."""
    for base in reversed(cls.__mro__):
        if "setup_context" in vars(base):
            return base.setup_context
    return None


# -- the outputs become results of the node


def _process_outputs(node, inputs, outputs, is_executable):
    unpacked = not isinstance(outputs, tuple)
    wrapped = _wrap_outputs(node, inputs, (outputs,) if unpacked else outputs, is_executable)
    if is_executable:
        _save_variables(node, wrapped)
    else:
        # Nobody will come by: let go of what was kept, and of the inputs.
        node._next_edges = ()
    node.to_save = None
    return wrapped[0] if unpacked else wrapped


def _wrap_outputs(node, inputs, outputs, is_executable):
    _check_dirty(node, inputs, outputs)
    dirty_count = sum(isinstance(output, TensorImpl) for output in outputs)
    wrapped = []
    for output in outputs:
        if not isinstance(output, TensorImpl):
            node.add_undefined_input()
            wrapped.append(output)
            continue
        wrapped.append(_set_history(node, inputs, output, is_executable, dirty_count))
    _mark_views(node, inputs, wrapped)
    return tuple(wrapped)


def _check_dirty(node, inputs, outputs):
    for tensor in node.dirty_tensors:
        if _is_in(tensor, inputs) and not _is_in(tensor, outputs):
            raise TorchError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                "are modified inplace must all be outputs of the Function."
            )


def _is_in(tensor, tensors):
    return any(tensor is other for other in tensors)


def _set_history(node, inputs, output, is_executable, count):
    is_input = _is_in(output, inputs)
    is_modified = _is_in(output, node.dirty_tensors)
    differentiable = (
        is_executable and variable.is_differentiable_type(output) and not _is_in(output, node.non_differentiable)
    )
    if is_modified:
        # One write more: whatever forward did to the memory, it did not have to count.
        output.bump_version()
        _check_modified(output, is_input, count)
    if not differentiable:
        node.add_undefined_input()
        return _without_history(output, is_input, is_modified)
    if is_modified:
        variable.rebase_history(output, node)
        return output
    if is_input:
        # An input handed back as it is becomes a tensor of its own, so that it can have this history.
        output = _view_as_self(output)
    variable.set_history(output, node)
    return output


def _check_modified(output, is_input, count):
    if not is_input:
        warnings.warn(
            "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is no need to "
            "pass it to mark_dirty().",
            UserWarning,
            stacklevel=6,
        )
    meta = output.autograd_meta
    if meta is None or not state.grad_mode:
        return
    if meta.requires_grad and meta.grad_fn is None:
        raise TorchError("a leaf Variable that requires grad has been used in an in-place operation.")
    if meta.view is not None and count > 1:
        raise TorchError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
            "more than one Tensor. This is not supported by the current autograd engine. Do one or the other."
        )


def _without_history(output, is_input, is_modified):
    if not variable.requires_grad(output):
        return _view_as_self(output) if is_input and not is_modified else output
    if is_input:
        return ops.detach(output)
    if not output._is_view():
        variable.detach_history(output)
    return output


def _view_as_self(tensor):
    """The tensor once more, as a view that is recorded nowhere."""
    previous, state.grad_mode = state.grad_mode, False
    try:
        return ops.view(tensor, tensor.array.shape)
    finally:
        state.grad_mode = previous


def _mark_views(node, inputs, outputs):
    """A write to an output that is a view of an input would go past the custom backward: forbid it."""
    tensors = [output for output in outputs if isinstance(output, TensorImpl)]
    differentiable = sum(metadata is not None for metadata in node._input_metadata)
    for tensor in tensors:
        meta = tensor.autograd_meta
        if meta is None or meta.view is None or (_is_in(tensor, inputs) and _is_in(tensor, node.dirty_tensors)):
            continue
        meta.view.creation_meta = (
            variable.MULTI_OUTPUT_NODE if differentiable > 1 else variable.IN_CUSTOM_FUNCTION
        )


def _save_variables(node, outputs):
    for position, tensor in enumerate(node.to_save or ()):
        if tensor is not None and not isinstance(tensor, TensorImpl):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type "
                f"{type(tensor).__name__}: keep other things as attributes of ctx"
            )
    node._saved_variables = tuple(
        None if tensor is None else SavedVariable(tensor, _is_in(tensor, outputs)) for tensor in node.to_save or ()
    )


def _materialized(metadata, grad):
    if grad is not None or metadata is None:
        return grad
    return ops.zeros(metadata.shape, dtype=metadata.dtype, device=metadata.device)

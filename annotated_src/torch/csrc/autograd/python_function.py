"""What torch.autograd.Function does in C++. Retells torch/csrc/autograd/python_function.cpp (THPFunction_apply).

    MyFunction.apply(x, y)
        1. a node is made: the `ctx` that forward sees, with edges to where the gradients of x and y go
        2. forward runs; operators in it record nothing
        3. each output gets the node as its grad_fn; inputs that were written to (mark_dirty) get a new history
    backward later: the engine calls the node, the node calls MyFunction.backward(ctx, *grads)
"""

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.autograd.function import NO_EDGE, Node, current
from annotated_src.torch.csrc.autograd.saved_variable import ALREADY_FREED, SavedVariable
from annotated_src.torch.csrc.autograd.variable_type import is_differentiable


class FunctionBase(Node):
    """The node of one call of a custom Function; Python knows it as `ctx`. torch._C._FunctionBase upstream."""

    def __init__(self):
        super().__init__()
        self.to_save = None
        self.non_differentiable = ()
        self.dirty_tensors = ()
        self.materialize_grads = True
        self.needs_input_grad = ()
        self._saved_variables = None
        self._was_released = False

    @property
    def saved_tensors(self):
        """What save_for_backward kept; RuntimeError once it has been freed, or if it was written to since."""
        if self._was_released:
            raise TorchError(ALREADY_FREED)
        if self._saved_variables is None:
            return tuple(self.to_save or ())
        return tuple(None if saved is None else saved.unpack(self) for saved in self._saved_variables)

    def release_variables(self):
        for saved in self._saved_variables or ():
            if saved is not None:
                saved.release()
        self._was_released = True


def apply(node, forward, inputs, setup_context=None):
    """Run `forward` on the inputs and make `node` the grad_fn of what it returns."""
    wanted = state.grad_mode and any(isinstance(x, TensorImpl) and variable.requires_grad(x) for x in inputs)
    node.needs_input_grad = tuple(isinstance(x, TensorImpl) and variable.requires_grad(x) for x in inputs)
    if wanted:
        node._next_edges = [variable.gradient_edge(x) if isinstance(x, TensorImpl) else NO_EDGE for x in inputs]
        if anomaly_mode.is_enabled():
            anomaly_mode.store_stack(node, current.node)
    outputs = _run_forward(node, forward, inputs, setup_context)
    several = isinstance(outputs, tuple)
    wrapped = _wrap_outputs(node, inputs, outputs if several else (outputs,), wanted)
    _save_variables(node, inputs, wrapped, wanted)
    return wrapped if several else wrapped[0]


def _run_forward(node, forward, inputs, setup_context):
    previous, state.grad_mode = state.grad_mode, False
    try:
        if setup_context is None:
            return forward(node, *inputs)
        outputs = forward(*inputs)
        setup_context(node, inputs, outputs)
        return outputs
    finally:
        state.grad_mode = previous


def _wrap_outputs(node, inputs, outputs, wanted):
    _check_dirty(node, inputs, outputs)
    return tuple(_wrap_output(node, inputs, output, wanted) for output in outputs)


def _wrap_output(node, inputs, output, wanted):
    if not isinstance(output, TensorImpl):
        node._input_metadata.append(None)
        return output
    is_input = any(output is x for x in inputs)
    is_dirty = any(output is x for x in node.dirty_tensors)
    if any(output is x for x in node.non_differentiable) or not is_differentiable(output):
        node._input_metadata.append(None)
        if is_dirty or not is_input:
            return variable.detach_history(output)
        return output
    if is_dirty:
        if wanted:
            variable.check_inplace(output)
            variable.rebase_history(output, node)
        return output
    if is_input:
        # An input handed back as it is becomes a tensor of its own, so that it can have this history.
        output = variable.detached_alias(output)
    if wanted:
        variable.set_history(output, node)
    return output


def _check_dirty(node, inputs, outputs):
    for tensor in node.dirty_tensors:
        if not any(tensor is x for x in inputs):
            raise TorchError("mark_dirty was called on a tensor that is no input of forward: only inputs can be dirty")
        if not any(tensor is x for x in outputs):
            raise TorchError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                "are modified inplace must all be outputs of the Function."
            )


def _save_variables(node, inputs, outputs, wanted):
    if not wanted or node.to_save is None:
        node._saved_variables = None if wanted else node._saved_variables
        return
    node._saved_variables = [
        None if tensor is None else SavedVariable(tensor, any(tensor is output for output in outputs))
        for tensor in node.to_save
    ]
    node.to_save = None


def call_backward(node, backward, grads):
    """The user's backward with the gradients that arrived; checks what it returns."""
    if node.materialize_grads:
        grads = [_materialized(node, position, grad) for position, grad in enumerate(grads)]
    results = backward(node, *grads)
    results = results if isinstance(results, tuple) else (results,)
    expected = len(node._next_edges)
    extra = results[expected:]
    if len(results) < expected or any(result is not None for result in extra):
        raise TorchError(
            f"function {node.name()} returned an incorrect number of gradients (expected {expected}, got {len(results)})"
        )
    for position, result in enumerate(results):
        if result is not None and not isinstance(result, TensorImpl):
            raise TorchError(
                f"function {node.name()} returned a {type(result).__name__} as gradient {position}: "
                "return a tensor, or None"
            )
    return results[:expected]


def _materialized(node, position, grad):
    metadata = node._input_metadata[position]
    if grad is not None or metadata is None:
        return grad
    return ops.zeros(metadata.shape, dtype=metadata.dtype, device=metadata.device)

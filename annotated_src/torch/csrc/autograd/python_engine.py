"""The door from Python to the engine. Retells torch/csrc/autograd/python_engine.cpp (THPEngine_run_backward)."""

import warnings

from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import engine, variable
from annotated_src.torch.csrc.autograd.function import Edge

_warned_of_create_graph = False


class _ImperativeEngine:
    """`Variable._execution_engine`."""

    def run_backward(
        self, tensors, grad_tensors, keep_graph, create_graph, inputs=(), allow_unreachable=False, accumulate_grad=False
    ):
        """Check the roots and what is asked for, then let the engine run.

        `inputs` empty: every leaf accumulates its gradient. Otherwise only theirs are computed: accumulated, or
        returned.
        """
        if len(tensors) != len(grad_tensors):
            raise TorchError(f"got {len(tensors)} tensors and {len(grad_tensors)} gradients: give one for each tensor")
        roots, grads = [], []
        for position, (tensor, grad) in enumerate(zip(tensors, grad_tensors, strict=True)):
            edge = _root_edge(position, tensor)
            roots.append(edge)
            grads.append(_checked_grad(position, tensor, grad))
        outputs = [_output_edge(tensor, accumulate_grad) for tensor in inputs]
        if create_graph and accumulate_grad:
            _warn_of_reference_cycle()
        results = engine.engine.execute(roots, grads, keep_graph, create_graph, accumulate_grad, outputs)
        if accumulate_grad or not inputs:
            return None
        if not allow_unreachable:
            _check_all_reached(results)
        return tuple(results)

    def queue_callback(self, callback):
        """Run `callback()` when the backward that is running has finished."""
        engine.queue_callback(callback)

    def is_checkpoint_valid(self):
        """Whether the backward that runs computes all gradients, not only those of given inputs."""
        task = engine.current.task
        return task is None or not task.exec_info


execution_engine = _ImperativeEngine()


def _warn_of_reference_cycle():
    global _warned_of_create_graph
    if _warned_of_create_graph:
        return
    _warned_of_create_graph = True
    warnings.warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
        "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break "
        "the cycle and avoid the leak.",
        UserWarning,
        stacklevel=6,
    )


def _root_edge(position, tensor):
    edge = variable.gradient_edge(tensor) if isinstance(tensor, TensorImpl) else Edge(tensor.node, tensor.output_nr)
    if not edge.is_valid():
        raise TorchError(
            f"element {position} of tensors does not require grad and does not have a grad_fn: no recorded operator "
            "leads to a tensor that wants a gradient. Was requires_grad=True forgotten, or no_grad left on?"
        )
    return edge


def _checked_grad(position, tensor, grad):
    if grad is None and isinstance(tensor, TensorImpl) and variable.requires_grad(tensor):
        raise TorchError(f"element {position} of gradients tuple is None, but the corresponding Tensor requires grad")
    return grad


def _output_edge(tensor, accumulate_grad):
    if not isinstance(tensor, TensorImpl):
        return Edge(tensor.node, tensor.output_nr)
    if not variable.requires_grad(tensor):
        raise TorchError(
            "One of the differentiated Tensors does not require grad: set requires_grad_() on it before it is used"
        )
    if accumulate_grad and not variable.is_leaf(tensor):
        # Nothing accumulates at a result, unless it was asked to.
        variable.retain_grad(tensor)
    return variable.gradient_edge(tensor)


def _check_all_reached(grads):
    for position, grad in enumerate(grads):
        if grad is None:
            raise TorchError(
                f"The differentiated Tensor at index {position} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )

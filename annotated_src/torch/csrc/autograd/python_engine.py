"""The door from Python to the engine. Retells torch/csrc/autograd/python_engine.cpp (THPEngine_run_backward)."""

from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import engine, variable
from annotated_src.torch.csrc.autograd.function import Edge


def run_backward(
    tensors, grad_tensors, keep_graph, create_graph, inputs, allow_unreachable=True, accumulate_grad=True
):
    """Check the roots and what is asked for, then let the engine run.

    `inputs` empty: every leaf accumulates its gradient. Otherwise only theirs are computed: accumulated, or returned.
    """
    roots = [_root_edge(position, tensor) for position, tensor in enumerate(tensors)]
    outputs = [_output_edge(tensor) for tensor in inputs]
    grads = engine.engine.execute(
        roots, list(grad_tensors), keep_graph, create_graph, accumulate_grad, outputs
    )
    if accumulate_grad or not inputs:
        return None
    if not allow_unreachable:
        for position, grad in enumerate(grads):
            if grad is None:
                raise TorchError(
                    f"The differentiated Tensor at index {position} appears to not have been used in the graph. "
                    "Set allow_unused=True if this is the desired behavior."
                )
    return tuple(grads)


def _root_edge(position, tensor):
    edge = variable.gradient_edge(tensor) if isinstance(tensor, TensorImpl) else Edge(tensor.node, tensor.output_nr)
    if not edge.is_valid():
        raise TorchError(
            f"element {position} of tensors does not require grad and does not have a grad_fn: no recorded operator "
            "leads to a tensor that wants a gradient. Was requires_grad=True forgotten, or no_grad left on?"
        )
    return edge


def _output_edge(tensor):
    if not isinstance(tensor, TensorImpl):
        return Edge(tensor.node, tensor.output_nr)
    if not variable.requires_grad(tensor):
        raise TorchError(
            "One of the differentiated Tensors does not require grad: set requires_grad_() on it before it is used"
        )
    edge = variable.gradient_edge(tensor)
    return edge

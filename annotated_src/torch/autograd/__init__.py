"""torch.autograd: backward and grad. Retells torch/autograd/__init__.py.

    loss.backward()  ->  backward  ->  _make_grads                 the gradient of the loss itself: 1
                                   ->  graph._engine_run_backward  the engine, torch/csrc/autograd/engine.py
                         grad          the same, but the gradients of given inputs come back, and nothing is accumulated

Left out: gradients in batches (`is_grads_batched`, which needs vmap), nested tensors, forward mode, the profiler.
"""

import warnings
from collections.abc import Mapping

from annotated_src.torch._C import _VariableFunctions
from annotated_src.torch._tensor import Tensor
from annotated_src.torch.autograd import functional, grad_mode, graph
from annotated_src.torch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from annotated_src.torch.autograd.function import Function
from annotated_src.torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from annotated_src.torch.autograd.gradcheck import gradcheck, gradgradcheck
from annotated_src.torch.autograd.graph import _engine_run_backward
from annotated_src.torch.autograd.variable import Variable
from annotated_src.torch.csrc.autograd.saved_variable import SavedVariable as SavedTensor

__all__ = [
    "Function",
    "SavedTensor",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]


def _make_grads(outputs, grads, is_grads_batched):
    """The gradient of each output: the given one, checked, or 1 for an output of one element."""
    new_grads = []
    for position, (out, grad) in enumerate(zip(outputs, grads, strict=False)):
        # Shape, dtype and device: the tensor has them, of an edge the node knows them.
        is_edge = isinstance(out, graph.GradientEdge)
        metadata = out.node._input_metadata[out.output_nr] if is_edge else out
        if isinstance(grad, Tensor):
            if tuple(metadata.shape) != tuple(grad.shape):
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[{position}] has a shape of {grad.shape} and output[{position}] "
                    f"has a shape of {metadata.shape}."
                )
            if metadata.dtype.is_complex != grad.dtype.is_complex:
                raise RuntimeError(
                    "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch "
                    f"in dtype: grad_output[{position}] has a dtype of {grad.dtype} and output[{position}] has a dtype "
                    f"of {metadata.dtype}."
                )
            new_grads.append(grad)
        elif grad is not None:
            raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
        elif is_edge or out.requires_grad:
            if any(size != 1 for size in metadata.shape):
                raise RuntimeError(
                    "grad can be implicitly created only for scalar outputs, not for one of shape "
                    f"{list(metadata.shape)}: reduce it, as by .sum(), or give backward the gradient"
                )
            if not metadata.dtype.is_floating_point:
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got {metadata.dtype}"
                )
            if is_edge:
                ones = _VariableFunctions.ones(metadata.shape, dtype=metadata.dtype, device=metadata.device)
            else:
                ones = _VariableFunctions.ones_like(out)
            new_grads.append(ones)
        else:
            new_grads.append(None)
    return tuple(new_grads)


def _tensor_or_tensors_to_tuple(tensors, length):
    if tensors is None:
        return (None,) * length
    if isinstance(tensors, Tensor):
        return (tensors,)
    return tuple(tensors)


def _inputs_to_tuple(inputs, name):
    """The inputs of `backward` or `grad`: one, several, or a dict's values."""
    if isinstance(inputs, (Tensor, graph.GradientEdge)):
        return (inputs,)
    if type(inputs) is dict:
        inputs = inputs.values()
    elif isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{name}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not "
            "supported."
        )
    inputs = tuple(inputs)
    if not inputs:
        raise RuntimeError(f"`inputs` argument to `{name}()` cannot be empty.")
    return inputs


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
):  # fmt: skip
    """Compute the gradients of `tensors` and add them to the leaves' `.grad` (or to that of `inputs` only).

    RuntimeError if a tensor has more than one element and no gradient is given for it, or has no graph.
    Upstream: torch/autograd/__init__.py.

    >>> from annotated_src import torch
    >>> w = torch.tensor(3.0, requires_grad=True)
    >>> torch.autograd.backward(w * w)
    >>> w.grad
    tensor(6.)
    """
    if grad_variables is not None:
        grad_tensors = _deprecated_grad_variables(grad_tensors, grad_variables)
    inputs_tuple = () if inputs is None else _inputs_to_tuple(inputs, "backward")
    tensors = (tensors,) if isinstance(tensors, (Tensor, graph.GradientEdge)) else tuple(tensors)
    grad_tensors_ = _tensor_or_tensors_to_tuple(grad_tensors, len(tensors))
    grad_tensors_ = _make_grads(tensors, grad_tensors_, is_grads_batched=False)
    if retain_graph is None:
        retain_graph = create_graph
    _engine_run_backward(
        tensors, grad_tensors_, retain_graph, create_graph, inputs_tuple, allow_unreachable=True, accumulate_grad=True
    )


def _deprecated_grad_variables(grad_tensors, grad_variables):
    warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=3)
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
            "`grad_tensors`."
        )
    return grad_variables


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of `outputs` with respect to `inputs`, as a tuple (for a dict of inputs, a dict).

    RuntimeError for an input that the outputs do not depend on, unless `allow_unused` (None comes back) or
    `materialize_grads` (zeros come back). Upstream: torch/autograd/__init__.py.

    >>> from annotated_src import torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> (first,) = torch.autograd.grad(x**3, x, create_graph=True)
    >>> first, torch.autograd.grad(first, x)
    (tensor(12., grad_fn=<MulBackward0>), (tensor(12.),))
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched needs vmap, which is not here: call grad once for each gradient")
    outputs = (outputs,) if isinstance(outputs, (Tensor, graph.GradientEdge)) else tuple(outputs)
    inputs_tuple = _inputs_to_tuple(inputs, "grad")
    if not only_inputs:
        _warn_of_only_inputs()
    grad_outputs_ = _tensor_or_tensors_to_tuple(grad_outputs, len(outputs))
    grad_outputs_ = _make_grads(outputs, grad_outputs_, is_grads_batched=is_grads_batched)
    if retain_graph is None:
        retain_graph = create_graph
    result = _engine_run_backward(
        outputs, grad_outputs_, retain_graph, create_graph, inputs_tuple, allow_unused, accumulate_grad=False
    )
    if materialize_grads:
        result = _materialized(result, inputs_tuple, create_graph)
    return dict(zip(inputs, result, strict=True)) if type(inputs) is dict else result


def _warn_of_only_inputs():
    warnings.warn(
        "only_inputs argument is deprecated and is ignored now (defaults to True). torch.autograd.backward accumulates "
        "the gradients of the rest of the graph.",
        FutureWarning,
        stacklevel=3,
    )


def _materialized(result, inputs, create_graph):
    """Zeros in the place of the gradients that no path led to."""
    materialized = []
    for grad, input in zip(result, inputs, strict=True):
        if grad is None and not isinstance(input, Tensor):
            raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
        if grad is None:
            grad = _VariableFunctions.zeros_like(input, requires_grad=create_graph)
        materialized.append(grad)
    return tuple(materialized)


def _is_checkpoint_valid():
    """Whether the backward that runs computes all gradients, as checkpointing needs."""
    return Variable._execution_engine.is_checkpoint_valid()


def variable(*args, **kwargs):
    """Gone: torch.tensor makes tensors."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")

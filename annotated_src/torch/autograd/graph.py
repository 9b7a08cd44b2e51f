"""Tools for the graph: nodes, edges, hooks on what is saved. Retells torch/autograd/graph.py.

    Node                       what `x.grad_fn` is
    get_gradient_edge          where a tensor's gradient goes
    saved_tensors_hooks        pack what operators save for backward, unpack it when backward needs it
    register_multi_grad_hook   one hook for the gradients of several tensors

Left out: allow_mutation_on_saved_tensors (which needs a Python dispatch mode), what concerns torch.compile and CUDA
streams, logging of whole graphs.
"""

import contextlib
import threading
from typing import NamedTuple

from annotated_src.torch import _C, cuda
from annotated_src.torch._C import _VariableFunctions
from annotated_src.torch._tensor import Tensor
from annotated_src.torch.autograd.grad_mode import enable_grad
from annotated_src.torch.autograd.variable import Variable
from annotated_src.torch.csrc.autograd import engine
from annotated_src.torch.csrc.autograd.autograd_init import (
    _pop_saved_tensors_default_hooks,
    _push_saved_tensors_default_hooks,
    _saved_tensors_hooks_disable,
    _saved_tensors_hooks_enable,
    _saved_tensors_hooks_get_disabled_error_message,
)
from annotated_src.torch.csrc.autograd.function import Node
from annotated_src.torch.utils.hooks import RemovableHandle

__all__ = [
    "saved_tensors_hooks",
    "save_on_cpu",
    "disable_saved_tensors_hooks",
    "register_multi_grad_hook",
    "Node",
    "GradientEdge",
    "get_gradient_edge",
    "increment_version",
]


def _get_grad_fn_or_grad_acc(t):
    """The node that a tensor's gradient goes to: its grad_fn, or the AccumulateGrad of a leaf."""
    if isinstance(t, GradientEdge):
        return t.node
    if t.requires_grad and t.grad_fn is None:
        with enable_grad():
            node = t.view_as(t).grad_fn.next_functions[0][0]
    else:
        node = t.grad_fn
    if node is None:
        raise AssertionError("Expected gradient function to be set: the tensor has none")
    return node


class GradientEdge(NamedTuple):
    """Where a gradient goes: into `node`, as the gradient of its output `output_nr`."""

    node: Node
    output_nr: int
    ownership_token: Node | None = None


def get_gradient_edge(tensor):
    """The edge that stands for a tensor in the graph; it serves as an output or input of autograd.grad.

    RuntimeError if the tensor wants no gradient.

    >>> from annotated_src import torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> edge = torch.autograd.graph.get_gradient_edge(w * 2)
    >>> torch.autograd.grad(edge, w)
    (tensor([2.]),)
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    grad_fn = _get_grad_fn_or_grad_acc(tensor)
    token = None
    if isinstance(grad_fn, _C._FunctionBase):
        with enable_grad():
            token = tensor.view_as(tensor).grad_fn
    return GradientEdge(grad_fn, tensor.output_nr, ownership_token=token)


def increment_version(tensor):
    """Tell autograd that the memory of a tensor (or of several) was written by something that it does not know."""
    tensors = (tensor,) if isinstance(tensor, Tensor) else tensor
    for one in tensors:
        one.bump_version()


class saved_tensors_hooks:
    """Within the block, what operators save for backward goes through `pack_hook`, and back through `unpack_hook`.

    >>> from annotated_src import torch
    >>> w = torch.tensor([3.0], requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 10, lambda x: x):
    ...     y = w * w
    >>> y.backward()
    >>> w.grad
    tensor([60.])
    """

    def __init__(self, pack_hook, unpack_hook) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args) -> None:
        _pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Within the block, what operators save is kept in the host's memory and goes back to its device for backward."""

    def __init__(self, pin_memory=False, device_type="cuda") -> None:
        def pack_to_cpu(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()  # D2H: what the block is for
            is_pinnable = cuda.is_available()
            packed = _VariableFunctions.empty(tensor.size(), dtype=tensor.dtype, pin_memory=is_pinnable)
            packed.copy_(tensor, non_blocking=is_pinnable)
            return tensor.device, packed

        def unpack_from_cpu(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)  # H2D: what the block is for

        super().__init__(pack_to_cpu, unpack_from_cpu)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """Within the block, saved_tensors_hooks raises RuntimeError with this message."""
    previous_message = _saved_tensors_hooks_get_disabled_error_message()
    try:
        _saved_tensors_hooks_disable(error_message)
        yield
    finally:
        if previous_message is None:
            _saved_tensors_hooks_enable()
        else:
            _saved_tensors_hooks_disable(previous_message)


class _MultiHandle(RemovableHandle):
    """The handles of several hooks as one."""

    def __init__(self, handles) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __getstate__(self):
        return self.handles

    def __setstate__(self, state) -> None:
        self.handles = state


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Call `fn` once a backward: with all gradients when the last has arrived ("all"), or with the first ("any")."""
    supported_modes = ("all", "any")
    if mode not in supported_modes:
        raise ValueError(f"Expects mode to be one of {supported_modes} but got {mode}")
    make_hooks = _hooks_for_all if mode == "all" else _hooks_for_any
    return _MultiHandle(make_hooks(tensors, fn))


def _hooks_for_all(tensors, fn):
    lock = threading.Lock()
    # By backward run: how many gradients have arrived, which, and how many will.
    count, buffer, expected = {}, {}, {}
    grad_fns = [_get_grad_fn_or_grad_acc(tensor) for tensor in tensors]

    def get_inner_hook(index):
        def inner_hook(grad):
            task = engine.current_graph_task_id()
            with lock:
                if task not in count:
                    count[task] = 0
                    buffer[task] = [None] * len(tensors)
                    expected[task] = sum(engine.will_engine_execute_node(node) for node in grad_fns)
                count[task] += 1
                buffer[task][index] = grad
                is_last = count[task] == expected[task]
            if is_last:
                fn(buffer[task])
                del count[task], buffer[task], expected[task]

        return inner_hook

    return tuple(tensor.register_hook(get_inner_hook(index)) for index, tensor in enumerate(tensors))


def _hooks_for_any(tensors, fn):
    lock = threading.Lock()
    seen = set()

    def wrapped_fn(grad):
        task = engine.current_graph_task_id()
        with lock:
            is_first = task not in seen
            seen.add(task)
        if is_first:
            fn(grad)

    return tuple(tensor.register_hook(wrapped_fn) for tensor in tensors if tensor.requires_grad)


def _engine_run_backward(t_outputs, *args, **kwargs):
    """Let the engine run."""
    return Variable._execution_engine.run_backward(t_outputs, *args, **kwargs)

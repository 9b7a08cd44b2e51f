"""Node and Edge: what the autograd graph is made of. Retells torch/csrc/autograd/function.h and edge.h.

A Node is one step of the backward pass: called with the gradients of its operator's outputs, it returns those of the
inputs. Its edges say which node gets them: edge k leads to the node that made input k (or to the AccumulateGrad of a
leaf), and to which of that node's inputs.

Invariant: a node has a greater sequence number than the nodes its edges lead to, AccumulateGrad's excepted. Taking the
ready node with the greatest number first therefore comes to the latest operator first.

Left out: topological numbers, metadata of streams, C++ hooks.
"""

import itertools
import threading
from collections import OrderedDict

from annotated_src.c10.core.scalar_type import from_numpy_dtype

# Deviation: the numbers are one sequence for all threads; upstream counts in each thread.
_next_number = itertools.count()


class Edge:
    """Where a gradient goes: into `function`, as its input number `input_nr`."""

    __slots__ = ("function", "input_nr")

    def __init__(self, function, input_nr):
        self.function = function
        self.input_nr = input_nr

    def is_valid(self):
        """Whether anyone is there to take the gradient."""
        return self.function is not None

    def __repr__(self):
        return f"Edge({self.function!r}, {self.input_nr})"


NO_EDGE = Edge(None, 0)


class InputMetadata:
    """What the gradient of one output must look like: shape, dtype and device of that output."""

    __slots__ = ("device", "numpy_dtype", "shape")

    def __init__(self, tensor):
        self.shape = tensor.array.shape
        self.numpy_dtype = tensor.array.dtype
        self.device = tensor.device

    @property
    def dtype(self):
        """The output's dtype."""
        return from_numpy_dtype(self.numpy_dtype)


class Node:
    """One step of the backward pass.

    Subclasses write `apply(*grads)`: gradients of the outputs in (None where none arrived), those of the inputs out.
    """

    # AccumulateGrad does, if nobody else has it.
    may_keep_gradient = False
    # Few nodes have any of these; they are made when they are first needed.
    _pre_hooks = _post_hooks = _tensor_pre_hooks = _retains_grad_hooks = _metadata = None

    def __init__(self, next_edges=()):
        self._sequence_number = next(_next_number)
        self._next_edges = next_edges
        self._input_metadata = []

    def name(self):
        """`AddBackward0`."""
        return type(self).__name__

    def operator_name(self):
        """What error messages call the operator that made this node: `Add`."""
        return self.name().rstrip("0123456789").removesuffix("Backward")

    def apply(self, *grads):
        """Gradients of the inputs from those of the outputs."""
        raise NotImplementedError(f"{self.name()} has no apply()")

    def __call__(self, *grads):
        return self.apply(*grads)

    # -- edges

    @property
    def next_functions(self):
        """((node, input number), ...): where the results go; (None, 0) where nobody waits for one."""
        return tuple((edge.function, edge.input_nr) for edge in self._next_edges)

    def should_compute_output(self, index):
        """Whether anyone waits for the gradient of input `index`."""
        if index >= len(self._next_edges):
            return False
        following = self._next_edges[index].function
        if following is None:
            return False
        # While autograd.grad runs, only what leads to the inputs asked for is computed.
        wanted = current.wanted
        return wanted is None or following in wanted

    def add_input_metadata(self, tensor):
        """Note what the gradient of `tensor`, an output, must look like; returns the output's number."""
        self._input_metadata.append(InputMetadata(tensor))
        return len(self._input_metadata) - 1

    def add_undefined_input(self):
        """Count an output that has no gradient."""
        self._input_metadata.append(None)

    @property
    def num_inputs(self):
        """How many gradients the node takes: as many as its operator has outputs."""
        return len(self._input_metadata)

    @property
    def metadata(self):
        """A dict for whoever wants to note something about this node."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    def _sequence_nr(self):
        """The node's number: later operators have greater ones."""
        return self._sequence_number

    def release_variables(self):
        """Drop what was kept for backward."""

    # -- hooks

    def register_hook(self, fn):
        """Call `fn(grad_inputs, grad_outputs)` after this node; what it returns replaces grad_inputs."""
        if self._post_hooks is None:
            self._post_hooks = OrderedDict()
        return _register(self._post_hooks, fn)

    def register_prehook(self, fn):
        """Call `fn(grad_outputs)` before this node; what it returns replaces them."""
        if self._pre_hooks is None:
            self._pre_hooks = OrderedDict()
        return _register(self._pre_hooks, fn)

    def _register_hook_dict(self, tensor):
        """`tensor`, an output, has hooks: run them when its gradient is complete."""
        if self._tensor_pre_hooks is None:
            self._tensor_pre_hooks = []
        meta = tensor.autograd_meta
        self._tensor_pre_hooks.append((meta.output_nr, meta.backward_hooks))

    def tensor_pre_hooks(self):
        """[(which gradient, its hooks by number)], in the order in which they run."""
        return self._tensor_pre_hooks or ()

    def add_retains_grad_hook(self, hook, output_nr):
        """Run `hook(grad)` on a gradient after all others."""
        if self._retains_grad_hooks is None:
            self._retains_grad_hooks = {}
        self._retains_grad_hooks[output_nr] = hook

    def pop_retains_grad_hook(self, output_nr):
        """Take that hook away again."""
        return self._retains_grad_hooks.pop(output_nr)

    def __repr__(self):
        return f"<{type(self).__name__} object at {hex(id(self))}>"


def _register(hooks, fn):
    # Here, because torch.utils is loaded after the core that this file belongs to.
    from annotated_src.torch.utils.hooks import RemovableHandle

    handle = RemovableHandle(hooks)
    hooks[handle.id] = fn
    return handle


class _CurrentNode(threading.local):
    """Where this thread's backward is: the run, its node, and the nodes that it computes gradients for (None: all)."""

    def __init__(self):
        self.task = None
        self.node = None
        self.wanted = None
        # Of a node that may keep its gradient: whether nobody else has it.
        self.grad_is_unshared = False


current = _CurrentNode()

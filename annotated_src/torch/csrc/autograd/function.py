"""Node and Edge: what the autograd graph is made of. Retells torch/csrc/autograd/function.h and edge.h.

A Node is one step of the backward pass: called with the gradients of its operator's outputs, it returns those of the
inputs. Its edges say which node gets them: edge k leads to the node that made input k (or to the AccumulateGrad of a
leaf), and to which of that node's inputs.

Invariant: a node has a greater sequence number than the nodes its edges lead to, AccumulateGrad's excepted. Taking the
ready node with the greatest number first therefore undoes the latest operator first.

Left out: topological numbers, metadata of streams, C++ hooks.
"""

import itertools
import threading

# Ours: the numbers are one sequence for all threads; upstream counts in each thread.
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

    __slots__ = ("device", "dtype", "shape")

    def __init__(self, tensor):
        self.shape = tuple(tensor.array.shape)
        self.dtype = tensor.dtype
        self.device = tensor.device


class Node:
    """One step of the backward pass.

    Subclasses write `apply(*grads)`: gradients of the outputs in (None where none arrived), gradients of the inputs out.
    """

    def __init__(self, next_edges=()):
        self._sequence_number = next(_next_number)
        self._next_edges = list(next_edges)
        self._input_metadata = []
        self._pre_hooks = {}
        self._tensor_pre_hooks = {}
        self._retains_grad_hooks = {}
        self._post_hooks = {}
        self._anomaly_metadata = None

    def name(self):
        """`AddBackward0`."""
        return type(self).__name__

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

    def next_edge(self, index):
        """The edge of input `index`."""
        return self._next_edges[index]

    def should_compute_output(self, index):
        """Whether anyone waits for the gradient of input `index`."""
        return index < len(self._next_edges) and self._next_edges[index].is_valid()

    def add_input_metadata(self, tensor):
        """Note what the gradient of `tensor`, an output, must look like; returns the output's number."""
        self._input_metadata.append(InputMetadata(tensor))
        return len(self._input_metadata) - 1

    @property
    def num_inputs(self):
        """How many gradients the node takes: as many as its operator has outputs."""
        return len(self._input_metadata)

    @property
    def metadata(self):
        """A dict for whoever wants to note something about this node."""
        return self.__dict__.setdefault("_metadata", {})

    def _sequence_nr(self):
        """The node's number: later operators have greater ones."""
        return self._sequence_number

    def release_variables(self):
        """Drop what was kept for backward."""

    # -- hooks

    def register_hook(self, hook):
        """Call `hook(grad_inputs, grad_outputs)` after this node; what it returns replaces grad_inputs."""
        return _register(self._post_hooks, hook)

    def register_prehook(self, hook):
        """Call `hook(grad_outputs)` before this node; what it returns replaces them."""
        return _register(self._pre_hooks, hook)

    def __repr__(self):
        return f"<{self.name()} object at {hex(id(self))}>"


class RemovableHandle:
    """Takes a hook away again, by `remove()` or at the end of a `with` block."""

    # Deviation: upstream's is torch/utils/hooks.py's, which this one becomes when that file is retold.
    _next_id = itertools.count()

    def __init__(self, hooks):
        self.hooks = hooks
        self.id = next(self._next_id)

    def remove(self):
        """Take the hook away."""
        self.hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def _register(hooks, hook):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class _CurrentNode(threading.local):
    node = None


current = _CurrentNode()

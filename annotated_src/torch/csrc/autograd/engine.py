"""The engine: runs the graph backward. Retells torch/csrc/autograd/engine.h.

    execute(roots, ...)
        compute_dependencies      how many gradients each node still waits for
        the loop                  take the ready node with the greatest sequence number
            evaluate_function
                call_function     hooks, the node, hooks
                validate_outputs  right shape, dtype and device, or an error that says which
                for each edge     put the gradient into the next node's buffer; ready once it waits for nothing

Not recursion: a chain of 100,000 operators is as many turns of one loop. Not any topological order either: the
sequence numbers make it the reverse of the order in which the operators ran.

Left out: worker threads for devices, streams, reentrant depth limits: a backward within a backward is a call of
`execute` within a call of `execute`.
"""

import heapq
import itertools

from annotated_src.aten import ops
from annotated_src.aten.expand_utils import is_expandable_to
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode
from annotated_src.torch.csrc.autograd.function import current
from annotated_src.torch.csrc.autograd.functions.basic_ops import GraphRoot
from annotated_src.torch.csrc.autograd.input_buffer import InputBuffer


class ExecInfo:
    """For autograd.grad: whether a node is on the way to an input, and which of its gradients are asked for."""

    __slots__ = ("captures", "needed")

    def __init__(self):
        self.needed = False
        # [(which gradient of the node, which position in the answer)]
        self.captures = []

    def should_execute(self):
        return self.needed or bool(self.captures)


class ReadyQueue:
    """Nodes that wait for nothing more; the greatest sequence number first."""

    def __init__(self):
        self.heap = []
        self.pushed = 0

    def push(self, node, inputs):
        """Put a node in; of equal numbers the first one in comes out first."""
        heapq.heappush(self.heap, (-node._sequence_number, self.pushed, node, inputs))
        self.pushed += 1

    def pop(self):
        """(node, inputs) of the node whose turn it is."""
        _, _, node, inputs = heapq.heappop(self.heap)
        return node, inputs

    def empty(self):
        return not self.heap


_next_task_id = itertools.count()


class GraphTask:
    """One run of backward."""

    def __init__(self, keep_graph, grad_mode):
        self.id = next(_next_task_id)
        self.keep_graph = keep_graph
        self.grad_mode = grad_mode
        self.ready_queue = ReadyQueue()
        self.dependencies = {}
        self.not_ready = {}
        # Empty unless particular inputs were asked for; then nodes that are not on the way are passed over.
        self.exec_info = {}
        self.captured_vars = []
        self.final_callbacks = []

    def init_to_execute(self, root, outputs, accumulate_grad):
        """Mark the nodes on the way from the root to what is asked for."""
        for position, edge in enumerate(outputs):
            info = self.exec_info.setdefault(edge.function, ExecInfo())
            if accumulate_grad:
                info.needed = True
            else:
                info.captures.append((edge.input_nr, position))
        self.captured_vars = [None] * len(outputs)
        _mark_needed(root, self.exec_info)


def _mark_needed(root, exec_info):
    """A node is needed if one of its edges leads to a node that is executed. Depth first, without recursion."""
    stack, seen = [(root, iter(root._next_edges))], {root}
    while stack:
        node, edges = stack[-1]
        for edge in edges:
            following = edge.function
            if following is not None and following not in seen:
                seen.add(following)
                stack.append((following, iter(following._next_edges)))
                break
        else:
            stack.pop()
            leads_on = any(
                edge.function in exec_info and exec_info[edge.function].should_execute() for edge in node._next_edges
            )
            if leads_on:
                exec_info.setdefault(node, ExecInfo()).needed = True


class Engine:
    """Runs graphs backward."""

    def execute(self, root_edges, inputs, keep_graph, create_graph, accumulate_grad, outputs=()):
        """Send `inputs`, the gradients of the roots, through the graph.

        `outputs` are the edges whose gradients are asked for (autograd.grad); without them leaves accumulate theirs.
        """
        validate_outputs(root_edges, inputs, lambda message: message)
        task = GraphTask(keep_graph, create_graph)
        if len(root_edges) == 1:
            # One root needs no node before it.
            root = root_edges[0].function
            buffer = InputBuffer(root.num_inputs)
            buffer.add(root_edges[0].input_nr, inputs[0])
        else:
            root = GraphRoot(root_edges, inputs)
            buffer = InputBuffer(0)
        self.compute_dependencies(root, task)
        if outputs:
            task.init_to_execute(root, outputs, accumulate_grad)
        task.ready_queue.push(root, buffer)
        self.execute_with_graph_task(task)
        return task.captured_vars

    def compute_dependencies(self, root, task):
        """Count for each node how many edges lead to it."""
        dependencies = task.dependencies
        queue, seen = [root], {root}
        while queue:
            node = queue.pop()
            for edge in node._next_edges:
                following = edge.function
                if following is None:
                    continue
                dependencies[following] = dependencies.get(following, 0) + 1
                if following not in seen:
                    seen.add(following)
                    queue.append(following)

    def execute_with_graph_task(self, task):
        """The loop. The thread's grad mode is the task's while it runs, and restored whatever happens."""
        previous = state.grad_mode, current.task, current.wanted
        state.grad_mode, current.task, current.wanted = task.grad_mode, task, task.exec_info or None
        try:
            while not task.ready_queue.empty():
                node, inputs = task.ready_queue.pop()
                self.evaluate_function(task, node, inputs)
            for callback in task.final_callbacks:
                callback()
        finally:
            state.grad_mode, current.task, current.wanted = previous

    def evaluate_function(self, task, node, inputs):
        """One node: its gradients in, those of its inputs out to the nodes that wait for them."""
        if task.exec_info:
            info = task.exec_info.get(node)
            if info is None:
                return
            if not info.needed:
                # (a node that is needed calls them later, so that what is captured there is the gradient before them)
                call_tensor_pre_hooks(node, inputs)
            for input_nr, position in info.captures:
                task.captured_vars[position] = inputs.buffer[input_nr]
            if not info.needed:
                return
        outputs = self.call_function(task, node, inputs)
        if not task.keep_graph:
            node.release_variables()
        if anomaly_mode.is_enabled() and anomaly_mode.should_check_nan():
            self._check_nan(node, outputs)
        for position, edge in enumerate(node._next_edges):
            # Taken out of the list, so that the buffer which it goes to is the only one that has it.
            output, outputs[position] = outputs[position], None
            if edge.function is not None:
                self._deliver(task, edge, output)

    def call_function(self, task, node, inputs):
        """The tensors' hooks, pre-hooks, the node itself, a check of what it returned, post-hooks."""
        call_tensor_pre_hooks(node, inputs)
        grads = call_pre_hooks(node, inputs.buffer) if node._pre_hooks else inputs.buffer
        previous, current.node = current.node, node
        if node.may_keep_gradient:
            current.grad_is_unshared = inputs.is_unshared(0)
        try:
            outputs = node(*grads)
        except Exception:
            anomaly_mode.print_stack(node)
            raise
        finally:
            current.node = previous
        outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        validate_outputs(node._next_edges, outputs, lambda message: f"Function {node.name()} returned an {message}")
        return call_post_hooks(node, outputs, grads) if node._post_hooks else outputs

    def _deliver(self, task, edge, output):
        """Put a gradient into the buffer of the node that waits for it."""
        following = edge.function
        waiting = task.dependencies[following] = task.dependencies[following] - 1
        buffer = task.not_ready.get(following)
        if buffer is None:
            if task.exec_info and not _is_executed(task, following):
                return
            buffer = task.not_ready[following] = InputBuffer(following.num_inputs)
        buffer.add(edge.input_nr, output)
        if waiting == 0:
            del task.not_ready[following]
            task.ready_queue.push(following, buffer)

    def _check_nan(self, node, outputs):
        for position, output in enumerate(outputs):
            if output is None:
                continue
            has_nan = ops.any(ops.isnan(output)).item()  # D2H: anomaly mode looks at each gradient
            if has_nan:
                anomaly_mode.print_stack(node)
                raise TorchError(f"Function '{node.name()}' returned nan values in its {position}th output.")


def _is_executed(task, node):
    info = task.exec_info.get(node)
    return info is not None and info.should_execute()


# What a gradient has to look like.


def validate_outputs(edges, grads, format_error):
    """Bring each gradient to the shape and dtype of what it is the gradient of; RuntimeError where that cannot be."""
    if len(grads) < len(edges):
        message = f"incorrect number of gradients (expected {len(edges)}, got {len(grads)})"
        raise TorchError(format_error(message))
    for position, edge in enumerate(edges):
        grad = grads[position]
        if edge.function is None or grad is None:
            continue
        metadata = edge.function._input_metadata[edge.input_nr]
        array = grad.array
        if array.shape != metadata.shape or array.dtype != metadata.numpy_dtype or grad.device is not metadata.device:
            grads[position] = _validated(metadata, grad, position, format_error)


def _validated(metadata, grad, position, format_error):
    if grad.array.shape != metadata.shape:
        if not is_expandable_to(metadata.shape, grad.array.shape):
            raise TorchError(
                format_error(
                    f"invalid gradient at index {position} - got {list(grad.array.shape)} "
                    f"but expected shape compatible with {list(metadata.shape)}"
                )
            )
        # The operator broadcast this input: its gradient is the sum over what was repeated.
        grad = sum_to(grad, metadata.shape)
    if grad.dtype is not metadata.dtype:
        if metadata.dtype.is_complex < grad.dtype.is_complex:
            raise TorchError(
                format_error(
                    f"invalid gradient at index {position} - expected type {metadata.dtype} but got {grad.dtype}"
                )
            )
        grad = ops.to(grad, metadata.dtype)
    if grad.device != metadata.device:
        if grad.array.ndim:
            raise TorchError(
                format_error(
                    f"invalid gradient at index {position} - expected device {metadata.device} but got {grad.device}"
                )
            )
        grad = ops.to(grad, metadata.device)
    return grad


def sum_to(grad, shape):
    """Sum over the dimensions that broadcasting `shape` added or enlarged."""
    leading = grad.array.ndim - len(shape)
    dims = list(range(leading))
    dims += [dim + leading for dim, size in enumerate(shape) if size == 1 and grad.array.shape[dim + leading] != 1]
    if dims:
        grad = ops.sum.dim_IntList(grad, dims, True)
    return ops.view.default(grad, shape) if leading else grad


# Hooks.


def call_tensor_pre_hooks(node, inputs):
    """Hooks of the tensors whose gradients these are, then retain_grad's, which run last."""
    for output_nr, hooks in node.tensor_pre_hooks():
        for hook in list(hooks.values()):
            inputs.buffer[output_nr] = _called_tensor_hook(hook, inputs.buffer[output_nr])
    if node._retains_grad_hooks:
        for output_nr, hook in list(node._retains_grad_hooks.items()):
            hook(inputs.buffer[output_nr])


def _called_tensor_hook(hook, grad):
    """What the hook makes of the gradient; a hook is not called for one that did not arrive."""
    if grad is None:
        return None
    result = hook(grad)
    if result is None:
        return grad
    _check_hook_result(hook, grad, result)
    return result


def _check_hook_result(hook, grad, result):
    name = getattr(hook, "__name__", type(hook).__name__)
    if not isinstance(result, TensorImpl):
        raise TypeError(
            f"expected Variable, but hook '{name}' returned {type(result).__name__}: return a tensor or None"
        )
    if result.dtype is not grad.dtype:
        raise TorchError(f"hook '{name}' has changed the type of value (was {grad.dtype} got {result.dtype})")
    if result.array.shape != grad.array.shape:
        raise TorchError(f"hook '{name}' has changed the size of value (was {list(grad.array.shape)})")


def call_pre_hooks(node, grads):
    """register_prehook: each may replace the gradients that go in."""
    for hook in list(node._pre_hooks.values()):
        result = hook(tuple(grads))
        if result is not None:
            grads = list(result) if isinstance(result, (tuple, list)) else [result]
    return grads


def call_post_hooks(node, outputs, grads):
    """register_hook: each may replace the gradients that come out."""
    for hook in list(node._post_hooks.values()):
        result = hook(tuple(outputs), tuple(grads))
        if result is not None:
            outputs = list(result) if isinstance(result, (tuple, list)) else [result]
    return outputs


engine = Engine()


# What Python asks of a backward that is running.


def queue_callback(callback):
    """Run `callback()` once, when the backward that is running has finished."""
    if current.task is None:
        raise TorchError("Final callbacks can only be installed during backward pass.")
    current.task.final_callbacks.append(callback)


def current_graph_task_id():
    """The number of the backward that runs in this thread; -1 outside of one."""
    return -1 if current.task is None else current.task.id


def will_engine_execute_node(node):
    """Whether the backward that runs will come by this node."""
    task = current.task
    if task is None:
        raise TorchError("_will_engine_execute_node: only valid during the backward pass")
    if task.exec_info:
        return _is_executed(task, node)
    return node in task.dependencies or not task.not_ready and not task.dependencies

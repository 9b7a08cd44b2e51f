"""The kernels filed under the Autograd keys. Retells what tools/autograd generates into VariableType.cpp.

Each operator that has a derivative, and is not made of others that have one, gets one of these. A call

    1. asks whether a gradient is wanted at all: some input requires one, and the thread records
    2. makes the node, with an edge to where each input's gradient goes, and saves what its formula needs
    3. redispatches below Autograd: the real kernel runs, and operators that it calls record nothing
    4. makes the node the result's grad_fn

One class for each kind of operator: it returns something new (FunctionalKernel), a view (ViewKernel), or writes to an
argument (InplaceKernel, OutKernel).
"""

from annotated_src.aten import ops
from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.dispatch_key import AUTOGRAD_KEYS, BELOW_AUTOGRAD, local
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.autograd.function import NO_EDGE, current
from annotated_src.torch.csrc.autograd.functions.basic_ops import NotImplemented_
from annotated_src.torch.csrc.autograd.variable import gradient_edge, requires_grad, set_history


class AutogradKernel:
    """What the kinds have in common."""

    in_place = False

    def __init__(self, overload, node_class):
        self.overload = overload
        self.node_class = node_class
        self._names = None

    def __call__(self, *args, **kwargs):
        if not state.grad_mode or not any_requires_grad(args, kwargs):
            return self.below(args, kwargs)
        return self.record(args, kwargs)

    def below(self, args, kwargs):
        """The kernel below Autograd; operators that it calls do not come up here again."""
        previous = local.excluded
        keys = ops.key_set_of(args, kwargs) & BELOW_AUTOGRAD & ~previous
        local.excluded = previous | AUTOGRAD_KEYS
        try:
            return self.overload.redispatch(keys, *args, **kwargs)
        finally:
            local.excluded = previous

    def record(self, args, kwargs):
        raise NotImplementedError

    # -- the node

    def make_node(self, args, kwargs):
        """The node of this call, or one that will raise if there is no formula."""
        bound = self.bind(args, kwargs)
        if self.node_class is None:
            tensors = variable.tensors_in(bound.values())
            node = NotImplemented_(self.overload.name(), [gradient_edge(tensor) for tensor in tensors])
        else:
            node = self.node_class(self.collect_next_edges(bound))
            node.save_arguments(bound, self.in_place)
        if anomaly_mode.is_enabled():
            anomaly_mode.store_stack(node, current.node)
        return node

    def bind(self, args, kwargs):
        """The arguments by their names in the schema, defaults included."""
        if self._names is None:
            self._names = [argument.name for argument in self.overload._schema.arguments]
            self._defaults = {argument.name: argument.default for argument in self.overload._schema.arguments}
        return {**self._defaults, **dict(zip(self._names, args, strict=False)), **kwargs}

    def collect_next_edges(self, bound):
        """An edge for each differentiable input; a list of tensors has one for each."""
        edges = []
        for name in self.node_class.inputs:
            value = bound.get(name)
            if isinstance(value, TensorImpl):
                edges.append(gradient_edge(value))
            elif isinstance(value, (list, tuple)):
                edges.extend(gradient_edge(item) if isinstance(item, TensorImpl) else NO_EDGE for item in value)
            else:
                edges.append(NO_EDGE)
        return edges

    def save_results(self, node, results):
        """Keep the outputs that the formulas need."""
        if self.node_class is not None:
            node.save_results(results)


class FunctionalKernel(AutogradKernel):
    """The operator returns new tensors."""

    def record(self, args, kwargs):
        node = self.make_node(args, kwargs)
        result = self.below(args, kwargs)
        results = result if isinstance(result, (tuple, list)) else (result,)
        for output in results:
            if isinstance(output, TensorImpl) and is_differentiable(output):
                set_history(output, node)
            else:
                # Counted all the same, so that later outputs keep their numbers.
                node._input_metadata.append(None)
        self.save_results(node, results)
        return result


class ViewKernel(AutogradKernel):
    """The operator returns a view of `self`: a write through it is a write to `self`."""

    def __call__(self, *args, **kwargs):
        base = args[0]
        wanted = state.grad_mode and requires_grad(base)
        node = self.make_node(args, kwargs) if wanted else None
        result = self.below(args, kwargs)
        several = isinstance(result, (tuple, list))
        for output in result if several else (result,):
            if output is not base:
                # (recorded or not: the base may come to want a gradient later, by a write in place)
                variable.as_view(base, output, _creation_meta(several))
            if node is not None:
                set_history(output, node)
        if node is not None:
            self.save_results(node, result if several else (result,))
        return result


def _creation_meta(several):
    if state.inference_mode:
        return variable.INFERENCE_MODE
    if several:
        return variable.MULTI_OUTPUT_NODE
    return variable.DEFAULT if state.grad_mode else variable.NO_GRAD_MODE


class InplaceKernel(AutogradKernel):
    """The operator writes to `self` and returns it."""

    in_place = True

    def record(self, args, kwargs):
        target = args[0]
        variable.check_inplace(target)
        node = self.make_node(args, kwargs)
        self.below(args, kwargs)
        if is_differentiable(target):
            variable.rebase_history(target, node)
        self.save_results(node, (target,))
        return target


class OutKernel(AutogradKernel):
    """The operator writes to `out=`: nothing of it can be differentiated."""

    def record(self, args, kwargs):
        raise TorchError(
            f"{self.overload.overloadpacket.__name__}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad. Leave out=... away, or use torch.no_grad()."
        )


def any_requires_grad(args, kwargs):
    """Whether some tensor among the arguments wants a gradient."""
    for value in args:
        if isinstance(value, TensorImpl):
            if value.autograd_meta is not None and requires_grad(value):
                return True
        elif isinstance(value, (list, tuple)) and any_requires_grad(value, None):
            return True
    return bool(kwargs) and any_requires_grad(kwargs.values(), None)


def is_differentiable(tensor):
    """Gradients are for floating and complex numbers."""
    return tensor.dtype.category >= scalar_type.FLOATING


def register(formulas):
    """File a kernel under Autograd for every operator that is not made of other operators."""
    for overloads in list(dispatcher.operators.values()):
        for entry in overloads.values():
            if "CompositeImplicitAutograd" not in entry.kernels:
                register_one(entry, formulas.get(entry.full_name))


def register_one(entry, node_class):
    """File the kernel of the operator's kind under Autograd."""
    overload = getattr(ops.packet(entry.name), entry.overload_name or "default")
    entry.register_kernel("Autograd", _kind(entry)(overload, node_class))


def _kind(entry):
    if entry.overload_name.endswith("out"):
        return OutKernel
    if entry.name.endswith("_") and not entry.name.endswith("__"):
        return InplaceKernel
    if "(a)" in entry.schema_text or "(a -> *)" in entry.schema_text:
        return ViewKernel
    return FunctionalKernel

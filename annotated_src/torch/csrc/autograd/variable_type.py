"""The kernels filed under the Autograd keys. Retells what tools/autograd/gen_variable_type.py generates.

Each operator that is not made of others that are differentiable gets one of these. A call

    1. asks whether a gradient is wanted at all: some input requires one, and the thread records
    2. makes the node, with an edge to where each input's gradient goes, and saves what its formula needs
    3. redispatches below Autograd: the real kernel runs; operators that it calls record nothing and count nothing
    4. makes the node the result's grad_fn

One class for each kind of operator: it returns something new (FunctionalKernel), a view (ViewKernel), or writes to an
argument (InplaceKernel, OutKernel).

Deviation: upstream files what counts writes and follows views under a key of its own, ADInplaceOrView, one step below
Autograd (ADInplaceOrViewType.cpp). Here one kernel does both; it is filed under both keys.
"""

from functools import cached_property

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.aten.core.function_schema import NO_DEFAULT
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.dispatch_key import AUTOGRAD_AND_INPLACE, AUTOGRAD_KEYS, BELOW_AUTOGRAD, tls
from annotated_src.c10.core.scalar_type import FLOATING
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import anomaly_mode, variable
from annotated_src.torch.csrc.autograd.function import NO_EDGE, current
from annotated_src.torch.csrc.autograd.functions.basic_ops import NotImplemented
from annotated_src.torch.csrc.autograd.variable import as_view, gradient_edge, requires_grad, set_history


class AutogradKernel:
    """What the kinds have in common."""

    # The dispatcher looks up, once per key set, the kernel for these of the call's keys, and hands it to `above`.
    keys_below = BELOW_AUTOGRAD

    def __init__(self, entry, kernel=None):
        self.entry = entry
        self.kernel = kernel
        # What `bind` needs of the schema, once it has been asked.
        self.names = self.defaults = None

    def above(self, kernel):
        """This kernel, with the one that it redispatches to."""
        return type(self)(self.entry, kernel)

    def __call__(self, *args, **kwargs):
        if state.grad_mode and any_requires_grad(args, kwargs):
            return self.record(args, kwargs)
        return self.below(args, kwargs)

    def below(self, args, kwargs):
        """The kernel below Autograd; operators that it calls do not come up here again."""
        local = tls.local
        previous = local.excluded
        local.excluded = previous | AUTOGRAD_AND_INPLACE
        try:
            return self.kernel(*args, **kwargs)
        finally:
            local.excluded = previous

    def record(self, args, kwargs):
        """The call when a gradient is wanted."""
        raise NotImplementedError

    # -- the node

    @cached_property
    def node_class(self):
        """The class of the operator's nodes, or None if there is no formula."""
        # Here, so that the formulas are loaded when the first gradient is wanted, not with torch.
        from annotated_src.torch.csrc.autograd import derivatives

        return derivatives.formulas().get(self.entry.full_name)

    def make_node(self, args, kwargs, original_self=None):
        """The node of this call, or one that will raise if there is no formula."""
        if self.node_class is None:
            tensors = tensors_in((*args, *kwargs.values()))
            node = NotImplemented(self.entry.full_name, [gradient_edge(tensor) for tensor in tensors])
        else:
            bound = self.bind(args, kwargs)
            node = self.node_class(self.collect_next_edges(bound))
            node.save_arguments(bound, original_self)
        if anomaly_mode.is_enabled():
            anomaly_mode.store_stack(node, current.node)
        return node

    def bind(self, args, kwargs):
        """The arguments by their names in the schema, defaults included."""
        if self.defaults is None:
            arguments = self.entry.schema.arguments
            self.names = [argument.name for argument in arguments]
            self.defaults = {arg.name: arg.default for arg in arguments if arg.default is not NO_DEFAULT}
        # Names beyond the arguments that are given keep their defaults, or wait for a keyword.
        bound = {**self.defaults, **kwargs} if kwargs else self.defaults.copy()
        for name, value in zip(self.names, args):  # noqa: B905 (a keyword costs more than the loop)
            bound[name] = value
        return bound

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

    # AutogradKernel.__call__ and below, written out: most calls of most programs come by here.
    def __call__(self, *args, **kwargs):
        if state.grad_mode:
            for value in args:
                if isinstance(value, TensorImpl):
                    meta = value.autograd_meta
                    if meta is not None and (meta.grad_fn is not None or requires_grad(value)):
                        return self.record(args, kwargs)
                elif isinstance(value, (list, tuple)) and any_requires_grad(value, None):
                    return self.record(args, kwargs)
            if kwargs and any_requires_grad(kwargs.values(), None):
                return self.record(args, kwargs)
        local = tls.local
        previous = local.excluded
        local.excluded = previous | AUTOGRAD_AND_INPLACE
        try:
            return self.kernel(*args, **kwargs)
        finally:
            local.excluded = previous

    def record(self, args, kwargs):
        node = self.make_node(args, kwargs)
        result = self.below(args, kwargs)
        results = result if isinstance(result, (tuple, list)) else (result,)
        for output in results:
            if isinstance(output, TensorImpl) and output.dtype.category >= FLOATING:
                set_history(output, node)
            else:
                # Counted all the same, so that later outputs keep their numbers.
                node.add_undefined_input()
        self.save_results(node, results)
        return result


class NotDifferentiableKernel(AutogradKernel):
    """The operator returns something that no gradient flows through, or makes tensors from nothing."""

    def __call__(self, *args, **kwargs):
        local = tls.local
        previous = local.excluded
        local.excluded = previous | AUTOGRAD_AND_INPLACE
        try:
            return self.kernel(*args, **kwargs)
        finally:
            local.excluded = previous


class ViewKernel(AutogradKernel):
    """The operator returns a view of `self`: a write through it is a write to `self`.

    Invariant: the kernel below looks at memory in another way and calls no operator (a test looks), so nothing has to
    be hidden from it. A DataLoader makes views by the thousand.
    """

    def __call__(self, *args, **kwargs):
        base = args[0]
        grad_mode = state.grad_mode
        if grad_mode and base.autograd_meta is not None and requires_grad(base):
            return self.record(args, kwargs)
        view = self.kernel(*args, **kwargs)
        # Recorded or not, a view knows its base: the base may come to want a gradient later, by a write.
        # (Not so a view of an inference tensor, which is one itself; and lift_fresh returns its input.)
        if base.key_set & AUTOGRAD_KEYS and view is not base:
            as_view(base, view, variable.DEFAULT if grad_mode and not state.inference_mode else self.creation_meta())
        return view

    def record(self, args, kwargs):
        node = self.make_node(args, kwargs)
        result = self.below(args, kwargs)
        views = result if isinstance(result, (tuple, list)) else (result,)
        self.follow(args[0], views)
        for view in views:
            # (an integer's bits can be looked at as a float's: such a view has no history)
            if view.dtype.category >= FLOATING:
                set_history(view, node)
            else:
                node.add_undefined_input()
        self.save_results(node, views)
        return result

    def follow(self, base, views):
        """Each view knows its base and how it was made."""
        creation_meta = self.creation_meta()
        for view in views:
            # (lift_fresh returns its input: there is nothing to look at from elsewhere)
            if view is not base:
                as_view(base, view, creation_meta)

    def creation_meta(self):
        """Whether a write through the view can be undone."""
        if state.inference_mode:
            return variable.INFERENCE_MODE
        return variable.DEFAULT if state.grad_mode else variable.NO_GRAD_MODE


class OperatorViewKernel(ViewKernel):
    """The kernel below makes its views by other operators."""

    def __call__(self, *args, **kwargs):
        base = args[0]
        if state.grad_mode and requires_grad(base):
            return self.record(args, kwargs)
        result = self.below(args, kwargs)
        if base.key_set & AUTOGRAD_KEYS:
            self.follow(base, result if isinstance(result, (tuple, list)) else (result,))
        return result


class MultiViewKernel(OperatorViewKernel):
    """The operator returns several views of `self`."""

    def creation_meta(self):
        creation_meta = super().creation_meta()
        return variable.MULTI_OUTPUT_NODE if creation_meta == variable.DEFAULT else creation_meta


class InplaceKernel(AutogradKernel):
    """The operator writes to `self` and returns it."""

    # AutogradKernel.__call__ and below, written out, as in FunctionalKernel.
    def __call__(self, *args, **kwargs):
        if state.grad_mode and any_requires_grad(args, kwargs):
            return self.record(args, kwargs)
        local = tls.local
        previous = local.excluded
        local.excluded = previous | AUTOGRAD_AND_INPLACE
        try:
            result = self.kernel(*args, **kwargs)
        finally:
            local.excluded = previous
        target = args[0]
        counter = target._version_counter
        if counter is None or not target.key_set & AUTOGRAD_KEYS:
            target.bump_version()
        else:
            # bump_version() of a tensor that has its counter and is none of inference mode.
            counter.value += 1
        return result

    def below(self, args, kwargs):
        result = super().below(args, kwargs)
        args[0].bump_version()
        return result

    def record(self, args, kwargs):
        target = args[0]
        variable.check_inplace(target)
        # What self was before the write is kept as a copy, if a formula asks for it.
        node = self.make_node(args, kwargs, lambda: self._copy_of(target))
        result = self.below(args, kwargs)
        if target.dtype.category >= FLOATING:
            variable.rebase_history(target, node)
        self.save_results(node, (target,))
        return result

    def _copy_of(self, target):
        previous, state.grad_mode = state.grad_mode, True
        try:
            return target.clone()
        finally:
            state.grad_mode = previous


class OutKernel(AutogradKernel):
    """The operator writes to `out=`: nothing of it can be differentiated."""

    def below(self, args, kwargs):
        result = super().below(args, kwargs)
        for name in self.entry.schema.written:
            if kwargs.get(name) is not None:
                kwargs[name].bump_version()
        return result

    def record(self, args, kwargs):
        raise TorchError(
            f"{self.entry.name.partition('::')[2]}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad. Leave out=... away, or use torch.no_grad()."
        )


def any_requires_grad(args, kwargs):
    """Whether some tensor among the arguments wants a gradient."""
    asked = None
    for value in args:
        if isinstance(value, TensorImpl):
            meta = value.autograd_meta
            if meta is None:
                continue
            if meta.requires_grad or meta.grad_fn is not None:
                return True
            # Many views of one base, as a DataLoader stacks them, are asked about once.
            if meta.base is not None and meta.base is not asked:
                asked = meta.base
                if requires_grad(asked):
                    return True
        elif isinstance(value, (list, tuple)) and any_requires_grad(value, None):
            return True
    return bool(kwargs) and any_requires_grad(kwargs.values(), None)


def tensors_in(values):
    """All tensors among arguments, in order, with those in lists."""
    found = []
    for value in values:
        if isinstance(value, TensorImpl):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(item for item in value if isinstance(item, TensorImpl))
    return found


# -- registration

# No gradient flows through these, though their results are floats.
NOT_DIFFERENTIABLE = {
    "empty_like", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "randint_like",
    "new_empty", "new_empty_strided", "new_zeros", "new_ones", "new_full", "resize_", "resize_as_", "set_",
    "nextafter", "heaviside", "histc", "bincount", "bucketize", "searchsorted", "_local_scalar_dense", "item",
    "allclose", "equal", "isclose", "_assert_async",
    "eq_", "ne_", "lt_", "le_", "gt_", "ge_", "logical_and_", "logical_or_", "logical_xor_", "logical_not_",
}  # fmt: skip


def register():
    """File a kernel under Autograd for every operator that is not made of other operators."""
    for overloads in dispatcher.operators.values():
        for entry in overloads.values():
            if "CompositeImplicitAutograd" not in entry.kernels and "Autograd" not in entry.kernels:
                register_one(entry)


def register_one(entry):
    """File the kernel of the operator's kind."""
    kind = kind_of(entry)
    if kind is None:
        return
    kernel = kind(entry)
    entry.register_kernel("Autograd", kernel)
    if kind is not FunctionalKernel and kind is not NotDifferentiableKernel:
        entry.register_kernel("ADInplaceOrView", kernel)


def kind_of(entry):
    """The kernel class by the schema's alias annotations; None for operators that autograd has no business with."""
    arguments = entry.schema_text.partition(" -> ")[0]
    name = entry.name.partition("::")[2]
    if "Tensor" not in arguments:
        # A factory. Those that only ask for memory call no operator that would have to be kept from counting.
        return None if name.startswith("empty") else NotDifferentiableKernel
    if "!) self" in arguments:
        return InplaceKernel
    if "!)" in arguments.partition("*, ")[2]:
        return OutKernel
    if "(a -> *)" in entry.schema_text:
        return MultiViewKernel
    if "(a)" in arguments:
        return OperatorViewKernel if entry.name == "aten::t" else ViewKernel
    if name in NOT_DIFFERENTIABLE:
        return NotDifferentiableKernel
    return FunctionalKernel

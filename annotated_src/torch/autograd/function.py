"""Function: operators with a backward written in Python. Retells torch/autograd/function.py.

    class Exp(Function):
        @staticmethod
        def forward(ctx, x): ...                 or forward(x) with setup_context(ctx, inputs, output)
        @staticmethod
        def backward(ctx, grad): ...
    Exp.apply(x)

For each such class the metaclass makes a second one, ExpBackward: its instances are the nodes of the graph, and the
`ctx` that forward and backward see. What C++ does of it is in torch/csrc/autograd/python_function.py.

Left out: NestedIOFunction, functorch's transforms (`vmap` is never called), forward mode (`jvp` is never called).
"""

import functools
import itertools
import warnings
from collections import OrderedDict

from annotated_src.torch import _C
from annotated_src.torch._tensor import Tensor
from annotated_src.torch.autograd.grad_mode import no_grad
from annotated_src.torch.csrc.autograd.functions.basic_ops import delayed_error

__all__ = ["FunctionCtx", "BackwardCFunction", "FunctionMeta", "Function", "once_differentiable", "InplaceFunction"]

AUTOGRAD_FUNCTION_COUNTER = itertools.count()


class FunctionCtx:
    """What forward notes for backward."""

    def save_for_backward(self, *tensors):
        """Keep inputs or outputs for backward, where they come back as `ctx.saved_tensors`."""
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keep tensors for `jvp`."""
        for tensor in tensors:
            if not isinstance(tensor, Tensor) and tensor is not None:
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; save other things as attributes of ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Say which inputs forward has written in place."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs):
        """Deprecated: shared memory is tracked without it."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked.",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args):
        """Say which outputs no gradient flows through."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Whether gradients that did not arrive reach backward as zeros (True, the default) or as None."""
        self.materialize_grads = value


_ContextMethodMixin = FunctionCtx


class _HookMixin:
    @staticmethod
    def _register_hook(backward_hooks, hook):
        from annotated_src.torch.utils import hooks

        if backward_hooks is None:
            backward_hooks = OrderedDict()
        handle = hooks.RemovableHandle(backward_hooks)
        backward_hooks[handle.id] = hook
        return backward_hooks, handle


class BackwardCFunction(_C._FunctionBase, FunctionCtx, _HookMixin):
    """The node, and the `ctx`, of a custom Function."""

    def _get_user_fn(self):
        forward_cls = self._forward_cls
        writes_backward = forward_cls.backward is not Function.backward
        writes_vjp = forward_cls.vjp is not Function.vjp
        if writes_backward and writes_vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed: they are two names of "
                "one method. Write one of them."
            )
        return forward_cls.vjp if writes_vjp else forward_cls.backward

    def apply(self, *args):
        """Call the user's backward."""
        user_fn = self._get_user_fn()
        if self._forward_cls.boxed_grads_call:
            args = (list(args),)
        return user_fn(self, *args)


class FunctionMeta(type):
    """Makes, beside each Function, the class of its nodes."""

    def __init__(cls, name, bases, attrs):
        backward_fn = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        backward_fn._autograd_function_id = next(AUTOGRAD_FUNCTION_COUNTER)
        cls._backward_cls = backward_fn
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_C._FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    @staticmethod
    def forward(*args, **kwargs):
        """The operator: `forward(ctx, *inputs)`, or `forward(*inputs)` where setup_context is written."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Note on `ctx` what backward needs, after forward has run."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The inputs' gradients from the outputs', one for each argument of forward (None for those without)."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    # The same under the name that forward mode suggests.
    vjp = backward

    clear_saved_tensors_on_access = False
    # Whether backward takes its gradients as one list, from which it can drop them.
    boxed_grads_call = False

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """Forward mode's formula."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )


class Function(_SingleLevelFunction):
    """The base class of operators with a backward of their own; call them by `apply`.

    >>> from annotated_src import torch
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * 2
    >>> x = torch.ones(1, requires_grad=True)
    >>> Double.apply(x)
    tensor([2.], grad_fn=<DoubleBackward>)
    """

    def __init__(self, *args, **kwargs):
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you "
            "should invoke them on the class itself.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method: call MyFunction.apply(...)."
        )

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, *args):
        """The rule for torch.vmap."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run forward on the arguments, and record it."""
        if _is_setup_context_defined(cls.setup_context):
            args, kwargs = _bind_default_args(cls.forward, *args, **kwargs)
        return super().apply(*args, **kwargs)


def _bind_default_args(func, *args, **kwargs):
    # Imported here: it is slow to load, and few programs come by.
    import inspect

    bound_args = inspect.signature(func).bind(*args, **kwargs)
    bound_args.apply_defaults()
    return bound_args.args, bound_args.kwargs


def _is_setup_context_defined(fn):
    return fn != _SingleLevelFunction.setup_context


def once_differentiable(fn):
    """Decorate a backward whose own derivative would be wrong: asking for it raises RuntimeError."""

    @functools.wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        with no_grad():
            outputs = fn(ctx, *args, **kwargs)
        if not _C.is_grad_enabled():
            return outputs
        if not any(isinstance(arg, Tensor) and arg.requires_grad for arg in args):
            return outputs
        outputs_ = outputs if isinstance(outputs, tuple) else (outputs,)
        return delayed_error(
            "trying to differentiate twice a function that was marked with @once_differentiable", outputs_
        )

    return wrapper


class InplaceFunction(Function):
    """Only here for backward compatibility: forward may write to its inputs in any Function."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

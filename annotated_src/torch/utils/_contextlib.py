"""Context managers that are decorators too. Retells torch/utils/_contextlib.py.

    with torch.no_grad(): ...            __enter__, __exit__
    @torch.no_grad()                     __call__ wraps the function; each call gets a fresh manager by clone()
    @torch.no_grad                       __new__ sees a function and wraps it

A generator is wrapped so that the mode holds while its body runs, and not while it is suspended.
"""

import functools
import sys
import warnings
from types import FunctionType

_CO_GENERATOR = 0x20

# The type of what is decorated.
FuncType = FunctionType
F = FuncType


def _wrap_generator(ctx_factory, func):
    @functools.wraps(func)
    def generator_context(*args, **kwargs):
        gen = func(*args, **kwargs)
        try:
            with ctx_factory():
                response = gen.send(None)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with ctx_factory():
                        gen.close()
                    raise
                except BaseException:
                    with ctx_factory():
                        response = gen.throw(sys.exc_info()[1])
                else:
                    with ctx_factory():
                        response = gen.send(request)
        except StopIteration as stop:
            return stop.value

    return generator_context


def _is_generator_function(func):
    code = getattr(func, "__code__", None)
    return code is not None and bool(code.co_flags & _CO_GENERATOR)


def context_decorator(ctx, func):
    """`func`, run within the context manager that `ctx()` makes (or that `ctx` is). RuntimeError for a class."""
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"{ctx} is both callable and a context manager (has __enter__), making it ambiguous which is meant: "
            "write context_decorator(lambda: ctx()) for a factory, context_decorator(lambda: ctx) for a manager"
        )
    if isinstance(func, type):
        raise RuntimeError(
            "Cannot decorate classes; it is ambiguous whether only the constructor or all methods are meant. "
            "Decorate each method."
        )
    ctx_factory = ctx if callable(ctx) else lambda: ctx
    if _is_generator_function(func):
        return _wrap_generator(ctx_factory, func)

    @functools.wraps(func)
    def decorate_context(*args, **kwargs):
        with ctx_factory():
            return func(*args, **kwargs)

    return decorate_context


class _DecoratorContextManager:
    """A context manager that can decorate functions."""

    def __call__(self, orig_func: F) -> F:
        if not isinstance(orig_func, type):
            return context_decorator(self.clone, orig_func)
        warnings.warn(
            "Decorating classes is deprecated and will be disabled in future versions. Decorate functions or methods, "
            "such as __init__.",
            FutureWarning,
            stacklevel=2,
        )
        return context_decorator(self.clone, lambda *args, **kwargs: orig_func(*args, **kwargs))

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        raise NotImplementedError

    def clone(self):
        """A fresh manager for one call; classes whose constructor takes arguments override it."""
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One that can decorate without brackets as well."""

    def __new__(cls, orig_func=None):
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)

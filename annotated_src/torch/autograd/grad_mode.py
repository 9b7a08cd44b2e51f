"""no_grad, enable_grad, set_grad_enabled, inference_mode. Retells torch/autograd/grad_mode.py.

Each is a context manager and a decorator. What they change is one flag of this thread; operators look at it when they
are called (torch/csrc/autograd/variable_type.py).
"""

from annotated_src.torch import _C
from annotated_src.torch.utils._contextlib import (
    F,
    _DecoratorContextManager,
    _NoParamDecoratorContextManager,
)

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode"]


class no_grad(_NoParamDecoratorContextManager):
    """Record no graph: results do not require grad, even if the inputs do.

    >>> from annotated_src import torch
    >>> w = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad():
    ...     (w * 2).requires_grad
    False
    """

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = _C.is_grad_enabled()
        set_grad_enabled(False)

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        set_grad_enabled(self.prev)


class enable_grad(_NoParamDecoratorContextManager):
    """Record again, within a no_grad.

    >>> from annotated_src import torch
    >>> w = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     (w * 2).requires_grad
    True
    """

    def __enter__(self) -> None:
        self.prev = _C.is_grad_enabled()
        _C._set_grad_enabled(True)

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        _C._set_grad_enabled(self.prev)


class set_grad_enabled(_DecoratorContextManager):
    """Record or not, by a flag: at once when called as a function, for the block in a `with`.

    >>> from annotated_src import torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        self.prev = _C.is_grad_enabled()
        self.mode = mode
        _C._set_grad_enabled(mode)

    def __call__(self, orig_func: F) -> F:
        # As a decorator the flag is for the function's calls, not for the lines that follow its definition.
        _C._set_grad_enabled(self.prev)
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        _C._set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        _C._set_grad_enabled(self.prev)

    def __str__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}(mode={self.mode})"

    def __repr__(self) -> str:
        return str(self)

    def clone(self):
        """Another one with the same flag."""
        return self.__class__(self.mode)


class inference_mode(_DecoratorContextManager):
    """Like no_grad, and new tensors are inference tensors: no version is counted, no view is tracked.

    >>> from annotated_src import torch
    >>> with torch.inference_mode():
    ...     torch.ones(1).is_inference()
    True
    """

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        # @torch.inference_mode without brackets
        return cls()(mode)

    def __enter__(self) -> None:
        self._inference_mode_context = _C._InferenceMode(self.mode)
        self._inference_mode_context.__enter__()

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self._inference_mode_context.__exit__(exc_type, exc_value, traceback)

    def clone(self):
        """Another one with the same flag."""
        return self.__class__(self.mode)


def _enter_inference_mode(mode):
    """inference_mode without a `with` block: what comes back goes to _exit_inference_mode."""
    mode_context = _C._InferenceMode(mode)
    mode_context.__enter__()
    return mode_context


def _exit_inference_mode(mode):
    mode.__exit__(None, None, None)

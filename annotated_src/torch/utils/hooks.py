"""RemovableHandle: what register_hook returns. Retells torch/utils/hooks.py.

A handle knows the dict that the hook was put into, and the hook's number there. It holds the dict weakly: a handle does
not keep a tensor or a module alive.

Left out: BackwardHook, the wrapper behind nn.Module's full backward hooks (with the modules).
"""

import warnings
import weakref
from collections import OrderedDict

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


class RemovableHandle:
    """Takes a hook away again, by `remove()` or at the end of a `with` block.

    >>> from annotated_src import torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> with w.register_hook(lambda grad: grad * 10):
    ...     w.sum().backward()
    >>> w.grad
    tensor([10.])
    """

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        if extra_dict is None:
            extra_dicts = []
        else:
            extra_dicts = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.extra_dict_ref = tuple(weakref.ref(extra) for extra in extra_dicts)

    def remove(self):
        """Take the hook away; a second time does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None and self.id in hooks:
                del hooks[self.id]

    def __getstate__(self):
        return self.hooks_dict_ref(), self.id, tuple(reference() for reference in self.extra_dict_ref)

    def __setstate__(self, state):
        hooks, self.id, extra_dicts = state
        # A dict that is gone stays gone: nothing refers to the new one.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(OrderedDict() if extra is None else extra) for extra in extra_dicts)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


def unserializable_hook(f):
    """Mark a hook whose loss, when its tensor is saved, needs no warning."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor):
    """Warn that saving `tensor` loses its backward hooks."""
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized. If this is expected, decorate the function "
                "with @torch.utils.hooks.unserializable_hook to suppress this warning",
                stacklevel=2,
            )

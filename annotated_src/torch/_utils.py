"""Small things that several packages need. Retells torch/_utils.py, as far as data loading goes."""

import os

from annotated_src.aten import ops


def cpu_count() -> int | None:
    """How many CPUs this process may use: its share, where the system can say; else all (torch._utils.cpu_count).

    >>> from annotated_src.torch import _utils
    >>> _utils.cpu_count() >= 1
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count()
    return len(os.sched_getaffinity(0))


def _rebuild_tensor(storage, storage_offset, size, stride):
    """A tensor over a TypedStorage, with these sizes and strides."""
    tensor = ops.empty.memory_format((0,), dtype=storage.dtype, device=storage._untyped_storage.device)
    return tensor.set_(storage._untyped_storage, storage_offset, size, stride)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    """What a pickled tensor is made of again."""
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    if requires_grad:
        tensor.requires_grad = True
    return tensor

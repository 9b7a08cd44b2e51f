"""How much memory of a card is used. Retells torch/cuda/memory.py.

    memory_allocated()      bytes that tensors hold now          max_memory_allocated()     the most so far
    memory_reserved()       bytes taken from the card            max_memory_reserved()
    empty_cache()           give back what is reserved and not allocated
    mem_get_info()          what the card says: free, total

Before CUDA is started, there is nothing, and no error.

Left out: snapshots, history, limits, pools, and the figures of which CuPy's pool keeps no account.
"""

import collections

from annotated_src.torch.csrc.cuda.module import (
    _cuda_emptyCache,
    _cuda_memGetInfo,
    _cuda_memoryStats,
    _cuda_resetPeakMemoryStats,
)
from annotated_src.torch.cuda._utils import _get_device_index

# Deviation: upstream imports this package here; when it is complete, it puts itself here, for it stands above.
cuda = None

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "reset_peak_memory_stats",
]


def empty_cache():
    """Give back to the card what the pool keeps and no tensor uses; nothing before CUDA is started.

    Upstream: torch/cuda/memory.py.
    """
    if cuda.is_initialized():
        _cuda_emptyCache()


def memory_stats(device=None):
    """The pool's figures by name, such as "allocated_bytes.all.peak"; empty before CUDA is started.

    Upstream: torch/cuda/memory.py.

    >>> from annotated_src import torch
    >>> torch.cuda.is_initialized() or dict(torch.cuda.memory_stats())
    {}
    """
    result = []

    def _recurse_add_to_result(prefix, obj):
        if not isinstance(obj, dict):
            result.append((prefix, obj))
            return
        if len(prefix) > 0:
            prefix += "."
        for key, value in obj.items():
            _recurse_add_to_result(prefix + key, value)

    stats = memory_stats_as_nested_dict(device=device)
    _recurse_add_to_result("", stats)
    result.sort()
    return collections.OrderedDict(result)


def memory_stats_as_nested_dict(device=None):
    """The same as a dict of dicts.

    Upstream: torch/cuda/memory.py.
    """
    if not cuda.is_initialized():
        return {}
    device = _get_device_index(device, optional=True)
    return _cuda_memoryStats(device)


def reset_peak_memory_stats(device=None):
    """Let max_memory_allocated and max_memory_reserved begin anew; starts CUDA.

    Upstream: torch/cuda/memory.py.
    """
    # Deviation: upstream's device index is None where there is no card, which C++ then refuses.
    cuda._lazy_init()
    device = _get_device_index(device, optional=True)
    return _cuda_resetPeakMemoryStats(device)


def memory_allocated(device=None):
    """Bytes that tensors of a device hold.

    Upstream: torch/cuda/memory.py.
    """
    return memory_stats(device=device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device=None):
    """The most bytes that tensors of a device held at once.

    Upstream: torch/cuda/memory.py.
    """
    return memory_stats(device=device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device=None):
    """Bytes that the pool has taken from a device.

    Upstream: torch/cuda/memory.py.
    """
    return memory_stats(device=device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device=None):
    """The most bytes that the pool had taken from a device.

    Upstream: torch/cuda/memory.py.
    """
    return memory_stats(device=device).get("reserved_bytes.all.peak", 0)


def mem_get_info(device=None):
    """(free, total) bytes of a device, other programs' share included.

    Upstream: torch/cuda/memory.py.
    """
    if device is None:
        device = cuda.current_device()
    cuda._lazy_init()
    device = _get_device_index(device, optional=True)
    return _cuda_memGetInfo(device)

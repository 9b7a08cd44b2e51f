"""torch.cuda: the CUDA devices of this machine, as CuPy sees them. Retells torch/cuda/__init__.py.

Left out: streams, events, memory statistics, graphs, and all that belongs to NVIDIA's libraries.
"""

from annotated_src.c10.array_module import cuda_module
from annotated_src.torch.cuda.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)

__all__ = [
    "current_device",
    "device_count",
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "is_available",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]


def device_count():
    """How many CUDA devices there are; 0 without CuPy.

    Upstream: torch/cuda/__init__.py.

    >>> from annotated_src import torch
    >>> torch.cuda.is_available() == (torch.cuda.device_count() > 0)
    True
    """
    try:
        module = cuda_module()
    except RuntimeError:
        return 0
    return module.cuda.runtime.getDeviceCount() if module.cuda.is_available() else 0


def is_available():
    """Whether there is a CUDA device.

    Upstream: torch/cuda/__init__.py.
    """
    return device_count() > 0


def current_device():
    """The index of the device on which `device="cuda"` puts a tensor.

    Upstream: torch/cuda/__init__.py.
    """
    return cuda_module().cuda.Device().id


def _is_in_bad_fork():
    """Whether this process was forked from one that had used CUDA, which CUDA does not survive."""
    # Deviation: upstream keeps watch over forks; CuPy raises CUDA's own error at the first use instead.
    return False

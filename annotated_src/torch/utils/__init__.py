"""torch.utils: what helps around tensors; here, data loading.

Retells torch/utils/__init__.py. Left out: swap_tensors, set_module, and the tools that no chapter passes through.
"""

import importlib

__all__ = ["data"]


def __getattr__(name):
    """`torch.utils.data`, loaded at the first look: much of torch needs something of utils, little of it needs data."""
    if name != "data":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")

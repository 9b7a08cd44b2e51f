"""torch.utils: what helps around tensors; here, data loading.

Retells torch/utils/__init__.py. Left out: swap_tensors, set_module, and the tools that no chapter passes through.
"""

from annotated_src.torch.utils import data

__all__ = ["data"]

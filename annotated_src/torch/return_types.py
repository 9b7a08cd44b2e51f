"""torch.return_types: the named tuples that some operators return. Retells torch/return_types.py.

They are defined in aten/core/return_types.py, because kernels make them.
"""

from annotated_src.aten.core.return_types import (
    aminmax,
    cummax,
    cummin,
    kthvalue,
    max,
    median,
    min,
    mode,
    nanmedian,
    sort,
    topk,
)

__all__ = [
    "aminmax", "cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "nanmedian", "sort", "topk",
]  # fmt: skip

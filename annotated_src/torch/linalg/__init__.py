"""torch.linalg: linear algebra. Retells torch/linalg/__init__.py.

Left out: everything but `vector_norm`, which clipping gradients and normalising need.
"""

from annotated_src.aten import ops

__all__ = ["vector_norm"]

vector_norm = ops.linalg_vector_norm

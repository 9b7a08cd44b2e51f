"""embedding: rows of a table. Retells aten/src/ATen/native/Embedding.cpp.

Left out: the backward operators (with autograd) and embedding_renorm_.
"""

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """The rows of `weight` (V, D) that `indices` names, in the shape of the indices: (..., D)."""
    if weight.array.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if indices.dtype not in (scalar_type.int64, scalar_type.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{indices.dtype.cpp_name}Tensor instead (while checking arguments for embedding)"
        )
    # Only the rows' gradients treat padding_idx as special.
    if indices.array.ndim == 1:
        return ops.index_select.default(weight, 0, indices)
    rows = ops.index_select.default(weight, 0, ops.reshape.default(indices, (-1,)))
    return ops.view.default(rows, (*indices.array.shape, *weight.array.shape[1:]))

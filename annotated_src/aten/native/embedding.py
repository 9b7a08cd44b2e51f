"""embedding: rows of a table, and their gradients. Retells aten/src/ATen/native/Embedding.cpp.

    embedding_dense_backward    a gradient for the whole table: the arriving rows, added up by index
    embedding_sparse_backward   the rows and their indices as a sparse tensor, nothing added up yet
    embedding_renorm_           rows that are about to be looked up, scaled down to a largest norm

padding_idx names a row whose gradient stays 0. With scale_grad_by_freq a row's gradient is divided by how often the
index occurs.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """The rows of `weight` (V, D) that `indices` names, in the shape of the indices: (..., D)."""
    if weight.array.ndim != 2:
        raise TorchError("'weight' must be 2-D")
    check_indices(indices, "embedding")
    # Only the rows' gradients treat padding_idx as special.
    if indices.array.ndim == 1:
        return ops.index_select.default(weight, 0, indices)
    rows = ops.index_select.default(weight, 0, ops.reshape.default(indices, (-1,)))
    return ops.view.default(rows, (*indices.array.shape, *weight.array.shape[1:]))


def check_indices(indices, name):
    """RuntimeError unless they are int64 or int32."""
    if indices.dtype not in (scalar_type.int64, scalar_type.int32):
        raise TorchError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{indices.dtype.cpp_name}Tensor instead (while checking arguments for {name})"
        )


def embedding_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq, sparse):
    """The gradient of the table, dense or sparse."""
    if sparse:
        return ops.embedding_sparse_backward.default(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
    return ops.embedding_dense_backward.default(grad, indices, num_weights, padding_idx, scale_grad_by_freq)


def embedding_sparse_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq):
    """A sparse (num_weights, D) with a row for each index that was looked up, in that order."""
    if scale_grad_by_freq:
        raise TorchError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
    num_features = grad.array.shape[-1]
    if padding_idx != -1:
        kept = ops.ne.Scalar(indices, padding_idx)
        indices, grad = ops.index.Tensor(indices, [kept]), ops.index.Tensor(grad, [kept])
    size = (num_weights, num_features)
    if grad.array.size == 0:
        nowhere = ops.empty.memory_format((1, 0), dtype=indices.dtype, device=indices.device)
        nothing = ops.empty.memory_format((0, num_features), dtype=grad.dtype, device=grad.device)
        return ops._sparse_coo_tensor_unsafe.default(nowhere, nothing, size)
    index = ops.reshape.default(indices, (1, -1))
    values = ops.reshape.default(grad, (-1, num_features))
    return ops._sparse_coo_tensor_unsafe.default(index, values, size)


def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    """(num_weights, D): the rows of the gradient, added up by index."""
    check_indices(indices, "embedding_backward")
    xp = array_module(grad_output.array)
    rows = computed_in(grad_output, grad_output.dtype)
    rows = rows.reshape(indices.array.size, rows.shape[-1])
    flat = indices.array.reshape(-1)
    if xp is not numpy:
        result = _dense_backward_on_device(xp, rows, flat, num_weights, padding_idx, scale_grad_by_freq)
        return make_tensor(rounded(result, grad_output.dtype))
    kept = flat != padding_idx
    flat, rows = flat[kept], rows[kept]
    if scale_grad_by_freq:
        rows = rows / xp.bincount(flat, minlength=num_weights)[flat][:, None].astype(rows.dtype)
    result = xp.zeros((num_weights, rows.shape[-1]), rows.dtype)
    if flat.size:
        _add_rows(xp, result, flat, rows)
    return make_tensor(rounded(result, grad_output.dtype))


def _dense_backward_on_device(xp, rows, flat, num_weights, padding_idx, scale_grad_by_freq):
    """The same by atomic additions: nothing is sorted or left out, so the host need not know how much there is."""
    rows = xp.where((flat != padding_idx)[:, None], rows, 0)
    if scale_grad_by_freq:
        counts = xp.zeros((num_weights,), "int32")
        xp.add.at(counts, flat, 1)
        rows = rows / counts[flat][:, None].astype(rows.dtype)
    result = xp.zeros((num_weights, rows.shape[-1]), rows.dtype)
    add_at(result, (flat,), rows)
    return result


def _add_rows(xp, result, indices, rows):
    """Add each row to the one that its index names: sorted by index, equal ones lie side by side and are summed."""
    order = xp.argsort(indices, kind="stable")
    indices = indices[order]
    begins = xp.concatenate((xp.zeros(1, "int64"), xp.nonzero(indices[1:] != indices[:-1])[0] + 1))
    result[indices[begins]] = xp.add.reduceat(rows[order], begins, axis=0)


def embedding_renorm_(self, indices, max_norm, norm_type):
    """Scale the rows that `indices` names down to norm max_norm, those that exceed it."""
    if self.array.ndim != 2:
        raise TorchError(f"Expected 2-dimensional tensor, but got {self.array.ndim}-dimensional tensor for 'self'")
    check_indices(indices, "embedding_renorm_")
    seen = array_module(self.array).unique(indices.array)  # D2H: how many there are
    if not isinstance(self.array, numpy.ndarray):
        _renorm_on_device(self.array, seen, max_norm, norm_type)
        return self
    for row_index in seen.tolist():
        row = ops.select.int(self, 0, row_index)
        norm = ops.item.default(ops.norm.Scalar(row, norm_type))
        if norm > max_norm:
            ops.mul_.Scalar(row, max_norm / (norm + 1e-7))
    return self


def _renorm_on_device(table, seen, max_norm, norm_type):
    """All rows at once: those that do not exceed the norm are scaled by 1."""
    rows = make_tensor(table[seen])
    norm = ops.norm.ScalarOpt_dim(rows, norm_type, [1], True).array
    scale = array_module(table).where(norm > max_norm, max_norm / (norm + 1e-7), 1)
    table[seen] = (rows.array * scale).astype(table.dtype)

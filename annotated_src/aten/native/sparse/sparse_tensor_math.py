"""Arithmetic of sparse tensors. Retells aten/src/ATen/native/sparse/SparseTensorMath.cpp.

    dense + sparse    the values are added where they belong
    sparse + sparse   both sets of positions, one behind the other
    sparse * number   the values times the number
"""

from annotated_src.aten import ops
from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.aten.sparse_tensor_impl import is_sparse, make_sparse
from annotated_src.aten.tensor_iterator import check_same_device
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError


def add(self, other, *, alpha=1):
    """self + alpha * other."""
    if not is_sparse(self):
        return _add_to_dense(ops.clone.default(self), other, alpha)
    total = _sum(self, other, alpha)
    return ops._coalesce.default(total) if self.array.is_coalesced and other.array.is_coalesced else total


def add_(self, other, *, alpha=1):
    """`add` in place."""
    if not is_sparse(self):
        return _add_to_dense(self, other, alpha)
    total = add(self, other, alpha=alpha).array
    parts = self.array
    parts.indices, parts.values, parts.is_coalesced = total.indices, total.values, total.is_coalesced
    return self


def _add_to_dense(dense, sparse, alpha):
    check_same_device(dense, sparse.array.values)
    if dense.array.shape != sparse.array.shape:
        raise TorchError(
            f"add: expected 'self' and 'other' to have same size, but self has size {list(dense.array.shape)} while "
            f"other has size {list(sparse.array.shape)} (FYI: dense-sparse addition does not currently support "
            "broadcasting)"
        )
    parts = sparse.array
    values = parts.values.array.astype(dense.array.dtype)
    add_at(dense.array, tuple(parts.indices.array), values if alpha == 1 else values * alpha)
    return dense


def _sum(self, other, alpha):
    """Deviation: upstream's CPU kernel walks both lists side by side; its CUDA kernel appends, as here."""
    if not isinstance(other, TensorImpl) or not is_sparse(other):
        raise TorchError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if self.array.shape != other.array.shape:
        raise TorchError(
            f"add: expected sizes of 'self' and 'other' to match, but {list(self.array.shape)} != "
            f"{list(other.array.shape)}"
        )
    first, second = self.array, other.array
    scaled = second.values if alpha == 1 else ops.mul(second.values, alpha)
    indices = ops.cat.default([first.indices, second.indices], 1)
    return make_sparse(indices, ops.cat.default([first.values, scaled], 0), first.shape)


def mul(self, other):
    """The values times a number, or a tensor without dimensions."""
    return _map(self, ops.mul(self.array.values, _number(other)))


def mul_(self, other):
    """`mul` in place."""
    ops.mul_(self.array.values, _number(other))
    return self


def div(self, other):
    """The values divided by a number, or a tensor without dimensions."""
    return _map(self, ops.div(self.array.values, _number(other)))


def neg(self):
    """The values with the other sign."""
    return _map(self, ops.neg.default(self.array.values))


def _number(other):
    if isinstance(other, TensorImpl) and (other.array.ndim or is_sparse(other)):
        raise NotImplementedError("sparse tensors are multiplied and divided by numbers only; call to_dense() before")
    return other


def _map(self, values):
    parts = self.array
    return make_sparse(ops.clone.default(parts.indices), values, parts.shape, parts.is_coalesced)


def sum_(self, *, dtype=None):
    """The sum of all values."""
    return ops.sum.default(self.array.values, dtype=dtype)

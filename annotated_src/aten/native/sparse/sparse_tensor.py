"""Making and asking sparse tensors. Retells aten/src/ATen/native/sparse/SparseTensor.cpp.

    sparse_coo_tensor -> _sparse_coo_tensor_with_dims_and_tensors   from indices and values
    coalesce -> _coalesce                                           each position once, in order
    to_dense -> _to_dense                                           with all the zeros
    sparse_mask                                                     of a dense tensor, what a sparse one has kept

What the sparse optimizer and the sparse gradient of an embedding need.

Left out: compressed layouts, products, reductions, and everything else that upstream has for sparse tensors.
"""

from annotated_src.aten import ops
from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.aten.sparse_tensor_impl import is_sparse, make_sparse
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.tensor_impl import make_tensor, make_view
from annotated_src.c10.util.exception import TorchError

# -- making


def sparse_coo_tensor_size(size, *, dtype=None, layout=None, device=None, pin_memory=False):
    """A sparse tensor that keeps nothing: zeros."""
    indices = ops.empty.memory_format((len(size), 0), dtype=scalar_type.int64, device=device)
    values = ops.empty.memory_format((0,), dtype=dtype, device=device)
    return make_sparse(indices, values, size, True)


def sparse_coo_tensor_indices(
    indices, values, *, dtype=None, layout=None, device=None, pin_memory=None, is_coalesced=None
):
    """A sparse tensor just large enough for its indices."""
    _check_indices(indices)
    if indices.array.shape[1] == 0 and indices.array.shape[0]:
        sizes = [0] * indices.array.shape[0]
    else:
        sizes = [int(row.max()) + 1 for row in indices.array]  # D2H: the size of the result
        lowest = int(indices.array.min()) if indices.array.size else 0  # D2H: upstream looks at the smallest, too
        if lowest < 0:
            raise TorchError(f"found negative index {lowest} among the indices")
    size = (*sizes, *values.array.shape[1:])
    return _make(indices, values, size, dtype, device, is_coalesced)


def sparse_coo_tensor_indices_size(
    indices, values, size, *, dtype=None, layout=None, device=None, pin_memory=None, is_coalesced=None
):
    """A sparse tensor of these indices (sparse_dim, nnz), values (nnz, ...) and sizes."""
    _check_indices(indices)
    return _make(indices, values, size, dtype, device, is_coalesced)


_sparse_coo_tensor_unsafe = sparse_coo_tensor_indices_size


def _make(indices, values, size, dtype, device, is_coalesced):
    return ops._sparse_coo_tensor_with_dims_and_tensors.default(
        indices.array.shape[0], values.array.ndim - 1, size, indices, values,
        dtype=dtype or values.dtype, device=device or values.device, is_coalesced=is_coalesced,
    )  # fmt: skip


def _check_indices(indices):
    if indices.array.ndim != 2:
        raise TorchError(f"indices must be sparse_dim x nnz, but got: {list(indices.array.shape)}")


def _sparse_coo_tensor_with_dims_and_tensors(
    sparse_dim, dense_dim, size, indices, values, *, dtype=None, layout=None, device=None, pin_memory=False,
    is_coalesced=None,
):  # fmt: skip
    """The kernel: the parts are kept as they are, not copied."""
    if len(size) != sparse_dim + dense_dim:
        raise TorchError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, "
            f"sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    if indices.array.shape[1] != values.array.shape[0]:
        raise TorchError(
            f"indices and values must have same nnz, but got nnz from indices: {indices.array.shape[1]}, "
            f"nnz from values: {values.array.shape[0]}"
        )
    if indices.dtype is not scalar_type.int64:
        raise TorchError(f"indices must be an int64 tensor, but got {indices.dtype}")
    if dtype is not None and dtype is not values.dtype:
        values = ops.to.dtype(values, dtype)
    if device is not None and Device(device).type != values.device.type:
        indices, values = ops.to.device(indices, device, indices.dtype), ops.to.device(values, device, values.dtype)
    if is_coalesced is None:
        # One position alone, or none, is in order.
        is_coalesced = indices.array.shape[1] < 2
    return make_sparse(make_view(indices, indices.array), make_view(values, values.array), size, is_coalesced)


# -- asking


def _indices(self):
    """The indices as they are, whether coalesced or not."""
    part = self.array.indices
    return make_view(part, part.array)


def _values(self):
    """The values as they are, whether coalesced or not."""
    part = self.array.values
    return make_view(part, part.array)


def indices(self):
    """The indices of a coalesced tensor; RuntimeError for others."""
    _check_coalesced(self, "indices")
    part = self.array.indices
    return make_view(part, part.array)


def values(self):
    """The values of a coalesced tensor; RuntimeError for others."""
    _check_coalesced(self, "values")
    part = self.array.values
    return make_view(part, part.array)


def _check_coalesced(self, name):
    if not self.array.is_coalesced:
        raise TorchError(f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first")


def _nnz(self):
    """How many positions are kept."""
    return self.array.values.array.shape[0]


def sparse_dim(self):
    """How many dimensions the indices are for."""
    return self.array.indices.array.shape[0]


def dense_dim(self):
    """How many dimensions each value has."""
    return self.array.values.array.ndim - 1


def is_coalesced(self):
    """Whether every position comes once, in order."""
    return self.array.is_coalesced


def _not_sparse(name):
    def kernel(self):
        raise TorchError(f"{name} expected sparse coordinate tensor layout but got Strided")

    return kernel


dense_is_coalesced = _not_sparse("is_coalesced")
dense_indices = _not_sparse("indices")
dense_values = _not_sparse("values")


def _coalesced_(self, coalesced):
    """Say of a tensor whether it is coalesced."""
    self.array.is_coalesced = coalesced
    return self


# -- other forms


def coalesce(self):
    """The same tensor with each position once, in order; values that met are added up."""
    if not is_sparse(self):
        raise TorchError("coalesce expected sparse coordinate tensor layout but got Strided")
    return self if self.array.is_coalesced else ops._coalesce.default(self)


def _coalesce(self):
    """The kernel of coalesce."""
    parts = self.array
    xp = array_module(parts.values.array)
    if parts.values.array.shape[0] < 2:
        return make_sparse(ops.clone.default(parts.indices), ops.clone.default(parts.values), parts.shape, True)
    columns = parts.indices.array
    # One number for each position, so that equal positions are equal numbers.
    flat = _flat_positions(columns, parts.shape)
    _, first, group = xp.unique(flat, return_index=True, return_inverse=True)  # D2H: how many there are
    sums = xp.zeros((len(first), *parts.values.array.shape[1:]), parts.values.array.dtype)
    add_at(sums, (group.reshape(-1),), parts.values.array)
    return make_sparse(make_tensor(columns[:, first]), make_tensor(sums), parts.shape, True)


def _flat_positions(columns, shape):
    flat = columns[0]
    for dim in range(1, columns.shape[0]):
        flat = flat * shape[dim] + columns[dim]
    return flat


def to_dense(self, dtype=None, *, masked_grad=None):
    """The tensor with all its zeros."""
    if not is_sparse(self):
        return self if dtype is None else ops.to.dtype(self, dtype)
    return ops._to_dense.default(self, dtype, masked_grad)


def _to_dense(self, dtype=None, masked_grad=None):
    """The kernel of to_dense."""
    if dtype is not None:
        raise TorchError("dtype argument is not supported by sparse_to_dense; call .to(dtype) on the result")
    dense = ops.zeros.default(self.array.shape, dtype=self.dtype, device=self.device)
    return ops.add_.Tensor(dense, self)


def sparse_mask(self, mask):
    """Of a dense tensor, the elements at the positions that `mask` keeps."""
    if self.array.shape != mask.array.shape:
        raise TorchError(
            "sparse_mask(): operands have incompatible sizes; self has size "
            f"{list(self.array.shape)} but mask has size {list(mask.array.shape)}"
        )
    parts = mask.array
    picked = self.array[tuple(parts.indices.array)]
    return make_sparse(ops.clone.default(parts.indices), make_tensor(picked), parts.shape, parts.is_coalesced)


def clone(self, *, memory_format=None):
    """A copy with memory of its own."""
    parts = self.array
    indices, values = ops.clone.default(parts.indices), ops.clone.default(parts.values)
    return make_sparse(indices, values, parts.shape, parts.is_coalesced)


def alias(self):
    """Another tensor of the same parts."""
    parts = self.array
    return make_sparse(parts.indices, parts.values, parts.shape, parts.is_coalesced)


def zero_(self):
    """Keep nothing any more."""
    parts = self.array
    parts.indices = ops.slice.Tensor(parts.indices, 1, 0, 0)
    parts.values = ops.slice.Tensor(parts.values, 0, 0, 0)
    parts.is_coalesced = True
    return self

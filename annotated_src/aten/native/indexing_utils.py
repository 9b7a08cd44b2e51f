"""From the indices of aten::index to what a kernel can use. Retells aten/src/ATen/native/IndexingUtils.h.

    masks become positions        expandTensors: a mask of two dimensions becomes two index tensors
    indices are broadcast         to one shape, which the indexed dimensions take in the result
    indices are brought together  where a dimension without index lies between two with one, the indexed dimensions go
                                  to the front: transposeToFront. `x[i, :, j]` has the shape of i first, as in NumPy

An entry is a tensor, or None for a dimension that is taken whole.
"""

import warnings

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type

_MASKS = (scalar_type.bool_, scalar_type.uint8)
_INDICES = (scalar_type.int64, scalar_type.int32, *_MASKS)


def checkIndexTensorTypes(indices):
    """IndexError unless every index is a mask, or holds positions."""
    for tensor in indices:
        if tensor is not None and tensor.dtype not in _INDICES:
            raise IndexError(
                f"tensors used as indices must be long, int, byte or bool tensors, and one is {tensor.dtype}: "
                "write index.long()"
            )


def expandTensors(self, indices):
    """The indices, masks turned into positions."""
    expanded = []
    for position, index in enumerate(indices):
        if index is None or index.dtype not in _MASKS:
            expanded.append(index)
            continue
        if index.dtype is scalar_type.uint8:
            warnings.warn(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
                UserWarning,
            )
        _check_mask(self, index, position, len(expanded))
        nonzero = ops.nonzero.default(index)
        expanded += [ops.select.int(nonzero, 1, dim) for dim in range(index.array.ndim)]
    return expanded


def _check_mask(self, mask, position, first_dim):
    """The mask must be as large as the dimensions that it covers."""
    for dim, size in enumerate(mask.array.shape):
        if self.array.shape[first_dim + dim] != size:
            raise IndexError(
                f"The shape of the mask {list(mask.array.shape)} at index {dim} does not match the shape of the "
                f"indexed tensor {list(self.array.shape)} at index {first_dim + dim}"
            )


def expand_outplace(indices, xp):
    """The indices' arrays, broadcast to one shape; None stays None."""
    arrays = [index.array for index in indices if index is not None]
    if len({array.shape for array in arrays}) > 1:
        try:
            arrays = xp.broadcast_arrays(*arrays)
        except ValueError:
            shapes = ", ".join([str(list(array.shape)) for array in arrays])
            raise IndexError(
                f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
            ) from None
    remaining = iter(arrays)
    return [None if index is None else next(remaining) for index in indices]


def hasContiguousSubspace(indices):
    """Whether no dimension without index lies between two with one."""
    indexed = [dim for dim, index in enumerate(indices) if index is not None]
    return indexed[-1] - indexed[0] + 1 == len(indexed)


def transposeToFront(array, indices):
    """The array and the indices with the indexed dimensions first."""
    dims = [dim for dim, index in enumerate(indices) if index is not None]
    dims += [dim for dim, index in enumerate(indices) if index is None]
    return array.transpose(dims), [indices[dim] for dim in dims]

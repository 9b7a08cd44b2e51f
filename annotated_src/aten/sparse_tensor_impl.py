"""SparseTensorImpl: a tensor of which only some elements are kept. Retells aten/src/ATen/SparseTensorImpl.h.

    indices        (sparse_dim, nnz), int64: where the kept elements are, a column for each
    values         (nnz, *dense sizes): what is there, an element or a whole block of further dimensions
    is_coalesced   whether the columns are in order and none comes twice; if one does, its values count together

The gradient of an embedding with `sparse=True` is such a tensor: the rows that were looked up, one for each index.

Deviation: upstream derives a second TensorImpl; here one tensor class holds a SparseArray where others hold an array,
so that shape, dtype and device are asked in the same way.
"""

import math

from annotated_src.c10.core.dispatch_key import key_set
from annotated_src.c10.core.tensor_impl import make_tensor

_DENSE_KEYS = key_set("CPU", "CUDA")


class _Flags:
    """What an array says of its memory: none of it is in order."""

    c_contiguous = forc = False


class SparseArray:
    """What stands in the place of an array: the indices, the values and the sizes."""

    __slots__ = ("indices", "is_coalesced", "shape", "values")

    flags = _Flags

    def __init__(self, indices, values, shape, is_coalesced):
        self.indices = indices
        self.values = values
        self.shape = tuple(shape)
        self.is_coalesced = is_coalesced

    @property
    def dtype(self):
        """The dtype of the values."""
        return self.values.array.dtype

    @property
    def itemsize(self):
        """The bytes of one value."""
        return self.values.array.itemsize

    @property
    def device(self):
        """The values' device."""
        return self.values.device

    @property
    def ndim(self):
        """The number of dimensions, sparse and dense."""
        return len(self.shape)

    @property
    def size(self):
        """The number of elements, those that are not kept included."""
        return math.prod(self.shape)

    @property
    def strides(self):
        """Zeros: there is no memory to stride over."""
        return (0,) * len(self.shape)


def make_sparse(indices, values, shape, is_coalesced=False):
    """A sparse tensor of these parts. Its keys are those of `values`, with SparseCPU for CPU."""
    tensor = make_tensor(SparseArray(indices, values, shape, is_coalesced))
    backend = "SparseCPU" if values.device.type == "cpu" else "SparseCUDA"
    tensor.key_set = values.key_set & ~_DENSE_KEYS | key_set(backend)
    return tensor


def is_sparse(tensor):
    """Whether only some of the tensor's elements are kept."""
    return type(tensor.array) is SparseArray

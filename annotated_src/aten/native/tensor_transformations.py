"""Kernels that turn a tensor over or add dimensions to it.

Retells aten/src/ATen/native/TensorTransformations.cpp.
"""

from annotated_src.aten import ops
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import dim_list_to_bitset, size_along


def flip(self, dims):
    """The order of the positions reversed along each of `dims`; a copy, as a tensor has no negative strides."""
    reversed_dims = dim_list_to_bitset(dims, self.array.ndim)
    if self.array.ndim == 0:
        return ops.clone.default(self)
    key = tuple([slice(None, None, -1 if dim in reversed_dims else 1) for dim in range(self.array.ndim)])
    result = array_module(self.array).empty_like(self.array)
    result[...] = self.array[key]
    return make_tensor(result)


def fliplr(self):
    """flip() along dimension 1."""
    if self.array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return ops.flip.default(self, (1,))


def flipud(self):
    """flip() along dimension 0."""
    if self.array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return ops.flip.default(self, (0,))


def roll(self, shifts, dims=()):
    """The positions moved on by `shifts` along `dims`; those that leave at the end come in at the beginning."""
    shifts = (shifts,) if isinstance(shifts, int) else shifts
    dims = (dims,) if isinstance(dims, int) else dims
    if len(dims) != 1 or len(shifts) != 1:
        return roll_common(self, shifts, dims)
    if self.array.size == 0:
        return ops.clone.default(self)
    dim, size = dims[0], size_along(self.array, dims[0])
    start = -shifts[0] % size
    if start == 0:
        return ops.clone.default(self)
    tail = ops.narrow.default(self, dim, start, size - start)
    head = ops.narrow.default(self, dim, 0, start)
    return ops.cat.default([tail, head], dim)


def roll_common(self, shifts, dims):
    """roll() of the flattened tensor, or along several dimensions one after the other."""
    if not shifts:
        raise RuntimeError("`shifts` required")
    if not dims and len(shifts) == 1:
        flattened = ops.view.default(ops.contiguous.default(self), (self.array.size,))
        rolled = ops.roll.default(flattened, (shifts[0],), (0,))
        return ops.view.default(rolled, self.array.shape)
    if len(shifts) != len(dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    first = ops.roll.default(self, (shifts[0],), (dims[0],))
    return ops.roll.default(first, tuple(shifts[1:]), tuple(dims[1:]))


def atleast_1d(self):
    """`self`, a 0-d tensor with one dimension."""
    return self if self.array.ndim else ops.reshape.default(self, (1,))


def atleast_1d_sequence(tensors):
    """atleast_1d() of each."""
    return tuple([atleast_1d(tensor) for tensor in tensors])


def atleast_2d(self):
    """`self` with dimensions of size 1 in front, if it has fewer than two."""
    if self.array.ndim == 0:
        return ops.reshape.default(self, (1, 1))
    return ops.unsqueeze.default(self, 0) if self.array.ndim == 1 else self


def atleast_2d_sequence(tensors):
    """atleast_2d() of each."""
    return tuple([atleast_2d(tensor) for tensor in tensors])


def atleast_3d(self):
    """`self` with dimensions of size 1 around it, if it has fewer than three."""
    if self.array.ndim == 0:
        return ops.reshape.default(self, (1, 1, 1))
    if self.array.ndim == 1:
        return ops.unsqueeze.default(ops.unsqueeze.default(self, 0), -1)
    return ops.unsqueeze.default(self, -1) if self.array.ndim == 2 else self


def atleast_3d_sequence(tensors):
    """atleast_3d() of each."""
    return tuple([atleast_3d(tensor) for tensor in tensors])

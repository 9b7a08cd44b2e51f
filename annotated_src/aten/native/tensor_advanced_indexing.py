"""Picking and placing elements by position or by mask.

Retells aten/src/ATen/native/TensorAdvancedIndexing.cpp, cpu/IndexKernel.cpp and cpu/ScatterGatherKernel.cpp.

    by indices for several dimensions   index (x[i, j]), index_put_ (x[i, j] = y)
    along one dimension                 index_select, index_add_, index_copy_, index_fill_: one list of positions
                                        gather, scatter_, scatter_add_: a position for every element
    by mask                             masked_select, masked_fill_, masked_scatter_, nonzero

Negative positions count from the end in index, index_put_, index_fill_ and take; elsewhere they are errors.

Deviation: upstream's CUDA kernels check positions on the card, where a wrong one ends the program; here they are
checked before, which waits for the card.

Left out: `reduce=` of scatter and index_reduce.
"""

import math
import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.expand_utils import infer_size, is_expandable_to
from annotated_src.aten.memory_overlap import assert_no_internal_overlap, has_internal_overlap
from annotated_src.aten.native.indexing_utils import (
    checkIndexTensorTypes,
    expand_outplace,
    expandTensors,
    hasContiguousSubspace,
    transposeToFront,
)
from annotated_src.aten.native.tensor_shape import check_as_strided
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.memory_format import contiguous_format
from annotated_src.c10.core.scalar import checked_convert
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim, size_along

_WHOLE = slice(None)


# -- index and index_put_


def index(self, indices, *, out=None):
    """The elements at these positions; None takes a dimension whole."""
    info = make_info(self, indices)
    return finish(info.pick(), out)


def make_info(self, indices):
    """The indices checked and brought into the form that kernels want."""
    if len(indices) > self.array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.array.ndim} (got {len(indices)})")
    if all(tensor is None for tensor in indices):
        raise IndexError("at least one index must be provided")
    checkIndexTensorTypes(indices)
    indices = [_on_device_of(self, tensor) for tensor in expandTensors(self, indices)]
    if len(indices) > self.array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.array.ndim} (got {len(indices)})")
    indices += [None] * (self.array.ndim - len(indices))
    arrays = expand_outplace(indices, array_module(self.array))
    return AdvancedIndex(self.array, arrays)


def _on_device_of(self, tensor):
    if tensor is None or type(tensor.array) is type(self.array):
        return tensor
    return ops._to_copy.default(tensor, device=self.device)  # H2D: an index may be given on the host


class AdvancedIndex:
    """An array, and a NumPy key for it: index arrays of one shape side by side, whole dimensions around them.

    `only_dim` is the indexed dimension if there is just one.
    """

    def __init__(self, array, indices):
        if not hasContiguousSubspace(indices):
            array, indices = transposeToFront(array, indices)
        self.array = array
        self.indices = indices
        self.key = tuple([_WHOLE if index is None else index for index in indices])
        indexed = [dim for dim, index in enumerate(indices) if index is not None]
        self.only_dim = indexed[0] if len(indexed) == 1 else None

    def pick(self):
        """The indexed elements, contiguous."""
        # Deviation: upstream's result takes over the order of dimensions of a source that is not contiguous.
        try:
            if self.only_dim is not None:
                return self.array.take(self.indices[self.only_dim], self.only_dim)
            picked = self.array[self.key]
        except IndexError:
            self.check_bounds()
            raise
        return picked if picked.ndim == 0 else array_module(self.array).ascontiguousarray(picked)

    def place(self, values):
        """Write `values` there; of several for one place the last stays."""
        try:
            self.array[self.key] = values
        except IndexError:
            self.check_bounds()
            raise
        except ValueError:
            self._check_not_empty()
            self._check_shape(values)
            raise

    def accumulate(self, values):
        """Add `values` there, each of several for one place."""
        try:
            self.check_bounds()
            add_at(self.array, self.key, values)
        except (IndexError, ValueError):
            self._check_not_empty()
            self._check_shape(values)
            raise

    def check_bounds(self):
        """IndexError that names the first position outside the array."""
        self._check_not_empty()
        position = 0
        for index, size in zip(self.indices, self.array.shape, strict=False):
            if index is not None:
                check_positions(index, size, position, lowest=-size, error=IndexError)
                position += 1

    def _check_not_empty(self):
        """IndexError where a dimension without positions is indexed, whatever is to be written there."""
        for index, size in zip(self.indices, self.array.shape, strict=False):
            if index is not None and index.size and size == 0:
                raise IndexError("index is out of bounds for dimension with size 0: no position is within it")

    def _check_shape(self, values):
        """RuntimeError unless `values` can be broadcast to what is indexed."""
        indices = [index for index in self.indices if index is not None]
        before = self.indices.index(indices[0]) if self.indices[0] is not None else _first_indexed(self.indices)
        sizes = self.array.shape
        shape = [*sizes[:before], *indices[0].shape, *sizes[before + len(indices) :]]
        if not is_expandable_to(values.shape, shape):
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of "
                f"shape {shape}"
            )


def _first_indexed(indices):
    for dim, index in enumerate(indices):
        if index is not None:
            return dim


def check_positions(index, size, dim, lowest=0, error=RuntimeError, message=None):
    """`error`, unless all positions in the array `index` are from `lowest` to `size - 1`.

    Deviation: on a card nobody looks, for the host would have to wait for the answer. Upstream's kernels check
    themselves, and end the program (a device-side assert); here a position outside counts on from the other end.
    """
    if not isinstance(index, numpy.ndarray):
        return
    if index.size == 0 or (int(index.min()) >= lowest and int(index.max()) < size):
        return
    outside = index[(index < lowest) | (index >= size)]
    first = int(outside.reshape(-1)[0])
    message = message or "index {first} is out of bounds for dimension {dim} with size {size}"
    raise error(message.format(first=first, dim=dim, size=size))


def index_put(self, indices, values, accumulate=False):
    """A copy with `values` at these positions."""
    return ops.index_put_.default(ops.clone.default(self), indices, values, accumulate)


def index_put_(self, indices, values, accumulate=False):
    """Write `values`, broadcast, to these positions, or add them there."""
    return ops._index_put_impl_.default(self, indices, values, accumulate, False)


def _index_put_impl_(self, indices, values, accumulate=False, unsafe=False):
    """index_put_() itself."""
    if len(indices) > self.array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.array.ndim} (got {len(indices)})")
    if not accumulate:
        mask = canDispatchToMaskedFill(self, indices, values)
        if mask is not None:
            return ops.masked_fill_.Scalar(self, mask, values.item())  # D2H: unless the value is on the host
    _warn_if_expanded("index_put_", self)
    info = make_info(self, indices)
    if self.dtype is not values.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {self.dtype.cpp_name} for the "
            f"destination and {values.dtype.cpp_name} for the source."
        )
    source = _on_device_of(self, values).array
    if accumulate:
        info.accumulate(source)
    else:
        info.place(source)
    return self


def _warn_if_expanded(name, self):
    if has_internal_overlap(self):
        warnings.warn(
            f"Use of {name} on expanded tensors is deprecated: one element of the memory is written for several of the "
            "tensor's. Please clone() the tensor before.",
            UserWarning,
        )


def canDispatchToMaskedFill(self, indices, value):
    """The mask, if one mask is the only index and one number the value: masked_fill_ is then the same; else None."""
    masks = [tensor for tensor in indices if tensor is not None]
    if value.array.size != 1 or len(masks) != 1 or masks[0].dtype is not scalar_type.bool_:
        return None
    mask, before = masks[0], len(indices) - 1
    sizes = self.array.shape
    if indices[-1] is not mask or mask.array.shape != sizes[before : before + mask.array.ndim]:
        return None
    for _ in range(len(sizes) - before - mask.array.ndim):
        mask = ops.unsqueeze.default(mask, -1)
    return mask


# -- adding at positions that may repeat


def add_at(array, key, values):
    """array[key] += values, where of several values for one place each counts."""
    if not isinstance(array, numpy.ndarray):
        _add_at_on_device(array, key, values)
    elif array.flags.c_contiguous:
        # NumPy is ten times as fast on one dimension.
        positions = _flat_positions(array, key)
        values = numpy.broadcast_to(values, positions.shape)
        numpy.add.at(array.reshape(-1), positions.reshape(-1), values.reshape(-1))
    else:
        numpy.add.at(array, key, values)


def _flat_positions(array, key):
    """Where in the flattened array the elements of `array[key]` are.

    The key has index arrays side by side, with whole dimensions before and behind, as AdvancedIndex makes them.
    """
    key = (*key, *[_WHOLE] * (array.ndim - len(key)))
    indexed = [dim for dim, index in enumerate(key) if index is not _WHOLE]
    index_ndim = max(key[dim].ndim for dim in indexed)
    positions, stride = 0, 1
    for dim in range(array.ndim - 1, -1, -1):
        size = array.shape[dim]
        if dim in indexed:
            # Negative positions count from the end.
            steps, behind = key[dim] % size, array.ndim - 1 - indexed[-1]
        else:
            steps, behind = numpy.arange(size), array.ndim - 1 - dim
        if dim < indexed[0]:
            behind += index_ndim - len(indexed)
        positions = positions + steps.reshape(steps.shape + (1,) * behind) * stride
        stride *= size
    return positions


# The dtypes in which a CUDA card adds to memory at one stroke.
_ATOMIC = (scalar_type.int32, scalar_type.uint64, scalar_type.float16, scalar_type.float32, scalar_type.float64)


def _add_at_on_device(array, key, values):
    xp, dtype = array_module(array), scalar_type.from_numpy_dtype(array.dtype)
    if dtype in _ATOMIC:
        xp.add.at(array, key, values)
    elif dtype is scalar_type.int64:
        # Two's complement: the bits of a sum do not depend on the sign.
        xp.add.at(array.view("uint64"), key, values.view("uint64"))
    elif dtype.is_complex:
        _add_at_on_device(array.real, key, values.real)
        _add_at_on_device(array.imag, key, values.imag)
    else:
        wide = array.astype("float32" if dtype.is_floating_point else "int32")
        xp.add.at(wide, key, values.astype(wide.dtype))
        array[...] = wide.astype(array.dtype)


# -- along one dimension


def index_select(self, dim, index, *, out=None):
    """The positions `index` (one dimension) of dimension `dim`."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    if index.array.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    _check_index_dtype("index_select", index, "int32 or int64")
    array, positions = _at_least_1d(self.array), _at_least_1d(index.array)
    if self.array.ndim == 0 and positions.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {positions.size} value(s)")
    if array.ndim > 1 and (dim == 1 or array.size == 0):
        _check_selected(positions, array.shape[dim])
    else:
        check_positions(positions, array.shape[dim], dim, error=IndexError, message="index out of range in self")
    picked = array.take(positions, dim)
    return finish(picked if self.array.ndim else picked.reshape(()), out)


def _check_selected(positions, size):
    """RuntimeError for a position outside: upstream's loops over dimension 1 and over nothing have their own checks."""
    if size == 0 and positions.size:
        raise RuntimeError("index_select(): self indexing axis dim should be positive, but there is nothing to select")
    check_positions(positions, size, None, message="INDICES element is out of DATA bounds, id={first} axis_dim={size}")


def _check_index_dtype(name, index, words="int32/int64"):
    if index.dtype not in (scalar_type.int64, scalar_type.int32):
        raise RuntimeError(f"{name}(): Expected dtype {words} for index, but got {index.dtype}")


def _at_least_1d(array):
    """A view in which a 0-d array has one dimension."""
    return array if array.ndim else array.reshape(1)


def _output(self, out):
    """What an operator writes to that starts from `self`'s elements: a copy, `out`, or `self`."""
    if out is None:
        return make_tensor(self.array.copy())
    if out is not self:
        finish(self.array, out)
    assert_no_internal_overlap(out)
    return out


def index_add(self, dim, index, source, *, alpha=1, out=None):
    """`alpha * source` added at the positions `index` of dimension `dim`; a position may come repeatedly."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _check_index_add(self, dim, index, source)
    result = _output(self, out)
    if self.array.ndim > 1 and self.array.size == 0:
        # Upstream does not look at the positions either.
        return result
    array, positions = _at_least_1d(result.array), _at_least_1d(index.array)
    added = source.array if alpha == 1 else source.array * source.array.dtype.type(alpha)
    if _adds_by_scatter(self, dim, index, alpha):
        check_positions(positions, array.shape[dim], dim)
    else:
        check_positions(positions, array.shape[dim], dim, error=IndexError, message="index out of range in self")
    add_at(array, (_WHOLE,) * dim + (positions,), _at_least_1d(added))
    return result


def _adds_by_scatter(self, dim, index, alpha):
    """Whether upstream calls scatter_add, whose error for a position outside is another."""
    ndim = self.array.ndim
    return ndim > 1 and dim in (0, ndim - 1) and alpha == 1 and index.dtype is scalar_type.int64


def _check_index_add(self, dim, index, source):
    if index.array.ndim > 1:
        raise IndexError("index_add_(): Index is supposed to be a vector")
    _check_index_dtype("index_add_", index)
    if self.dtype is not source.dtype:
        raise RuntimeError(
            f"index_add_(): self ({self.dtype.cpp_name}) and source ({source.dtype.cpp_name}) must have the same "
            "scalar type"
        )
    sizes, source_sizes = list(self.array.shape), list(source.array.shape)
    if dim != 0 and dim >= len(source_sizes):
        raise RuntimeError(
            f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {len(source_sizes)}"
        )
    if index.array.size != (source_sizes[dim] if source_sizes else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.array.size}) should be equal to source.size(dim): "
            f"({size_along(source.array, dim)}), for dim: {dim}"
        )
    others, source_others = sizes[:dim] + sizes[dim + 1 :], source_sizes[:dim] + source_sizes[dim + 1 :]
    if len(sizes) != len(source_sizes) or others != source_others:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {sizes} source.shape = {source_sizes}"
        )


def index_copy(self, dim, index, source, *, out=None):
    """`source` written to the positions `index` of dimension `dim`."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _check_index_copy(self, dim, index, source)
    result = _output(self, out)
    array, positions = _at_least_1d(result.array), _at_least_1d(index.array)
    size = array.shape[dim]
    if array.size == 0 and _is_nothing_written(result, dim, positions.size):
        return result
    message = "index_copy_(): index {first} is out of bounds for dimension {dim} with size {size}"
    check_positions(positions, size, dim, lowest=-size, error=IndexError, message=message)
    array[(_WHOLE,) * dim + (positions,)] = source.array
    return result


def _check_index_copy(self, dim, index, source):
    if index.array.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.array.ndim})")
    if index.dtype is not scalar_type.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {index.dtype.cpp_name}")
    if self.dtype is not source.dtype:
        raise RuntimeError(
            f"index_copy_(): self and source expected to have the same dtype, but got (self) {self.dtype.cpp_name} and "
            f"(source) {source.dtype.cpp_name}"
        )
    ndim, source_ndim = self.array.ndim, source.array.ndim
    if ndim != source_ndim and ndim and source_ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            f"dimensionality ({source_ndim}), destination dimensionality ({ndim})"
        )
    sizes, source_sizes = list(self.array.shape), list(source.array.shape)
    if sizes[:dim] + sizes[dim + 1 :] != source_sizes[:dim] + source_sizes[dim + 1 :]:
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{sizes[:dim] + sizes[dim + 1 :]} at dimension {dim} and source slice shape: "
            f"{source_sizes[:dim] + source_sizes[dim + 1 :]} at dimension 0."
        )
    length = source_sizes[dim] if source_sizes else 1
    if not source_sizes and index.array.size != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {index.array.size})"
        )
    if index.array.size != length:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.array.size}) should be equal to source.size(dim) ({length})"
        )


def _is_nothing_written(self, dim, count):
    """Whether the positions do not count either. Upstream sees the first place of `dim` `count` times."""
    sizes, strides = list(self.array.shape), list(self.strides())
    sizes[dim], strides[dim] = count, 0
    check_as_strided(self, sizes, strides, self.storage_offset())
    return 0 in sizes


def index_fill(self, dim, index, value):
    """A copy with `value` at the positions `index` of dimension `dim`."""
    overload = ops.index_fill_.int_Tensor if isinstance(value, TensorImpl) else ops.index_fill_.int_Scalar
    return overload(ops.clone.default(self), dim, index, value)


def index_fill_(self, dim, index, value):
    """The number `value` written to the positions `index` of dimension `dim`."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    if index.dtype is not scalar_type.int64:
        raise IndexError(f"index_fill_(): Expected dtype int64 for index, but got {index.dtype}")
    if index.array.ndim > 1:
        raise RuntimeError("index_fill_(): Index has to be a vector/scalar")
    _warn_if_expanded("index_fill_", self)
    array, positions = _at_least_1d(self.array), _at_least_1d(index.array)
    size = array.shape[dim]
    if array.size == 0 and _is_nothing_written(self, dim, positions.size):
        return self
    check_positions(positions, size, dim, lowest=-size, error=IndexError)
    array[(_WHOLE,) * dim + (positions,)] = checked_convert(value, self.dtype)
    return self


def index_fill__tensor(self, dim, index, value):
    """index_fill_() with a 0-d tensor."""
    if value.array.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.array.ndim} "
            "dimension(s)."
        )
    return ops.index_fill_.int_Scalar(self, dim, index, value.item())  # D2H: the kernel takes a number


def take(self, index, *, out=None):
    """The elements at these positions of the flattened tensor."""
    if index.dtype is not scalar_type.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {index.dtype.cpp_name}")
    size = self.array.size
    positions = index.array
    if size == 0 and positions.size:
        raise IndexError("take(): tried to take from an empty tensor, which no position is within")
    message = "out of range: tried to access index {first} on a tensor of {size} elements."
    check_positions(positions, size, None, lowest=-size, error=IndexError, message=message)
    return finish(self.array.reshape(-1).take(positions), out)


# -- along one dimension, each element by itself


def gather(self, dim, index, *, sparse_grad=False, out=None):
    """out[i][j] = self[index[i][j]][j] for dim 0: every element of the result says where it is from."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _check_index_dtype("gather", index)
    array, positions = _at_least_1d(self.array), _at_least_1d(index.array)
    if positions.size == 0:
        return finish(array_module(array).empty(index.array.shape, array.dtype), out)
    _gather_shape_check(array.shape, positions.shape, dim)
    check_positions(positions, array.shape[dim], dim)
    return finish(array[_key_along(dim, positions)].reshape(index.array.shape), out)


def _gather_shape_check(sizes, index_sizes, dim):
    if len(sizes) != len(index_sizes):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as input tensor, "
            f"but they have {len(index_sizes)} and {len(sizes)}"
        )
    for position, (size, index_size) in enumerate(zip(sizes, index_sizes, strict=True)):
        if position != dim and index_size > size:
            raise RuntimeError(
                f"Size does not match at dimension {position} expected index {list(index_sizes)} to be no larger than "
                f"self {list(sizes)} apart from dimension {dim}"
            )


def _key_along(dim, positions):
    """The key of the elements at `positions` of `dim` and, in the other dimensions, at their own place."""
    xp, ndim = array_module(positions), positions.ndim
    key = []
    for other, size in enumerate(positions.shape):
        if other == dim:
            key.append(positions)
        else:
            key.append(xp.arange(size).reshape((1,) * other + (size,) + (1,) * (ndim - other - 1)))
    return tuple(key)


def take_along_dim(self, indices, dim=None):
    """gather() whose index is broadcast; without `dim`, take()."""
    if indices.dtype is not scalar_type.int64:
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.cpp_name}")
    if dim is None:
        return ops.gather.default(ops.view.default(self, (-1,)), 0, ops.view.default(indices, (-1,)))
    if self.array.ndim != indices.array.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{self.array.ndim} dimensions for input, and {indices.array.ndim} dimensions for indices"
        )
    dim = maybe_wrap_dim(dim, self.array.ndim)
    sizes, index_sizes = list(self.array.shape), list(indices.array.shape)
    length = size_along(self.array, dim)
    sizes[dim] = index_sizes[dim]
    common = list(infer_size(tuple(sizes), tuple(index_sizes)))
    indices = ops.expand.default(indices, tuple(common))
    common[dim] = length
    self = ops.expand.default(self, tuple(common))
    return ops.gather.default(self, dim, indices)


def scatter(self, dim, index, src, *, out=None):
    """self[index[i][j]][j] = src[i][j] for dim 0: every element of `src` says where it goes; the last one stays."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _scatter_check("scatter", self, dim, index, src)
    result = _output(self, out)
    if index.array.size:
        key, values = _scatter_key(result, dim, index, src)
        _at_least_1d(result.array)[key] = values
    return result


def scatter_value(self, dim, index, value, *, out=None):
    """scatter() of one number."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _scatter_check("scatter", self, dim, index, None)
    result = _output(self, out)
    if index.array.size:
        key, _ = _scatter_key(result, dim, index, None)
        _at_least_1d(result.array)[key] = checked_convert(value, self.dtype)
    return result


def scatter_add(self, dim, index, src, *, out=None):
    """self[index[i][j]][j] += src[i][j] for dim 0; all that go to one place are added."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    _scatter_check("scatter_add", self, dim, index, src)
    result = _output(self, out)
    if index.array.size:
        key, values = _scatter_key(result, dim, index, src)
        add_at(_at_least_1d(result.array), key, values)
    return result


def _scatter_key(result, dim, index, src):
    """Where to write, and the part of `src` that the index speaks of."""
    array, positions = _at_least_1d(result.array), _at_least_1d(index.array)
    check_positions(positions, array.shape[dim], dim)
    values = None
    if src is not None:
        values = _at_least_1d(src.array)[tuple([slice(size) for size in positions.shape])]
    return _key_along(dim, positions), values


def _scatter_check(name, self, dim, index, src):
    _check_index_dtype(name, index)
    if src is not None and src.dtype is not self.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype, got {self.dtype} and {src.dtype}")
    if index.array.size == 0:
        return
    sizes, index_sizes = _at_least_1d(self.array).shape, _at_least_1d(index.array).shape
    if len(sizes) != len(index_sizes):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as self tensor, "
            f"but they have {len(index_sizes)} and {len(sizes)}"
        )
    src_sizes = index_sizes if src is None else _at_least_1d(src.array).shape
    if len(src_sizes) != len(index_sizes):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as src tensor, "
            f"but they have {len(index_sizes)} and {len(src_sizes)}"
        )
    for position, index_size in enumerate(index_sizes):
        if (position != dim and index_size > sizes[position]) or index_size > src_sizes[position]:
            raise RuntimeError(
                f"Expected index {list(index_sizes)} to be no larger than self {list(sizes)} apart from dimension "
                f"{dim}" + ("" if src is None else f" and to be no larger size than src {list(src_sizes)}")
            )


# -- by mask


def masked_fill(self, mask, value):
    """A copy, broadcast with the mask, with `value` where the mask is True."""
    shape = infer_size(mask.array.shape, self.array.shape)
    expanded = self if self.array.shape == shape else ops.expand.default(self, shape)
    result = ops.clone.default(expanded, memory_format=contiguous_format)
    return ops.masked_fill_(result, mask, value)


def masked_fill_(self, mask, value):
    """The number `value` written where the mask, broadcast, is True."""
    if mask.dtype is not scalar_type.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    _check_mask_fits(self, mask)
    _warn_if_expanded("masked_fill_", self)
    value = self.array.dtype.type(checked_convert(value, self.dtype))
    array_module(self.array).copyto(self.array, value, where=mask.array)
    return self


def _check_mask_fits(self, mask):
    shape = infer_size(self.array.shape, mask.array.shape)
    if shape != self.array.shape:
        raise RuntimeError(
            f"output with shape {list(self.array.shape)} doesn't match the broadcast shape {list(shape)}"
        )


def masked_fill__tensor(self, mask, value):
    """masked_fill_() with a 0-d tensor."""
    if value.array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s)."
        )
    return masked_fill_(self, mask, value.item())  # D2H: the kernel takes a number


def masked_select(self, mask, *, out=None):
    """The elements where the mask is True, both broadcast, in one dimension."""
    if mask.dtype is not scalar_type.bool_:
        raise RuntimeError(f"masked_select: expected BoolTensor for mask, but got {mask.dtype}")
    xp, shape = array_module(self.array), infer_size(self.array.shape, mask.array.shape)
    array, where = xp.broadcast_to(self.array, shape), xp.broadcast_to(mask.array, shape)
    return finish(array[where], out)  # D2H: the size of the result


def masked_scatter(self, mask, source):
    """A copy, broadcast with the mask, with the elements of `source`, one by one, where the mask is True."""
    shape = infer_size(mask.array.shape, self.array.shape)
    expanded = self if self.array.shape == shape else ops.expand.default(self, shape)
    result = ops.clone.default(expanded, memory_format=contiguous_format)
    return ops.masked_scatter_.default(result, mask, source)


def masked_scatter_(self, mask, source):
    """The elements of `source`, one by one, written where the mask is True."""
    if mask.dtype is not scalar_type.bool_:
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    if self.dtype is not source.dtype:
        raise RuntimeError(
            f"masked_scatter_: expected self and source to have same dtypes but got {self.dtype.cpp_name} and "
            f"{source.dtype.cpp_name}"
        )
    if mask.array.shape != self.array.shape:
        mask = ops.expand.default(mask, self.array.shape)
    assert_no_internal_overlap(self)
    where = mask.array
    if not isinstance(self.array, numpy.ndarray):
        _masked_scatter_on_device(self.array, where, source.array)
        return self
    count = int(where.sum())
    if source.array.size < count:
        raise RuntimeError(f"Number of elements of source < number of ones in mask: {source.array.size} and {count}")
    self.array[where] = source.array.reshape(-1)[:count]
    return self


def _masked_scatter_on_device(array, where, source):
    """How many places before it are True says which element of the source a place gets; nobody counts the source's."""
    if source.size:
        number = where.reshape(-1).cumsum().reshape(where.shape) - 1
        array[...] = array_module(array).where(where, source.reshape(-1)[number], array)


def nonzero(self, *, out=None):
    """The positions of the elements that are not zero: a row for each, a column for each dimension."""
    xp = array_module(self.array)
    if self.array.ndim == 0:
        count = int(bool(self.array))  # D2H: the size of the result
        positions = xp.empty((count, 0), scalar_type.int64.numpy)
    else:
        # Column by column in memory, as upstream has it.
        positions = xp.stack(self.array.nonzero()).T  # D2H: the size of the result
    return finish(positions, out)


def nonzero_numpy(self):
    """nonzero() as NumPy gives it: an index tensor for each dimension."""
    if self.array.ndim == 0:
        self = ops.unsqueeze.default(self, 0)
    return ops.unbind.int(ops.nonzero.default(self), 1)


def argwhere(self):
    """nonzero() by another name."""
    return ops.nonzero.default(self)


# -- gradients: zeros, with what was picked added where it was


def index_select_backward(grad, self_sizes, dim, index):
    """The gradient of index_select."""
    return ops.index_add_(ops.new_zeros(grad, self_sizes), dim, index, grad)


def gather_backward(grad, self, dim, index, sparse_grad):
    """The gradient of gather."""
    # Deviation: sparse_grad saves memory upstream; here the gradient is dense either way.
    return ops.scatter_add_(ops.new_zeros(grad, self.array.shape), dim, index, grad)


def masked_select_backward(grad, input, mask):
    """The gradient of masked_select, for an input that was broadcast with the mask."""
    shape = infer_size(input.array.shape, mask.array.shape)
    result = ops.zeros_like(ops.expand(input, shape), memory_format=contiguous_format)
    return ops.masked_scatter_(result, mask, grad)


def masked_scatter_backward(grad_output, mask, sizes):
    """The gradient of masked_scatter's source: what was not used gets 0."""
    selected = ops.masked_select(grad_output, mask)
    missing = math.prod(sizes) - selected.numel()
    if missing > 0:
        zeros = ops.zeros([missing], dtype=grad_output.dtype, device=grad_output.device)
        selected = ops.cat([selected, zeros], 0)
    return ops.view(selected, sizes)

"""sort, topk, kthvalue, median: elements in order, and where they were. Retells aten/src/ATen/native/Sorting.cpp.

A NaN counts as larger than every number. Each result is a pair, `values` and `indices`.

Deviation: every sort is stable; upstream's is where it is asked to be.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.core import return_types
from annotated_src.aten.dispatch import ALL_TYPES, dispatch
from annotated_src.aten.native.reduce_ops import zero_numel_check_dims
from annotated_src.aten.native.tensor_compare import finish_pair
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim


def sort(self, dim=-1, descending=False):
    """In order along `dim`."""
    return ops.sort.stable(self, stable=False, dim=dim, descending=descending)


def sort_stable(self, *, stable, dim=-1, descending=False, values=None, indices=None):
    """In order along `dim`; equal elements stay in the order they were in."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    ordered, positions = _sorted(self.array, dim, descending)
    return return_types.sort((finish(ordered, values), finish(positions, indices)))


def sort_values(self, dim=-1, descending=False, *, values, indices):
    """sort() into `values` and `indices`."""
    return ops.sort.values_stable(self, stable=False, dim=dim, descending=descending, values=values, indices=indices)


def _sorted(array, dim, descending):
    """(values, positions) as arrays."""
    xp = array_module(array)
    if array.ndim == 0:
        return array.copy(), xp.zeros((), scalar_type.int64.numpy)
    keys = _comparable(array)
    if not descending:
        positions = xp.argsort(keys, axis=dim, kind="stable")
    else:
        # From behind, so that equal elements come out in their order once the result is turned round.
        backwards = xp.argsort(xp.flip(keys, dim), axis=dim, kind="stable")
        positions = array.shape[dim] - 1 - xp.flip(backwards, dim)
    return xp.take_along_axis(array, positions, dim), positions.astype(scalar_type.int64.numpy, copy=False)


def _comparable(array):
    """The array in a dtype whose order the array module knows."""
    if array.dtype in (scalar_type.bfloat16.numpy, scalar_type.float16.numpy):
        return array.astype(scalar_type.float32.numpy)
    return array


def argsort(self, dim=-1, descending=False):
    """The indices of sort()."""
    return ops.sort.default(self, dim, descending)[1]


def argsort_stable(self, *, stable, dim=-1, descending=False):
    """The indices of a stable sort()."""
    return ops.sort.stable(self, stable=stable, dim=dim, descending=descending)[1]


def msort(self):
    """The values of sort() along dimension 0."""
    return ops.sort.default(self, 0, False)[0]


def topk(self, k, dim=-1, largest=True, sorted=True, *, values=None, indices=None):
    """The `k` largest (or smallest) along `dim`, the most extreme first."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    length = self.array.shape[dim] if self.array.ndim else 1
    if not 0 <= k <= length:
        raise RuntimeError(f"selected index k out of range: k is {k}, dimension {dim} has size {length}")
    if self.dtype is scalar_type.bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU: sort() does")
    ordered, positions = _sorted(self.array, dim, largest)
    if self.array.ndim:
        first = (slice(None),) * dim + (slice(k),)
        xp = array_module(self.array)
        ordered, positions = xp.ascontiguousarray(ordered[first]), xp.ascontiguousarray(positions[first])
    return return_types.topk((finish(ordered, values), finish(positions, indices)))


def kthvalue(self, k, dim=-1, keepdim=False, *, values=None, indices=None):
    """The `k`-th smallest along `dim`, counted from 1."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    zero_numel_check_dims(self.array, dim, "kthvalue")
    length = self.array.shape[dim] if self.array.ndim else 1
    if not 1 <= k <= length:
        raise RuntimeError(
            f"kthvalue(): selected number k out of range for dimension {dim}: k is {k}, the size is {length}"
        )
    ordered, positions = _sorted(self.array, dim, False)
    if self.array.ndim:
        key = (slice(None),) * dim + (slice(k - 1, k) if keepdim else k - 1, ...)
        ordered, positions = ordered[key].copy(), positions[key].copy()
    return return_types.kthvalue((finish(ordered, values), finish(positions, indices)))


# -- the middle one: of an even number, the lower of two


def median(self):
    """The middle element of all, NaN if there is one."""
    return _median_of_all(self, ignore_nan=False)


def nanmedian(self):
    """The middle element of those that are not NaN."""
    return _median_of_all(self, ignore_nan=True)


def _median_of_all(tensor, ignore_nan):
    dispatch(tensor.dtype, ALL_TYPES, "median_cpu")
    xp = array_module(tensor.array)
    if tensor.array.size == 0:
        # No number is in the middle of none; integers have no NaN, and get their lowest.
        nan = float("nan") if tensor.dtype.is_floating_point else numpy.iinfo(tensor.array.dtype).min
        return make_tensor(xp.full((), nan, tensor.array.dtype))
    flat = tensor.array.reshape(-1)
    position = _median_position(xp, _comparable(flat), 0, ignore_nan)
    return make_tensor(xp.take_along_axis(flat, position, 0).reshape(()))


def median_dim(self, dim, keepdim=False, *, values=None, indices=None):
    """The middle elements along `dim`, and where each is."""
    return return_types.median(_median_along(self, dim, keepdim, values, indices, ignore_nan=False))


def nanmedian_dim(self, dim, keepdim=False, *, values=None, indices=None):
    """The middle elements along `dim` of those that are not NaN, and where each is."""
    return return_types.nanmedian(_median_along(self, dim, keepdim, values, indices, ignore_nan=True))


def _median_along(tensor, dim, keepdim, values_out, indices_out, ignore_nan):
    dispatch(tensor.dtype, ALL_TYPES, "median_out")
    xp = array_module(tensor.array)
    dim = maybe_wrap_dim(dim, tensor.array.ndim)
    zero_numel_check_dims(tensor.array, dim, "median")
    array = tensor.array if tensor.array.ndim else tensor.array.reshape(1)
    position = _median_position(xp, _comparable(array), dim, ignore_nan)
    values = xp.take_along_axis(array, position, dim)
    return finish_pair(values, position, dim, keepdim and tensor.array.ndim > 0, values_out, indices_out)


def _median_position(xp, array, dim, ignore_nan):
    """Where the middle elements along `dim` are; the dimension stays, with size 1."""
    order = xp.argsort(array, axis=dim, kind="stable")
    nan = xp.expand_dims((array != array).sum(dim), dim)
    middle = xp.full_like(nan, (array.shape[dim] - 1) // 2)
    if ignore_nan:
        middle = xp.maximum(array.shape[dim] - nan - 1, 0) // 2
    else:
        # A NaN is sorted to the end; where there is one, the first of them is the answer.
        middle = xp.where(nan > 0, array.shape[dim] - nan, middle)
    return xp.take_along_axis(order, middle, dim)

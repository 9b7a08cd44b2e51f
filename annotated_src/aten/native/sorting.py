"""sort, topk, kthvalue: elements in order, and where they were. Retells aten/src/ATen/native/Sorting.cpp.

A NaN counts as larger than every number. Each result is a pair, `values` and `indices`.

Deviation: every sort is stable; upstream's is where it is asked to be.
"""

from annotated_src.aten import ops
from annotated_src.aten.core import return_types
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
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
    ordered, positions = _sorted(self.array, dim, largest)
    if self.array.ndim:
        first = (slice(None),) * dim + (slice(k),)
        xp = array_module(self.array)
        ordered, positions = xp.ascontiguousarray(ordered[first]), xp.ascontiguousarray(positions[first])
    return return_types.topk((finish(ordered, values), finish(positions, indices)))


def kthvalue(self, k, dim=-1, keepdim=False, *, values=None, indices=None):
    """The `k`-th smallest along `dim`, counted from 1."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
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

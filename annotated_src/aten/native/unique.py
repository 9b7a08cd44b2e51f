"""unique: every value once. Retells aten/src/ATen/native/Unique.cpp.

    output    the different values, in order
    inverse   for each element, where its value is in `output`
    counts    how often each value was there

What is not asked for comes back as an empty tensor.
"""

from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim, size_along


def _unique2(self, sorted=True, return_inverse=False, return_counts=False):
    """(output, inverse, counts) of all elements; the output is sorted in any case."""
    array = self.array
    xp, flat = array_module(array), array.reshape(-1)
    found = xp.unique(flat, return_inverse=True, return_counts=True, equal_nan=False)  # D2H: how many there are
    output, inverse, counts = found
    return _results(output, inverse.reshape(array.shape), counts, return_inverse, return_counts)


def unique_dim(self, dim, sorted=True, return_inverse=False, return_counts=False):
    """(output, inverse, counts) of the slices along `dim`."""
    _check_zero_dims(self.array, dim)
    array, dim = self.array, maybe_wrap_dim(dim, self.array.ndim)
    xp = array_module(array)
    found = xp.unique(array, return_inverse=True, return_counts=True, axis=dim)  # D2H: how many there are
    output, inverse, counts = found
    return _results(output, inverse.reshape(-1), counts, return_inverse, return_counts)


def _check_zero_dims(array, dim):
    """RuntimeError unless only `dim` is empty, if any dimension is: slices without elements are all equal."""
    size, zero_dims = size_along(array, dim), array.shape.count(0)
    if size == 0 and zero_dims > 1:
        raise RuntimeError("Number of zero sized dimensions is more than one, so unique cannot be applied")
    if size != 0 and zero_dims:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    """(output, inverse, counts) where only equal neighbours, along `dim` or of all elements, become one."""
    xp = array_module(self.array)
    if dim is not None:
        _check_zero_dims(self.array, dim)
    array = self.array.reshape(-1) if dim is None else self.array.swapaxes(0, maybe_wrap_dim(dim, self.array.ndim))
    starts = xp.ones(array.shape[:1], bool)
    differs = array[1:] != array[:-1]
    starts[1:] = differs.reshape(differs.shape[0], -1).any(1) if len(differs) else True
    first = xp.nonzero(starts)[0]  # D2H: how many there are
    counts = xp.diff(xp.concatenate([first, xp.full((1,), len(array), first.dtype)]))
    inverse = xp.cumsum(starts) - 1
    output = array[first]
    if dim is not None:
        output = xp.ascontiguousarray(output.swapaxes(0, maybe_wrap_dim(dim, self.array.ndim)))
    else:
        inverse = inverse.reshape(self.array.shape)
    return _results(output, inverse, counts, return_inverse, return_counts)


def _results(output, inverse, counts, return_inverse, return_counts):
    int64 = scalar_type.int64.numpy
    nothing = array_module(output).empty((0,), int64)
    return (
        make_tensor(output),
        make_tensor(inverse.astype(int64) if return_inverse else nothing),
        make_tensor(counts.astype(int64) if return_counts else nothing.copy()),
    )

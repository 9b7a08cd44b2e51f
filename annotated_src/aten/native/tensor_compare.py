"""Kernels that compare: extremes along a dimension, limits, special values.

Retells aten/src/ATen/native/TensorCompare.cpp and cpu/TensorCompareKernel.cpp.
"""

from annotated_src.aten import ops
from annotated_src.aten.core import return_types
from annotated_src.aten.native.reduce_ops import comparable, rounded, zero_numel_check_dims
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import COMPLEX
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError

# -- extremes along a dimension


def max_dim(self, dim, keepdim=False, *, max=None, max_values=None):
    """The largest elements along `dim`, and where each is: the first of several. A NaN counts as the largest."""
    return return_types.max(_extreme_along(self, "max", dim, keepdim, max, max_values))


def min_dim(self, dim, keepdim=False, *, min=None, min_indices=None):
    """The smallest elements along `dim`, and where each is: the first of several. A NaN counts as the smallest."""
    return return_types.min(_extreme_along(self, "min", dim, keepdim, min, min_indices))


def _extreme_along(tensor, name, dim, keepdim, values_out, indices_out):
    xp = array_module(tensor.array)
    dim = maybe_wrap_dim(dim, tensor.array.ndim)
    zero_numel_check_dims(tensor.array, dim, name)
    if tensor.dtype.category == COMPLEX:
        raise TorchError(f"{name}(): does not support complex input")
    array = tensor.array if tensor.array.ndim else tensor.array.reshape(1)
    order = comparable(array)
    indices = xp.expand_dims(getattr(order, "arg" + name)(dim), dim)
    values = xp.take_along_axis(array, indices, dim)
    return finish_pair(values, indices, dim, keepdim and tensor.array.ndim > 0, values_out, indices_out)


def finish_pair(values, indices, dim, keepdim, values_out, indices_out):
    """Values and their indices as tensors; both arrays still have the dimension, with size 1."""
    check_indices_out(indices_out)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return finish(values, values_out), finish(indices, indices_out)


def check_indices_out(indices_out):
    """RuntimeError where indices are to go into anything but int64."""
    if indices_out is not None and indices_out.dtype.name != "int64":
        raise TorchError(
            f"Expected out tensor to have dtype long int, but got {indices_out.dtype.name} instead: indices are int64"
        )


def aminmax(self, *, dim=None, keepdim=False, min=None, max=None):
    """(smallest, largest) along `dim`, or of all elements; NaN if there is one."""
    array = self.array
    if dim is None and array.size == 0:
        raise TorchError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    if dim is not None:
        dim = maybe_wrap_dim(dim, array.ndim)
        zero_numel_check_dims(array, dim, "aminmax")
    order = comparable(array)
    axis = dim if array.ndim else None
    smallest = rounded(order.min(axis, keepdims=keepdim), self.dtype)
    largest = rounded(order.max(axis, keepdims=keepdim), self.dtype)
    return return_types.aminmax((finish(smallest, min), finish(largest, max)))


def max_other(self, other):
    """The larger of two, element by element: `maximum` under an older name."""
    return ops.maximum(self, other)


def max_out(self, other, *, out):
    """`max_other` into `out`."""
    return ops.maximum(self, other, out=out)


def min_other(self, other):
    """The smaller of two, element by element: `minimum` under an older name."""
    return ops.minimum(self, other)


def min_out(self, other, *, out):
    """`min_other` into `out`."""
    return ops.minimum(self, other, out=out)

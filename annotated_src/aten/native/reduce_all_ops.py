"""The largest and smallest of all elements. Retells aten/src/ATen/native/ReduceAllOps.cpp."""

from annotated_src.aten.native.reduce_ops import comparable, rounded, zero_numel_check_dims
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.core.scalar_type import COMPLEX


def max_(self, *, out=None):
    """The largest element; NaN if there is one."""
    return _of_all(self, "max", out)


def min_(self, *, out=None):
    """The smallest element; NaN if there is one."""
    return _of_all(self, "min", out)


def _of_all(tensor, name, out):
    zero_numel_check_dims(tensor.array, None, name)
    if tensor.dtype.category == COMPLEX:
        raise NotImplementedError(f'"{name}_all" not implemented for {tensor.dtype.cpp_name!r}')
    result = getattr(comparable(tensor.array), name)()
    return finish(rounded(result, tensor.dtype), out)

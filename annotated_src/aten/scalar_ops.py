"""A number as a tensor. Retells aten/src/ATen/ScalarOps.h.

Deviation: upstream marks such a tensor ("wrapped number"), so that it ranks below every other operand when the dtype
of a result is found. Here its dtype is chosen so that it comes to the same.
"""

import numpy

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar import dtype_of_number
from annotated_src.c10.core.tensor_impl import make_tensor

_WIDEST = (scalar_type.bool_, scalar_type.int64, scalar_type.float64, scalar_type.complex128)


def wrapped_scalar_tensor(number, beside=None):
    """The number as a 0-d tensor that will meet the tensor `beside`, or nothing."""
    return make_tensor(numpy.asarray(number).astype(_dtype(number, beside).numpy))


def _dtype(number, beside):
    dtype = dtype_of_number(number)
    if beside is None or dtype.category > beside.dtype.category:
        return dtype
    if beside.array.ndim:
        # It is outranked, so it may as well keep all its digits.
        return _WIDEST[dtype.category]
    return beside.dtype

"""Questions about dtypes, as operators. Retells aten/src/ATen/native/TypeProperties.cpp.

The rules are elsewhere: aten/tensor_iterator.py's `result_type`, c10/core/scalar_type.py's `promote_types`.
"""

from annotated_src.aten import ops, tensor_iterator
from annotated_src.c10.core import scalar_type


def result_type(tensor, other):
    """The dtype that arithmetic of these two, tensors or numbers, would give."""
    return tensor_iterator.result_type((tensor, other))


def result_type_scalar_tensor(scalar, tensor):
    """The same for a number and a tensor."""
    return tensor_iterator.result_type((scalar, tensor))


def result_type_scalar_scalar(scalar1, scalar2):
    """The same for two numbers."""
    return tensor_iterator.result_type((scalar1, scalar2))


def can_cast(from_, to):
    """Whether a result of dtype `from_` may be written into a tensor of dtype `to`."""
    return scalar_type.can_cast(from_, to)


def promote_types(type1, type2):
    """The smallest dtype to which both convert without losing their category."""
    return scalar_type.promote_types(type1, type2)


def is_floating_point(self):
    """Whether the elements are floats."""
    return self.dtype.is_floating_point


def is_complex(self):
    """Whether the elements are complex."""
    return self.dtype.is_complex


def is_signed(self):
    """Whether an element can be negative."""
    return self.dtype.is_signed


def type_as(self, other):
    """`self` with `other`'s dtype and device."""
    return ops.to.dtype_layout(self, dtype=other.dtype, layout=None, device=other.device)

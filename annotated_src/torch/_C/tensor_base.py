"""TensorBase: what upstream writes in C++ of a tensor's Python face.

Retells torch/csrc/autograd/python_variable.cpp and the generated python_variable_methods.cpp.

    properties and questions   shape, dtype, stride() ...: answered on the spot, no operator is called
    Python's operators         x + y, x[i], x == y: each calls one operator
    methods                    x.add(y): the operator packet itself; `Tensor.add` is `torch.add`
"""

from annotated_src.aten import ops
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.size import Size

_NUMBERS = (int, float, complex)


def _is_operand(other):
    """What may stand beside a tensor in `x + other`."""
    return isinstance(other, (TensorImpl, *_NUMBERS))


class TensorBase(TensorImpl):
    """A tensor's C++ half; torch.Tensor is its subclass."""

    # -- properties and questions

    @property
    def shape(self):
        """The sizes."""
        return Size(self.array.shape)

    # -- Python's operators

    def __add__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.add(self, other)

    __radd__ = __add__

    def __mul__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.mul(self, other)

    __rmul__ = __mul__

    # -- methods: pointwise

    add = ops.add
    add_ = ops.add_
    mul = ops.mul
    mul_ = ops.mul_

"""Tensor: the Python half of the tensor. Retells torch/_tensor.py.

The C++ half, which is most of it, is torch/_C/tensor_base.py.
"""

from annotated_src.c10.core.tensor_impl import set_tensor_class
from annotated_src.torch import _tensor_str
from annotated_src.torch._C import TensorBase, _VariableFunctions
from annotated_src.torch._C.tensor_base import _is_operand


class Tensor(TensorBase):
    """An n-dimensional array of one dtype on one device, with a memory that views share.

    Upstream: torch/_tensor.py, torch/csrc/autograd/python_variable.cpp.
    """

    def __hash__(self):
        # By identity: `==` is an operator that works element by element.
        return id(self)

    # -- Python's operators whose right operand is the tensor

    def __rsub__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.rsub(self, other)

    def __rtruediv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return self.reciprocal() * other

    # -- printing

    def __repr__(self, *, tensor_contents=None):
        return _tensor_str._str(self, tensor_contents=tensor_contents)

    def __format__(self, format_spec):
        # A tensor without dimensions formats as the number that it holds: f"{loss:.3f}".
        if self.array.ndim == 0 and type(self) is Tensor:
            return format(self.array.item(), format_spec)
        return object.__format__(self, format_spec)


# Kernels make tensors of this class from now on.
set_tensor_class(Tensor)
_tensor_str.plain_types.add(Tensor)

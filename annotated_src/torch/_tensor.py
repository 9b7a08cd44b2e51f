"""Tensor: the Python half of the tensor. Retells torch/_tensor.py.

The C++ half, which is most of it, is torch/_C/tensor_base.py.
"""

from annotated_src.c10.core.tensor_impl import set_tensor_class
from annotated_src.torch import _tensor_str
from annotated_src.torch._C import TensorBase


class Tensor(TensorBase):
    """An n-dimensional array of one dtype on one device, with a memory that views share.

    Upstream: torch/_tensor.py, torch/csrc/autograd/python_variable.cpp.
    """

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

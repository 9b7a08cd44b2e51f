"""Tensor: the Python half of the tensor. Retells torch/_tensor.py.

The C++ half, which is most of it, is torch/_C/tensor_base.py.
"""

from annotated_src.c10.core.tensor_impl import set_tensor_class
from annotated_src.torch._C import TensorBase


class Tensor(TensorBase):
    """An n-dimensional array of one dtype on one device, with a memory that views share.

    Upstream: torch/_tensor.py, torch/csrc/autograd/python_variable.cpp.
    """


# Kernels make tensors of this class from now on.
set_tensor_class(Tensor)

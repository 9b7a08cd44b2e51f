"""The functions of `torch` that are no operators: tensors from Python data.

Retells torch/csrc/autograd/python_torch_functions_manual.cpp.
"""

from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.utils import tensor_new
from annotated_src.torch.csrc.utils.tensor_numpy import tensor_from_numpy


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new tensor with a copy of `data`: numbers, nested sequences of them, NumPy arrays or tensors.

    Upstream: torch.tensor. ValueError for sequences of unequal length, TypeError for what is no number.

    >>> from annotated_src import torch
    >>> torch.tensor([[1, 2], [3, 4]]).dtype, torch.tensor([1, 2.5]).dtype
    (torch.int64, torch.float32)
    """
    return tensor_new.tensor_ctor(data, dtype, device, requires_grad, pin_memory)


def as_tensor(data, dtype=None, device=None):
    """`data` as a tensor, without a copy where its memory can be shared: a tensor itself, a NumPy array.

    Upstream: torch.as_tensor.

    >>> from annotated_src import torch
    >>> import numpy
    >>> a = numpy.zeros(2)
    >>> t = torch.as_tensor(a)
    >>> a[0] = 7
    >>> t
    tensor([7., 0.], dtype=torch.float64)
    """
    return tensor_new.as_tensor(data, dtype, device)


def from_numpy(ndarray, /):
    """A tensor over the array's memory.

    Upstream: torch.from_numpy. TypeError for a dtype that no tensor has, ValueError for negative strides.

    >>> from annotated_src import torch
    >>> import numpy
    >>> torch.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
    return tensor_from_numpy(ndarray)


def numel(input):
    """The number of elements of a tensor."""
    if not isinstance(input, TensorImpl):
        raise TypeError(f"numel(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input.numel()

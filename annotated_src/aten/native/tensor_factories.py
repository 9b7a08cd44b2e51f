"""Kernels that make tensors from sizes. Retells aten/src/ATen/native/TensorFactories.cpp."""

import numpy

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor


def module_for(device):
    """The array module of a device; None is the CPU."""
    if device is None or device.type == "cpu":
        return numpy
    return cuda_module()


def empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """A tensor of `size` whose elements are whatever the memory held."""
    dtype = dtype or scalar_type.get_default_dtype()
    return make_tensor(module_for(device).empty(tuple(size), dtype.numpy))


def ones(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` filled with 1."""
    dtype = dtype or scalar_type.get_default_dtype()
    return make_tensor(module_for(device).ones(tuple(size), dtype.numpy))

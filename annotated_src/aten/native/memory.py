"""Page-locked ("pinned") memory, from which a CUDA card copies in the background.

Retells aten/src/ATen/native/Memory.cpp.

    is_pinned       is the memory page-locked?
    pin_memory      the tensor itself, if it is; else
    _pin_memory     a copy of it in page-locked memory
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.cuda.pinned_memory_allocator import allocate, is_pinned_ptr
from annotated_src.c10.core.storage import data_ptr
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def is_pinned(self, device=None):
    """Whether the memory is page-locked; False without a CUDA card."""
    if device is not None:
        warnings.warn(
            "The argument 'device' of Tensor.is_pinned() is deprecated. Leave it out: there is one kind of card",
            DeprecationWarning,
        )
    if not isinstance(self.array, numpy.ndarray):
        return False
    return is_pinned_ptr(data_ptr(self.array))


def pin_memory(self, device=None):
    """`self` in page-locked memory; RuntimeError without a CUDA card."""
    if device is not None:
        warnings.warn(
            "The argument 'device' of Tensor.pin_memory() is deprecated. Leave it out: there is one kind of card",
            DeprecationWarning,
        )
    if ops.is_pinned.default(self):
        return self
    return ops._pin_memory.default(self)


def _pin_memory(self, device=None):
    """A copy of `self` in page-locked memory."""
    if not isinstance(self.array, numpy.ndarray):
        raise TorchError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
    tensor = make_tensor(empty_pinned(self.array.shape, self.array.dtype))
    return ops.copy_.default(tensor, self)


def empty_pinned(shape, numpy_dtype):
    """A NumPy array over page-locked memory."""
    count = int(numpy.prod(shape, dtype=numpy.int64))
    return allocate(count * numpy_dtype.itemsize).view(numpy_dtype).reshape(shape)

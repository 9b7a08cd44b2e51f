"""one_hot: class numbers as rows of zeros with a single 1. Retells aten/src/ATen/native/Onehot.cpp."""

import numpy

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type
from annotated_src.c10.util.exception import TorchError


def one_hot(self, num_classes=-1):
    """(...) -> (..., num_classes), int64; -1: as many classes as the largest number needs."""
    if self.dtype is not scalar_type.int64:
        raise TorchError(
            f"one_hot is only applicable to index tensor of type LongTensor, but got {self.dtype.cpp_name}; convert it "
            "with .long()"
        )
    shape = self.array.shape
    if self.array.size == 0:
        if num_classes <= 0:
            raise TorchError("Can not infer total number of classes from empty tensor.")
        return ops.empty.memory_format((*shape, num_classes), dtype=self.dtype, device=self.device)
    if isinstance(self.array, numpy.ndarray):
        num_classes = _checked(self, num_classes)
    elif num_classes == -1:
        num_classes = ops.item.default(ops.max.default(self)) + 1  # D2H: the size of the result
    elif num_classes < 1:
        raise TorchError(f"num_classes should be positive, but got {num_classes}")
    result = ops.zeros.default((*shape, num_classes), dtype=self.dtype, device=self.device)
    return ops.scatter_.value(result, -1, ops.unsqueeze.default(self, -1), 1)


def _checked(self, num_classes):
    """How many classes there are; RuntimeError for numbers that are none. (A card is not asked.)"""
    least, most = (ops.item.default(limit) for limit in ops.aminmax.default(self))
    if least < 0:
        raise TorchError(f"Class values must be non-negative. Found {least}.")
    if num_classes == -1:
        return most + 1
    if num_classes < 1:
        raise TorchError(f"num_classes should be positive, but got {num_classes}")
    if num_classes <= most:
        raise TorchError(f"Class values must be smaller than num_classes. Found {most}, num_classes is {num_classes}.")
    return num_classes

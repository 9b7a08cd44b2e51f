"""bincount: how often does each number occur? Retells aten/src/ATen/native/SummaryOps.cpp."""

from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import INTEGRAL
from annotated_src.c10.core.tensor_impl import make_tensor


def bincount(self, weights=None, minlength=0):
    """Element k: how often k occurs in `self`, or the sum of its weights; at least `minlength` elements."""
    numbers = self.array
    xp = array_module(numbers)
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if numbers.ndim == 1 and numbers.size == 0:
        return make_tensor(xp.zeros((minlength,), scalar_type.int64.numpy))
    if self.dtype.category != INTEGRAL:
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{self.dtype.cpp_name}'")
    if numbers.ndim != 1 or int(numbers.min()) < 0:  # D2H: upstream looks at the smallest, too
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        counts = xp.bincount(numbers, minlength=minlength)  # D2H: the largest number is the result's size
        return make_tensor(counts.astype(scalar_type.int64.numpy, copy=False))
    if weights.array.shape != numbers.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    # float32 weights are added up in double, as are all others, and rounded once.
    sums = xp.bincount(numbers, weights=weights.array, minlength=minlength)  # D2H: the size of the result
    dtype = scalar_type.float32 if weights.dtype is scalar_type.float32 else scalar_type.float64
    return make_tensor(sums.astype(dtype.numpy, copy=False))

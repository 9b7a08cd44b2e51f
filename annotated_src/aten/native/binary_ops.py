"""Kernels of two operands. Retells aten/src/ATen/native/BinaryOps.cpp and cpu/BinaryOpsKernel.cpp.

Every kernel is one line of arithmetic; TensorIterator does the rest.
"""

from annotated_src.aten.tensor_iterator import binary_op
from annotated_src.c10.array_module import array_module


def add(self, other, *, alpha=1, out=None):
    """self + alpha * other."""
    xp = array_module(self.array)
    if alpha == 1:
        return binary_op(xp.add, self, other, out)
    return binary_op(lambda a, b: a + a.dtype.type(alpha) * b, self, other, out)


def mul(self, other, *, out=None):
    """self * other."""
    xp = array_module(self.array)
    return binary_op(xp.multiply, self, other, out)

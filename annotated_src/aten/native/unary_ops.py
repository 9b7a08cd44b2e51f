"""Kernels of one operand. Retells aten/src/ATen/native/UnaryOps.cpp and cpu/UnaryOpsKernel.cpp."""

from annotated_src.aten.tensor_iterator import unary_op
from annotated_src.c10.array_module import array_module
from annotated_src.c10.util.exception import TorchError


def abs_(self, *, out=None):
    """|self|."""
    return unary_op(array_module(self.array).absolute, self, out)


def neg(self, *, out=None):
    """-self."""
    if self.array.dtype.kind == "b":
        raise TorchError(
            "Negation, the `-` operator, on a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )
    return unary_op(array_module(self.array).negative, self, out)


def reciprocal(self, *, out=None):
    """1 / self."""
    xp = array_module(self.array)
    return unary_op(lambda a: xp.divide(a.dtype.type(1), a), self, out, to_float=True, opmath=True)

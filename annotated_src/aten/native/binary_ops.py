"""Kernels of two operands. Retells aten/src/ATen/native/BinaryOps.cpp and cpu/BinaryOpsKernel.cpp.

Every kernel is a line or two of arithmetic; TensorIterator does the rest. In order: sums, products, quotients,
powers, comparisons, logic and bits.
"""

from annotated_src.aten import ops
from annotated_src.aten.tensor_iterator import OPMATH, binary_op, cast_number, result_type
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError

# -- sums


def add(self, other, *, alpha=1, out=None):
    """self + alpha * other."""
    xp = array_module(self.array)
    if type(alpha) is int and alpha == 1:
        return binary_op(xp.add, self, other, out, opmath=True)
    alpha = scale(self, other, alpha)
    return binary_op(lambda a, b: xp.add(a, b * alpha), self, other, out, opmath=True)


def sub(self, other, *, alpha=1, out=None):
    """self - alpha * other; bools have no difference."""
    xp = array_module(self.array)
    if self.array.dtype.kind == "b" or isinstance(other, bool) or _is_bool(other):
        sub_check(self, other)
    if type(alpha) is int and alpha == 1:
        return binary_op(xp.subtract, self, other, out, opmath=True)
    alpha = scale(self, other, alpha)
    return binary_op(lambda a, b: xp.subtract(a, b * alpha), self, other, out, opmath=True)


def rsub(self, other, *, alpha=1):
    """other - alpha * self: what `other - self` becomes where only the second is a tensor."""
    if not isinstance(other, TensorImpl):
        sub_check(self, other)
        xp = array_module(self.array)
        if type(alpha) is int and alpha == 1:
            return binary_op(lambda a, b: xp.subtract(b, a), self, other, opmath=True)
        alpha = scale(self, other, alpha)
        return binary_op(lambda a, b: xp.subtract(b, a * alpha), self, other, opmath=True)
    return ops.sub(other, self, alpha=alpha)


def scale(self, other, alpha):
    """`alpha` as the common dtype of the operands computes with it."""
    dtype = result_type((self, other))
    alpha_check(dtype, alpha)
    return cast_number(alpha, OPMATH.get(dtype, dtype))


def alpha_check(dtype, alpha):
    """RuntimeError where `alpha` would make the result another kind of number."""
    if isinstance(alpha, bool) and dtype.category != BOOL:
        raise TorchError(f"Boolean alpha only supported for Boolean results, not for {dtype}.")
    if isinstance(alpha, float) and dtype.category < FLOATING:
        raise TorchError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and dtype.category != COMPLEX:
        raise TorchError("For non-complex input tensors, argument alpha must not be a complex number.")


def sub_check(self, other):
    """RuntimeError for the difference of two bools, and of a bool and anything."""
    if _is_bool(self) and _is_bool(other):
        raise TorchError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if _is_bool(self) or _is_bool(other):
        raise TorchError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def _is_bool(operand):
    if isinstance(operand, TensorImpl):
        return operand.array.dtype.kind == "b"
    return isinstance(operand, bool)


# -- products and quotients


def mul(self, other, *, out=None):
    """self * other."""
    xp = array_module(self.array)
    return binary_op(xp.multiply, self, other, out, opmath=True)


def div(self, other, *, out=None):
    """self / other; integers are divided as floats."""
    xp = array_module(self.array)
    return binary_op(xp.divide, self, other, out, to_float=True, opmath=True)


# -- comparisons


def eq(self, other, *, out=None):
    """self == other, as bools."""
    return binary_op(array_module(self.array).equal, self, other, out, predicate=True)


def ne(self, other, *, out=None):
    """self != other, as bools."""
    return binary_op(array_module(self.array).not_equal, self, other, out, predicate=True)


def lt(self, other, *, out=None):
    """self < other, as bools."""
    return binary_op(array_module(self.array).less, self, other, out, predicate=True)


def le(self, other, *, out=None):
    """self <= other, as bools."""
    return binary_op(array_module(self.array).less_equal, self, other, out, predicate=True)


def gt(self, other, *, out=None):
    """self > other, as bools."""
    return binary_op(array_module(self.array).greater, self, other, out, predicate=True)


def ge(self, other, *, out=None):
    """self >= other, as bools."""
    return binary_op(array_module(self.array).greater_equal, self, other, out, predicate=True)

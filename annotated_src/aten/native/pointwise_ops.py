"""Kernels of three operands: addcmul, addcdiv, lerp.

Retells aten/src/ATen/native/PointwiseOps.cpp, cpu/PointwiseOpsKernel.cpp and Lerp.cpp's formula (Lerp.h).
"""

from annotated_src.aten.dispatch import FLOATING_AND_COMPLEX_TYPES, dispatch
from annotated_src.aten.tensor_iterator import OPMATH, cast_number, pointwise, result_type
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import FLOATING
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError


def addcmul(self, tensor1, tensor2, *, value=1, out=None):
    """self + value * tensor1 * tensor2."""
    value = _scale(value, (self, tensor1, tensor2))
    return pointwise(lambda a, b, c: a + _scaled(b * c, value), (self, tensor1, tensor2), out, opmath=True)


def addcdiv(self, tensor1, tensor2, *, value=1, out=None):
    """self + value * tensor1 / tensor2; integers cannot be divided here."""
    if tensor1.dtype.category < FLOATING and tensor2.dtype.category < FLOATING:
        raise TorchError(
            "Integer division with addcdiv is no longer supported: it is not said whether the quotient is to be "
            "rounded. Write (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for the rounded one"
        )
    value = _scale(value, (self, tensor1, tensor2))
    return pointwise(lambda a, b, c: a + _scaled(b / c, value), (self, tensor1, tensor2), out, opmath=True)


def _scaled(array, value):
    # In place, as it is nobody else's: a further array would cost more than the product.
    array *= value
    return array


def _scale(value, operands):
    """`value` as the common dtype of the operands computes with it."""
    dtype = operands[0].dtype
    if any(operand.dtype is not dtype for operand in operands):
        dtype = result_type(operands)
    return cast_number(value, OPMATH.get(dtype, dtype))


def lerp_scalar(self, end, weight, *, out=None):
    """From self (weight 0) to end (weight 1)."""
    _check_end(self, end)
    dispatch(self.dtype, FLOATING_AND_COMPLEX_TYPES, "lerp_kernel_scalar")
    weight = cast_number(weight, OPMATH.get(self.dtype, self.dtype))
    return pointwise(lambda a, b: _lerp_by_number(a, b, weight), (self, end), out, opmath=True)


def lerp_tensor(self, end, weight, *, out=None):
    """From self (weight 0) to end (weight 1), with a weight for each element."""
    _check_end(self, end)
    if weight.dtype is not self.dtype:
        raise TorchError(f"expected dtype {self.dtype.name} for `weight` but got dtype {weight.dtype.name}")
    dispatch(self.dtype, FLOATING_AND_COMPLEX_TYPES, "lerp_kernel_tensor")
    xp = array_module(self.array)
    return pointwise(lambda a, b, w: _lerp(xp, a, b, w), (self, end, weight), out, opmath=True)


def _check_end(self, end):
    if isinstance(end, TensorImpl) and end.dtype is not self.dtype:
        raise TorchError(f"expected dtype {self.dtype.name} for `end` but got dtype {end.dtype.name}")


# The nearer end is the one to start from: so weight 1 gives exactly `end`.


def _lerp_by_number(start, end, weight):
    if abs(weight) < 0.5:
        return start + _scaled(end - start, weight)
    return end - _scaled(end - start, 1 - weight)


def _lerp(xp, start, end, weight):
    from_start = start + weight * (end - start)
    from_end = end - (end - start) * (1 - weight)
    return xp.where(xp.abs(weight) < 0.5, from_start, from_end)

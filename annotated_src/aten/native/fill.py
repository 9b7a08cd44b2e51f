"""fill_ and zero_: one value in every place. Retells aten/src/ATen/native/Fill.cpp."""

from annotated_src.aten import ops
from annotated_src.c10.core.scalar import checked_convert
from annotated_src.c10.util.exception import TorchError


def fill_scalar_(self, value):
    """Write `value` everywhere; RuntimeError if the dtype cannot hold it."""
    self.array.fill(checked_convert(value, self.dtype))
    return self


def fill_tensor_(self, value):
    """Write the one element of a 0-d tensor everywhere."""
    if value.array.ndim != 0:
        raise TorchError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.array.ndim} dimensions."
        )
    if self.device != value.device:
        return ops.fill_.Scalar(self, value.item())  # D2H: unless the value is on the host and the tensor is not
    return ops.copy_.default(self, value)


def fill_scalar(self, value):
    """A new tensor like `self`, filled."""
    return ops.fill_.Scalar(ops.empty_like.default(self), value)


def fill_tensor(self, value):
    """A new tensor like `self`, filled with the element of a 0-d tensor."""
    return ops.fill_.Tensor(ops.empty_like.default(self), value)


def zero_(self):
    """Write 0 everywhere."""
    self.array.fill(0)
    return self

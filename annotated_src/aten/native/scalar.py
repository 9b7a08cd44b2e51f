"""item: the one element of a tensor as a Python number. Retells aten/src/ATen/native/Scalar.cpp."""

from annotated_src.aten import ops
from annotated_src.c10.util.exception import TorchError


def item(self):
    """The element; RuntimeError if there is not exactly one."""
    if self.array.size != 1:
        raise TorchError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
    return ops._local_scalar_dense.default(self)


def _local_scalar_dense(self):
    return self.array.item()  # D2H: on CUDA this waits for the card and fetches the element

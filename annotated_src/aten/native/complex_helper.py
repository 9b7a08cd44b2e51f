"""A complex tensor as real numbers. Retells aten/src/ATen/native/ComplexHelper.h.

Left out: view_as_complex.
"""

from annotated_src.c10.core.tensor_impl import make_view
from annotated_src.c10.util.exception import TorchError


def view_as_real(self):
    """The same memory as real and imaginary parts, in a last dimension of two."""
    if not self.dtype.is_complex:
        raise TorchError(f"view_as_real is only supported for complex tensors, but the tensor is {self.dtype}")
    array = self.array
    parts = array[..., None].view(self.dtype.to_real().numpy)
    return make_view(self, parts)

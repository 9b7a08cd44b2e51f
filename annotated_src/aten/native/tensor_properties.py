"""contiguous and what else is asked of one tensor. Retells aten/src/ATen/native/TensorProperties.cpp."""

from annotated_src.aten import ops
from annotated_src.c10.core.memory_format import contiguous_format, preserve_format
from annotated_src.c10.util.exception import TorchError


def contiguous(self, *, memory_format=contiguous_format):
    """`self` if its memory is in this order without gaps, else a copy that is."""
    if self.is_contiguous(memory_format):
        return self
    if memory_format is preserve_format:
        raise TorchError("preserve memory format is unsupported by the contiguous operator")
    return ops.clone.default(self, memory_format=memory_format)


def is_same_size(self, other):
    """Whether both have the same shape."""
    return self.array.shape == other.array.shape

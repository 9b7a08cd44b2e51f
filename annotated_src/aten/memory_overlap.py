"""Do two elements of one tensor lie in the same place? Retells aten/src/ATen/MemoryOverlap.h.

Left out: the search for partial overlap of two tensors.
"""

from annotated_src.c10.util.exception import TorchError


def has_internal_overlap(tensor):
    """Whether some dimension steps on the spot, as an expanded one does."""
    array = tensor.array
    if 0 not in array.strides:
        return False
    return any(stride == 0 and size > 1 for size, stride in zip(array.shape, array.strides, strict=True))


def assert_no_internal_overlap(tensor):
    """RuntimeError, if writing one element would change another."""
    if has_internal_overlap(tensor):
        raise TorchError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )

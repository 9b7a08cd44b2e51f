"""Does memory that is written lie in the way of memory that is read? Retells aten/src/ATen/MemoryOverlap.h.

    has_internal_overlap      two elements of one tensor are in the same place
    assert_no_partial_overlap the written-to tensor is a shifted window of an operand; the very same window is fine

Tensors with gaps may interleave without touching, which nobody works out: they pass.
"""

from annotated_src.c10.util.exception import TorchError


def has_internal_overlap(tensor):
    """Whether some dimension steps on the spot, as an expanded one does."""
    array = tensor.array
    if 0 not in array.strides or array.size == 0:
        return False
    return any(stride == 0 and size > 1 for size, stride in zip(array.shape, array.strides, strict=True))


def assert_no_internal_overlap(tensor):
    """RuntimeError, if writing one element would change another."""
    if has_internal_overlap(tensor):
        raise TorchError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )


def assert_no_partial_overlap(written, operand):
    """RuntimeError, if writing one tensor would change the other while it is read."""
    if written._storage is None or operand._storage is not written._storage:
        return
    if written.storage_offset() == operand.storage_offset() and written.array.strides == operand.array.strides:
        return
    if not (is_non_overlapping_and_dense(written.array) and is_non_overlapping_and_dense(operand.array)):
        return
    first, first_end = _extent(written)
    second, second_end = _extent(operand)
    if first < second_end and second < first_end:
        raise TorchError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location. Please clone() the tensor before performing the operation."
        )


def is_non_overlapping_and_dense(array):
    """Whether the elements fill a stretch of memory without gaps, in whatever order of dimensions."""
    expected = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


def _extent(tensor):
    begin = tensor.storage_offset() * tensor.array.itemsize
    return begin, begin + tensor.array.nbytes

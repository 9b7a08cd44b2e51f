"""How a leaf's .grad lies in memory: as the leaf does. Retells torch/csrc/autograd/utils/grad_layout_contract.h."""

from annotated_src.aten import ops
from annotated_src.c10.core.memory_format import contiguous_format


def obeys_layout_contract(grad, leaf):
    """Whether the gradient can be the leaf's as it is."""
    if grad.key_set != leaf.key_set or type(grad.array) is not type(leaf.array):
        return False
    return grad.is_contiguous() if not leaf.is_non_overlapping_and_dense() else grad.strides() == leaf.strides()


def clone_obey_contract(grad, leaf):
    """A copy of the gradient that lies in memory as the leaf does."""
    if grad.key_set != leaf.key_set:
        # Sparse: it has no strides.
        return ops.clone(grad)
    if not leaf.is_non_overlapping_and_dense():
        return ops.clone(grad, memory_format=contiguous_format)
    return ops.copy_(ops.new_empty_strided(grad, leaf.shape, leaf.strides()), grad)

"""Padding with the input's own elements: what reflection and replication share. Retells aten/src/ATen/native/Padding.h.

Both are the same operation: element i of a padded dimension is element index[i] of the input. They differ in the index.
"""

from annotated_src.aten.dispatch import ALL_TYPES_AND_COMPLEX, FLOATING_AND_COMPLEX_TYPES, dispatch
from annotated_src.aten.native.along_dim import add_back, take
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def check_valid_input(self, dims):
    """RuntimeError unless there are `dims` dimensions to pad, none of them empty, and one or two before."""
    shape = self.array.shape
    fits = len(shape) in (dims + 1, dims + 2)
    # Only the batch may be empty.
    if not fits or 0 in shape[len(shape) - dims - 1 :]:
        raise TorchError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(shape)}"
        )


def pairs_by_dim(self, padding):
    """(dim, before, after), the last dimension first, as `padding` lists them."""
    last = self.array.ndim - 1
    return [(last - i, padding[2 * i], padding[2 * i + 1]) for i in range(len(padding) // 2)]


def pad_forward(self, padding, index_of, name):
    """The padded copy; `index_of(xp, size, before, after)` says where each element comes from."""
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, name)
    array = self.array
    for dim, before, after in pairs_by_dim(self, padding):
        array = take(array, dim, index_of(array_module(array), array.shape[dim], before, after))
    return make_tensor(array)


def pad_backward(grad_output, self, padding, index_of, name):
    """The gradient: every element of grad_output added to the one it was a copy of."""
    dispatch(grad_output.dtype, FLOATING_AND_COMPLEX_TYPES, name)
    _check_grad_output(grad_output, self, padding)
    array = grad_output.array
    for dim, before, after in pairs_by_dim(self, padding):
        size = self.array.shape[dim]
        array = add_back(array, dim, index_of(array_module(array), size, before, after), size)
    return make_tensor(array_module(array).ascontiguousarray(array))


def _check_grad_output(grad_output, self, padding):
    words = ("width", "height", "depth")
    for (dim, before, after), word in zip(pairs_by_dim(self, padding), words, strict=False):
        expected = self.array.shape[dim] + before + after
        got = grad_output.array.shape[dim]
        if got != expected:
            raise TorchError(f"grad_output {word} unexpected. Expected: {expected}, Got: {got}")

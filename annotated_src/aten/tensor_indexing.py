"""One index of `x[i, 1:3, None, mask]`, applied. Retells aten/src/ATen/TensorIndexing.h.

    int, slice, None   a view: applySelect, applySlice, unsqueeze
    tensor, True       cannot be a view: recorded in `outIndices`, one entry a dimension, and given to aten::index (or
                       index_put_) when all indices have been seen

torch/csrc/autograd/python_variable_indexing.py goes through the indices; this is what it does with each.

Left out: the C++ side's own get_item and set_item.
"""

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import TensorImpl

_MASKS = (scalar_type.bool_, scalar_type.uint8)


class Cursor:
    """Where in the tensor the next index applies, and what was recorded so far.

    dim          the dimension of the result so far that the next index applies to
    outIndices   a tensor or None for each dimension before it; empty until the first tensor
    """

    __slots__ = ("dim", "outIndices")

    def __init__(self):
        self.dim = 0
        self.outIndices = []

    def pass_over(self, dims):
        """Go past dimensions that no tensor indexes."""
        self.dim += dims
        if self.outIndices:
            self.outIndices += [None] * dims


def applySlice(self, dim, index, disable_slice_optimization=False):
    """`self` sliced along `dim`; the whole of it is `self` itself, unless that is forbidden."""
    start, stop, step = index.start, index.stop, index.step
    if step is not None and step <= 0:
        raise ValueError(
            f"step must be greater than zero, got {step}: a tensor has no negative strides; use x.flip(dim) to reverse"
        )
    if not disable_slice_optimization and step in (None, 1) and start in (None, 0):
        if stop is None or stop >= self.array.shape[dim]:
            return self
    return ops.slice.Tensor(self, dim, start, stop, 1 if step is None else step)


def applySelect(self, dim, index, real_dim):
    """`self` at position `index` of `dim`, which was the index number `real_dim` for whoever wrote it."""
    sizes = self.array.shape
    if not sizes:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
            "0-dim tensor to a number"
        )
    if not -sizes[dim] <= index < sizes[dim]:
        raise IndexError(f"index {index} is out of bounds for dimension {real_dim} with size {sizes[dim]}")
    return ops.select.int(self, dim, index)


def boolToIndexingTensor(self, value):
    """The index that stands for True or False: position 0 of a new dimension of size 1, or none of it."""
    index = ops.empty.memory_format((1 if value else 0,), dtype=scalar_type.int64, device=self.device)
    return ops.fill_.Scalar(index, 0) if value else index


def recordTensorIndex(tensor, cursor):
    """Note that `tensor` indexes the current dimension; a mask takes as many dimensions as it has."""
    if not cursor.outIndices:
        cursor.outIndices = [None] * cursor.dim
    cursor.outIndices.append(tensor)
    cursor.dim += tensor.array.ndim if tensor.dtype in _MASKS else 1


def count_specified_dimensions(indices):
    """How many of the tensor's dimensions the indices speak of: what is left is the Ellipsis'."""
    count = 0
    for index in indices:
        if isinstance(index, TensorImpl):
            count += index.array.ndim if index.dtype in _MASKS else 1
        elif index is not None and index is not Ellipsis and not isinstance(index, bool):
            count += 1
    return count


def handleDimInMultiDimIndexing(prev_dim_result, original_tensor, index, cursor, specified_dims, real_dim):
    """Apply one of several indices to what the ones before it have left."""
    if isinstance(index, bool):
        result = ops.unsqueeze.default(prev_dim_result, cursor.dim)
        recordTensorIndex(boolToIndexingTensor(result, index), cursor)
        return result
    if isinstance(index, int):
        return applySelect(prev_dim_result, cursor.dim, index, real_dim)
    if isinstance(index, slice):
        result = applySlice(prev_dim_result, cursor.dim, index)
        cursor.pass_over(1)
        return result
    if index is Ellipsis:
        cursor.pass_over(original_tensor.array.ndim - specified_dims)
        return prev_dim_result
    if index is None:
        result = ops.unsqueeze.default(prev_dim_result, cursor.dim)
        cursor.pass_over(1)
        return result
    return _handle_tensor(prev_dim_result, index, cursor, real_dim)


def _handle_tensor(prev_dim_result, index, cursor, real_dim):
    """A tensor among several indices; one without dimensions is an int or a bool in disguise."""
    is_number = index.array.ndim == 0 and index.dtype.category <= scalar_type.INTEGRAL
    if not is_number:
        recordTensorIndex(index, cursor)
        return prev_dim_result
    if index.dtype not in _MASKS:
        place = index.item()  # D2H: a view is made for a number
        return applySelect(prev_dim_result, cursor.dim, place, real_dim)
    result = ops.unsqueeze.default(prev_dim_result, cursor.dim)
    is_true = index.item() != 0  # D2H: the size of the result
    recordTensorIndex(boolToIndexingTensor(result, is_true), cursor)
    return result


def slicePrefix1sSize(sizes):
    """The sizes without the ones in front: NumPy lets those be missing in an assignment's target."""
    for position, size in enumerate(sizes):
        if size != 1:
            return sizes[position:]
    return ()


def copy_to(dst, src):
    """Write `src`, broadcast, into the view `dst`."""
    if dst.array.shape == src.array.shape:
        ops.copy_.default(dst, src)  # H2D: where a value of the host is one element, or as many as the view
        return
    if src.array.ndim == 0 and src.device.type == "cpu":
        ops.fill_.Tensor(dst, src)
        return
    src_view = ops.view.default(src, slicePrefix1sSize(src.array.shape))
    ops.copy_.default(dst, expand_inplace(dst, src_view, "setitem"))


def expand_inplace(tensor, to_expand, api_name):
    """`to_expand` expanded to the tensor that is written to; upstream: ATen/ExpandUtils.h."""
    if tensor.array.shape == to_expand.array.shape:
        return to_expand
    return ops.expand.default(to_expand, tensor.array.shape)


def dispatch_index(self, indices):
    """aten::index; the dimensions behind the last tensor need no entry."""
    return ops.index.Tensor(self, _without_trailing_none(indices))


def dispatch_index_put_(self, indices, value):
    """aten::index_put_."""
    return ops.index_put_.default(self, _without_trailing_none(indices), value)


def _without_trailing_none(indices):
    while indices and indices[-1] is None:
        indices.pop()
    return indices

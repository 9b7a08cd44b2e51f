"""x[...] and x[...] = y. Retells torch/csrc/autograd/python_variable_indexing.cpp.

    x[3]                THPVariable_getitem -> aten::select
    x[1:3, None, i]     THPVariable_getitem -> applySlicing: slice, then unsqueeze, each giving a view; the tensor i is
                        recorded, and aten::index picks with it from the last view
    x[1:3] = y          THPVariable_setitem -> the view as above -> copy_to
    x[mask] = y         THPVariable_setitem -> aten::index_put_

aten/tensor_indexing.py says what a single index does.
Invariant: without a tensor (or list, array, mask) among the indices the result is a view.
"""

import operator

import numpy

from annotated_src.aten import ops
from annotated_src.aten.tensor_indexing import (
    Cursor,
    applySelect,
    applySlice,
    boolToIndexingTensor,
    copy_to,
    count_specified_dimensions,
    dispatch_index,
    dispatch_index_put_,
    handleDimInMultiDimIndexing,
)
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor

_select = ops.select.int
# A list that holds one of these is taken for a tuple, as NumPy once did.
_INDICES = (TensorImpl, slice, list, tuple, range, str, numpy.ndarray)


def THPVariable_getitem(self, index):
    """x[index]."""
    if type(index) is int:
        try:
            return _select(self, 0, index)
        except IndexError:
            # Out of range: said in the words of x[...], which are not select's.
            return applySelect(self, 0, index, 0)
    if type(index) is slice:
        return applySlice(self, 0, _checked_slice(index), disable_slice_optimization=True)
    if index is None:
        return ops.unsqueeze.default(self, 0)
    if index is Ellipsis:
        return ops.alias.default(self)
    if isinstance(index, bool):
        return _index_with_bool(self, index)
    if _is_integer(index):
        return applySelect(self, 0, operator.index(index), 0)

    sliced, tensors = applySlicing(self, wrapTuple(index))
    if tensors:
        return dispatch_index(sliced, tensors)
    if sliced is self:
        # x[:, :] is a tensor of its own, though of the same memory.
        return ops.alias.default(sliced)
    return sliced


def _index_with_bool(self, index):
    result = ops.unsqueeze.default(self, 0)
    return dispatch_index(result, [boolToIndexingTensor(result, index)])


def THPVariable_setitem(self, index, py_value):
    """x[index] = py_value."""
    value = valueToTensor(self, py_value)
    if index is False:
        return
    if index is Ellipsis:
        copy_to(self, value)
    elif index is None or index is True:
        copy_to(ops.unsqueeze.default(self, 0), value)
    elif _is_integer(index):
        copy_to(applySelect(self, 0, operator.index(index), 0), value)
    elif type(index) is slice:
        copy_to(applySlice(self, 0, _checked_slice(index)), value)
    else:
        _set_with_several(self, wrapTuple(index), value)


def _set_with_several(self, indices, value):
    sliced, tensors = applySlicing(self, indices)
    if not tensors:
        copy_to(sliced, value)
        return
    sizes = value.array.shape
    leading = len(sizes) - sliced.array.ndim
    if leading > 0 and all(size == 1 for size in sizes[:leading]):
        # Dimensions of size 1 in front are one more than the target has, and mean nothing.
        value = ops.view.default(value, sizes[leading:])
    dispatch_index_put_(sliced, tensors, value)


def applySlicing(self, indices):
    """(view, tensors): the indices that give views applied, the tensors among them left for aten::index."""
    specified_dims = count_specified_dimensions(indices)
    if specified_dims > self.array.ndim:
        raise IndexError(
            f"too many indices for tensor of dimension {self.array.ndim}: {specified_dims} dimensions are indexed"
        )
    result, cursor = self, Cursor()
    for position, index in enumerate(indices):
        if type(index) is slice:
            index = _checked_slice(index)
        result = handleDimInMultiDimIndexing(result, self, index, cursor, specified_dims, position)
    return result, cursor.outIndices


def wrapTuple(index):
    """The indices as a list, those that are neither int, slice, None nor Ellipsis as tensors."""
    indices = index if treatSequenceAsTuple(index) else (index,)
    return [_as_index(item) for item in indices]


def treatSequenceAsTuple(index):
    """Whether `index` holds an index for each dimension, rather than positions in one."""
    if isinstance(index, tuple):
        return True
    # Only a short list is looked through: a long one holds positions.
    if not isinstance(index, list) or len(index) >= 32:
        return False
    return any(item is None or item is Ellipsis or isinstance(item, _INDICES) for item in index)


def _as_index(index):
    if index is None or index is Ellipsis or isinstance(index, (bool, slice, TensorImpl)):
        return index
    if _is_integer(index):
        return operator.index(index)
    if isinstance(index, (list, tuple, range, str, numpy.ndarray)):
        return sequenceToVariable(index)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {_type_name(index)})"
    )


def sequenceToVariable(sequence):
    """Positions, or a mask, given as a list or an array of NumPy's: as a tensor."""
    array = numpy.array(sequence)
    if array.dtype.kind in "USO":
        raise TypeError(f"new(): invalid data type '{type(sequence[0]).__name__}' in an index; write ints or bools")
    if array.dtype.kind != "b" and array.dtype != numpy.uint8:
        array = array.astype(numpy.int64)
    return make_tensor(array)


def _checked_slice(index):
    """The slice, its ends and step as Python ints."""
    if index.step == 0:
        raise ValueError("slice step cannot be zero")
    ends = (index.start, index.stop, index.step)
    if all(end is None or type(end) is int for end in ends):
        return index
    try:
        return slice(*[None if end is None else operator.index(end) for end in ends])
    except TypeError:
        raise TypeError(
            f"slice indices must be integers or None or have an __index__ method, and {index} has none"
        ) from None


def valueToTensor(self, value):
    """What is assigned, as a tensor: a number becomes a 0-d one of `self`'s dtype."""
    if isinstance(value, TensorImpl):
        return value
    if isinstance(value, numpy.generic):
        value = value.item()
    if not isinstance(value, (int, float, complex)):
        raise TypeError(
            f"can't assign a {_type_name(value)} to a torch.{self.dtype.cpp_name}Tensor: "
            "write a number, or a tensor (torch.as_tensor(value))"
        )
    # For a card it stays on the host, and reaches the kernel as an argument.
    device = None if self.device.type == "cuda" else self.device
    return ops.scalar_tensor.default(value, dtype=self.dtype, device=device)


def _type_name(value):
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def _is_integer(index):
    return isinstance(index, (int, numpy.integer)) and not isinstance(index, bool)

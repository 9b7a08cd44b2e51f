"""Loops over a tensor's elements, for random numbers. Retells aten/src/ATen/native/cpu/Loops.h and TensorIterator.

A stream of random numbers has an order, so it matters which element gets the first one. TensorIterator goes through
memory: the dimension with the smallest stride is the innermost. A transposed matrix is filled down its columns.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.c10.core.tensor_impl import make_tensor


def cpu_serial_kernel(self, op):
    """Write op(count), one value for each element, into `self` in the order of memory."""
    array = self.array
    write_in_order(self, None if array.flags.c_contiguous else reorder_dimensions(array), op(array.size))


def write_in_order(self, dims, values):
    """Write the values into `self` with its dimensions taken in the order `dims`, the last one innermost."""
    array = self.array if dims is None else self.array.transpose(dims)
    values = values.reshape(array.shape)
    if not isinstance(array, numpy.ndarray):
        ops.copy_.default(make_tensor(array), make_tensor(values))  # H2D: random numbers are drawn on the host
        return
    array[...] = values


def reorder_dimensions(*arrays):
    """The dimensions of these operands, all of one shape, from the outermost to the innermost.

    Upstream: TensorIteratorBase::reorder_dimensions, an insertion sort that leaves alone what it cannot tell apart.
    """
    shape = arrays[0].shape
    dims = list(reversed(range(len(shape))))
    for position in range(1, len(dims)):
        current = position
        for before in reversed(range(position)):
            comparison = _should_swap(arrays, shape, dims[before], dims[current])
            if comparison > 0:
                dims[before], dims[current] = dims[current], dims[before]
                current = before
            elif comparison < 0:
                break
    return dims[::-1]


def _should_swap(arrays, shape, inner, outer):
    """1: they must change places; -1: they are right; 0: no operand can tell, they are expanded."""
    for array in arrays:
        first, second = array.strides[inner], array.strides[outer]
        if first == 0 or second == 0:
            continue
        if first != second:
            return -1 if first < second else 1
        if shape[inner] > shape[outer]:
            return 1
    return 0

"""tril and triu: what lies on one side of a diagonal. Retells aten/src/ATen/native/TriangularOps.cpp.

Diagonal 0 is the main one, positive numbers lie above it.
"""

import numpy

from annotated_src.aten.native.tensor_factories import module_for
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor


def tril(self, diagonal=0, *, out=None):
    """The elements on and below the diagonal of each matrix; 0 elsewhere."""
    _check("tril", self)
    return finish(array_module(self.array).tril(self.array, diagonal), out, (self,))


def triu(self, diagonal=0, *, out=None):
    """The elements on and above the diagonal of each matrix; 0 elsewhere."""
    _check("triu", self)
    return finish(array_module(self.array).triu(self.array, diagonal), out, (self,))


def _check(name, self):
    if self.array.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions, but it has {self.array.ndim}")


def tril_indices(row, col, offset=0, *, dtype=scalar_type.int64, layout=None, device=None, pin_memory=None):
    """Two rows: the row and the column of each element that tril() keeps of a `row` by `col` matrix."""
    return _indices(module_for(device), row, lambda xp: (0 * xp.arange(row), _cut(xp, row, col, offset + 1)), dtype)


def triu_indices(row, col, offset=0, *, dtype=scalar_type.int64, layout=None, device=None, pin_memory=None):
    """Two rows: the row and the column of each element that triu() keeps of a `row` by `col` matrix."""
    return _indices(module_for(device), row, lambda xp: (_cut(xp, row, col, offset), 0 * xp.arange(row) + col), dtype)


def _cut(xp, row, col, offset):
    """For each row, in which column the diagonal cuts it."""
    return xp.clip(xp.arange(row) + offset, 0, col)


def _indices(xp, row, ends_of, dtype):
    """Row by row, the columns from one end to the other; how many they are is worked out on the host."""
    begins, ends = ends_of(numpy)
    total = int((ends - begins).sum())
    begins, ends = ends_of(xp)
    behind = xp.cumsum(ends - begins)
    element = xp.arange(total)
    rows = xp.searchsorted(behind, element, side="right")
    columns = element - (behind - ends)[rows] if total else element
    return make_tensor(xp.stack([rows, columns]).astype((dtype or scalar_type.int64).numpy, copy=False))

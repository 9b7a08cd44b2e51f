"""Picking along one dimension, and its reverse. Ours: what padding, interpolation and adaptive pooling have in common.

    take(x, dim, index)               element index[i] of x becomes element i
    add_back(grad, dim, index, size)  element i of grad is added to element index[i]: the gradient of take

`index` is an array where x is; the callers compute it there from sizes, so that nothing is carried to a card.
"""

import numpy

from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.c10.array_module import array_module


def take(x, dim, index):
    """(..., n, ...) -> (..., len(index), ...)."""
    return array_module(x).take(x, index, axis=dim)


def add_back(grad, dim, index, size):
    """(..., len(index), ...) -> (..., size, ...)."""
    xp = array_module(grad)
    grad = xp.moveaxis(grad, dim, -1)
    result = xp.zeros((*grad.shape[:-1], size), dtype=grad.dtype)
    if xp is numpy:
        for positions, targets in _rounds(index.tolist()):
            result[..., targets] += grad[..., positions]
    else:
        add_at(result, (..., index), grad)
    return xp.moveaxis(result, -1, dim)


def lay_along(values, dim, ndim):
    """The values, (n), as an array of `ndim` dimensions, all but `dim` of size 1."""
    return values.reshape((1,) * dim + (-1,) + (1,) * (ndim - dim - 1))


def _rounds(index):
    """(positions, targets) such that no target occurs twice in one round: `+=` on an index adds only once."""
    rounds, seen = [], {}
    for position, target in enumerate(index):
        number = seen.get(target, 0)
        seen[target] = number + 1
        if number == len(rounds):
            rounds.append(([], []))
        rounds[number][0].append(position)
        rounds[number][1].append(target)
    return rounds

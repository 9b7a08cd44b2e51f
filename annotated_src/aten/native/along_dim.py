"""Picking along one dimension, and its reverse. Ours: what padding, interpolation and adaptive pooling have in common.

    take(x, dim, index)               element index[i] of x becomes element i
    add_back(grad, dim, index, size)  element i of grad is added to element index[i]: the gradient of take

`index` is a list of Python's numbers. Positions are computed on the host, once for each dimension.
"""

from annotated_src.c10.array_module import array_module


def take(x, dim, index):
    """(..., n, ...) -> (..., len(index), ...)."""
    xp = array_module(x)
    return xp.take(x, xp.asarray(index, dtype="int64"), axis=dim)


def add_back(grad, dim, index, size):
    """(..., len(index), ...) -> (..., size, ...)."""
    xp = array_module(grad)
    grad = xp.moveaxis(grad, dim, -1)
    result = xp.zeros((*grad.shape[:-1], size), dtype=grad.dtype)
    for positions, targets in _rounds(index):
        result[..., xp.asarray(targets)] += grad[..., xp.asarray(positions)]
    return xp.moveaxis(result, -1, dim)


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

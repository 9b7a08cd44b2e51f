"""Which shape do these shapes have in common? Retells aten/src/ATen/ExpandUtils.h.

Shapes are aligned at their last dimension; where one has size 1 or is missing, the other decides.
"""

from annotated_src.c10.util.exception import TorchError


def infer_size(first, second):
    """The shape to which both expand; RuntimeError that names the dimension where they do not fit."""
    if not first or first == second:
        return second
    ndim = max(len(first), len(second))
    first = (1,) * (ndim - len(first)) + tuple(first)
    second = (1,) * (ndim - len(second)) + tuple(second)
    sizes = [0] * ndim
    # From the last dimension to the first: of several that do not fit, the last is named.
    for dim in range(ndim - 1, -1, -1):
        a, b = first[dim], second[dim]
        if a != b and a != 1 and b != 1:
            raise TorchError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
            )
        sizes[dim] = b if a == 1 else a
    return tuple(sizes)


def is_expandable_to(shape, desired):
    """Whether a tensor of `shape` can be broadcast to `desired`."""
    if len(shape) > len(desired):
        return False
    pairs = zip(reversed(shape), reversed(desired), strict=False)
    return all(size in (1, wanted) for size, wanted in pairs)

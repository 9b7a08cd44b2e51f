"""Numbers for each dimension. Retells torch/nn/modules/utils.py.

    _single, _pair, _triple, _quadruple     2 -> (2, 2); what is a sequence already stays as it is
    _reverse_repeat_tuple                   (1, 2) -> (2, 2, 1, 1): a layer's padding as F.pad wants it
    _list_with_default                      None where the size is to stay as it is
"""

from collections.abc import Iterable
from itertools import repeat


def _ntuple(n, name="parse"):
    def parse(x):
        if isinstance(x, Iterable):
            return tuple(x)
        return tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    """The elements from the last to the first, each n times."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    """`out_size`, with the last of `defaults` where it has None. ValueError if there are too few of these."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(
            f"Input dimension should be at least {len(out_size) + 1}: {len(out_size)} sizes were asked for, and the "
            f"input has {len(defaults)} dimensions"
        )
    last = defaults[-len(out_size) :]
    return [default if size is None else size for size, default in zip(out_size, last, strict=False)]

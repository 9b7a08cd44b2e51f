"""Reductions by name and by number. Retells torch/nn/_reduction.py.

The operators know 0 (none), 1 (mean), 2 (sum); Python says the words. `size_average` and `reduce` are how it was
said before there were words.
"""

import warnings

_NUMBERS = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def get_enum(reduction):
    """The number of "none", "mean" or "sum"; ValueError for other words. Upstream: torch/nn/_reduction.py.

    >>> from annotated_src.torch.nn import _reduction
    >>> _reduction.get_enum("sum")
    2
    """
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Write reduction='mean', which is the same.", stacklevel=2
        )
    if reduction not in _NUMBERS:
        raise ValueError(f"{reduction} is not a valid value for reduction; choose 'none', 'mean' or 'sum'")
    return _NUMBERS[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    """The word that the two old arguments stand for; each is True unless it is given."""
    averaged = size_average is None or size_average
    reduced = reduce is None or reduce
    word = ("mean" if averaged else "sum") if reduced else "none"
    if emit_warning:
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{word}' instead.", stacklevel=2
        )
    return word


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The number that the two old arguments stand for."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))

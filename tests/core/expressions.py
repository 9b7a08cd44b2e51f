"""Expressions over a few sample tensors, as one-line cases of the oracle.

    x  float32 (4, 6)    b  float32 (3, 4, 5)    z  0-d    n  int64 (4,)    i  int64 (2,)    m  bool (4, 6), x > 3

The id of a parametrized test is the expression itself.
"""

import numpy


def names(torch):
    """The sample tensors, fresh."""
    x = torch.arange(24.0).reshape(4, 6)
    return {
        "torch": torch,
        "np": numpy,
        "x": x,
        "b": torch.arange(60.0).reshape(3, 4, 5),
        "z": torch.tensor(1.0),
        "n": torch.arange(4),
        "i": torch.tensor([0, 2]),
        "m": x > 3,
    }


def value(torch, expression):
    """What the expression gives."""
    return eval(expression, names(torch))


def after(torch, statement, expression):
    """What the expression gives once the statement has run."""
    scope = names(torch)
    exec(statement, scope)
    return eval(expression, scope)


def layout(result):
    """The strides and offsets of the tensors in a result; of those without elements only the sizes."""
    if isinstance(result, (list, tuple)):
        return [layout(item) for item in result]
    if not hasattr(result, "storage_offset"):
        return None
    return (result.stride(), result.storage_offset()) if result.numel() else tuple(result.shape)


def shares_memory(result, x):
    """Whether a result is a view of `x`."""
    return result.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()

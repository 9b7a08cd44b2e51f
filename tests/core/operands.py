"""Sample operands for one-line cases of arithmetic.

    x   float32 (2, 3), ones       i   int64 (3,), 0 to 2      c   complex64 (2,)       h   float16 (3,)
    y   float32 (2, 5, 3), ones    u   uint8 (2,), 200, 100    b   bool (2,)            s0  float32, 0-d
    w   float32 (4, 3), ones       n   float32 (4,), 1, nan, 3, nan                     e, e2  no elements
"""


def names(torch):
    """The sample operands, fresh."""
    return {
        "torch": torch,
        "x": torch.ones(2, 3),
        "y": torch.ones(2, 5, 3),
        "w": torch.ones(4, 3),
        "i": torch.arange(3),
        "u": torch.tensor([200, 100], dtype=torch.uint8),
        "n": torch.tensor([1.0, float("nan"), 3.0, float("nan")]),
        "c": torch.ones(2, dtype=torch.complex64),
        "b": torch.tensor([True, False]),
        "h": torch.ones(3, dtype=torch.float16),
        "s0": torch.tensor(3.0),
        "e": torch.ones(0),
        "e2": torch.ones(2, 0, 3),
        "linear": torch.ops.aten.linear,
    }


def value(torch, expression):
    """What the expression gives, and its strides where it is a tensor."""
    result = eval(expression, names(torch))
    return (result, result.stride()) if hasattr(result, "stride") and result.numel() else result


def outcome(function, *args, **kwargs):
    """(result, strides), or the name of the error: for sweeps in which some combinations are refused."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return type(error).__name__
    if isinstance(result, tuple):
        return [(item, item.stride()) for item in result]
    return result, result.stride()


def sample(torch, dtype):
    """Six numbers as a matrix that is transposed in memory, of the dtype."""
    numbers = torch.tensor([[0.0, -1.0], [2.0, 3.0], [0.5, -2.25]], dtype=torch.float64)
    return numbers.to(getattr(torch, dtype)).t()

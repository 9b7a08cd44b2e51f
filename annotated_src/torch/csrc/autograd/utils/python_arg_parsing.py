"""What `x.to(...)` may be given. Retells torch/csrc/autograd/utils/python_arg_parsing.h.

    x.to(device, dtype=None, ...)    x.to(dtype, ...)    x.to(other, ...)

Module.to reads its arguments here as well.
"""

from annotated_src.aten.core.python_arg_parser import to_device, to_scalar_type
from annotated_src.c10.core.scalar_type import ScalarType
from annotated_src.c10.core.tensor_impl import TensorImpl

_NAMES_BEHIND = ("non_blocking", "copy")


def parse_to_conversion(args, kwargs, allow_copy=True):
    """(device, dtype, non_blocking, copy, memory_format) of the arguments; TypeError if they fit none of the forms."""
    if len(args) == 1 and not kwargs and isinstance(args[0], ScalarType):
        return None, args[0], False, False, None
    given = dict(kwargs)
    memory_format = given.pop("memory_format", None)
    device = dtype = None
    rest = args
    if args and isinstance(args[0], TensorImpl) or "other" not in given and "tensor" in given:
        other = given.pop("tensor") if not args else args[0]
        device, dtype, rest = other.device, other.dtype, args[1:]
    elif args and to_scalar_type(args[0]) is not None:
        dtype, rest = to_scalar_type(args[0]), args[1:]
    else:
        device, dtype, rest = _parse_device_and_dtype(args, kwargs, given)
    for name, value in zip(_NAMES_BEHIND, rest, strict=False):
        if name in given:
            raise _mismatch(args, kwargs)
        given[name] = value
    non_blocking, copy = given.pop("non_blocking", False), given.pop("copy", False)
    if given or len(rest) > 2 or (copy and not allow_copy) or not isinstance(non_blocking, (bool, int)):
        raise _mismatch(args, kwargs)
    return device, dtype, non_blocking, copy, memory_format


def _parse_device_and_dtype(args, kwargs, given):
    """`x.to(device)`, `x.to(device, dtype)`, and both by keyword."""
    device, rest = (args[0], args[1:]) if args else (given.pop("device", None), args)
    dtype, rest = (rest[0], rest[1:]) if rest else (given.pop("dtype", None), rest)
    if device is not None:
        device = to_device(device)
        if device is None:
            raise _mismatch(args, kwargs)
    if dtype is not None:
        dtype = to_scalar_type(dtype)
        if dtype is None:
            raise _mismatch(args, kwargs)
    return device, dtype, rest


def _mismatch(args, kwargs):
    got = [_type_name(value) for value in args] + [f"{name}={_type_name(value)}" for name, value in kwargs.items()]
    return TypeError(
        f"to() received an invalid combination of arguments - got ({', '.join(got)}), but expected one of:\n"
        " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, "
        "*, torch.memory_format memory_format = None)\n"
        " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, "
        "*, torch.memory_format memory_format = None)\n"
        " * (Tensor tensor, bool non_blocking = False, bool copy = False, "
        "*, torch.memory_format memory_format = None)\n"
    )


def _type_name(value):
    return {"ScalarType": "torch.dtype", "Device": "torch.device"}.get(type(value).__name__, type(value).__name__)

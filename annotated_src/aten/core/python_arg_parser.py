"""Which overload do these arguments fit? Retells torch/csrc/utils/python_arg_parser.h.

A packet's overloads are tried in the order of their definition; the first whose schema takes the arguments wins.
What users may write beyond the schema is put right here:

    torch.add(input=x, other=y)      `input` is the schema's `self`; so are NumPy's `axis`, `keepdims`, `x1`, `x2` known
    torch.add(1, x)                  in arithmetic, the number is made a tensor
    torch.max(x, 0, out=(a, b))      several results are written to several `out`s
    x.view(2, 3)                     numbers stand in for a list, where a list is all that is expected
    torch.stack(xs, out=None)        `out=None` is no `out`
    torch.zeros(2, device="cpu")     a string is made a Device; `dtype=float` the default dtype

Deviation: of the number in `x * 2` upstream makes a tensor, and calls mul.Tensor; here it stays one, in mul.Scalar.

Left out: deprecated signatures, `__torch_function__`.
"""

import numbers
import operator

import numpy

from annotated_src.aten.core.function_schema import NO_DEFAULT
from annotated_src.aten.scalar_ops import wrapped_scalar_tensor
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.generator_impl import GeneratorImpl
from annotated_src.c10.core.scalar_type import ScalarType
from annotated_src.c10.core.tensor_impl import TensorImpl

_NUMPY_NAMES = {"input": "self", "axis": "dim", "keepdims": "keepdim", "x1": "self", "x2": "other", "x": "self"}
_UNCHANGED = object()


def types_decide(args, kwargs):
    """Whether other arguments of the same types, and lists of the same types, would fit the same overload, unchanged.

    Not so for what is converted on the way.
    """
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, tuple)):
            if not all(isinstance(element, _DECIDED_BY_TYPE) for element in value):
                return False
        elif not isinstance(value, _DECIDED_BY_TYPE):
            return False
    return True


_DECIDED_BY_TYPE = (TensorImpl, int, float, complex, type(None), ScalarType, Device, GeneratorImpl)


def only_gathered(schema, args, parsed_args):
    """Whether all that was done to the arguments is that the ints at the end were put into a list."""
    first = len(parsed_args) - 1
    if _varargs_begin(schema.positional, args) != first or parsed_args[first] != args[first:]:
        return False
    same = all(parsed is value for parsed, value in zip(parsed_args[:first], args, strict=False))
    return same and all(type(value) is int for value in args[first:])


_NUMBERS = (bool, int, float, complex)
# Arithmetic, in which a number may stand where a tensor is asked for: `torch.add(1, x)`.
_TAKE_NUMBERS = {
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide",
}  # fmt: skip


def _tensors_stay(args, parsed_args, kwargs, parsed_kwargs):
    """Whether no tensor had to pass for a number: an overload that takes it as a tensor is the better one."""
    for value, parsed in zip(args, parsed_args, strict=False):
        if isinstance(value, TensorImpl) and parsed is not value:
            return not isinstance(parsed, (int, float, complex))
    for name, value in kwargs.items():
        if isinstance(value, TensorImpl) and isinstance(parsed_kwargs.get(name), (int, float, complex)):
            return False
    return True


class Mismatch(Exception):
    """Why a schema does not take the arguments; `position` counts from 1, as a caller does."""


class ArgParser:
    """Finds the overload of one packet that takes given arguments."""

    def __init__(self, packet):
        self.packet = packet
        # Those that take a tensor are asked before those that take a number, for which a 0-d tensor would be read.
        self.overloads = sorted([getattr(packet, name) for name in packet.overloads()], key=_numbers_taken)

    def parse(self, args, kwargs):
        """(overload, args, kwargs): what fits, or TypeError that lists what would have."""
        if "out" in kwargs and kwargs["out"] is None:
            kwargs = {name: value for name, value in kwargs.items() if name != "out"}
        if self.packet.__name__ in _TAKE_NUMBERS:
            if args and isinstance(args[0], _NUMBERS):
                beside = next((value for value in args[1:] if isinstance(value, TensorImpl)), None)
                args = (wrapped_scalar_tensor(args[0], beside), *args[1:])
            elif "out" in kwargs and len(args) == 2 and isinstance(args[1], _NUMBERS):
                return self._parse_number_with_out(args, kwargs)
        mismatches, fallback = [], None
        for overload in self.overloads:
            try:
                found = (overload, *match(overload._schema, args, kwargs))
            except Mismatch as mismatch:
                # (without its traceback, which would keep the arguments of all callers alive: this list is in it)
                mismatches.append(mismatch.with_traceback(None))
                continue
            if _tensors_stay(args, found[1], kwargs, found[2]):
                return found
            fallback = fallback or found
        if fallback is not None:
            return fallback
        raise TypeError(self._message(mismatches, args, kwargs))

    def _parse_number_with_out(self, args, kwargs):
        """`torch.add(x, 1, out=y)`: the `out` overload asks for a tensor, but its kernel takes a number."""
        overload, (first, _), kwargs = self.parse((args[0], args[0]), kwargs)
        return overload, (first, args[1]), kwargs

    def _message(self, mismatches, args, kwargs):
        name = self.packet.__name__
        # Whoever gave no `out` did not mean the overload that has one.
        tried = [
            (overload, mismatch)
            for overload, mismatch in zip(self.overloads, mismatches, strict=True)
            if "out" in kwargs or not overload._schema.written
        ]
        if len(tried) == 1:
            reason = str(tried[0][1])
            return f"{name}(): {reason}" if reason.startswith("argument") else f"{name}() {reason}"
        got = [type(value).__name__ for value in args]
        got += [f"{key}={type(value).__name__}" for key, value in kwargs.items()]
        lines = [
            f" * ({', '.join(map(repr, overload._schema.arguments))})\n      {mismatch}"
            for overload, mismatch in tried
        ]
        return (
            f"{name}() received an invalid combination of arguments - got ({', '.join(got)}), "
            "but expected one of:\n" + "\n".join(lines)
        )


def _numbers_taken(overload):
    return sum(argument.type == "Scalar" for argument in overload._schema.arguments)


def match(schema, args, kwargs):
    """(args, kwargs) as the schema has them, the very objects where nothing had to be changed; else Mismatch."""
    parsed_args = _match_positional(schema, args)
    parsed_kwargs = _match_keywords(schema, len(parsed_args), kwargs)
    _check_none_missing(schema, len(parsed_args), parsed_kwargs)
    if "from" in parsed_kwargs:
        # A word of Python's, which no kernel can have as a parameter.
        parsed_kwargs = {"from_" if name == "from" else name: value for name, value in parsed_kwargs.items()}
    return parsed_args, parsed_kwargs


def _match_positional(schema, args):
    positional = schema.positional
    args = _gather_varargs(positional, args)
    if len(args) > len(positional):
        raise Mismatch(f"takes {len(positional)} positional arguments but {len(args)} were given")
    parsed = None
    for position, value in enumerate(args):
        converted = _convert(positional[position], value, f" (position {position + 1})")
        if converted is not _UNCHANGED:
            parsed = parsed or list(args)
            parsed[position] = converted
    return args if parsed is None else tuple(parsed)


def _gather_varargs(positional, args):
    """`view(x, 2, 3)` as `view(x, (2, 3))`."""
    first = _varargs_begin(positional, args)
    return args if first is None else (*args[:first], tuple(args[first:]))


def _varargs_begin(positional, args):
    """From where on the arguments make one list: only where a list of ints is all that is expected besides `self`."""
    lists = [position for position, argument in enumerate(positional) if argument.is_list]
    if len(lists) != 1 or lists[0] != len(positional) - 1 or lists[0] > 1:
        return None
    first = lists[0]
    if positional[first].type != "int" or len(args) <= first or not _is_int(args[first]):
        return None
    # Where the schema knows how many it wants, a single one stands for all of them.
    if positional[first].list_size is not None and len(args) == first + 1:
        return None
    return first


def _match_keywords(schema, given, kwargs):
    if not kwargs:
        return kwargs
    parsed, changed = {}, False
    taken = {argument.name for argument in schema.positional[:given]}
    for key, value in kwargs.items():
        name = key if key in schema.by_name else _NUMPY_NAMES.get(key, key)
        if name == "out" and isinstance(value, (list, tuple)) and len(schema.written) == len(value):
            # Several results: `out=(values, indices)` names them in the schema's order.
            parsed.update(zip(schema.written, value, strict=True))
            changed = True
            continue
        argument = schema.by_name.get(name)
        if argument is None:
            raise Mismatch(f"got an unexpected keyword argument '{key}'")
        if name in taken:
            raise Mismatch(f"got multiple values for argument '{key}'")
        converted = _convert(argument, value, "")
        parsed[name] = value if converted is _UNCHANGED else converted
        changed = changed or name != key or converted is not _UNCHANGED
    return parsed if changed else kwargs


def _check_none_missing(schema, given, kwargs):
    missing = [
        argument.name
        for position, argument in enumerate(schema.arguments)
        if argument.default is NO_DEFAULT
        and argument.name not in kwargs
        and (argument.kwarg_only or position >= given)
    ]
    if missing:
        shown = ", ".join(f'"{"input" if name == "self" else name}"' for name in missing)
        raise Mismatch(f"missing {len(missing)} required positional arguments: {shown}")


def _convert(argument, value, where):
    """The value as the kernel wants it, `_UNCHANGED` if it is so already; Mismatch if it does not fit."""
    if value is None and (argument.is_optional or argument.default is None):
        return _UNCHANGED
    if argument.is_list:
        converted = _convert_list(argument, value)
    else:
        converted = _CONVERTERS[argument.type](value)
    if converted is None:
        _check_elements(argument, value, where)
        name = "input" if argument.name == "self" else argument.name
        raise Mismatch(f"argument '{name}'{where} must be {_words(argument)}, not {_type_name(value)}")
    return converted


def _check_elements(argument, values, where):
    """Mismatch that names the element of a list of tensors that is none."""
    if not (argument.is_list and argument.type == "Tensor" and isinstance(values, (list, tuple))):
        return
    for position, value in enumerate(values):
        if not isinstance(value, TensorImpl):
            given = type(value).__name__
            raise Mismatch(f"expected Tensor as element {position} in argument 0, but got {given}{where}")


def _convert_list(argument, values):
    if argument.list_size is not None and not isinstance(values, (list, tuple)):
        return _CONVERTERS[argument.type](values)
    if not isinstance(values, (list, tuple)):
        return None
    convert = _CONVERTERS[argument.type]
    converted, changed = [], False
    for value in values:
        new = _UNCHANGED if value is None and "?" in argument.type_text else convert(value)
        if new is None:
            return None
        converted.append(value if new is _UNCHANGED else new)
        changed = changed or new is not _UNCHANGED
    return tuple(converted) if changed else _UNCHANGED


def _words(argument):
    kind = {"int": "ints", "Tensor": "Tensors", "Scalar": "numbers", "float": "floats", "bool": "bools"}
    if argument.is_list:
        return f"tuple of {kind.get(argument.type, argument.type)}"
    return {"Scalar": "Number", "ScalarType": "torch.dtype", "Device": "torch.device"}.get(argument.type, argument.type)


def _type_name(value):
    if isinstance(value, (list, tuple)) and value:
        return f"{type(value).__name__} of ({', '.join(type(item).__name__ for item in value[:4])})"
    return type(value).__name__


# Each converter returns `_UNCHANGED`, a converted value, or None where the value is of the wrong type.


def _is_int(value):
    if isinstance(value, bool):
        return False
    if isinstance(value, (int, numpy.integer)):
        return True
    return isinstance(value, TensorImpl) and value.array.ndim == 0 and value.dtype.category == scalar_type.INTEGRAL


def _tensor(value):
    return _UNCHANGED if isinstance(value, TensorImpl) else None


def _int(value):
    if type(value) is int:
        return _UNCHANGED
    return operator.index(value) if _is_int(value) else None


def _float(value):
    if isinstance(value, (float, int)):
        return _UNCHANGED
    if isinstance(value, (numpy.floating, numpy.integer)) or _is_scalar_tensor(value):
        return float(value)
    return None


def _bool(value):
    if isinstance(value, bool):
        return _UNCHANGED
    return bool(value) if isinstance(value, numpy.bool_) else None


def _scalar(value):
    if isinstance(value, (int, float, complex)):
        return _UNCHANGED
    if isinstance(value, numpy.generic) or _is_scalar_tensor(value):
        return value.item()
    return value if isinstance(value, numbers.Number) else None


def _is_scalar_tensor(value):
    return isinstance(value, TensorImpl) and value.array.ndim == 0


def _scalar_type(value):
    return _UNCHANGED if isinstance(value, ScalarType) else to_scalar_type(value)


def to_scalar_type(value):
    """A dtype, or one of Python's number types as the dtype it stands for; None for anything else."""
    if isinstance(value, ScalarType):
        return value
    return _PYTHON_TYPES.get(value) if isinstance(value, type) else None


_PYTHON_TYPES = {
    float: scalar_type.float64,
    int: scalar_type.int64,
    bool: scalar_type.bool_,
    complex: scalar_type.complex128,
}


def _device(value):
    return _UNCHANGED if isinstance(value, Device) else to_device(value)


def to_device(value):
    """A Device, or a string or number as the device it stands for; None for anything else."""
    if isinstance(value, Device):
        return value
    return Device(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _generator(value):
    return _UNCHANGED if isinstance(value, GeneratorImpl) else None


def _string(value):
    return _UNCHANGED if isinstance(value, str) else None


def _anything(value):
    return _UNCHANGED


_CONVERTERS = {
    "Tensor": _tensor,
    "int": _int,
    "float": _float,
    "bool": _bool,
    "Scalar": _scalar,
    "ScalarType": _scalar_type,
    "Device": _device,
    "Generator": _generator,
    "str": _string,
    "Layout": _anything,
    "MemoryFormat": _anything,
    "Storage": _anything,
}

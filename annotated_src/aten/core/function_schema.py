"""FunctionSchema: an operator's signature, parsed from text.

Retells aten/src/ATen/core/function_schema.h and torch/csrc/jit/frontend/function_schema_parser.cpp.

    add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    ^   ^   ^                          ^                  ^      ^
    |   |   type and name              |                  |      written to; `(a)` alone: shares memory
    |   overload name                  |                  keyword only from `*` on
    name                               `=` a default

Left out: types that our operators do not use (futures, dicts, classes).
"""

from annotated_src.c10.core.memory_format import contiguous_format
from annotated_src.c10.core.scalar_type import int64
from annotated_src.c10.util.exception import TorchError

NO_DEFAULT = object()

_WORDS = {"None": None, "True": True, "False": False, "contiguous_format": contiguous_format, "Mean": 1}
# `dtype=long` in randint and randperm.
_WORDS["long"] = int64


class Argument:
    """One argument of a schema.

    type         "Tensor", "Scalar", "int", "float", "bool", "str", "ScalarType", "Device", "Generator", ...
    is_list      `int[2]`: a list, for which one int stands in where `list_size` is given
    is_optional  `Tensor?`: None is fine
    alias        "a" if results share this argument's memory, "a!" if it is written to
    """

    __slots__ = ("alias", "default", "is_list", "is_optional", "kwarg_only", "list_size", "name", "type", "type_text")

    def __init__(self, text, kwarg_only):
        text, equals, default = text.partition("=")
        type_text, _, self.name = text.strip().rpartition(" ")
        self.kwarg_only = kwarg_only
        self.type_text = type_text
        self._parse_type(type_text)
        self.default = _parse_default(default.strip()) if equals else NO_DEFAULT

    def _parse_type(self, text):
        self.is_optional = text.endswith("?")
        text = text.removesuffix("?")
        self.is_list = text.endswith("]")
        self.list_size = None
        if self.is_list:
            text, _, size = text[:-1].rpartition("[")
            self.list_size = int(size) if size else None
        text = text.removesuffix("?")
        text, _, alias = text.partition("(")
        self.alias = alias.removesuffix(")").split(" ")[0] or None
        self.type = {"SymInt": "int"}.get(text, text)

    @property
    def is_write(self):
        """Whether the operator writes to this argument."""
        return self.alias is not None and "!" in self.alias

    def __repr__(self):
        if self.default is NO_DEFAULT:
            return f"{self.type_text} {self.name}"
        default = repr(self.default) if isinstance(self.default, str) else self.default
        return f"{self.type_text} {self.name}={default}"


class FunctionSchema:
    """An operator's name, arguments and returns.

    >>> from annotated_src import torch
    >>> torch.ops.aten.add.Tensor._schema
    aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
    """

    __slots__ = ("arguments", "by_name", "name", "overload_name", "positional", "returns", "text")

    def __init__(self, text):
        self.text = text
        head, _, rest = text.partition("(")
        arguments, returns = _split_at_closing(rest)
        self.name, _, self.overload_name = head.strip().partition(".")
        self.arguments = _parse_arguments(arguments)
        self.by_name = {argument.name: argument for argument in self.arguments}
        self.positional = [argument for argument in self.arguments if not argument.kwarg_only]
        self.returns = _parse_returns(returns)

    @property
    def written(self):
        """The names of the arguments after `*` that the operator writes to: together, Python's `out`."""
        return [argument.name for argument in self.arguments if argument.kwarg_only and argument.is_write]

    @property
    def is_mutable(self):
        """Whether the operator writes to one of its arguments."""
        return any(argument.is_write for argument in self.arguments)

    def __repr__(self):
        return self.text


def split_name(text):
    """("aten::add", "Tensor") from a schema's text, without parsing the rest."""
    name, _, overload_name = text.partition("(")[0].strip().partition(".")
    return name, overload_name


def _split_at_closing(text):
    """What stands inside the argument list's brackets, and what behind `->`."""
    depth = 1
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[:position], text[position + 1 :].partition("->")[2].strip()
    raise TorchError(f"a schema needs a closing bracket: {text}")


def _split_commas(text):
    """The comma-separated parts; commas within brackets do not count."""
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
    last = text[begin:].strip()
    return parts + [last] if last else parts


def _parse_arguments(text):
    arguments, kwarg_only = [], False
    for part in _split_commas(text):
        if part == "*":
            kwarg_only = True
        else:
            arguments.append(Argument(part, kwarg_only))
    return arguments


def _parse_returns(text):
    """The types of what comes back: one, several in brackets, or `()`."""
    if text.startswith("("):
        return _split_commas(text[1:-1])
    return [text]


def _parse_default(text):
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("["):
        return [_parse_default(part) for part in _split_commas(text[1:-1])]
    if text[0] in "\"'":
        return text[1:-1]
    try:
        return int(text)
    except ValueError:
        return float(text)

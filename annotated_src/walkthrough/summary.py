"""summary: a value in one short line, for people who look at a recording.

    summary(value)                      the line: "3", "[0, 1, 2]", "float32[4, 3] cpu", "<DataLoader>"
    register_summary(name, function)    says how values of a type are to be shown

Two rules hold everywhere:
    looking must not touch     Only attributes that the *type* has are read, and only methods of built-in types, of
                               arrays and of registered types are called: a value's own code could do anything.
    the same at every build    no addresses, no absolute paths, no times; sets are shown in sorted order.

Left out: what is inside an ordinary object. The line is shallow on purpose; step into the object to see more.
"""

import itertools
import re
import time

LONGEST = 80  # characters in a line
FEW = 8  # elements that are shown one by one

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_ABSOLUTE_PATH = re.compile(r"(?<![\w.:/\\-])(?:[A-Za-z]:)?[/\\](?:[\w.+@ -]+[/\\])+[\w.+@-]*")
_DAY = 24 * 60 * 60
_NOW = time.time()

_registered = {}  # type name -> function
_functions = {}  # type -> function, found once
_known_folders = []  # a path below one of these is shown relative to it


def summary(value):
    """One short line about `value`; never raises.

    >>> summary([1, 2.5, "three"])
    "[1, 2.5, 'three']"
    >>> summary(list(range(100)))
    'list[100] [0, 1, 2, 3, 4, 5, 6, 7, ...]'
    >>> summary(object())
    '<object>'
    """
    return _shorten(_text(value, nesting=0))


def register_summary(type_name, function):
    """Show values of the type called `type_name` (and of its subclasses) as `function(value)`, a str.

    `type_name` is a bare name ("ScalarType") or one with its module ("decimal.Decimal").
    """
    _registered[type_name] = function
    _functions.clear()


def show_relative_to(folders):
    """Show paths below one of `folders` relative to it; other absolute paths lose all but their last part."""
    _known_folders[:] = sorted((str(folder).rstrip("/\\") for folder in folders), key=len, reverse=True)


def scrub(text):
    """`text` without what differs from run to run: addresses and absolute paths.

    >>> scrub("<Thing at 0x7f0123456789> read /tmp/tmp81723/notes.txt")
    '<Thing at 0x...> read .../notes.txt'
    """
    if "0x" in text:
        text = _ADDRESS.sub("0x...", text)
    if "/" in text or "\\" in text:
        text = _ABSOLUTE_PATH.sub(_relative_path, text)
    return text


def exception_summary(error):
    """An exception as the last line of its traceback has it: `KeyError: 'k'`."""
    name = type(error).__name__
    try:
        message = str(error)
    except Exception:
        message = ""
    first_line = message.partition("\n")[0]
    if not first_line:
        return name
    return _shorten(scrub(f"{name}: {first_line}"), LONGEST + 40)


# How each kind of value is shown. A function takes the value and how deep inside containers it stands.


def _text(value, nesting):
    kind = type(value)
    function = _functions.get(kind)
    if function is None:
        function = _functions[kind] = _find_function(kind)
    try:
        return function(value, nesting)
    except Exception:
        return f"<{kind.__name__}>"


def _find_function(kind):
    for base in kind.__mro__:
        for name in (f"{base.__module__}.{base.__qualname__}", base.__name__):
            if name in _registered:
                registered = _registered[name]
                return lambda value, nesting: scrub(registered(value))
    for base, function in _BUILT_IN.items():
        if kind is base:
            return function
    if hasattr(kind, "shape") and hasattr(kind, "dtype"):
        return _array
    if any(base.__module__ == "PIL.Image" for base in kind.__mro__):
        return _image
    for base, function in _CONTAINERS.items():
        if issubclass(kind, base):
            return function
    if any(base.__module__ == "enum" for base in kind.__mro__):
        return _enum_member
    if issubclass(kind, BaseException):
        return lambda value, nesting: exception_summary(value)
    if issubclass(kind, type):
        return lambda value, nesting: f"<class {value.__name__}>"
    if kind.__name__ in _CODE:
        return lambda value, nesting: f"<{_CODE[kind.__name__]} {value.__name__}>"
    return lambda value, nesting: f"<{kind.__name__}>"


def _plain(value, nesting):
    return repr(value)


def _integer(value, nesting):
    # Python refuses to write out more than 4300 digits, and nobody reads them.
    if value.bit_length() > 256:
        return f"<int of {value.bit_length()} bits>"
    return repr(value)


def _float(value, nesting):
    # A float within a day of the clock is a time, and would differ at every build.
    if abs(value - _NOW) < _DAY:
        return "<time>"
    return _with_point(f"{value:.6g}", ".0")


def _string(value, nesting):
    if len(value) > LONGEST:
        return f"str[{len(value)}] {scrub(repr(value[:LONGEST]))}"
    return scrub(repr(value))


def _bytes(value, nesting):
    if len(value) > 16:
        return f"bytes[{len(value)}]"
    return repr(value)


def _sequence(value, nesting):
    base = list if isinstance(value, list) else tuple
    length = base.__len__(value)
    opening, closing = "[]" if base is list else "()"
    if length == 1 and base is tuple:
        closing = ",)"
    elements = itertools.islice(base.__iter__(value), FEW)
    return _container(type(value), base, length, opening, (_text(e, nesting + 1) for e in elements), closing, nesting)


def _set(value, nesting):
    base = set if isinstance(value, set) else frozenset
    length = base.__len__(value)
    if length == 0 or length > FEW:
        return f"{type(value).__name__}[{length}]"
    # Strings hash differently in every process: sort, or the recording differs as well.
    elements = sorted(_text(element, nesting + 1) for element in value)
    return _container(type(value), set, length, "{", elements, "}", nesting)


def _mapping(value, nesting):
    length = dict.__len__(value)
    items = itertools.islice(dict.items(value), FEW)
    pairs = (f"{_text(key, nesting + 1)}: {_text(element, nesting + 1)}" for key, element in items)
    return _container(type(value), dict, length, "{", pairs, "}", nesting)


def _container(kind, base, length, opening, texts, closing, nesting):
    """`[1, 2]` where the whole fits, else its length and as much as fits: `list[3000] [0, 1, ...]`."""
    head = f"{kind.__name__}[{length}]"
    if nesting == 2 and length:
        return head
    shown = []
    room = LONGEST // (nesting + 1)
    for text in texts:
        room -= len(text) + 2
        if room < 0:
            break
        shown.append(text)
    if len(shown) == length:
        name = "" if kind is base else kind.__name__
        return f"{name}{opening}{', '.join(shown)}{closing}"
    if not shown:
        return head
    return f"{head} {opening}{', '.join(shown)}, ...{closing.lstrip(',')}"


def _array(value, nesting):
    kind = type(value)
    shape = [int(size) for size in value.shape]
    dtype = str(value.dtype).rpartition(".")[2]
    # NumPy's scalars have shape and dtype too.
    if not shape and kind.__module__ == "numpy" and kind.__name__ != "ndarray":
        return f"{dtype} {_number(value.item())}"
    name = "" if kind.__name__ in ("Tensor", "ndarray") else f"{kind.__name__} "
    text = f"{name}{dtype}{shape} {_place(value)}"
    size = 1
    for length in shape:
        size *= length
    if size > FEW or nesting > 1:
        return text
    return f"{text} {_numbers(_memory(value).tolist())}"


def _place(value):
    """Where an array lives: a tensor's device, or else the library whose array it is."""
    module = type(value).__module__.partition(".")[0]
    if module in ("numpy", "cupy"):
        return module
    return str(value.device) if hasattr(type(value), "device") else module


def _memory(value):
    """The NumPy (or CuPy) array inside a tensor of ours; another library's array as it is."""
    return value.array if hasattr(type(value), "array") else value


def _numbers(nested):
    if isinstance(nested, list):
        return f"[{', '.join(_numbers(part) for part in nested)}]"
    return _number(nested)


def _number(value):
    if isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    if isinstance(value, complex):
        return f"{value:.4g}"
    if not hasattr(type(value), "__float__"):
        return _text(value, nesting=2)
    return _with_point(f"{float(value):.4g}", ".")


def _with_point(text, point):
    """A float's text, told from an int's."""
    return text + point if text.lstrip("-").isdigit() else text


def _image(value, nesting):
    width, height = value.size
    return f"Image {value.mode} {width}x{height}"


def _enum_member(value, nesting):
    return f"{type(value).__name__}.{value._name_}"


def _shorten(text, longest=LONGEST):
    text = text.replace("\n", " ")
    if len(text) <= longest:
        return text
    return text[: longest - 3] + "..."


def _relative_path(match):
    path = match.group()
    for folder in _known_folders:
        if path.startswith(folder) and path[len(folder) : len(folder) + 1] in ("/", "\\"):
            return path[len(folder) + 1 :].replace("\\", "/")
    parts = [part for part in re.split(r"[/\\]", path) if part]
    # Two slashes are not yet a path on a disk: "/" and "/usr" tell nothing about this machine.
    return f".../{parts[-1]}" if len(parts) > 1 else path


_BUILT_IN = {
    type(None): _plain,
    bool: _plain,
    int: _integer,
    float: _float,
    complex: _plain,
    str: _string,
    bytes: _bytes,
    range: _plain,
    slice: _plain,
    type(Ellipsis): _plain,
    type(NotImplemented): _plain,
    list: _sequence,
    tuple: _sequence,
    dict: _mapping,
    set: _set,
    frozenset: _set,
}

_CONTAINERS = {
    list: _sequence,
    tuple: _sequence,
    dict: _mapping,
    set: _set,
    frozenset: _set,
    str: lambda value, nesting: _string(str.__str__(value), nesting),
}

# Names of the types that Python code is made of, and the word for each.
_CODE = {
    "function": "function",
    "builtin_function_or_method": "function",
    "method_descriptor": "function",
    "method": "method",
    "module": "module",
    "generator": "generator",
    "coroutine": "coroutine",
}

# A dtype or a device is a word, not a thing with an inside.
register_summary("ScalarType", repr)
register_summary("dtype", str)
register_summary("Device", str)
register_summary("device", str)
register_summary("PurePath", lambda path: f"Path({str(path)!r})")

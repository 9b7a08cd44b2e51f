"""What is on record of CuPy: which names it has, with which parameters, and which types its ufuncs take."""

import functools
import inspect
import json
from pathlib import Path

NAMES = json.loads((Path(__file__).parent / "cupy_api.json").read_text())
VERSION = NAMES.pop("__version__")


def exists(dotted):
    """Whether CuPy has this name, e.g. "linalg.norm" or "ndarray.get"."""
    return dotted in NAMES


def is_ufunc(dotted):
    """Whether it is an elementwise function with loops for certain types."""
    return isinstance(NAMES[dotted], dict)


@functools.cache
def signature(dotted):
    """The parameters of a function or method; None where they are not known."""
    text = NAMES[dotted]
    return None if text is None else inspect.Signature(list(_parameters(text)))


def split_out(dotted, args, kwargs):
    """The arguments without `out`, and `out`. TypeError, if CuPy's function does not take them."""
    parameters = signature(dotted)
    if parameters is None:
        return args, kwargs, None
    try:
        given = parameters.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"cupy.{dotted}{parameters}: {error}") from None
    out = given.arguments.get("out")
    if out is None:
        return args, kwargs, None
    if "out" in kwargs:
        return args, {key: value for key, value in kwargs.items() if key != "out"}, out
    return tuple([None if value is out else value for value in args]), kwargs, out


def _parameters(text):
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for one in filter(None, text.split(", ")):
        if one == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
        elif one.startswith("**"):
            yield inspect.Parameter(one[2:], inspect.Parameter.VAR_KEYWORD)
        elif one.startswith("*"):
            yield inspect.Parameter(one[1:], inspect.Parameter.VAR_POSITIONAL)
            kind = inspect.Parameter.KEYWORD_ONLY
        elif one.endswith("="):
            yield inspect.Parameter(one[:-1], kind, default=None)
        else:
            yield inspect.Parameter(one, kind)

"""_memory: new memory is zeros while a recording runs.

`numpy.empty` hands out memory as its last owner left it: old data, addresses, something else at every run. Whoever
shows a local before it is written shows that. So a recording that is to be equal at every build writes zeros first,
which is as good a content as any. Only numbers are written; CuPy's memory is treated alike where CuPy is loaded.
"""

import sys

_MODULES = ("numpy", "cupy")
_FUNCTIONS = ("empty", "empty_like")
_NUMBERS = "biufc"


def write_new_memory():
    """Replace the functions that hand out memory as it is; returns what `restore` needs."""
    replaced = []
    for module_name in _MODULES:
        module = sys.modules.get(module_name)
        if module is None:
            continue
        for name in _FUNCTIONS:
            function = getattr(module, name)
            replaced.append((module, name, function))
            setattr(module, name, _writing(function))
    return replaced


def restore(replaced):
    """Put the functions back."""
    for module, name, function in replaced:
        setattr(module, name, function)


def _writing(function):
    def written(*args, **kwargs):
        array = function(*args, **kwargs)
        # bfloat16 is of no kind that NumPy knows, and has no fields either.
        if array.dtype.kind in _NUMBERS or (array.dtype.kind == "V" and array.dtype.names is None):
            array.fill(0)
        return array

    return written

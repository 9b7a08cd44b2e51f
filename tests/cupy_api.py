"""What CuPy offers: its public names, their parameters, and the type signatures of its ufuncs, written to a file.

    python -m tests.cupy_api        beside CuPy (and ml_dtypes); no card is needed

The file is what the strict array module goes by, and what the kernels' names are checked against where CuPy is not
installed.
"""

import inspect
import json
import re
import types
from pathlib import Path

import annotated_src

RECORD = Path(annotated_src.__file__).parent / "walkthrough" / "strict" / "cupy_api.json"
MODULES = ("", "lib", "lib.stride_tricks", "linalg", "fft", "random", "cuda", "cuda.runtime")
CLASSES = (
    "ndarray",
    "ufunc",
    "RawModule",
    "RawKernel",
    "cuda.Device",
    "cuda.Stream",
    "cuda.Event",
    "cuda.Graph",
    "cuda.Function",
    "cuda.MemoryPool",
    "cuda.MemoryPointer",
    "cuda.PinnedMemoryPool",
    "cuda.PinnedMemoryPointer",
)


def names_of(cupy):
    """{dotted name: what is known of it} of the modules and classes above."""
    found = {}
    for owner in (*MODULES, *CLASSES):
        for name in dir(resolve(cupy, owner)):
            if not name.startswith("_"):
                dotted = f"{owner}.{name}".lstrip(".")
                found[dotted] = describe(resolve(cupy, dotted))
    return dict(sorted(found.items()))


def resolve(module, dotted):
    """The object with a dotted name; AttributeError if there is none."""
    for name in filter(None, dotted.split(".")):
        module = getattr(module, name)
    return module


def describe(value):
    """A ufunc: its types. A function: its parameters in one line. Anything else: None."""
    if type(value).__name__ == "ufunc":
        return {"types": value.types, "scatter": value._scatter_op}
    if isinstance(value, (type, types.ModuleType)) or not callable(value):
        return None
    try:
        parameters = [parameter_text(one) for one in inspect.signature(value).parameters.values()]
    except (TypeError, ValueError):
        return from_docstring(value.__doc__ or "")
    kinds = [one.kind for one in inspect.signature(value).parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    return ", ".join(one for one in parameters if one != "self")


def parameter_text(parameter):
    """`name`, `name=` where it has a default, `*name`, `**name`."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return stars + parameter.name + ("" if parameter.default is inspect.Parameter.empty else "=")


def from_docstring(text):
    """Compiled methods say their parameters in the first line: `_ndarray_base.sum(self, axis=None) -> ...`."""
    match = re.match(r"[\w.]+\((.*?)\)(?: ->.*)?$", text.partition("\n")[0])
    if match is None:
        return None
    parameters = []
    for one in match[1].split(", "):
        declared, has_default, _ = one.partition("=")
        name = declared.split()[-1] if declared else ""
        if name not in ("self", ""):
            parameters.append(name + has_default)
    return ", ".join(parameters)


def main():
    import cupy
    import ml_dtypes  # noqa: F401  (with it, the ufuncs have bfloat16)

    rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in names_of(cupy).items()]
    RECORD.write_text('{\n  "__version__": ' + json.dumps(cupy.__version__) + ",\n" + ",\n".join(rows) + "\n}\n")
    print(f"{len(rows)} names of CuPy {cupy.__version__} written to {RECORD}")


if __name__ == "__main__":
    main()

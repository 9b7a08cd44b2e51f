"""No transfer behind the reader's back: the line that asks for one says so.

    count = int(mask.sum())  # D2H: the host must know the size of the result

`check_mark` is called at each transfer and goes up the stack: past the operators that are there to transfer (`item`,
`copy_`, `to`) and all that lies between a caller and a kernel, to the line that wanted it. If that is a line of the
product, it must carry the mark; a line of the caller's own program may transfer as it likes.
"""

import linecache
import sys
from pathlib import Path

_HERE = str(Path(__file__).parent)
_ROOT = Path(__file__).parents[2]
_PRODUCT = tuple([str(_ROOT / part) for part in ("c10", "aten", "torch", "torchvision")])
_LIBRARIES = ("numpy", "contextlib", "functools", "contextvars")
# Kernels that transfer because they are asked to.
_SERVANTS = ("aten/native/cuda/copy.py", "aten/native/copy.py", "aten/native/scalar.py", "aten/native/memory.py")
_SERVANTS += ("aten/native/tensor_conversions.py", "torch/_tensor_str.py", "torch/storage.py")
# Compares on the host what was computed, as a test does: counts as the caller's own program.
_TEST_TOOL = str(_ROOT / "torch" / "autograd" / "gradcheck.py")
_SERVANT_FUNCTIONS = ("is_nonzero", "allclose", "equal")
# What lies between a caller and a kernel; the formulas of derivatives are kernels, too.
_BETWEEN = ("aten/ops.py", "aten/core/", "torch/_C/", "torch/_ops.py", "torch/_tensor.py", "torch/csrc/")
_BETWEEN += ("torch/autograd/graph.py:_engine_run_backward",)
_FORMULAS = ("torch/csrc/autograd/derivatives/", "torch/csrc/autograd/functions_manual.py")


class HiddenTransfer(TypeError):
    """A transfer at a line that does not say so."""


def check_mark(kind, nbytes):
    """HiddenTransfer, if the product's line that transfers has no `# D2H` or `# H2D` in it."""
    frame = sys._getframe(1)
    is_first = True
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path.startswith(_HERE) or _is_library(frame):
            frame = frame.f_back
            continue
        if not path.startswith(_PRODUCT) or path == _TEST_TOOL:
            return
        inside = f"{Path(path).relative_to(_ROOT).as_posix()}:{frame.f_code.co_name}"
        is_marked = f"# {kind}: " in linecache.getline(path, line)
        serves = inside.startswith(_SERVANTS) or frame.f_code.co_name in _SERVANT_FUNCTIONS
        if is_marked and not serves:
            return
        if serves and (is_marked or not is_first) or _is_between(inside):
            is_first = False
            frame = frame.f_back
            continue
        raise HiddenTransfer(
            f"hidden transfer: {path}:{line} ({frame.f_code.co_qualname}) carries {nbytes} bytes {kind}. Keep the data "
            f"where it is or, where upstream waits as well, end the line with `# {kind}: why`"
        )


def _is_between(inside):
    return inside.startswith(_BETWEEN) and not inside.startswith(_FORMULAS)


def _is_library(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0] in _LIBRARIES

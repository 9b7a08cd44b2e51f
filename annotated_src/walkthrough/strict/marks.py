"""No transfer behind the reader's back: the line that asks for one says so.

    count = int(mask.sum())  # D2H: the host must know the size of the result

`check_mark` is called at each transfer. It looks for the innermost line of the product on the stack; where that lacks
the mark, the transfer is refused. What a caller of the product asks for itself (a test that reads `array.get()`) passes.
"""

import linecache
import sys
from pathlib import Path

_HERE = str(Path(__file__).parent)
_PRODUCT = tuple([str(Path(__file__).parents[2] / part) for part in ("c10", "aten", "torch", "torchvision")])
_PASSED_OVER = ("numpy", "contextlib", "functools")


class HiddenTransfer(TypeError):
    """A transfer at a line that does not say so."""


def check_mark(kind, nbytes):
    """HiddenTransfer, if the product's line that transfers has no `# D2H` or `# H2D` in it."""
    frame = sys._getframe(1)
    while frame is not None and _is_passed_over(frame):
        frame = frame.f_back
    if frame is None or not frame.f_code.co_filename.startswith(_PRODUCT):
        return
    path, line = frame.f_code.co_filename, frame.f_lineno
    if f"# {kind}: " not in linecache.getline(path, line):
        raise HiddenTransfer(
            f"hidden transfer: {path}:{line} ({frame.f_code.co_qualname}) carries {nbytes} bytes {kind}. Keep the data "
            f"where it is or, where upstream waits as well, end the line with `# {kind}: why`"
        )


def _is_passed_over(frame):
    path = frame.f_code.co_filename
    return path.startswith(_HERE) or frame.f_globals.get("__name__", "").partition(".")[0] in _PASSED_OVER

"""The real torchvision beside a CPU build of torch: an oracle for its Python side.

PyPI's torchvision is linked against CUDA, so its operators do not load there, and on its way in it registers shapes
for two of them, which must at least be declared. Where the operators do load (a matching build, or
`shared/tools/torchvision_cpu.sh`), nothing is declared and they work.
"""

import sys
import warnings

DECLARED = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)

# A library's declarations live as long as the object.
_library = None


def load():
    """The module torchvision."""
    global _library
    if "torchvision" in sys.modules:
        return sys.modules["torchvision"]
    import torch

    if not _operators_load():
        _library = torch.library.Library("torchvision", "DEF")
        for schema in DECLARED:
            _library.define(schema)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torchvision
    return torchvision


def _operators_load():
    """Whether torchvision's compiled operators can be had."""
    import importlib.util
    import pathlib

    import torch

    folder = pathlib.Path(importlib.util.find_spec("torchvision").origin).parent
    for library in [*folder.glob("_C.so"), *folder.glob("_C*.pyd"), *folder.glob("_C.*.so")]:
        try:
            torch.ops.load_library(str(library))
        except (ImportError, OSError):
            return False
        return True
    return False

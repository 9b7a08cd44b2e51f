"""Page-locked ("pinned") memory, from which a CUDA card copies in the background.

Retells aten/src/ATen/native/Memory.cpp.
Without a card there is none.
"""

import numpy

from annotated_src.c10.util.exception import TorchError


def is_pinned(self, device=None):
    """Whether the memory is page-locked."""
    return False


def pin_memory(self, device=None):
    """`self` in page-locked memory; RuntimeError without a CUDA card."""
    if not isinstance(self.array, numpy.ndarray):
        raise TorchError(f"cannot pin '{self.device}' memory: only dense CPU tensors can be pinned")
    raise TorchError("Cannot access accelerator device when none is available: pinned memory is made for a CUDA card")

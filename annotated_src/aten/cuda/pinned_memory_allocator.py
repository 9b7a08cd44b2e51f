"""Page-locked memory of the host, from which and into which a card copies in the background.

Retells aten/src/ATen/cuda/PinnedMemoryAllocator.h and CachingHostAllocator.h.

The array module keeps a pool of it: locking pages is slow, and what was given back is used again.
"""

import numpy

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.cuda.cuda_functions import device_count
from annotated_src.c10.util.exception import TorchError


def allocate(nbytes):
    """A NumPy array of `nbytes` bytes (uint8) whose memory is page-locked. RuntimeError without a card."""
    if not device_count():
        raise TorchError(
            "Cannot access accelerator device when none is available. Pinned memory is made for a CUDA card: "
            "leave out pin_memory on this machine"
        )
    memory = cuda_module().cuda.alloc_pinned_memory(nbytes)
    return numpy.frombuffer(memory, numpy.uint8, nbytes)


def is_pinned_ptr(address):
    """Whether an address of the host lies in page-locked memory; False without a card."""
    if not device_count():
        return False
    runtime = cuda_module().cuda.runtime
    return runtime.pointerGetAttributes(address).type == runtime.memoryTypeHost

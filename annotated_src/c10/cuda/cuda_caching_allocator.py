"""The pool from which CUDA arrays take their memory, and its figures. Retells c10/cuda/CUDACachingAllocator.cpp.

    allocated   bytes that arrays hold now
    reserved    bytes that the pool has taken from the card; what arrays gave back is kept for the next ones

The pool is the array module's. It keeps no peaks: those are noted here, at every allocation, from `init` on.

Left out: the pool itself (blocks, splitting, streams), snapshots, limits, memory that is not CuPy's.
"""

import functools

from annotated_src.c10.array_module import cuda_module, on_new_cuda_module
from annotated_src.c10.util.exception import OutOfMemoryError

# By device index: the highest figures since the last reset.
_peak_allocated = {}
_peak_reserved = {}


def _forget():
    _peak_allocated.clear()
    _peak_reserved.clear()


on_new_cuda_module(_forget)


def init():
    """Let every allocation of the array module pass by here."""
    module = cuda_module()
    module.cuda.set_allocator(functools.partial(raw_alloc, module))


def raw_alloc(module, nbytes):
    """Memory from the module's pool, and a look at the peaks."""
    try:
        memory = module.get_default_memory_pool().malloc(nbytes)
    except MemoryError as error:
        free, total = module.cuda.runtime.memGetInfo()
        raise OutOfMemoryError(
            f"CUDA out of memory. Tried to allocate {nbytes} bytes. GPU {module.cuda.runtime.getDevice()} has a total "
            f"capacity of {total} bytes, of which {free} are free. Take smaller batches, or delete tensors"
        ) from error
    _note_peaks(module, module.cuda.runtime.getDevice())
    return memory


def _note_peaks(module, device):
    pool = module.get_default_memory_pool()
    _peak_allocated[device] = max(_peak_allocated.get(device, 0), pool.used_bytes())
    _peak_reserved[device] = max(_peak_reserved.get(device, 0), pool.total_bytes())


def get_device_stats(device):
    """The figures of a device, nested as upstream nests them; bytes."""
    module = cuda_module()
    with module.cuda.Device(device):
        _note_peaks(module, device)
        pool = module.get_default_memory_pool()
        allocated, reserved = pool.used_bytes(), pool.total_bytes()
    return {
        "allocated_bytes": {"all": {"current": allocated, "peak": _peak_allocated[device]}},
        "reserved_bytes": {"all": {"current": reserved, "peak": _peak_reserved[device]}},
    }


def reset_peak_stats(device):
    """From here on, the peaks are new ones."""
    _peak_allocated.pop(device, None)
    _peak_reserved.pop(device, None)
    module = cuda_module()
    with module.cuda.Device(device):
        _note_peaks(module, device)


def empty_cache():
    """Give back to the card what the pool keeps and nobody uses."""
    cuda_module().get_default_memory_pool().free_all_blocks()

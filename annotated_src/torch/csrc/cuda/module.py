"""The functions of torch._C that torch.cuda calls. Retells torch/csrc/cuda/Module.cpp.

Each is a line or two over c10/cuda/. A stream goes through Python as three numbers: its own, its device's, and the
number of the device type.

Left out: cuBLAS and cuDNN handles, peer-to-peer settings, snapshots of memory, IPC, NCCL, tunable operators.
"""

import os

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.cuda import cuda_caching_allocator, cuda_functions, cuda_stream
from annotated_src.c10.util.exception import TorchError

# The number of "cuda" among upstream's device types.
CUDA = 1

_in_bad_fork = False
_initialized = False


class _CudaDeviceProperties:
    """What a card is and can do; bytes and counts."""

    def __init__(self, **figures):
        self.__dict__.update(figures)

    def __repr__(self):
        figures = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"_CudaDeviceProperties({figures})"


def _cuda_init():
    """Start CUDA. AssertionError without CuPy, RuntimeError without a card."""
    global _initialized
    cuda_module()
    if not cuda_functions.device_count():
        raise TorchError("No CUDA GPUs are available: the driver is there, but shows no card (CUDA_VISIBLE_DEVICES?)")
    cuda_caching_allocator.init()
    if not _initialized:
        _initialized = True
        os.register_at_fork(after_in_child=_forked_child)


def _forked_child():
    global _in_bad_fork
    _in_bad_fork = True


def _cuda_isInBadFork():
    """Whether this process was forked from one that had started CUDA, which CUDA does not survive."""
    return _in_bad_fork


def _cuda_getDeviceCount():
    """How many cards there are."""
    return cuda_functions.device_count()


def _cuda_getDevice():
    """The current device's index."""
    return cuda_functions.current_device()


def _cuda_setDevice(device):
    """Make a device the current one."""
    cuda_functions.set_device(device)


def _cuda_exchangeDevice(device):
    """Make a device the current one; returns which was."""
    return cuda_functions.exchange_device(device)


def _cuda_maybeExchangeDevice(device):
    """The same; upstream spares a device that has no context yet."""
    return cuda_functions.exchange_device(device)


def _cuda_canDeviceAccessPeer(device, peer_device):
    """Whether a card can read another's memory."""
    return bool(cuda_module().cuda.runtime.deviceCanAccessPeer(device, peer_device))


def _cuda_synchronize():
    """Wait for all work on the current device."""
    cuda_functions.device_synchronize()


def _cuda_getCurrentStream(device_index):
    """(number, device index, device type) of the current stream."""
    return _pack3(cuda_stream.get_current_cuda_stream(device_index))


def _cuda_getDefaultStream(device_index):
    """(number, device index, device type) of the default stream."""
    return _pack3(cuda_stream.get_default_cuda_stream(device_index))


def _cuda_setStream(stream_id, device_index, device_type):
    """Make this the current stream, and its device the current one."""
    stream = cuda_stream.CUDAStream(stream_id, device_index)
    if cuda_functions.current_device() != device_index:
        cuda_functions.set_device(device_index)
    cuda_stream.set_current_cuda_stream(stream)


def _pack3(stream):
    return stream.id, stream.device_index, CUDA


def _cuda_isCurrentStreamCapturing():
    """Whether work on the current stream is noted for a graph."""
    return cuda_stream.get_current_cuda_stream().is_capturing()


def _cuda_emptyCache():
    """Give back what the memory pool keeps."""
    cuda_caching_allocator.empty_cache()


def _cuda_memoryStats(device):
    """The memory pool's figures, nested."""
    return cuda_caching_allocator.get_device_stats(device)


def _cuda_resetPeakMemoryStats(device):
    """Begin new peaks."""
    cuda_caching_allocator.reset_peak_stats(device)


def _cuda_memGetInfo(device):
    """Free and total bytes of a card."""
    with cuda_module().cuda.Device(device):
        return cuda_module().cuda.runtime.memGetInfo()


def _get_device_properties(device):
    """What a card is."""
    found = cuda_module().cuda.runtime.getDeviceProperties(device)
    return _CudaDeviceProperties(
        name=found["name"].decode(),
        major=found["major"],
        minor=found["minor"],
        total_memory=found["totalGlobalMem"],
        multi_processor_count=found["multiProcessorCount"],
        is_integrated=found["integrated"],
        is_multi_gpu_board=found["isMultiGpuBoard"],
        max_threads_per_multi_processor=found["maxThreadsPerMultiProcessor"],
        warp_size=found["warpSize"],
        L2_cache_size=found["l2CacheSize"],
        shared_memory_per_block=found["sharedMemPerBlock"],
        shared_memory_per_multiprocessor=found["sharedMemPerMultiprocessor"],
        regs_per_multiprocessor=found["regsPerMultiprocessor"],
    )

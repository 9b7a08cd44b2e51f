"""Which devices there are, and which is the current one. Retells c10/cuda/CUDAFunctions.cpp.

Left out: the warnings about operations that wait (torch.cuda.set_sync_debug_mode), and target devices without a
context.
"""

from annotated_src.c10.array_module import cuda_module


def device_count():
    """How many cards there are; 0 where CuPy or the driver is missing. Raises nothing."""
    try:
        return cuda_module().cuda.runtime.getDeviceCount()
    except (AssertionError, RuntimeError):
        return 0


def current_device():
    """The index of the device on which "cuda" puts a tensor."""
    return cuda_module().cuda.runtime.getDevice()


def set_device(device):
    """Make a device the current one of this thread."""
    cuda_module().cuda.runtime.setDevice(device)


def exchange_device(device):
    """Make `device` the current one and return which was; a negative one changes nothing."""
    if device < 0:
        return -1
    before = current_device()
    if before != device:
        set_device(device)
    return before


def device_synchronize():
    """Wait until all work on the current device is done."""
    cuda_module().cuda.runtime.deviceSynchronize()

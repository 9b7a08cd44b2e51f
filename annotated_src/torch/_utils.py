"""Small things that several packages need. Retells torch/_utils.py, as far as data loading goes."""

import os

from annotated_src.aten import ops
from annotated_src.c10.core.device import Device
from annotated_src.c10.cuda import cuda_functions


def cpu_count() -> int | None:
    """How many CPUs this process may use: its share, where the system can say; else all (torch._utils.cpu_count).

    >>> from annotated_src.torch import _utils
    >>> _utils.cpu_count() >= 1
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count()
    return len(os.sched_getaffinity(0))


def _rebuild_tensor(storage, storage_offset, size, stride):
    """A tensor over a TypedStorage, with these sizes and strides."""
    tensor = ops.empty.memory_format((0,), dtype=storage.dtype, device=storage._untyped_storage.device)
    return tensor.set_(storage._untyped_storage, storage_offset, size, stride)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    """What a pickled tensor is made of again."""
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    if requires_grad:
        tensor.requires_grad = True
    return tensor


class _LazySeedTracker:
    """The last seed asked for, for all devices and for the current one, and which of the two came later."""

    def __init__(self):
        self.manual_seed_all_cb = None
        self.manual_seed_cb = None
        self.call_order = []

    def queue_seed_all(self, cb, traceback):
        """Keep the seeding of all devices."""
        self.manual_seed_all_cb = (cb, traceback)
        self.call_order = [self.manual_seed_cb, self.manual_seed_all_cb]

    def queue_seed(self, cb, traceback):
        """Keep the seeding of the current device."""
        self.manual_seed_cb = (cb, traceback)
        self.call_order = [self.manual_seed_all_cb, self.manual_seed_cb]

    def get_calls(self) -> list:
        """What is to be called, in order; None where there is nothing."""
        return self.call_order


def _get_current_device_index():
    """The current card's number, or None without a card."""
    return cuda_functions.current_device() if cuda_functions.device_count() else None


def _get_device_index(device, optional=False, allow_cpu=False) -> int:
    """The number of a device: given as a number, a string, a device, or, where that is optional, not at all."""
    if isinstance(device, str):
        device = Device(device)
    device_idx = None
    if isinstance(device, Device):
        if not allow_cpu and device.type == "cpu":
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        device_idx = -1 if device.type == "cpu" else device.index
    if isinstance(device, int):
        device_idx = device
    if device_idx is None:
        if not optional:
            raise ValueError(
                f"Expected a torch.device with a specified index or an integer, but got:{device}; write 'cuda:0'"
            )
        device_idx = _get_current_device_index()
    return device_idx

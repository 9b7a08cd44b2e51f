"""Which device is meant? Retells torch/cuda/_utils.py.

Left out: compiling and launching kernels given as text.
"""

from annotated_src.torch._C import device as _device
from annotated_src.torch._utils import _get_device_index as _torch_get_device_index


def _get_device_index(device, optional=False, allow_cpu=False):
    """The index that a number, a string, a device or None names; None and "cuda" are the current device.

    ValueError for another device type, or where no device is named and `optional` is False.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = _device(device)
    if isinstance(device, _device):
        if allow_cpu:
            if device.type not in ["cuda", "cpu"]:
                raise ValueError(f"Expected a cuda or cpu device, but got: {device}")
        elif device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}; write 'cuda:0' or 0")
    if hasattr(device, "prev_idx"):
        # (a torch.cuda.device, the context manager)
        return device.idx
    return _torch_get_device_index(device, optional, allow_cpu)

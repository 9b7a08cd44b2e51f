"""Device: where a tensor's memory is. Retells c10/core/Device.h and torch/csrc/Device.cpp (torch.device).

Left out: every device type but `cpu`, `cuda` and `meta`.
"""

from annotated_src.c10.cuda.cuda_functions import device_count
from annotated_src.c10.util.exception import TorchError

TYPES = ("cpu", "cuda", "meta")


class Device:
    """A device type and, where there are several of it, which one; `torch.device` upstream.

    >>> from annotated_src import torch
    >>> torch.device("cuda:1"), str(torch.device("cpu")), torch.device("cuda", 0).index
    (device(type='cuda', index=1), 'cpu', 0)
    """

    __slots__ = ("type", "index")

    def __init__(self, device=None, index=None, *, type=None):
        device = type if device is None else device
        if isinstance(device, Device):
            self.type, self.index = device.type, device.index
            return
        if isinstance(device, int):
            if not device_count():
                raise TorchError(
                    "Cannot access accelerator device when none is available. A number alone means a card: there is "
                    "none here, or no CuPy; write 'cpu'"
                )
            self.type, self.index = "cuda", device
            return
        if not isinstance(device, str):
            raise TypeError(
                f"device() received an invalid combination of arguments - got ({device.__class__.__name__}): "
                "give a string such as 'cpu' or 'cuda:0', a number, or a device"
            )
        self.type, self.index = _parse(device, index)

    def __eq__(self, other):
        if not isinstance(other, Device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self):
        return hash((self.type, self.index))

    def __repr__(self):
        if self.index is None:
            return f"device(type={self.type!r})"
        return f"device(type={self.type!r}, index={self.index})"

    def __str__(self):
        if self.index is None:
            return self.type
        return f"{self.type}:{self.index}"

    def __reduce__(self):
        return Device, (self.type, self.index)


# The name by which Python and its error messages know the class.
Device.__name__ = "device"


def _parse(text, index):
    if not text:
        raise TorchError("Device string must not be empty: write it like 'cpu' or 'cuda:0'")
    type_, colon, digits = text.partition(":")
    if type_ not in TYPES:
        raise TorchError(
            f"Expected one of {', '.join(TYPES)} device type at start of device string: {text}"
        )
    if not colon:
        return type_, index
    if index is not None:
        raise TorchError(f"type (string) must not include an index because index was passed explicitly: {text}")
    if not digits.isdigit() or (len(digits) > 1 and digits[0] == "0"):
        raise TorchError(f"Invalid device string: '{text}'; write it like 'cuda:0'")
    return type_, int(digits)

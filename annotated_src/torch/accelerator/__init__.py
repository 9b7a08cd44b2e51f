"""torch.accelerator: the one kind of accelerator in this machine, if any; here it is CUDA or nothing.

Retells torch/accelerator/__init__.py. Left out: the current device, streams and memory of the accelerator.
"""

from annotated_src.c10.array_module import is_built
from annotated_src.c10.core.device import Device
from annotated_src.c10.cuda.cuda_functions import device_count

__all__ = ["current_accelerator", "is_available"]


def is_available() -> bool:
    """Whether there is an accelerator that can be used now (torch.accelerator.is_available).

    >>> from annotated_src.torch import accelerator
    >>> accelerator.is_available() == (accelerator.current_accelerator(check_available=True) is not None)
    True
    """
    device = current_accelerator()
    return device is not None and device_count() > 0


def current_accelerator(check_available: bool = False) -> Device | None:
    """The accelerator's device without a number, or None (torch.accelerator.current_accelerator).

    CuPy installed is what "built with CUDA" is upstream; `check_available` asks for a card as well.
    """
    if not is_built():
        return None
    if check_available and not is_available():
        return None
    return Device("cuda")

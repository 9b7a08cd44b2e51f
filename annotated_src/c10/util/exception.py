"""The error types that C++ raises upstream. Retells c10/util/Exception.h.

TORCH_CHECK raises c10::Error, which Python sees as RuntimeError; TORCH_CHECK_INDEX, TORCH_CHECK_VALUE and
TORCH_CHECK_TYPE raise the Python types of those names. Only the one that has no Python type of its own is here.
"""

TorchError = RuntimeError


class OutOfMemoryError(RuntimeError):
    """A card has no memory left; `torch.OutOfMemoryError`."""

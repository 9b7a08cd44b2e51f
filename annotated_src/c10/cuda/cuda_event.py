"""CUDAEvent: a mark in a stream. Retells c10/cuda/CUDAEvent.h.

    record(stream)      the mark goes behind what is queued there now
    block(stream)       what is queued there from now on begins after the mark; the host goes on
    synchronize()       the host stands still until the card has passed the mark

Invariant: the event is made when it is first recorded, on the recording stream's device; until then `query` is True
and the others do nothing.

Left out: events shared between processes; `external` makes no difference.
"""

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.core.device import Device
from annotated_src.c10.util.exception import TorchError


class CUDAEvent:
    """A mark; it carries a time where `enable_timing` asks for that."""

    __slots__ = ("blocking", "device_index", "enable_timing", "event")

    def __init__(self, enable_timing=False, blocking=False):
        self.enable_timing = enable_timing
        self.blocking = blocking
        self.event = None
        self.device_index = -1

    @property
    def device(self):
        """Where it was recorded, or None."""
        return None if self.event is None else Device("cuda", self.device_index)

    def record(self, stream):
        """Put the mark behind what is queued on a CUDAStream."""
        if self.event is None:
            self._create_event(stream.device_index)
        if self.device_index != stream.device_index:
            raise TorchError(
                f"Event device {self.device_index} does not match recording stream's device {stream.device_index}. "
                "Make another event for that device"
            )
        with cuda_module().cuda.Device(self.device_index):
            self.event.record(stream.stream())

    def block(self, stream):
        """Let what is queued on a CUDAStream from now on wait for the mark."""
        if self.event is not None:
            with cuda_module().cuda.Device(stream.device_index):
                stream.stream().wait_event(self.event)

    def query(self):
        """Whether the card has passed the mark."""
        return self.event is None or self.event.done

    def synchronize(self):
        """Wait until it has."""
        if self.event is not None:
            self.event.synchronize()

    def elapsed_time(self, other):
        """Milliseconds between two marks."""
        if not (self.enable_timing and other.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self.event is None or other.event is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and other.query()):
            raise TorchError(
                "Both events must be completed before calculating elapsed time. Call synchronize() on the later one"
            )
        return cuda_module().cuda.get_elapsed_time(self.event, other.event)

    def _create_event(self, device_index):
        cuda = cuda_module().cuda
        self.device_index = device_index
        with cuda.Device(device_index):
            self.event = cuda.Event(block=self.blocking, disable_timing=not self.enable_timing)

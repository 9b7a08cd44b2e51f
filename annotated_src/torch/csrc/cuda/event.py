"""_CudaEventBase: an event as Python holds it. Retells torch/csrc/cuda/Event.cpp.

Left out: events shared between processes.
"""

from annotated_src.c10.cuda.cuda_event import CUDAEvent


class _CudaEventBase:
    """An event that is made when it is first recorded."""

    __slots__ = ("cdata",)

    def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
        if interprocess:
            raise NotImplementedError("events shared between processes are left out: interprocess=False")
        self = object.__new__(cls)
        self.cdata = CUDAEvent(enable_timing, blocking)
        return self

    @property
    def device(self):
        """Where it was recorded, or None."""
        return self.cdata.device

    @property
    def cuda_event(self):
        """CUDA's own handle, a number; 0 before it is recorded."""
        return 0 if self.cdata.event is None else self.cdata.event.ptr

    def record(self, stream):
        """Put the mark behind what is queued on a stream."""
        self.cdata.record(stream.cdata)

    def wait(self, stream):
        """Let a stream's further work wait for the mark."""
        self.cdata.block(stream.cdata)

    def query(self):
        """Whether the card has passed the mark."""
        return self.cdata.query()

    def elapsed_time(self, end_event):
        """Milliseconds from this mark to another."""
        return self.cdata.elapsed_time(end_event.cdata)

    def synchronize(self):
        """Wait until the card has passed the mark."""
        self.cdata.synchronize()

"""Stream and Event: queues of work for a card, and marks in them. Retells torch/cuda/streams.py.

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):       what is launched here goes to `side`
        y = x @ w
    torch.cuda.current_stream().wait_stream(side)     and nothing reads y before it is there

Within a stream, work is done in order. Between two streams there is no order but what events make:

    a.wait_stream(b)    =   a.wait_event(b.record_event())    =   event.record(b); event.wait(a)

None of these lets the host wait; `synchronize` does.

Left out: ExternalStream, events shared between processes.
"""

import ctypes

from annotated_src.c10.array_module import is_built
from annotated_src.torch.csrc.cuda.event import _CudaEventBase
from annotated_src.torch.csrc.cuda.stream import _CudaStreamBase

# Deviation: upstream imports this package here; when it is complete, it puts itself here, for it stands above.
cuda = None


class Stream(_CudaStreamBase):
    """A queue of work on `device`; a lower `priority` goes first.

    RuntimeError without CuPy or without a card. Upstream: torch/cuda/streams.py.
    """

    __slots__ = ()

    def __new__(cls, device=None, priority=0, **kwargs):
        if not is_built():
            raise RuntimeError(
                "torch.cuda.Stream requires CUDA support: CuPy is not installed. "
                "pip install 'annotated-src[cuda12]' (or cuda13)"
            )
        if device is None or ("stream_id" in kwargs and "device_index" in kwargs):
            return super().__new__(cls, priority=priority, **kwargs)
        with cuda.device(device):
            return super().__new__(cls, priority=priority, **kwargs)

    def wait_event(self, event):
        """Let what is queued here from now on begin after `event`; the host goes on."""
        event.wait(self)

    def wait_stream(self, stream):
        """Let what is queued here from now on begin after all that is queued on `stream` now."""
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        """Put a mark, a new one if none is given, behind what is queued now; returns it."""
        if event is None:
            event = Event()
        event.record(self)
        return event

    def query(self):
        """Whether all work queued here is done."""
        return super().query()

    def synchronize(self):
        """Let the host wait until all work queued here is done."""
        super().synchronize()

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.cuda_stream)

    def __eq__(self, o):
        if isinstance(o, Stream):
            return super().__eq__(o)
        return False

    def __hash__(self):
        return hash((self.cuda_stream, self.device))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"

    def __cuda_stream__(self):
        """(version of the protocol, handle), by which other libraries take the stream."""
        return (0, self.cuda_stream)


class Event(_CudaEventBase):
    """A mark in a stream; with `enable_timing`, two of them measure a time.

    `blocking` lets a waiting host thread sleep. RuntimeError without CuPy. Upstream: torch/cuda/streams.py.
    """

    __slots__ = ()

    def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
        if not is_built():
            raise RuntimeError(
                "Tried to instantiate dummy base class Event: CuPy is not installed. "
                "pip install 'annotated-src[cuda12]' (or cuda13)"
            )
        return super().__new__(
            cls, enable_timing=enable_timing, blocking=blocking, interprocess=interprocess, external=external
        )

    def record(self, stream=None):
        """Put the mark behind what is queued on `stream`, by default the current one."""
        if stream is None:
            stream = cuda.current_stream()
        super().record(stream)

    def wait(self, stream=None):
        """Let what is queued on `stream`, by default the current one, from now on wait for the mark."""
        if stream is None:
            stream = cuda.current_stream()
        super().wait(stream)

    def query(self):
        """Whether the card has passed the mark; True if it was never recorded."""
        return super().query()

    def elapsed_time(self, end_event):
        """Milliseconds from this mark to `end_event`.

        ValueError unless both carry a time and were recorded, RuntimeError unless the card has passed both.
        """
        return super().elapsed_time(end_event)

    def synchronize(self):
        """Let the host wait until the card has passed the mark."""
        super().synchronize()

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.cuda_event)

    def __repr__(self):
        if self.cuda_event:
            return f"<torch.cuda.Event {self._as_parameter_.value:#x}>"
        return "<torch.cuda.Event uninitialized>"

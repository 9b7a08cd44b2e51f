"""CUDAStream: queues of work, by number. Retells c10/cuda/CUDAStream.cpp.

    get_stream_from_pool(priority, device)   the next of 32 streams, made when first asked for
    get_current_cuda_stream(device)          where this thread's work goes
    set_current_cuda_stream(stream)
    get_default_cuda_stream(device)          number 0: the null stream

Invariant: streams are never destroyed. The 33rd that is asked for is the first again.

Left out: streams of other libraries (ExternalStream).
"""

import itertools

from annotated_src.c10.array_module import cuda_module, on_new_cuda_module
from annotated_src.c10.core.device import Device
from annotated_src.c10.cuda.cuda_functions import current_device

STREAMS_PER_POOL = 32
MAX_STREAM_PRIORITIES = 4

# (device index, stream number) -> the array module's stream; and the same by (device index, pointer).
_streams = {}
_numbers = {}
_next_in_pool = {}


class CUDAStream:
    """A stream of one device; equal where device and number are."""

    __slots__ = ("device_index", "id")

    def __init__(self, id, device_index):
        self.id = id
        self.device_index = device_index

    def __eq__(self, other):
        return isinstance(other, CUDAStream) and (self.id, self.device_index) == (other.id, other.device_index)

    def __hash__(self):
        return hash((self.id, self.device_index))

    @property
    def device(self):
        """Which card works through it."""
        return Device("cuda", self.device_index)

    def stream(self):
        """The array module's stream."""
        if self.id == 0:
            return cuda_module().cuda.Stream.null
        return _streams[self.device_index, self.id]

    def query(self):
        """Whether all its work is done."""
        return self.stream().done

    def synchronize(self):
        """Wait until it is."""
        self.stream().synchronize()

    def priority(self):
        """A lower number goes first."""
        return self.stream().priority if self.id else 0

    def is_capturing(self):
        """Whether work is being noted for a graph instead of done."""
        return self.stream().is_capturing()


def _forget():
    _streams.clear()
    _numbers.clear()
    _next_in_pool.clear()


on_new_cuda_module(_forget)


def get_stream_from_pool(priority=0, device=-1):
    """The next stream of the pool for this priority (0 and up: the lowest; -3: the highest)."""
    device = current_device() if device < 0 else device
    pool = min(max(-priority, 0), MAX_STREAM_PRIORITIES - 1)
    counter = _next_in_pool.setdefault((device, pool), itertools.count())
    index = next(counter) % STREAMS_PER_POOL
    # Five bits for the index, four for the pool (0 is the default stream), and a 1: made by torch.
    id = index << 5 | (pool + 1) << 1 | 1
    if (device, id) not in _streams:
        cuda = cuda_module().cuda
        with cuda.Device(device):
            # Non-blocking: it does not wait for the null stream, nor that for it.
            made = _streams[device, id] = cuda.Stream(non_blocking=True, priority=-pool)
        _numbers[device, made.ptr] = id
    return CUDAStream(id, device)


def get_default_cuda_stream(device=-1):
    """The null stream of a device."""
    return CUDAStream(0, current_device() if device < 0 else device)


def get_current_cuda_stream(device=-1):
    """The stream to which this thread's work on a device goes."""
    device = current_device() if device < 0 else device
    current = cuda_module().cuda.get_current_stream(device)
    return CUDAStream(_numbers.get((device, current.ptr), 0), device)


def set_current_cuda_stream(stream):
    """Send this thread's work on the stream's device there."""
    with cuda_module().cuda.Device(stream.device_index):
        stream.stream().use()

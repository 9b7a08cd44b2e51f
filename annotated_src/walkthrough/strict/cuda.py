"""What `cupy.cuda` offers, on a machine without a card: streams, events, memory figures, and one log of it all.

A card works through queues ("streams") that the host fills. Here the arithmetic of a kernel is done at once, by the
strict arrays; what is kept is the order: every transfer, launch, event and wait is an Entry of `log`, in the order in
which the host issued it. From it transfers are counted and timelines drawn (walkthrough/timeline.py).

    with log.recording() as entries:      what is issued in the block
        y = x.to("cuda") @ w
    [str(entry) for entry in entries]     ['H2D 3136 B on stream 0', 'launch matmul on stream 0']

Outside of such blocks nothing is kept.

A piece of work stays queued until the host waits for its stream, or for an event behind it. This is the slowest card
that the order allows: what a program does not wait for, is not done, and the target of a copy into page-locked memory
holds what it held before. Each question (`done`) lets the card do one piece more, so that a loop of questions ends.

Names, arguments and errors are CuPy 14's. Left out: what the product does not use.
Deviation: several cards are one piece of memory; `get_elapsed_time` counts pieces of work, for there is no clock.
"""

import collections
import contextlib
import threading
import weakref
from dataclasses import dataclass
from types import SimpleNamespace

import numpy

H2D, D2H, LAUNCH, RECORD, WAIT, SYNCHRONIZE = "H2D", "D2H", "launch", "record", "wait", "synchronize"
# CuPy's pools hand out memory in units of this many bytes.
ALLOCATION_UNIT = 512
TOTAL_MEMORY = 16 * 2**30


# -- the log


@dataclass(frozen=True)
class Entry:
    """One thing that the host issued: what, on which stream (a number, 0 is the null stream), and for how many bytes.

    `host_waits` is True where the host stands still until the card has come this far; `event` is an event's number.
    """

    kind: str
    name: str = ""
    nbytes: int = 0
    stream: int = 0
    device: int = 0
    event: int | None = None
    host_waits: bool = False

    def __str__(self):
        what = {H2D: f"{self.nbytes} B", D2H: f"{self.nbytes} B", LAUNCH: self.name}.get(self.kind)
        what = what or (f"event {self.event}" if self.event is not None else "")
        words = [self.kind, what, f"on stream {self.stream}", "(the host waits)" if self.host_waits else ""]
        return " ".join(word for word in words if word)


class Log:
    """Hands each entry to whoever is recording."""

    def __init__(self):
        self._readers = []

    @contextlib.contextmanager
    def recording(self):
        """A list to which everything is added that is issued in the block."""
        entries = []
        self._readers.append(entries)
        try:
            yield entries
        finally:
            self._readers = [reader for reader in self._readers if reader is not entries]

    def add(self, kind, stream, name="", nbytes=0, event=None, host_waits=False):
        """Note one thing that was issued on a stream."""
        if not self._readers:
            return
        entry = Entry(kind, name, nbytes, stream._number, stream._device(), event, host_waits)
        for reader in self._readers:
            reader.append(entry)


log = Log()


def log_transfer(kind, nbytes, stream=None, *, effect=None, host_waits=False):
    """Queue a copy between host and card: kind H2D or D2H.

    `effect()` is run when the card has come to it; where the host waits, that is before this returns.
    """
    stream = stream or get_current_stream()
    if stream.is_capturing():
        if host_waits:
            raise CUDARuntimeError(900)
        stream._capture.append(_Work(kind, effect, (), {}, None, nbytes))
        return
    log.add(kind, stream, nbytes=nbytes, host_waits=host_waits)
    stream._put(effect)
    if host_waits:
        stream._finish()


def log_launch(name, function=None, *args, **kwargs):
    """Queue a kernel and return what `function(*args, **kwargs)` computes, which is done at once.

    On a stream that captures, the call is kept besides, to be done again whenever the graph is launched.
    """
    stream = get_current_stream()
    result = function(*args, **kwargs) if function is not None else None
    if stream.is_capturing():
        stream._capture.append(_Work(name, function, args, kwargs, result))
        return result
    log.add(LAUNCH, stream, name)
    stream._put()
    return result


@dataclass
class _Work:
    """A call that a graph repeats; `result` is the NumPy array that holds what it gave."""

    name: str
    function: object
    args: tuple
    kwargs: dict
    result: object
    nbytes: int = 0

    def repeat(self):
        """Compute again, into the memory that the capture gave to the result."""
        if self.function is None:
            return
        result = self.function(*self.args, **self.kwargs)
        if isinstance(self.result, numpy.ndarray) and result is not self.result:
            self.result[...] = result


# -- devices

_threads = threading.local()
_device_count = 1


def set_device_count(count):
    """Pretend that there are `count` cards."""
    global _device_count
    _device_count = count


def get_device_id():
    """The current device of this thread."""
    return getattr(_threads, "device", 0)


def is_available():
    """Whether there is a card: True, as far as a program can tell."""
    return _device_count > 0


class Device:
    """A card, by its number; as a context, the current one."""

    def __init__(self, device=None):
        self.id = get_device_id() if device is None else int(device)
        self._before = []

    def __int__(self):
        return self.id

    def __eq__(self, other):
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"<CUDA Device {self.id}>"

    def use(self):
        """Make this device the current one."""
        runtime.setDevice(self.id)

    def __enter__(self):
        self._before.append(get_device_id())
        self.use()
        return self

    def __exit__(self, *_):
        runtime.setDevice(self._before.pop())

    def synchronize(self):
        """Wait until all streams of this device are done."""
        with self:
            runtime.deviceSynchronize()

    @property
    def compute_capability(self):
        """Major and minor number, as a string."""
        return "90"

    @property
    def mem_info(self):
        """Free and total bytes."""
        with self:
            return runtime.memGetInfo()


# -- streams and events

_streams = weakref.WeakSet()


class Stream:
    """A queue of work for a card."""

    null: "Stream"
    _made = 0

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        self.device_id = -1 if null else get_device_id()
        self.is_non_blocking = non_blocking
        self.priority = priority or 0
        if not null:
            Stream._made += 1
        self._number = 0 if null else Stream._made
        self.ptr = 0 if null else 0x5700_0000 + 0x100 * self._number
        # How many pieces of work were queued, how many of them are done, and what is to happen at some of them.
        self._queued = 0
        self._done = 0
        self._effects = collections.deque()
        self._capture = None
        self._before = []
        _streams.add(self)

    def __eq__(self, other):
        return isinstance(other, Stream) and self.ptr == other.ptr

    def __hash__(self):
        return hash(self.ptr)

    def __repr__(self):
        return f"<Stream {self.ptr} (device {self.device_id})>"

    def use(self):
        """Make this the current stream."""
        _current_streams()[get_device_id()] = self
        return self

    def __enter__(self):
        self._before.append(get_current_stream())
        return self.use()

    def __exit__(self, *_):
        self._before.pop().use()

    @property
    def done(self):
        """Whether all work on this stream is done."""
        self._step()
        return self._done == self._queued

    def synchronize(self):
        """Wait until all work on this stream is done."""
        if self.is_capturing():
            raise CUDARuntimeError(900)
        log.add(SYNCHRONIZE, self, host_waits=True)
        self._finish()

    def record(self, event=None):
        """Put a mark behind the work of this stream; returns the event."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        """What is queued from now on begins after the event."""
        if self.is_capturing():
            return
        log.add(WAIT, self, event=event._number)
        other, place = event._place
        self._put(lambda: other._finish(place))

    def begin_capture(self, mode=None):
        """From now on, note work instead of doing it."""
        if self.ptr == 0:
            raise CUDARuntimeError(900)
        self._capture = []

    def end_capture(self):
        """Stop noting; returns the Graph of what was noted."""
        graph = Graph(self._capture)
        self._capture = None
        return graph

    def is_capturing(self):
        """Whether work is being noted instead of done."""
        return self._capture is not None

    def _device(self):
        return get_device_id() if self.device_id < 0 else self.device_id

    def _put(self, effect=None):
        """Queue a piece of work; `effect()` is called when the card comes to it."""
        self._queued += 1
        if effect is not None:
            self._effects.append((self._queued, effect))

    def _finish(self, place=None):
        """Do all work up to a place in the queue."""
        place = self._queued if place is None else place
        while self._effects and self._effects[0][0] <= place:
            self._done, effect = self._effects.popleft()
            effect()
        self._done = max(self._done, place)

    def _step(self):
        """Do the next piece of work, if there is one."""
        if self._done < self._queued:
            self._finish(self._done + 1)


def _current_streams():
    if not hasattr(_threads, "streams"):
        _threads.streams = {}
    return _threads.streams


def get_current_stream(device_id=-1):
    """The stream to which work of this thread goes."""
    device_id = get_device_id() if device_id < 0 else device_id
    return _current_streams().get(device_id, Stream.null)


Stream.null = Stream(null=True)


class Event:
    """A mark in a stream."""

    _made = 0

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        Event._made += 1
        self._number = Event._made
        self.ptr = 0x7E00_0000 + 0x100 * self._number
        self.disable_timing = disable_timing
        # The stream, and how much of its queue lies before the mark.
        self._place = (Stream.null, 0)

    def record(self, stream=None):
        """Set the mark behind what is queued now."""
        stream = stream or Stream.null
        if stream.is_capturing():
            return
        log.add(RECORD, stream, event=self._number)
        stream._put()
        self._place = (stream, stream._queued)

    @property
    def done(self):
        """Whether the card has passed the mark."""
        stream, place = self._place
        if stream._done < place:
            stream._step()
        return stream._done >= place

    def synchronize(self):
        """Wait until the card has passed the mark."""
        stream, place = self._place
        log.add(SYNCHRONIZE, stream, event=self._number, host_waits=True)
        stream._finish(place)


def get_elapsed_time(start_event, end_event):
    """How many pieces of work lie between two events of one stream, as a float; on a card, milliseconds."""
    return float(end_event._place[1] - start_event._place[1])


class Graph:
    """What a stream noted between begin_capture and end_capture; one launch does all of it."""

    def __init__(self, works):
        self.works = works

    def launch(self, stream=None):
        """Queue all of it on a stream: for the host, one launch."""
        stream = stream or get_current_stream()
        log.add(LAUNCH, stream, f"graph of {len(self.works)} kernels")
        for work in self.works:
            work.repeat()
        stream._put()

    def upload(self, stream=None):
        """Send the graph to the card ahead of its first launch."""


# -- memory


class MemoryPointer:
    """A stretch of the card's memory; it goes back to the pool when the last array that looks at it dies."""

    __slots__ = ("ptr", "size", "__weakref__")

    def __init__(self, pool, size, mem_size):
        self.size = size
        self.ptr = id(self)
        weakref.finalize(self, pool._free, mem_size)


class MemoryPool:
    """Counts the bytes in use, and those kept for the next allocation."""

    def __init__(self, allocator=None):
        self._used = 0
        self._kept = {}

    def malloc(self, size):
        """A stretch of `size` bytes, rounded up to the unit."""
        mem_size = -(-size // ALLOCATION_UNIT) * ALLOCATION_UNIT
        self._used += mem_size
        if self._kept.get(mem_size):
            self._kept[mem_size] -= 1
        return MemoryPointer(self, size, mem_size)

    def _free(self, mem_size):
        self._used -= mem_size
        self._kept[mem_size] = self._kept.get(mem_size, 0) + 1

    def used_bytes(self):
        """Bytes in use."""
        return self._used

    def free_bytes(self):
        """Bytes that the pool keeps and nobody uses."""
        return sum(mem_size * count for mem_size, count in self._kept.items())

    def total_bytes(self):
        """Bytes that the pool has taken from the card."""
        return self.used_bytes() + self.free_bytes()

    def free_all_blocks(self, stream=None):
        """Give back to the card what nobody uses."""
        self._kept.clear()


default_memory_pool = MemoryPool()
_allocator = default_memory_pool.malloc


def get_default_memory_pool():
    """The pool from which arrays take their memory."""
    return default_memory_pool


def alloc(size):
    """Memory for an array, from the current allocator."""
    return getattr(_threads, "allocator", _allocator)(size)


@contextlib.contextmanager
def using_allocator(allocator=None):
    """In the block, `allocator(size)` serves this thread."""
    before = getattr(_threads, "allocator", _allocator)
    _threads.allocator = allocator
    try:
        yield
    finally:
        _threads.allocator = before


def set_allocator(allocator=None):
    """Let `allocator(size)` serve from now on."""
    global _allocator
    _allocator = allocator or default_memory_pool.malloc


_pinned = weakref.WeakValueDictionary()


class PinnedMemoryPointer(bytearray):
    """A stretch of the host's memory that counts as page-locked; NumPy arrays are made over it."""

    @property
    def ptr(self):
        """Its address."""
        return numpy.frombuffer(self, numpy.uint8).__array_interface__["data"][0]


def alloc_pinned_memory(size):
    """Page-locked memory on the host, at least one byte of it."""
    memory = PinnedMemoryPointer(max(size, 1))
    _pinned[memory.ptr] = memory
    return memory


def is_pinned(array):
    """Whether a NumPy array lies in page-locked memory."""
    return _is_pinned(array.__array_interface__["data"][0])


def _is_pinned(ptr):
    return any(begin <= ptr < begin + len(memory) for begin, memory in list(_pinned.items()))


# -- the runtime's own functions


class CUDARuntimeError(RuntimeError):
    """An error of the CUDA runtime, by its number."""

    _NAMES = {
        100: "cudaErrorNoDevice: no CUDA-capable device is detected",
        101: "cudaErrorInvalidDevice: invalid device ordinal",
        900: "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing",
    }

    def __init__(self, status):
        super().__init__(self._NAMES[status])
        self.status = status


class runtime:
    """The functions and numbers of `cupy.cuda.runtime`."""

    CUDARuntimeError = CUDARuntimeError
    memoryTypeUnregistered = 0
    memoryTypeHost = 1
    memoryTypeDevice = 2
    streamCaptureModeGlobal = 0
    streamCaptureModeThreadLocal = 1
    streamCaptureModeRelaxed = 2

    @staticmethod
    def getDeviceCount():
        """How many cards there are."""
        return _device_count

    @staticmethod
    def getDevice():
        """The current device of this thread."""
        return get_device_id()

    @staticmethod
    def setDevice(device):
        """Make a device the current one."""
        if not 0 <= device < _device_count:
            raise CUDARuntimeError(101)
        _threads.device = device

    @staticmethod
    def deviceSynchronize():
        """Wait until all streams of the current device are done."""
        streams = [stream for stream in _streams if stream._device() == get_device_id()]
        if any(stream.is_capturing() for stream in streams):
            raise CUDARuntimeError(900)
        log.add(SYNCHRONIZE, Stream.null, "all streams", host_waits=True)
        for stream in streams:
            stream._finish()

    @staticmethod
    def deviceCanAccessPeer(device, peerDevice):
        """1 if one card can read another's memory."""
        return int(device != peerDevice)

    @staticmethod
    def memGetInfo():
        """Free and total bytes of the current device."""
        return TOTAL_MEMORY - default_memory_pool.total_bytes(), TOTAL_MEMORY

    @staticmethod
    def getDeviceProperties(device):
        """What the card can do, by the names of CUDA's structure."""
        return dict(_PROPERTIES)

    @staticmethod
    def pointerGetAttributes(ptr):
        """Whose memory an address is: `.type`."""
        kind = runtime.memoryTypeHost if _is_pinned(ptr) else runtime.memoryTypeUnregistered
        return SimpleNamespace(device=0, devicePointer=0, hostPointer=ptr, type=kind)


_PROPERTIES = {
    "name": b"strict array module (no card)",
    "major": 9,
    "minor": 0,
    "totalGlobalMem": TOTAL_MEMORY,
    "multiProcessorCount": 1,
    "warpSize": 32,
    "maxThreadsPerMultiProcessor": 2048,
    "maxThreadsPerBlock": 1024,
    "sharedMemPerBlock": 49152,
    "sharedMemPerMultiprocessor": 233472,
    "regsPerMultiprocessor": 65536,
    "l2CacheSize": 0,
    "integrated": 0,
    "isMultiGpuBoard": 0,
}

"""torch.cuda: the cards of this machine. Retells torch/cuda/__init__.py; the work is CuPy's.

    streams.py   Stream, Event        memory.py   how much of a card is used
    graphs.py    CUDAGraph, graph     random.py   the generators

Importing this starts nothing. CUDA is started (`_lazy_init`) when a CUDA tensor is made, or by a function that needs
a card; what was asked for before, such as a seed, is queued and done then.

Without CuPy, upstream's "not compiled with CUDA" is raised, an AssertionError; without a card, a RuntimeError. Both
say what is missing. `is_available` and `device_count` never raise.

Left out: NVML and what only it knows (temperature, clocks), architectures and their warnings, cuBLAS handles, streams
of other libraries, IPC, NCCL, the profiler.
Deviation: upstream counts the devices by NVML first, so that asking does not start the driver.
"""

import sys
import threading
import traceback

from annotated_src.aten.context import set_lazy_init
from annotated_src.aten.cpu_generator_impl import get_default_generator
from annotated_src.c10.array_module import is_built, on_new_cuda_module
from annotated_src.c10.util.exception import OutOfMemoryError
from annotated_src.torch._utils import _LazySeedTracker
from annotated_src.torch.csrc.cuda.module import (
    _cuda_canDeviceAccessPeer,
    _cuda_getCurrentStream,
    _cuda_getDefaultStream,
    _cuda_getDevice,
    _cuda_getDeviceCount,
    _cuda_init,
    _cuda_setDevice,
    _cuda_setStream,
    _cuda_synchronize,
    _CudaDeviceProperties,
    _get_device_properties,
)
from annotated_src.torch.csrc.cuda.module import (
    _cuda_exchangeDevice as _exchange_device,
)
from annotated_src.torch.csrc.cuda.module import (
    _cuda_isInBadFork as _is_in_bad_fork,
)
from annotated_src.torch.csrc.cuda.module import (
    _cuda_maybeExchangeDevice as _maybe_exchange_device,
)
from annotated_src.torch.cuda import graphs, memory, random, streams
from annotated_src.torch.cuda._utils import _get_device_index
from annotated_src.torch.cuda.graphs import CUDAGraph, graph, graph_pool_handle, is_current_stream_capturing
from annotated_src.torch.cuda.memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    memory_stats,
    memory_stats_as_nested_dict,
    reset_peak_memory_stats,
)
from annotated_src.torch.cuda.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from annotated_src.torch.cuda.streams import Event, Stream

_initialized = False
_tls = threading.local()
_initialization_lock = threading.RLock()
# Functions that wait for CUDA to start, and from where they were queued.
_queued_calls = []
_lazy_seed_tracker = _LazySeedTracker()

# One a device; they are made when CUDA starts.
default_generators = ()


def _is_compiled():
    return is_built()


def is_available():
    """Whether there is a card that can be used.

    Upstream: torch/cuda/__init__.py.

    >>> from annotated_src import torch
    >>> torch.cuda.is_available() == (torch.cuda.device_count() > 0)
    True
    """
    if not _is_compiled():
        return False
    return _cuda_getDeviceCount() > 0


def is_bf16_supported(including_emulation=True):
    """Whether the current card computes in bfloat16; through CuPy every card does, the older ones by emulation.

    Upstream: torch/cuda/__init__.py.
    """
    if not is_available():
        return False
    return including_emulation or get_device_properties(current_device()).major >= 8


def is_initialized():
    """Whether CUDA has been started in this process.

    Upstream: torch/cuda/__init__.py.
    """
    return _initialized and not _is_in_bad_fork()


def _lazy_call(callable, **kwargs):
    with _initialization_lock:
        if is_initialized():
            callable()
        elif kwargs.get("seed_all", False):
            # Deviation: upstream formats the whole stack each time, which costs more than the seeding.
            _lazy_seed_tracker.queue_seed_all(callable, [])
        elif kwargs.get("seed", False):
            _lazy_seed_tracker.queue_seed(callable, [])
        else:
            _queued_calls.append((callable, traceback.format_stack()))


class DeferredCudaCallError(Exception):
    """What was queued until CUDA started, failed then."""


def init():
    """Start CUDA, unless that is done.

    AssertionError without CuPy, RuntimeError without a card. Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()


def _lazy_init():
    global _initialized, default_generators
    if is_initialized() or hasattr(_tls, "is_initializing"):
        return
    with _initialization_lock:
        # Another thread may have started it while this one waited.
        if is_initialized():
            return
        if _is_in_bad_fork():
            raise RuntimeError(
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
                "'spawn' start method"
            )
        _cuda_init()
        # What is queued may come here again.
        _tls.is_initializing = True
        try:
            default_generators = tuple([get_default_generator("cuda", i) for i in range(device_count())])
            for queued_call, orig_traceback in [*_queued_calls, *filter(None, _lazy_seed_tracker.get_calls())]:
                _call_now(queued_call, orig_traceback)
        finally:
            delattr(_tls, "is_initializing")
        _initialized = True


def _call_now(queued_call, orig_traceback):
    try:
        queued_call()
    except Exception as e:
        raise DeferredCudaCallError(
            f"CUDA call failed lazily at initialization with error: {e!s}\n\n"
            f"CUDA call was originally invoked at:\n\n{''.join(orig_traceback)}"
        ) from e


def _forget():
    """Another array module has taken CuPy's place: CUDA is to be started again."""
    global _initialized
    _initialized = False
    graph.default_capture_stream = None


set_lazy_init("cuda", _lazy_init)
on_new_cuda_module(_forget)


class _DeviceGuard:
    def __init__(self, index):
        self.idx = index
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, type, value, traceback):
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


class device:
    """Within the `with` block, `device` is the current one; a negative number changes nothing.

    Upstream: torch/cuda/__init__.py.
    """

    def __init__(self, device):
        self.idx = _get_device_index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = _exchange_device(_checked(self.idx))

    def __exit__(self, type, value, traceback):
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


def _checked(idx):
    """The index to change to; RuntimeError without CuPy, where upstream has other functions in place of C++'s."""
    if (idx is None or idx >= 0) and not _is_compiled():
        raise RuntimeError("PyTorch was compiled without CUDA support: CuPy is not installed")
    if idx is None:
        # There is no current device: say why.
        _lazy_init()
    return idx


class device_of(device):
    """Within the `with` block, the device of a tensor or storage is the current one; the CPU changes nothing.

    Upstream: torch/cuda/__init__.py.
    """

    def __init__(self, obj):
        idx = obj.get_device() if obj.is_cuda else -1
        super().__init__(idx)


def set_device(device):
    """Make `device` the current one; a negative number changes nothing. Better: `with torch.cuda.device(...)`.

    Upstream: torch/cuda/__init__.py.
    """
    device = _get_device_index(device)
    if device >= 0:
        # Deviation: upstream's C++ starts CUDA here, a build without CUDA has no such function.
        _lazy_init()
        _cuda_setDevice(device)


def get_device_name(device=None):
    """The name of a card.

    Upstream: torch/cuda/__init__.py.
    """
    return get_device_properties(device).name


def get_device_capability(device=None):
    """(major, minor): which instructions a card has.

    Upstream: torch/cuda/__init__.py.
    """
    prop = get_device_properties(device)
    return prop.major, prop.minor


def get_device_properties(device=None):
    """What a card is and can do: `.name`, `.total_memory`, `.multi_processor_count` ...

    AssertionError for a number that no card has. Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    device = _get_device_index(device, optional=True)
    if device < 0 or device >= device_count():
        raise AssertionError(f"Invalid device id: {device}; there are {device_count()} devices")
    return _get_device_properties(device)


def can_device_access_peer(device, peer_device):
    """Whether one card can read another's memory without the host.

    Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    device = _get_device_index(device, optional=True)
    peer_device = _get_device_index(peer_device)
    if device < 0 or device >= device_count():
        raise AssertionError(f"Invalid device id: {device}; there are {device_count()} devices")
    if peer_device < 0 or peer_device >= device_count():
        raise AssertionError(f"Invalid peer device id: {peer_device}; there are {device_count()} devices")
    return _cuda_canDeviceAccessPeer(device, peer_device)


class StreamContext:
    """Within the `with` block, work goes to `stream`; None changes nothing.

    Upstream: torch/cuda/__init__.py.
    """

    def __init__(self, stream):
        self.stream = stream
        self.idx = _get_device_index(None, True)
        if self.idx is None:
            self.idx = -1
        self.src_prev_stream = None
        self.dst_prev_stream = None

    def __enter__(self):
        cur_stream = self.stream
        if cur_stream is None or self.idx == -1:
            return
        self.src_prev_stream = current_stream(None)
        # A stream of another device: that one's current stream has to be put back as well.
        if self.src_prev_stream.device != cur_stream.device:
            with device(cur_stream.device):
                self.dst_prev_stream = current_stream(cur_stream.device)
        set_stream(cur_stream)

    def __exit__(self, type, value, traceback):
        cur_stream = self.stream
        if cur_stream is None or self.idx == -1:
            return
        if self.src_prev_stream.device != cur_stream.device:
            set_stream(self.dst_prev_stream)
        set_stream(self.src_prev_stream)


def stream(stream):
    """A context in which work goes to `stream`; None changes nothing.

    Upstream: torch/cuda/__init__.py.
    """
    return StreamContext(stream)


def _set_stream_by_id(stream_id, device_index, device_type):
    _cuda_setStream(stream_id=stream_id, device_index=device_index, device_type=device_type)


def set_stream(stream):
    """Send work to `stream` from now on; better: `with torch.cuda.stream(...)`.

    Upstream: torch/cuda/__init__.py.
    """
    if stream is None:
        return
    _set_stream_by_id(
        stream_id=stream.stream_id, device_index=stream.device_index, device_type=stream.device_type
    )


def device_count():
    """How many cards there are; 0 without CuPy or without a driver.

    Upstream: torch/cuda/__init__.py.
    """
    if not _is_compiled():
        return 0
    return _cuda_getDeviceCount()


def current_device():
    """The index of the device on which `device="cuda"` puts a tensor.

    Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    return _cuda_getDevice()


def synchronize(device=None):
    """Let the host wait until all work on a device is done.

    Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    with _device_context(device):
        return _cuda_synchronize()


# (a name that the parameters called `device` do not hide)
_device_context = device


def current_stream(device=None):
    """The stream to which work on a device goes.

    Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    streamdata = _cuda_getCurrentStream(_get_device_index(device, optional=True))
    return Stream(stream_id=streamdata[0], device_index=streamdata[1], device_type=streamdata[2])


def default_stream(device=None):
    """The stream to which work on a device goes unless another was chosen.

    Upstream: torch/cuda/__init__.py.
    """
    _lazy_init()
    streamdata = _cuda_getDefaultStream(_get_device_index(device, optional=True))
    return Stream(stream_id=streamdata[0], device_index=streamdata[1], device_type=streamdata[2])


for _part in (graphs, memory, random, streams):
    _part.cuda = sys.modules[__name__]

"""CUDAGraph: a stretch of work noted once and launched as a whole. Retells aten/src/ATen/cuda/CUDAGraph.cpp.

    capture_begin()    from here on the current stream notes work instead of doing it
    capture_end()      what was noted is a graph
    replay()           one launch does all of it, in the memory that it had when it was noted

Whoever wants other results writes other numbers into the tensors that went in, replays, and reads the tensors that
came out.

Invariant: what is allocated during the capture comes from a memory pool that nobody else takes from. A tensor that
died in the capture is written to again by every replay: its memory must not be anybody's by then. Graphs that never
run at the same time may share a pool (`pool=`).

Left out: debugging, the raw graph, random numbers that go on from replay to replay.
Deviation: a capture is relaxed whatever was asked for. Upstream relaxes it only while its pool asks the card for
memory, which no other mode allows; CuPy's pool cannot. A private pool's bytes are not in torch.cuda.memory_allocated().
"""

import itertools
import weakref

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.cuda.cuda_stream import get_current_cuda_stream
from annotated_src.c10.util.exception import TorchError

_CAPTURE_MODES = ("global", "thread_local", "relaxed")

# By handle; a pool lives as long as a graph that took memory from it.
_pools = weakref.WeakValueDictionary()
_next_handle = itertools.count(1)


def graph_pool_handle():
    """A handle that no other pool has."""
    return (0, next(_next_handle))


class CUDAGraph:
    """A graph, empty until a capture has ended."""

    def __init__(self, keep_graph=False):
        self._graph = None
        self._capture_stream = None
        self._handle = None
        self._memory_pool = None
        self._allocating = None

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """Note what is queued on the current stream, which must not be the default one."""
        if self._graph is not None:
            raise TorchError(
                "This CUDAGraph instance already owns a captured graph. To capture a new graph, create a new instance"
            )
        if capture_error_mode not in _CAPTURE_MODES:
            raise TorchError(
                f"Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got {capture_error_mode}"
            )
        stream = get_current_cuda_stream()
        if stream.id == 0:
            raise TorchError(
                "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay "
                "them on the default stream.)"
            )
        self._capture_stream = stream
        self._take_memory_from(pool or graph_pool_handle())
        stream.stream().begin_capture(cuda_module().cuda.runtime.streamCaptureModeRelaxed)

    def _take_memory_from(self, handle):
        cuda = cuda_module().cuda
        self._handle = handle
        self._memory_pool = _pools.get(handle)
        if self._memory_pool is None:
            self._memory_pool = _pools[handle] = cuda.MemoryPool()
        self._allocating = cuda.using_allocator(self._memory_pool.malloc)
        self._allocating.__enter__()

    def capture_end(self):
        """Make a graph of what was noted since capture_begin, on the same stream."""
        stream = get_current_cuda_stream()
        if stream != self._capture_stream:
            raise TorchError("Capture must end on the same stream it began on.")
        self._allocating.__exit__(None, None, None)
        self._graph = stream.stream().end_capture()

    def instantiate(self):
        """Nothing to do: the array module has made the graph ready."""

    def replay(self):
        """Launch the graph on the current stream."""
        if self._graph is None:
            raise TorchError("Called CUDAGraph::replay without a preceding successful capture.")
        self._graph.launch(get_current_cuda_stream().stream())

    def reset(self):
        """Forget the graph, and its memory."""
        self._graph = None
        self._memory_pool = None

    def pool(self):
        """The handle of its memory pool, to be passed to another capture."""
        if self._handle is None:
            raise TorchError("Called CUDAGraph::pool() without a preceding successful capture.")
        return self._handle

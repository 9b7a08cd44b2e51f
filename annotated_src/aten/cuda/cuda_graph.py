"""CUDAGraph: a stretch of work noted once and launched as a whole. Retells aten/src/ATen/cuda/CUDAGraph.cpp.

    capture_begin()    from here on the current stream notes work instead of doing it
    capture_end()      what was noted is a graph
    replay()           one launch does all of it, in the memory that it had when it was noted

Whoever wants other results writes other numbers into the tensors that went in, replays, and reads the tensors that
came out. The arrays of the capture are kept alive by the caller; upstream keeps a memory pool of their own for them.

Left out: private memory pools (a pool's handle is taken and makes no difference), debugging, the raw graph.
"""

from annotated_src.c10.array_module import cuda_module
from annotated_src.c10.cuda.cuda_stream import get_current_cuda_stream
from annotated_src.c10.util.exception import TorchError

_CAPTURE_MODES = {
    "global": "streamCaptureModeGlobal",
    "thread_local": "streamCaptureModeThreadLocal",
    "relaxed": "streamCaptureModeRelaxed",
}


class CUDAGraph:
    """A graph, empty until a capture has ended."""

    def __init__(self, keep_graph=False):
        self._graph = None
        self._capture_stream = None
        self._pool = None

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """Note what is queued on the current stream, which must not be the default one."""
        if self._graph is not None:
            raise TorchError(
                "This CUDAGraph instance already owns a captured graph. To capture a new graph, create a new instance"
            )
        if capture_error_mode not in _CAPTURE_MODES:
            raise TorchError(
                "Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, "
                f"got {capture_error_mode}"
            )
        stream = get_current_cuda_stream()
        if stream.id == 0:
            raise TorchError(
                "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay "
                "them on the default stream.)"
            )
        self._pool = pool
        self._capture_stream = stream
        stream.stream().begin_capture(getattr(cuda_module().cuda.runtime, _CAPTURE_MODES[capture_error_mode]))

    def capture_end(self):
        """Make a graph of what was noted since capture_begin, on the same stream."""
        stream = get_current_cuda_stream()
        if stream != self._capture_stream:
            raise TorchError("Capture must end on the same stream it began on.")
        self._graph = stream.stream().end_capture()

    def instantiate(self):
        """Nothing to do: the array module has made the graph ready."""

    def replay(self):
        """Launch the graph on the current stream."""
        if self._graph is None:
            raise TorchError("Called CUDAGraph::replay without a preceding successful capture.")
        self._graph.launch(get_current_cuda_stream().stream())

    def reset(self):
        """Forget the graph."""
        self._graph = None

    def pool(self):
        """The handle of its memory pool, to be passed to another capture."""
        return self._pool or (0, id(self))

"""CUDAGraph and graph: a stretch of work noted once, launched as a whole. Retells torch/cuda/graphs.py.

    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):           launches are noted, nothing is computed
        y = model(x)
    x.copy_(other)                      new numbers into the same memory
    g.replay()                          one launch; y holds the new result

Left out: make_graphed_callables, annotations, the check of inputs that died, the raw graph.
"""

from annotated_src.c10.array_module import is_built
from annotated_src.torch.csrc.cuda.graph import _CUDAGraph, _graph_pool_handle
from annotated_src.torch.csrc.cuda.module import _cuda_isCurrentStreamCapturing

# Deviation: upstream imports this package here; when it is complete, it puts itself here, for it stands above.
cuda = None

__all__ = ["CUDAGraph", "graph", "graph_pool_handle", "is_current_stream_capturing"]

_NO_CUPY = "CuPy is not installed. pip install 'annotated-src[cuda12]' (or cuda13)"


def is_current_stream_capturing():
    """Whether work on the current stream is being noted for a graph; False, before CUDA is started.

    Upstream: torch/cuda/graphs.py.
    """
    if not is_built():
        raise RuntimeError(f"Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing: {_NO_CUPY}")
    return cuda.is_initialized() and _cuda_isCurrentStreamCapturing()


def graph_pool_handle():
    """A handle for a memory pool that several graphs share.

    Upstream: torch/cuda/graphs.py.
    """
    if not is_built():
        raise RuntimeError(f"Tried to instantiate dummy base class _graph_pool_handle: {_NO_CUPY}")
    return _graph_pool_handle()


class CUDAGraph(_CUDAGraph):
    """Work that was noted, to be launched again and again.

    RuntimeError without CuPy. Upstream: torch/cuda/graphs.py.
    """

    def __new__(cls, keep_graph=False):
        if not is_built():
            raise RuntimeError(f"Tried to instantiate dummy base class CUDAGraph: {_NO_CUPY}")
        return super().__new__(cls)

    def capture_begin(self, pool=None, capture_error_mode="global", check_input_liveness=False):
        """Note what is queued on the current stream from here on; `graph` calls this."""
        super().capture_begin(pool=pool, capture_error_mode=capture_error_mode)

    def capture_end(self):
        """Make a graph of it; `graph` calls this."""
        super().capture_end()

    def instantiate(self):
        """Make the graph ready to launch; replay does so by itself."""
        super().instantiate()

    def replay(self):
        """Launch what was noted, on the current stream."""
        super().replay()

    def reset(self):
        """Forget what was noted."""
        super().reset()

    def pool(self):
        """The handle of the graph's memory pool."""
        return super().pool()


class graph:
    """Within the `with` block, note the work of `stream` (by default one of its own) into `cuda_graph`.

    Upstream: torch/cuda/graphs.py.
    """

    default_capture_stream = None

    def __init__(
        self,
        cuda_graph,
        pool=None,
        stream=None,
        capture_error_mode="global",
        enable_annotations=False,
        check_input_liveness=False,
    ):
        if enable_annotations:
            raise NotImplementedError("annotations of graphs are left out: enable_annotations=False")
        if stream is None and self.__class__.default_capture_stream is None:
            self.__class__.default_capture_stream = cuda.Stream()
        self.pool = () if pool is None else (pool,)
        self.capture_stream = stream if stream is not None else self.__class__.default_capture_stream
        self.stream_ctx = cuda.stream(self.capture_stream)
        self.cuda_graph = cuda_graph
        self.capture_error_mode = capture_error_mode
        self.check_input_liveness = check_input_liveness

    def __enter__(self):
        # Nothing may be under way when the capture begins.
        cuda.synchronize()
        cuda.empty_cache()
        self.stream_ctx.__enter__()
        self.cuda_graph.capture_begin(
            *self.pool,
            capture_error_mode=self.capture_error_mode,
            check_input_liveness=self.check_input_liveness,
        )

    def __exit__(self, *args):
        self.cuda_graph.capture_end()
        self.stream_ctx.__exit__(*args)

"""_CudaStreamBase: a stream as Python holds it. Retells torch/csrc/cuda/Stream.cpp.

Left out: streams of other libraries (`stream_ptr`).
"""

from annotated_src.c10.core.device import Device
from annotated_src.c10.cuda import cuda_stream
from annotated_src.torch.csrc.cuda.module import CUDA


class _CudaStreamBase:
    """A new stream of the current device's pool, or, of the three numbers, one that exists."""

    __slots__ = ("cdata", "_before")

    def __new__(cls, priority=0, stream_id=None, device_index=None, device_type=None):
        self = object.__new__(cls)
        if stream_id is None:
            self.cdata = cuda_stream.get_stream_from_pool(priority)
        else:
            self.cdata = cuda_stream.CUDAStream(stream_id, device_index)
        return self

    @property
    def stream_id(self):
        """The stream's number; 0 is the default stream."""
        return self.cdata.id

    @property
    def device_index(self):
        """The number of its device."""
        return self.cdata.device_index

    @property
    def device_type(self):
        """The number of the device type."""
        return CUDA

    @property
    def device(self):
        """Its device."""
        return Device("cuda", self.cdata.device_index)

    @property
    def cuda_stream(self):
        """CUDA's own handle, a number."""
        return self.cdata.stream().ptr

    @property
    def priority(self):
        """A lower number goes first."""
        return self.cdata.priority()

    def query(self):
        """Whether all its work is done."""
        return self.cdata.query()

    def synchronize(self):
        """Wait until it is."""
        self.cdata.synchronize()

    def is_capturing(self):
        """Whether its work is noted for a graph."""
        return self.cdata.is_capturing()

    def __enter__(self):
        self._before = cuda_stream.get_current_cuda_stream(self.cdata.device_index)
        cuda_stream.set_current_cuda_stream(self.cdata)
        return self

    def __exit__(self, *_):
        cuda_stream.set_current_cuda_stream(self._before)

    def __eq__(self, other):
        return isinstance(other, _CudaStreamBase) and self.cdata == other.cdata

    def __hash__(self):
        return hash(self.cdata)

"""TensorImpl: the tensor object itself. Retells c10/core/TensorImpl.h.

    array          a view of memory: sizes, strides and dtype are the array's
    storage        whose memory that is, shared with every other view of it
    key_set        which dispatch keys its operator calls go through (an int, see dispatch_key.py)
    version        how often the memory was written in place, shared with every view
    autograd_meta  what autograd keeps about this tensor; None until it keeps something

`torch.Tensor` is a subclass. Kernels make tensors without knowing it: torch/_tensor.py registers the class.

Deviation: upstream computes sizes, strides and offset itself; here the array keeps them, and the offset is the
distance between two addresses.
"""

import numpy

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.autograd_state import InferenceMode, state
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.dispatch_key import AUTOGRAD_KEYS, NOT_INFERENCE, TENSOR_KEYS
from annotated_src.c10.core.memory_format import contiguous_format, contiguous_strides, is_contiguous_in
from annotated_src.c10.core.storage import data_ptr, make_storage
from annotated_src.c10.util.exception import TorchError

_CPU = Device("cpu")
_CPU_KEYS = TENSOR_KEYS["cpu"]
_CUDA_KEYS = TENSOR_KEYS["cuda"]
_FROM_NUMPY = scalar_type._FROM_NUMPY
# Past `Tensor.__new__`, which is the legacy constructor `torch.Tensor(2, 3)`.
_new = object.__new__


class VersionCounter:
    """How many in-place writes the memory has seen. One object for a tensor and all its views."""

    __slots__ = ("value",)

    def __init__(self):
        self.value = 0


class TensorImpl:
    """What C++ knows of a tensor."""

    __slots__ = ("array", "key_set", "autograd_meta", "_storage", "_version_counter", "__weakref__")

    @property
    def dtype(self):
        """The type of the elements."""
        return _FROM_NUMPY[self.array.dtype]

    @property
    def device(self):
        """Where the memory is."""
        if isinstance(self.array, numpy.ndarray):
            return _CPU
        device = self.array.device
        # A sparse tensor's parts know theirs; CuPy's devices are numbers.
        return device if isinstance(device, Device) else Device("cuda", device.id)

    @property
    def storage_impl(self):
        """The memory that this tensor is a view of."""
        # Made when somebody asks: most tensors die without having been viewed.
        if self._storage is None:
            self._storage = make_storage(self.array)
        return self._storage

    @property
    def version_counter(self):
        """The counter of in-place writes."""
        # Like the storage, made when it is first shared or bumped; until then the version is 0.
        if self._version_counter is None:
            self._version_counter = VersionCounter()
        return self._version_counter

    @property
    def shape(self):
        """The sizes, as a tuple; torch.Tensor has torch.Size here."""
        return self.array.shape

    @property
    def ndim(self):
        """The number of dimensions."""
        return self.array.ndim

    def storage_offset(self):
        """How many elements lie between the storage's beginning and this tensor's first element."""
        if self._storage is None:
            return 0
        return (data_ptr(self.array) - self._storage.data_ptr()) // self.array.itemsize

    def numel(self):
        """The number of elements."""
        return self.array.size

    def strides(self):
        """For each dimension, how many elements lie between two neighbours."""
        array = self.array
        if array.size == 0:
            # Deviation: the array module forgets the strides of an array without elements.
            return contiguous_strides(array.shape)
        itemsize = array.itemsize
        return tuple([stride // itemsize for stride in array.strides])

    def is_contiguous(self, memory_format=contiguous_format):
        """Whether the elements lie in memory in this order and without gaps."""
        if memory_format is contiguous_format or self.array.size == 0:
            return self.array.flags.c_contiguous
        return is_contiguous_in(memory_format, self.array.shape, self.strides())

    def is_non_overlapping_and_dense(self):
        """Whether the elements fill their stretch of memory, each its own place, in whatever order of dimensions."""
        array = self.array
        if array.flags.c_contiguous:
            return True
        expected = array.itemsize
        for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
            if size != 1:
                if stride != expected:
                    return False
                expected *= size
        return True

    def is_inference(self):
        """Whether the tensor was made in inference mode: autograd knows nothing of it, and no version is counted."""
        return not self.key_set & AUTOGRAD_KEYS

    def bump_version(self):
        """Note an in-place write. RuntimeError for an inference tensor outside of inference mode."""
        if self.key_set & AUTOGRAD_KEYS:
            # (the property makes the counter of a tensor that has none)
            counter = self._version_counter or self.version_counter
            counter.value += 1
        elif not state.inference_mode:
            raise TorchError(
                "Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get "
                "a normal tensor before doing inplace update."
            )

    def set_array(self, array):
        """Give the tensor other memory (`out=` of another size, `.data = `, `set_`)."""
        self.array = array
        self._storage = None


_tensor_class = TensorImpl


def set_tensor_class(cls):
    """Register the class that kernels instantiate: torch.Tensor."""
    global _tensor_class
    _tensor_class = cls


def make_tensor(array):
    """A tensor that owns `array`, fresh from a kernel.

    NumPy hands back a scalar where a result has no dimensions; it becomes an array again here.
    """
    tensor = _new(_tensor_class)
    if isinstance(array, numpy.ndarray):
        tensor.key_set = _CPU_KEYS
    elif isinstance(array, numpy.generic):
        array = numpy.asarray(array)
        tensor.key_set = _CPU_KEYS
    else:
        tensor.key_set = _CUDA_KEYS
    if InferenceMode.blocks and state.inference_mode:
        tensor.key_set &= NOT_INFERENCE
    tensor.array = array
    tensor.autograd_meta = None
    tensor._storage = None
    tensor._version_counter = None
    return tensor


def make_view(base, array):
    """A tensor that looks at `base`'s memory through `array`."""
    tensor = _new(_tensor_class)
    tensor.array = array
    tensor.key_set = base.key_set
    tensor.autograd_meta = None
    # The two properties are asked only where they have something to make: views are the most frequent calls.
    storage, version_counter = base._storage, base._version_counter
    tensor._storage = base.storage_impl if storage is None else storage
    tensor._version_counter = base.version_counter if version_counter is None else version_counter
    return tensor

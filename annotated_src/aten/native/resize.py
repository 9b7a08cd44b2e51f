"""resize_: other sizes for the same memory, or for more of it. Retells aten/src/ATen/native/Resize.cpp."""

from annotated_src.aten import ops
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.memory_format import contiguous_strides, preserve_format, strides_in
from annotated_src.c10.util.exception import TorchError


def resize_(self, size, *, memory_format=None):
    """Give `self` this size; what was in memory stays, and what is new is whatever the memory held."""
    size = tuple(size)
    for length in size:
        if length < 0:
            raise TorchError(f"Trying to create tensor with negative dimension {length}: {list(size)}")
    array = self.array
    if memory_format is None and size == array.shape:
        return self
    if memory_format is None and array.size == 0 and self._storage is None:
        # Nothing to keep and nobody to share with: the usual `out=torch.empty(0)`.
        self.set_array(array_module(array).empty(size, dtype=array.dtype))
        return self
    strides = contiguous_strides(size) if memory_format is None else strides_in(memory_format, size)
    _resize_impl(self, size, strides)
    return self


def resize_as_(self, the_template, *, memory_format=None):
    """Give `self` the template's size."""
    if memory_format is preserve_format:
        memory_format = None
    return ops.resize_.default(self, the_template.array.shape, memory_format=memory_format)


def set_storage_(self, source, storage_offset, size, stride=()):
    """Make `self` a view of `source`, a storage, with this offset, size and strides (in elements)."""
    source = getattr(source, "_untyped_storage", source)
    size = tuple(size)
    stride = tuple(stride) if stride or not size else contiguous_strides(size)
    self.array = source.as_strided(self.array.dtype, size, stride, storage_offset)
    self._storage = source
    return self


def _resize_impl(self, size, strides):
    needed = 1 + sum((length - 1) * stride for length, stride in zip(size, strides, strict=True))
    if 0 in size:
        needed = 0
    array = self.array
    storage, offset = self.storage_impl, self.storage_offset()
    if storage.nbytes() < (offset + needed) * array.itemsize:
        # Deviation: upstream enlarges the storage for all its views; here the older views keep the smaller memory.
        _enlarge(storage, array.dtype, offset + needed)
    self.array = storage.as_strided(array.dtype, size, strides, offset)


def _enlarge(storage, numpy_dtype, count):
    old = storage.flat(numpy_dtype)
    new = array_module(old).empty(count, dtype=numpy_dtype)
    new[: old.size] = old
    storage.array = new

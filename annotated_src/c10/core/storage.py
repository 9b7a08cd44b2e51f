"""Storage: a stretch of memory that one or several tensors look at. Retells c10/core/StorageImpl.h.

A tensor is a view (sizes, strides, offset) of a storage. Two tensors that share one see each other's writes, and
whoever keeps a small view alive keeps the whole storage alive.

Here the memory belongs to an array of the array module; the storage begins at that array's first element.
"""

from annotated_src.c10.array_module import array_module


def data_ptr(array):
    """The address of the array's first element."""
    interface = getattr(array, "__array_interface__", None)
    if interface is not None:
        return interface["data"][0]
    return array.data.ptr


def extent_in_bytes(array):
    """How many bytes lie between the first element and the end of the furthest one."""
    if array.size == 0:
        return 0
    steps = zip(array.shape, array.strides, strict=True)
    return sum((size - 1) * stride for size, stride in steps) + array.itemsize


class Storage:
    """The memory behind a tensor.

    `array` owns the memory, or keeps alive who does. Strides are never negative, so it starts at the lowest address.
    """

    __slots__ = ("array", "__weakref__")

    def data_ptr(self):
        """The address of the first byte."""
        return data_ptr(self.array)

    def nbytes(self):
        """The size of the whole stretch, in bytes."""
        return extent_in_bytes(self.array)

    def as_strided(self, numpy_dtype, shape, strides, offset):
        """An array of the memory: `strides` and `offset` count elements of `numpy_dtype`."""
        flat = self.flat(numpy_dtype)
        as_strided = array_module(flat).lib.stride_tricks.as_strided
        return as_strided(flat[offset:], shape, [stride * flat.itemsize for stride in strides])

    def flat(self, numpy_dtype):
        """The whole memory as a one-dimensional array of `numpy_dtype`."""
        count = self.nbytes() // self.array.itemsize
        as_strided = array_module(self.array).lib.stride_tricks.as_strided
        whole = as_strided(self.array, (count,), (self.array.itemsize,))
        return whole if whole.dtype == numpy_dtype else whole.view(numpy_dtype)


_storage_class = Storage


def set_storage_class(cls):
    """Register the class that tensors make their storage of: torch.UntypedStorage."""
    global _storage_class
    _storage_class = cls


def make_storage(array):
    """The storage whose memory is `array`'s."""
    storage = object.__new__(_storage_class)
    storage.array = array
    return storage

"""UntypedStorage: the bytes behind a tensor, and TypedStorage: the same as numbers. Retells torch/storage.py.

    x.untyped_storage()    the storage object itself; every view of x returns the very same one
    x.storage()            a TypedStorage around it, which upstream has deprecated

Left out: sharing between processes, files and CUDA (with the multi-process loader), the casts (`storage.float()`).
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.scalar_type import ScalarType
from annotated_src.c10.core.storage import Storage, set_storage_class
from annotated_src.torch.csrc.utils.tensor_new import tensor_ctor


class UntypedStorage(Storage):
    """A stretch of bytes on one device.

    Upstream: torch/storage.py, torch/csrc/Storage.cpp.

    >>> from annotated_src import torch
    >>> x = torch.zeros(4)
    >>> x.untyped_storage().nbytes(), x[1:].untyped_storage() is x.untyped_storage()
    (16, True)
    """

    is_sparse = False

    def __new__(cls, data=0, *, device=None):
        storage = object.__new__(cls)
        if isinstance(data, int):
            tensor = ops.empty.memory_format((data,), dtype=scalar_type.uint8, device=_device(device))
        else:
            tensor = tensor_ctor(data, dtype=scalar_type.uint8, device=device)
        storage.array = tensor.array
        return storage

    def __len__(self):
        return self.nbytes()

    def __getitem__(self, index):
        if isinstance(index, slice):
            return _wrap(self._bytes()[index])
        if not isinstance(index, int):
            raise TypeError(f"can't index a {type(self).__name__} with {type(index).__name__}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} out of range for storage of size {len(self)}")
        return self._bytes()[index].item()  # D2H: the byte that was asked for

    def __setitem__(self, index, value):
        self._bytes()[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def _bytes(self):
        return self.flat(scalar_type.uint8.numpy)

    @property
    def device(self):
        """Where the bytes are."""
        if isinstance(self.array, numpy.ndarray):
            return Device("cpu")
        return Device("cuda", self.array.device.id)

    @property
    def is_cuda(self):
        """Whether the bytes are on a CUDA card."""
        return self.device.type == "cuda"

    @property
    def _cdata(self):
        return id(self)

    def size(self):
        """The number of bytes."""
        return self.nbytes()

    def element_size(self):
        """1: a byte."""
        return 1

    def get_device(self):
        """The number of the CUDA card; -1 on the CPU."""
        return -1 if self.device.index is None else self.device.index

    def is_shared(self):
        """Whether other processes see these bytes; every CUDA storage counts as shared."""
        return self.is_cuda

    def copy_(self, source, non_blocking=None):
        """Write the bytes of `source` here."""
        self._bytes()[...] = source._bytes()
        return self

    def clone(self):
        """A storage of the same bytes."""
        return type(self)(self.nbytes(), device=self.device).copy_(self)

    def tolist(self):
        """The bytes as ints."""
        return self._bytes().tolist()  # D2H: the bytes that were asked for

    def untyped(self):
        """The storage itself."""
        return self

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        # Tensors that share a storage share its copy, too.
        copies = memo.setdefault("torch", {})
        if self._cdata not in copies:
            copies[self._cdata] = self.clone()
        return copies[self._cdata]

    def __reduce__(self):
        # Deviation: upstream pickles a storage as a file that torch.save has written.
        return _load_from_bytes, (self._bytes().tobytes(),)  # D2H: what is pickled

    def __sizeof__(self):
        return super().__sizeof__() + self.nbytes()

    def __repr__(self):
        info = f"[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"
        return " " + "\n ".join(map(str, self.tolist())) + "\n" + info


# The storages of all tensors are of this class from now on.
set_storage_class(UntypedStorage)


def _wrap(array):
    storage = object.__new__(UntypedStorage)
    storage.array = array
    return storage


def _load_from_bytes(b):
    return _wrap(numpy.frombuffer(bytearray(b), dtype=numpy.uint8))


def _device(device):
    return None if device is None else Device(device)


def _warn_typed_storage_removal(stacklevel=2):
    if _warn_typed_storage_removal.__dict__.get("has_warned"):
        return
    _warn_typed_storage_removal.__dict__["has_warned"] = True
    warnings.warn(
        "TypedStorage is deprecated. Only UntypedStorage will remain: ask tensor.untyped_storage() "
        "instead of tensor.storage().",
        UserWarning,
        stacklevel=stacklevel + 1,
    )


def _reset_warn_typed_storage_removal():
    _warn_typed_storage_removal.__dict__["has_warned"] = False


class TypedStorage:
    """A storage read as numbers of one dtype.

    Upstream: torch/storage.py. Deprecated there; torch.save's format still speaks of it.
    """

    is_sparse = False

    def __init__(self, *args, device=None, dtype=None, wrap_storage=None, _internal=False):
        if not _internal:
            _warn_typed_storage_removal()
        if wrap_storage is not None:
            self._wrap(args, device, dtype, wrap_storage)
            return
        if len(args) > 1:
            raise RuntimeError("TypedStorage.__init__ takes a size or a sequence: Too many positional arguments")
        self.dtype = scalar_type.get_default_dtype() if dtype is None else dtype
        data = args[0] if args else 0
        if isinstance(data, (int, numpy.integer)):
            self._untyped_storage = UntypedStorage(int(data) * self.dtype.itemsize, device=device)
        else:
            self._untyped_storage = tensor_ctor(data, dtype=self.dtype, device=device).storage_impl

    def _wrap(self, args, device, dtype, wrap_storage):
        if args:
            raise RuntimeError("No positional arguments should be given when using 'wrap_storage'")
        if dtype is None:
            raise RuntimeError("Argument 'dtype' must be specified when 'wrap_storage' is given")
        if not isinstance(dtype, ScalarType):
            raise TypeError(f"Argument 'dtype' must be torch.dtype, not {type(dtype)}")
        if device is not None:
            raise RuntimeError("Argument 'device' should not be specified when 'wrap_storage' is given")
        if not isinstance(wrap_storage, UntypedStorage):
            raise TypeError(f"Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage)}")
        self.dtype = dtype
        self._untyped_storage = wrap_storage

    def _flat(self):
        return self._untyped_storage.flat(self.dtype.numpy)

    def _size(self):
        return self._untyped_storage.nbytes() // self.dtype.itemsize

    def _nbytes(self):
        return self._untyped_storage.nbytes()

    def _data_ptr(self):
        return self._untyped_storage.data_ptr()

    def _getitem(self, idx):
        if isinstance(idx, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not isinstance(idx, int):
            raise RuntimeError(f"can't index a {type(self)} with {type(idx)}")
        if not -self._size() <= idx < self._size():
            raise IndexError(f"index {idx} out of range for storage of size {self._size()}")
        return self._flat()[idx].item()  # D2H: the number that was asked for

    def _deepcopy(self, memo):
        copied = self._untyped_storage.__deepcopy__(memo)
        return TypedStorage(wrap_storage=copied, dtype=self.dtype, _internal=True)

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    @property
    def device(self):
        """Where the memory is."""
        _warn_typed_storage_removal()
        return self._untyped_storage.device

    @property
    def is_cuda(self):
        """Whether the memory is on a CUDA card."""
        _warn_typed_storage_removal()
        return self._untyped_storage.is_cuda

    def untyped(self):
        """The bytes behind it."""
        _warn_typed_storage_removal()
        return self._untyped_storage

    def __len__(self):
        _warn_typed_storage_removal()
        return self._size()

    def size(self):
        """The number of elements."""
        _warn_typed_storage_removal()
        return self._size()

    def nbytes(self):
        """The number of bytes."""
        _warn_typed_storage_removal()
        return self._nbytes()

    def element_size(self):
        """The bytes of one element."""
        _warn_typed_storage_removal()
        return self.dtype.itemsize

    def data_ptr(self):
        """The address of the first byte."""
        _warn_typed_storage_removal()
        return self._data_ptr()

    def __getitem__(self, idx):
        _warn_typed_storage_removal()
        return self._getitem(idx)

    def __setitem__(self, idx, value):
        _warn_typed_storage_removal()
        self._flat()[idx] = value

    def fill_(self, value):
        """Write `value` everywhere."""
        _warn_typed_storage_removal()
        self._flat()[...] = value
        return self

    def __iter__(self):
        _warn_typed_storage_removal()
        return iter(self._flat().tolist())  # D2H: the numbers that were asked for

    def tolist(self):
        """The elements as Python numbers."""
        _warn_typed_storage_removal()
        return self._flat().tolist()  # D2H: the numbers that were asked for

    def clone(self):
        """The same numbers in memory of their own."""
        _warn_typed_storage_removal()
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype, _internal=True)

    def is_shared(self):
        """Whether other processes see this memory."""
        _warn_typed_storage_removal()
        return self._untyped_storage.is_shared()

    def __eq__(self, other):
        return isinstance(other, TypedStorage) and self._cdata == other._cdata

    __hash__ = object.__hash__

    def __deepcopy__(self, memo):
        _warn_typed_storage_removal()
        return self._deepcopy(memo)

    def __str__(self):
        info = (
            f"[torch.storage.TypedStorage(dtype={self.dtype}, device={self._untyped_storage.device}) "
            f"of size {self._size()}]"
        )
        numbers = self._flat().tolist()  # D2H: what is printed
        return " " + "\n ".join(map(str, numbers)) + "\n" + info

    def __repr__(self):
        _warn_typed_storage_removal()
        return str(self)

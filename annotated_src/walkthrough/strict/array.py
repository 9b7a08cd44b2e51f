"""The strict array: memory of a card, as far as a program can tell.

It wraps a NumPy array and hands it out to nobody but the functions of this package (`host_of`, `launch`). Whatever an
operator or a method computes is again a strict array.
"""

import numpy

from annotated_src.walkthrough.strict import api, cuda
from annotated_src.walkthrough.strict.marks import check_mark

# The dtypes that a card can hold; E is ml_dtypes' bfloat16.
DTYPES = "?bBhHiIlLqQeEfdFD"
# Nothing is launched for memory that is not yet written, nor for results that look at an operand's memory, as those of
# the second line do where they can.
UNWRITTEN = frozenset(("empty", "empty_like"))
VIEWS = frozenset(
    "reshape ravel transpose swapaxes moveaxis rollaxis expand_dims squeeze broadcast_to broadcast_arrays diagonal "
    "view flip atleast_1d atleast_2d atleast_3d ascontiguousarray real imag as_strided astype split "
    "array_split".split()
)
# Functions that look at the numbers on the host, or at how many there are, before they return.
SYNCHRONIZING = frozenset("nonzero flatnonzero argwhere unique bincount compress extract repeat_counts".split())


class MemoryPointer:
    """Where an array begins in the card's memory."""

    def __init__(self, mem, ptr):
        self.mem = mem
        self.ptr = ptr
        self.device = cuda.Device()
        self.device_id = self.device.id


class Flags:
    """How an array lies in memory."""

    def __init__(self, host, owndata):
        self.c_contiguous = host.flags.c_contiguous
        self.f_contiguous = host.flags.f_contiguous
        self.fnc = self.f_contiguous and not self.c_contiguous
        self.forc = self.f_contiguous or self.c_contiguous
        self.owndata = owndata

    def __getitem__(self, name):
        return getattr(self, name.lower())


class ndarray:
    """An array on the card. New ones are made by the module's functions."""

    __slots__ = ("_host", "_memory", "base", "device", "__weakref__")
    # NumPy's scalars and arrays leave operators with a strict array to it.
    __array_priority__ = 100

    def __init__(self, shape, dtype=float, memptr=None, strides=None, order="C"):
        if memptr is not None:
            raise NotImplementedError("a strict array over given memory")
        _own(self, numpy.empty(shape, dtype, order=order), None)

    # -- what is known on the host

    dtype = property(lambda self: self._host.dtype)
    strides = property(lambda self: self._host.strides)
    size = property(lambda self: self._host.size)
    ndim = property(lambda self: self._host.ndim)
    itemsize = property(lambda self: self._host.itemsize)
    nbytes = property(lambda self: self._host.nbytes)
    flags = property(lambda self: Flags(self._host, self.base is None))

    @property
    def shape(self):
        """The sizes; may be set where no copy is needed."""
        return self._host.shape

    @shape.setter
    def shape(self, sizes):
        self._host = self._host.reshape(sizes, copy=False)

    @property
    def data(self):
        """A pointer to the first element."""
        return MemoryPointer(self._memory, self._host.__array_interface__["data"][0])

    @property
    def __cuda_array_interface__(self):
        host = self._host
        return {"shape": host.shape, "strides": host.strides, "typestr": host.dtype.str, "data": (self.data.ptr, False)}

    # -- the ways to the host, each of them a transfer

    def get(self, stream=None, order="C", out=None, blocking=True):
        """A NumPy array of the elements."""
        if out is not None and not isinstance(out, numpy.ndarray):
            raise TypeError("Only numpy.ndarray can be obtained from cupy.ndarray")
        target = numpy.empty_like(self._host, order=order) if out is None else out
        if target.dtype != self.dtype or target.shape != self.shape:
            raise ValueError(f"{self.dtype}{self.shape} array cannot be obtained as {target.dtype}{target.shape}")
        if blocking or not cuda.is_pinned(target):
            # (into memory that is not page-locked, the runtime waits whatever was asked)
            transfer("D2H", self.nbytes, stream, lambda: numpy.copyto(target, self._host), host_waits=True)
            return target
        # What it is now is what will arrive, even if a later kernel writes here before the host looks.
        now = self._host.copy()
        transfer("D2H", self.nbytes, stream, lambda: numpy.copyto(target, now))
        return target

    def set(self, arr, stream=None):
        """Take the elements of a NumPy array of the same shape and dtype."""
        if not isinstance(arr, numpy.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype or arr.shape != self.shape:
            raise ValueError(f"{arr.dtype}{arr.shape} array cannot be set to {self.dtype}{self.shape} array")
        if not (self._host.flags.c_contiguous or self._host.flags.f_contiguous):
            raise RuntimeError("Cannot set to non-contiguous array")
        # At once, for kernels that come after it are computed at once.
        numpy.copyto(self._host, arr)
        transfer("H2D", self.nbytes, stream, host_waits=stream is None)

    def item(self):
        """The only element, as a Python number."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.get().item()

    def tolist(self):
        """The elements as Python numbers in lists."""
        return self.get().tolist()

    def tobytes(self, order="C"):
        """The elements' bytes."""
        return self.get().tobytes(order)

    def __bool__(self):
        return bool(self.get())

    def __int__(self):
        return int(self.get())

    def __float__(self):
        return float(self.get())

    def __complex__(self):
        return complex(self.get())

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __format__(self, spec):
        return format(self.get(), spec)

    def __reduce__(self):
        return _from_host, (self.get(),)

    # -- the ways to the host that nobody asked for

    def __array__(self, dtype=None, copy=None):
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array "
            "explicitly."
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        # NumPy's ufunc of a strict array is the strict module's.
        from annotated_src.walkthrough.strict.module import strict_module

        function = getattr(strict_module, ufunc.__name__, None)
        if function is None:
            return NotImplemented
        out = kwargs.pop("out", None)
        if out is not None:
            kwargs["out"] = out[0]
        return (function if method == "__call__" else getattr(function, method))(*inputs, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        from annotated_src.walkthrough.strict.module import strict_module

        module = function.__module__.removeprefix("numpy").lstrip(".")
        namespace = getattr(strict_module, module) if module else strict_module
        return getattr(namespace, function.__name__)(*args, **kwargs)

    # -- elements

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[position] for position in range(len(self)))

    def __getitem__(self, index):
        arrays = host_index(index, self.shape)
        _count_mask(index)
        if _is_basic(index):
            # The dots keep NumPy from making a scalar of a single element.
            picked = (*index, ...) if isinstance(index, tuple) and ... not in index else index
            picked = (picked, ...) if not isinstance(index, tuple) and index is not ... else picked
            return device_of(self._host[picked], (self,))
        return launch("take", lambda host: host[arrays], self)

    def __setitem__(self, index, value):
        _count_mask(index)
        where, host_value = host_index(index, self.shape), scalar_or_array(value)
        launch("copy", lambda host: host.__setitem__(where, host_value), self)

    # -- copies and views

    T = property(lambda self: self.transpose())
    mT = property(lambda self: self.swapaxes(-1, -2))

    @property
    def real(self):
        """The real parts: a view."""
        return view_of(self, self._host.real)

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        """The imaginary parts: a view of a complex array, else zeros."""
        if self.dtype.kind == "c":
            return view_of(self, self._host.imag)
        return launch("imag", numpy.zeros_like, self)

    @imag.setter
    def imag(self, value):
        self.imag[...] = value

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def astype(self, dtype, order="K", casting=None, subok=None, copy=True):
        """The elements in another dtype; without `copy`, the array itself where it has it."""
        if casting is not None or subok:
            raise TypeError("casting is not supported yet" if casting is not None else "subok is not supported yet")
        if not copy and self.dtype == dtype:
            return self
        return launch("astype", lambda host: host.astype(dtype, order=order), self)

    def view(self, dtype=None, type=None):
        """The same memory, perhaps with another dtype."""
        return view_of(self, self._host.view() if dtype is None else self._host.view(dtype))

    def fill(self, value):
        """Set every element to a scalar, or to the element of an array without dimensions."""
        host_value = scalar_or_array(value)
        launch("fill", lambda host: host.__setitem__(..., host_value), self)

    def sort(self, axis=-1, kind=None):
        """Sort in place; stable."""
        _check_sort(self, kind)
        launch("sort", lambda host: host.sort(axis, "stable"), self)

    def argsort(self, axis=-1, kind=None):
        """The indices that would sort."""
        _check_sort(self, kind)
        return launch("argsort", lambda host: host.argsort(axis, "stable"), self)

    def take(self, indices, axis=None, out=None):
        """The elements at some indices, which wrap around."""
        where = index_operand(indices)
        return launch("take", lambda host: host.take(where, axis, mode="wrap"), self, out=out)

    def nonzero(self):
        """Where the elements are not 0, an array a dimension."""
        if not self.ndim:
            raise ValueError(
                "Calling nonzero on 0d arrays is not allowed. Use cp.atleast_1d(scalar).nonzero() instead."
            )
        count_on_host()
        return launch("nonzero", numpy.ndarray.nonzero, self)

    def repeat(self, repeats, axis=None):
        """Each element several times."""
        if isinstance(repeats, ndarray):
            count_on_host()
        return launch("repeat", lambda host, counts: host.repeat(counts, axis), self, repeats)

    def scatter_add(self, slices, value):
        """Add at indices, each as often as it occurs."""
        from annotated_src.walkthrough.strict.module import strict_module

        strict_module.add.at(self, slices, value)

    def __getattr__(self, name):
        # The methods that are NumPy's, but for the arguments that CuPy does not take.
        if name.startswith("_") or not api.exists(f"ndarray.{name}"):
            raise AttributeError(f"cupy.ndarray has no attribute '{name}' (CuPy {api.VERSION})")
        return Method(self, name)


class Method:
    """A method of an array that NumPy computes."""

    def __init__(self, array, name):
        self.array = array
        self.name = name

    def __call__(self, *args, **kwargs):
        args, kwargs, out = api.split_out(f"ndarray.{self.name}", args, kwargs)
        return launch(self.name, getattr(numpy.ndarray, self.name), self.array, *args, out=out, **kwargs)


# -- between strict and NumPy arrays: for this package only


def device_of(host, operands=()):
    """A strict array of a NumPy array that this package computed: a view of an operand, if it shares its memory."""
    array = ndarray.__new__(ndarray)
    _own(array, host, _whose_memory(host, operands))
    return array


def view_of(array, host):
    """A view of `array`'s memory."""
    view = ndarray.__new__(ndarray)
    _own(view, host, array)
    return view


def _own(array, host, base):
    if host.dtype.char not in DTYPES:
        raise ValueError(f"Unsupported dtype {host.dtype}")
    array._host = host
    array._memory = cuda.alloc(host.nbytes) if base is None else base._memory
    array.base = None if base is None else base if base.base is None else base.base
    array.device = cuda.Device() if base is None else base.device


def _from_host(host):
    transfer("H2D", host.nbytes, host_waits=True)
    return device_of(host.copy())


def _whose_memory(host, operands):
    root = _root(host)
    for one in operands:
        if _root(one._host) is root:
            return one
    return None


def _root(host):
    while getattr(host, "base", None) is not None:
        host = host.base
    return host


def operand(value):
    """What NumPy is to compute with: the inside of a strict array, or a scalar; TypeError for all else."""
    if isinstance(value, ndarray):
        return value._host
    if value is None or isinstance(value, (bool, int, float, complex, str, type, numpy.generic, numpy.dtype)):
        return value
    if isinstance(value, (list, tuple)):
        return type(value)([operand(one) for one in value])
    if isinstance(value, slice) or value is ...:
        return value
    raise TypeError(f"Unsupported type {type(value)}")


def scalar_or_array(value):
    """The inside of a strict array, or a scalar; TypeError for all else, lists among them."""
    if isinstance(value, (ndarray, bool, int, float, complex, numpy.generic)):
        return operand(value)
    raise TypeError(f"Unsupported type {type(value)}")


def index_operand(indices):
    """An index array; the host's are refused."""
    if isinstance(indices, (ndarray, int, numpy.integer)):
        return operand(indices)
    raise TypeError(f"an index of type {type(indices)} would be carried to the card behind your back: use asarray")


def arrays_in(values):
    """The strict arrays among arguments, those in lists as well."""
    for value in values:
        if isinstance(value, ndarray):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from arrays_in(value)


def launch(name, function, *args, out=None, **kwargs):
    """Compute on the card: `function` takes and gives NumPy arrays, the caller strict ones. Noted as a launch."""
    if out is not None and not isinstance(out, ndarray):
        raise TypeError("Output arguments type must be cupy.ndarray")
    operands = list(arrays_in((*args, *kwargs.values())))
    host_args = [operand(one) for one in args]
    host_kwargs = {key: operand(value) for key, value in kwargs.items()}

    def compute():
        with numpy.errstate(all="ignore"):
            return _as_arrays(function(*host_args, **host_kwargs))

    if name in UNWRITTEN:
        return wrap(compute(), ())
    if name in VIEWS and out is None:
        looked = compute()
        if isinstance(looked, numpy.ndarray) and _whose_memory(looked, operands) is None:
            looked = cuda.log_launch(name, compute)
        return wrap(looked, operands)
    result = cuda.log_launch(name, compute)
    if out is None:
        return wrap(result, operands)
    if isinstance(result, numpy.ndarray):
        if not numpy.can_cast(result.dtype, out.dtype, "same_kind"):
            raise TypeError(f"output (typecode '{result.dtype.char}') could not be coerced to '{out.dtype.char}'")
        if result.shape != out.shape:
            raise ValueError(f"Output shape mismatch: {result.shape} and {out.shape}")
        out._host[...] = result
    return out


def wrap(result, operands):
    """Strict arrays of what NumPy gave."""
    if isinstance(result, numpy.ndarray):
        return device_of(result, operands)
    if isinstance(result, (list, tuple)):
        return type(result)([wrap(one, operands) for one in result])
    return result


def _as_arrays(result):
    if isinstance(result, numpy.generic):
        return numpy.asarray(result)
    if isinstance(result, tuple):
        return tuple([_as_arrays(one) for one in result])
    return result


def _check_sort(array, kind):
    if not array.ndim:
        raise numpy.exceptions.AxisError("Sorting arrays with the rank of zero is not supported.")
    if kind not in (None, "stable"):
        raise ValueError("kind can only be None or 'stable'")


def transfer(kind, nbytes, stream=None, effect=None, host_waits=False):
    """Note a copy between host and card, and do it. HiddenTransfer, if the line that asks for it does not say so."""
    check_mark(kind, nbytes)
    cuda.log_transfer(kind, nbytes, stream, effect=effect, host_waits=host_waits)


def count_on_host():
    """The host must know how many elements a result has: one number is read back."""
    transfer("D2H", 8, host_waits=True)


# -- indices


def _is_basic(index):
    parts = index if isinstance(index, tuple) else (index,)
    return not any(isinstance(part, (ndarray, bool, numpy.bool_)) for part in parts)


def _count_mask(index):
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, ndarray) and part.dtype == bool for part in parts):
        count_on_host()


def host_index(index, shape):
    """An index for the inside of an array of this shape: integers in arrays wrap around. TypeError for host arrays."""
    parts = index if isinstance(index, tuple) else (index,)
    wrapped, axis = [], 0
    for position, part in enumerate(parts):
        if part is ...:
            axis = len(shape) - sum(_axes_of(one) for one in parts[position + 1 :])
        elif isinstance(part, ndarray):
            part, axis = _wrapped(part, shape, axis), axis + _axes_of(part)
        elif part is None or isinstance(part, slice):
            axis += part is not None
        elif isinstance(part, (int, numpy.integer)):
            axis += 1
        else:
            index_operand(part)
        wrapped.append(part)
    return tuple(wrapped) if isinstance(index, tuple) else wrapped[0]


def _axes_of(part):
    if part is None or isinstance(part, (bool, numpy.bool_)):
        return 0
    return part.ndim if isinstance(part, ndarray) and part.dtype == bool else 1


def _wrapped(part, shape, axis):
    host = part._host
    if host.dtype == bool:
        return host
    if host.dtype.kind not in "iu":
        raise IndexError(f"arrays used as indices must be of integer or boolean type. (actual: {host.dtype.type})")
    if axis >= len(shape) or not shape[axis]:
        return host
    return host % shape[axis]


# -- operators: each is the ufunc of its name

_BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "divmod": "divmod",
}
_COMPARISON = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
_UNARY = {"neg": "negative", "pos": "positive", "invert": "invert", "abs": "absolute"}


def _define_operators():
    from annotated_src.walkthrough.strict.ufunc import Ufunc

    for name, ufunc in (_BINARY | _COMPARISON).items():
        setattr(ndarray, f"__{name}__", _binary(Ufunc(ufunc)))
    for name, ufunc in _BINARY.items():
        setattr(ndarray, f"__r{name}__", _reflected(Ufunc(ufunc)))
        setattr(ndarray, f"__i{name}__", _in_place(Ufunc(ufunc)))
    for name, ufunc in _UNARY.items():
        setattr(ndarray, f"__{name}__", _unary(Ufunc(ufunc)))
    ndarray.__matmul__ = lambda self, other: launch("matmul", numpy.matmul, self, other)
    ndarray.__hash__ = None


def _binary(ufunc):
    return lambda self, other: ufunc(self, other)


def _reflected(ufunc):
    return lambda self, other: ufunc(other, self)


def _in_place(ufunc):
    return lambda self, other: ufunc(self, other, self)


def _unary(ufunc):
    return lambda self: ufunc(self)

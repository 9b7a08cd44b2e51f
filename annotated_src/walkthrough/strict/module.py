"""The module that stands behind the door: `xp`, as CuPy would be.

A name that CuPy lacks is an AttributeError. What it has is NumPy's function of the same name, with CuPy's parameters;
those that differ are written out below.
"""

import types

import numpy

from annotated_src.walkthrough.strict import api, cuda
from annotated_src.walkthrough.strict import array as strict_array
from annotated_src.walkthrough.strict.array import (
    SYNCHRONIZING,
    arrays_in,
    count_on_host,
    device_of,
    launch,
    ndarray,
    operand,
    scalar_or_array,
    transfer,
)
from annotated_src.walkthrough.strict.ufunc import Ufunc

# About dtypes and shapes: nothing is computed.
_PLAIN = frozenset(
    "broadcast_shapes can_cast common_type promote_types result_type min_scalar_type isscalar ndim".split()
)
_SOURCE = frozenset("RawModule RawKernel ElementwiseKernel ReductionKernel fuse".split())


class Namespace(types.ModuleType):
    """The module, or one within it such as `linalg`."""

    def __init__(self, name, numpy_module):
        super().__init__(name)
        self._prefix = name.partition(".")[2]
        self._numpy = numpy_module

    def __getattr__(self, name):
        dotted = f"{self._prefix}.{name}".lstrip(".")
        if name.startswith("_") or not api.exists(dotted):
            raise AttributeError(f"module 'cupy' has no attribute '{dotted}' (CuPy {api.VERSION})")
        found = self._make(dotted, name)
        setattr(self, name, found)
        return found

    def _make(self, dotted, name):
        if dotted in _SOURCE:
            raise NotImplementedError(f"cupy.{dotted}: the strict array module compiles no CUDA source")
        theirs = getattr(self._numpy, name)
        if api.is_ufunc(dotted):
            return Ufunc(name)
        if isinstance(theirs, types.ModuleType):
            return Namespace(f"cupy.{dotted}", theirs)
        if isinstance(theirs, type) or not callable(theirs) or dotted in _PLAIN:
            return theirs
        return Function(dotted, theirs)


class Function:
    """A function that NumPy computes."""

    def __init__(self, dotted, theirs):
        self.dotted = dotted
        self.__name__ = dotted.rpartition(".")[2]
        self._numpy = theirs

    def __repr__(self):
        return f"<function cupy.{self.dotted}>"

    def __call__(self, *args, **kwargs):
        args, kwargs, out = api.split_out(self.dotted, args, kwargs)
        if self.__name__ in SYNCHRONIZING:
            count_on_host()
        return launch(self.__name__, self._numpy, *args, out=out, **kwargs)


# -- those that differ


def array(obj, dtype=None, copy=True, order="K", subok=False, ndmin=0, *, blocking=False):
    """An array of strict arrays, or of what the host holds: that is a transfer."""
    if isinstance(obj, ndarray):
        return launch("array", lambda host: numpy.array(host, dtype, copy=copy, order=order, ndmin=ndmin), obj)
    if any(True for _ in arrays_in([obj])):
        return launch("array", lambda *hosts: numpy.array(operand(obj), dtype), *arrays_in([obj]))
    host = numpy.array(obj, dtype, copy=True, order=order, ndmin=ndmin)
    found = device_of(host)
    transfer("H2D", host.nbytes, host_waits=True)
    return found


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    """The array itself where it is a strict one of that dtype."""
    if isinstance(a, ndarray) and not copy and (dtype is None or a.dtype == dtype):
        return a
    return array(a, dtype)


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    """A NumPy array of the elements: a transfer."""
    return a.get(stream, order, out, blocking) if isinstance(a, ndarray) else numpy.asarray(a)


def ascontiguousarray(a, dtype=None):
    """The array itself where it lies in order, else a copy; arrays without dimensions get one, as NumPy's."""
    return launch("ascontiguousarray", lambda host: numpy.ascontiguousarray(host, dtype), _checked(a))


def where(condition, x=None, y=None):
    """x where the condition holds, else y."""
    if x is None and y is None:
        return condition.nonzero()
    # (so may a NumPy scalar be a condition, but no bool)
    condition = condition.astype(bool, copy=False)
    scalar_or_array(condition)
    scalar_or_array(x), scalar_or_array(y)
    return launch("where", numpy.where, condition, x, y)


def copyto(dst, src, casting="same_kind", where=None):
    """Write `src` into `dst`, or where a mask holds."""
    value = scalar_or_array(src)
    mask = True if where is None else scalar_or_array(where)
    launch("copyto", lambda host: numpy.copyto(host, value, casting, mask), _checked(dst))


def full(shape, fill_value, dtype=None, order="C"):
    """A new array, every element the same."""
    value = scalar_or_array(fill_value)
    return launch("full", lambda: numpy.full(shape, value, dtype, order))


def sort(a, axis=-1, kind=None):
    """A sorted copy."""
    a = a.ravel() if axis is None else a
    copied = a.copy()
    copied.sort(-1 if axis is None else axis, kind)
    return copied


def argsort(a, axis=-1, kind=None):
    """The indices that would sort."""
    return a.argsort(axis, kind)


def take(a, indices, axis=None, out=None):
    """The elements at some indices, which wrap around."""
    return a.take(indices, axis, out)


def repeat(a, repeats, axis=None):
    """Each element several times."""
    return a.repeat(repeats, axis)


def nonzero(a):
    """Where the elements are not 0."""
    return a.nonzero()


def take_along_axis(a, indices, axis):
    """One element a position, along an axis."""
    return a[_along(a, indices, axis)]


def put_along_axis(arr, indices, values, axis):
    """Write one element a position, along an axis."""
    arr[_along(arr, indices, axis)] = values


def searchsorted(a, v, side="left", sorter=None):
    """Where elements would be put in."""
    return launch("searchsorted", numpy.searchsorted, _checked(a), _checked(v), side, sorter)


def get_array_module(*args):
    """This module, if a strict array is among the arguments."""
    return strict_module if any(True for _ in arrays_in(args)) else numpy


def _along(a, indices, axis):
    if indices.ndim != a.ndim:
        raise ValueError("`indices` and `a` must have the same number of dimensions")
    axis = axis % a.ndim
    places = []
    for dim, size in enumerate(a.shape):
        ones = (1,) * dim + (-1,) + (1,) * (a.ndim - dim - 1)
        places.append(indices if dim == axis else strict_module.arange(size).reshape(ones))
    return tuple(places)


def _checked(value):
    if not isinstance(value, ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    return value


def _make_module():
    module = Namespace("cupy", numpy)
    module.__version__ = api.VERSION
    module.cuda = cuda
    module.get_default_memory_pool = cuda.get_default_memory_pool
    module.ndarray = ndarray
    module.ufunc = Ufunc
    for function in (
        array,
        asarray,
        asnumpy,
        ascontiguousarray,
        where,
        copyto,
        full,
        sort,
        argsort,
        take,
        repeat,
        nonzero,
        take_along_axis,
        put_along_axis,
        searchsorted,
        get_array_module,
    ):
        setattr(module, function.__name__, function)
    return module


strict_array._define_operators()
strict_module = _make_module()

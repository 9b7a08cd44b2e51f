"""The elementwise functions. Which loop serves some operands is found as CuPy finds it: the first that takes them.

add(int8, float32)      float32: the first loop to which both can be cast safely
add(float32, 2.0)       float32: a Python number is weak and follows the arrays
signbit(int64)          float64: the first loop for it
left_shift(float32, 1)  TypeError: no loop
"""

import functools

import ml_dtypes
import numpy

from annotated_src.walkthrough.strict import api
from annotated_src.walkthrough.strict.array import host_index, launch, ndarray, scalar_or_array

_BFLOAT16 = numpy.dtype(ml_dtypes.bfloat16)
_KINDS = {bool: 0, numpy.bool_: 0, int: 1, float: 2, complex: 2}
# What the card's atomic instructions can do (the messages of CuPy's `at`).
_AT = {
    "add": "int32, int64, float16, float32, float64, uint32, uint64",
    "sub": "int32, uint32",
    "max": "int32, int64, float32, float64, uint32, uint64",
    "min": "int32, int64, float32, float64, uint32, uint64",
    "and": "int32, int64, uint32, uint64",
    "or": "int32, int64, uint32, uint64",
    "xor": "int32, int64, uint32, uint64",
}


class Ufunc:
    """An elementwise function of the module."""

    def __init__(self, name):
        self.name = self.__name__ = name
        self.types = api.NAMES[name]["types"]
        self.nin = len(self.types[0].partition("->")[0])
        self.nout = len(self.types[0].partition("->")[2])
        self._numpy = getattr(numpy, name)

    def __repr__(self):
        return f"<ufunc '{self.name}'>"

    def __call__(self, *args, out=None, dtype=None, casting="same_kind", **unknown):
        if unknown:
            raise TypeError(f"Wrong arguments {unknown}")
        if not self.nin <= len(args) <= self.nin + self.nout:
            raise TypeError(f"Wrong number of arguments for '{self.name}': {len(args)}")
        inputs, outputs = args[: self.nin], args[self.nin :]
        if out is not None:
            outputs = out if isinstance(out, tuple) else (out,)
        for one in inputs:
            scalar_or_array(one)
        loop_in, loop_out = self._loop(inputs, dtype)
        if outputs and outputs[0] is not None:
            return self._into(outputs, casting, loop_in, loop_out, inputs)
        return launch(self.name, functools.partial(self._compute, loop_in, loop_out), *inputs)

    def _compute(self, loop_in, loop_out, *inputs):
        """What the loop gives."""
        cast = [_cast(one, dtype) for one, dtype in zip(inputs, loop_in, strict=True)]
        results = self._numpy(*cast)
        if self.nout > 1:
            return tuple([numpy.asarray(one).astype(dtype) for one, dtype in zip(results, loop_out, strict=True)])
        return numpy.asarray(results).astype(loop_out[0], copy=False)

    def _into(self, outputs, casting, loop_in, loop_out, inputs):
        for one, dtype in zip(outputs, loop_out, strict=True):
            if not isinstance(one, ndarray):
                raise TypeError("Output arguments must be cupy.ndarray")
            if not numpy.can_cast(dtype, one.dtype, casting):
                raise TypeError(f"output operand requires a cast from {dtype} to {one.dtype} ('{casting}')")
        hosts = [one._host for one in outputs]

        def compute(*inputs):
            results = self._compute(loop_in, loop_out, *inputs)
            for host, result in zip(hosts, results if self.nout > 1 else (results,), strict=True):
                if numpy.broadcast_shapes(host.shape, result.shape) != host.shape:
                    raise ValueError("Out shape is mismatched")
                host[...] = result

        launch(self.name, compute, *inputs)
        return outputs[0] if self.nout == 1 else tuple(outputs)

    # -- which loop

    def _loop(self, inputs, dtype):
        if dtype is not None:
            for loop_in, loop_out in _loops(self.name):
                if all(one == dtype for one in loop_out):
                    return loop_in, loop_out
            raise TypeError(f"Wrong type ({dtype}) of arguments for {self.name}")
        dtypes = [_dtype_of(one) for one in inputs]
        weak = [type(one) if type(one) in (bool, int, float, complex) else None for one in inputs]
        if not _follows_arrays(dtypes, weak):
            weak = [None] * len(inputs)
        for loop_in, loop_out in _loops(self.name):
            if all(map(_fits, dtypes, loop_in, weak)):
                return loop_in, loop_out
        raise TypeError(f"Wrong type ({tuple(map(str, dtypes))}) of arguments for {self.name}")

    # -- methods: CuPy has them for a few functions

    def at(self, a, indices, b=None):
        """Apply in place at indices, each as often as it occurs."""
        scatter = api.NAMES[self.name]["scatter"]
        if scatter is None:
            raise NotImplementedError(f"`{self.name}.at` is not supported yet")
        if str(a.dtype) not in _AT[scatter].split(", "):
            raise TypeError(f"cupy.{self.name}.at only supports {_AT[scatter]} as data type")
        index = host_index(indices, a.shape)
        launch(f"{self.name}.at", lambda host, value: self._numpy.at(host, index, _cast(value, a.dtype)), a, b)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        """Sum or product along an axis."""
        method = self._method("reduce", {"add": array.sum, "multiply": array.prod})
        return method(axis, dtype, out=out, keepdims=keepdims)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """Running sum or product along an axis."""
        return self._method("accumulate", {"add": array.cumsum, "multiply": array.cumprod})(axis, dtype, out=out)

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        """Sums of stretches along an axis."""
        self._method("reduceat", {"add": True})
        return launch("add.reduceat", numpy.add.reduceat, array, indices, axis, dtype, out=out)

    def outer(self, A, B, **kwargs):
        """The function of all pairs."""
        return self(A.reshape(A.shape + (1,) * B.ndim), B, **kwargs)

    def _method(self, name, has):
        if self.name not in has:
            raise NotImplementedError(f"`{self.name}.{name}` is not supported yet")
        return has[self.name]


def _dtype_of(value):
    if isinstance(value, (ndarray, numpy.generic)):
        return value.dtype
    return numpy.dtype(type(value))


def _follows_arrays(dtypes, weak):
    """Whether the Python numbers are of no higher kind than the arrays, and there are both."""
    strong = [_kind(dtype) for dtype, of in zip(dtypes, weak, strict=True) if of is None]
    numbers = [_KINDS[of] for of in weak if of is not None]
    return bool(strong) and bool(numbers) and max(strong) >= max(numbers)


def _kind(dtype):
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}.get(dtype.kind, 2)


def _fits(dtype, loop, weak):
    if _can_cast(dtype, loop):
        return True
    if weak is None:
        return False
    try:
        return numpy.result_type(weak(0), loop) == loop
    except TypeError:
        return False


@functools.cache
def _can_cast(dtype, loop):
    return numpy.can_cast(dtype, loop)


@functools.cache
def _loops(name):
    """[(dtypes of the inputs, dtypes of the outputs)], in CuPy's order."""
    loops = []
    for text in api.NAMES[name]["types"]:
        if "V" in text:
            continue
        inputs, _, outputs = text.partition("->")
        loops.append((tuple(map(_dtype, inputs)), tuple(map(_dtype, outputs))))
    return loops


def _dtype(char):
    return _BFLOAT16 if char == "E" else numpy.dtype(char)


def _cast(value, dtype):
    if isinstance(value, numpy.ndarray):
        return value.astype(dtype, copy=False)
    return numpy.asarray(value).astype(dtype)

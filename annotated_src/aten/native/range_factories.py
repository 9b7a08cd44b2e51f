"""Kernels that count: arange, range, linspace, logspace. Retells aten/src/ATen/native/RangeFactories.cpp.

Each comes in two steps: the plain form makes an empty tensor, the `out` form finds the length and fills it.
"""

import math

from annotated_src.aten import ops
from annotated_src.aten.native.cpu.copy_kernel import cast
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar import checked_convert, convert
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, INTEGRAL
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError

_UNSIGNED = (scalar_type.uint16, scalar_type.uint32, scalar_type.uint64)


# -- arange


def arange(end, *, dtype=None, layout=None, device=None, pin_memory=None):
    """0, 1, 2, ... below `end`."""
    return arange_start_step(0, end, 1, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def arange_start_step(start, end, step=1, *, dtype=None, layout=None, device=None, pin_memory=None):
    """`start`, `start + step`, ... before `end`; integers if all three are, unless `dtype` says otherwise."""
    if dtype is None and isinstance(start, int) and isinstance(end, int) and isinstance(step, int):
        dtype = scalar_type.int64
    result = ops.empty.memory_format((0,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.arange.start_out(start, end, step, out=result)


def arange_out_end(end, *, out):
    """0, 1, 2, ... below `end`, into `out`."""
    return ops.arange.start_out(0, end, 1, out=out)


def arange_out(start, end, step=1, *, out):
    """Fill `out` with `start + step * i`, as many as come before `end`."""
    dtype = out.dtype
    if dtype.category in (BOOL, COMPLEX) or dtype in _UNSIGNED:
        raise NotImplementedError(f'"arange_cpu" not implemented for \'{dtype.cpp_name}\'')
    length = compute_arange_size(start, end, step, dtype)
    if out.array.shape != (length,):
        ops.resize_.default(out, (length,))
    # Counted in int64 or float64 and rounded once, like upstream's accumulation type.
    wide = scalar_type.int64 if dtype.category == INTEGRAL else scalar_type.float64
    counted = array_module(out.array).arange(length, dtype=wide.numpy)
    if step != 1:
        counted *= convert(step, wide)
    if start != 0:
        counted += convert(start, wide)
    _fill(out, counted)
    return out


def compute_arange_size(start, end, step, dtype):
    """How many numbers lie from `start` up to, but without, `end`."""
    _check_range(start, end, step)
    if dtype is not scalar_type.int64:
        return math.ceil((float(end) - start) / step)
    start, end, step = int(start), int(end), int(step)
    if step == 0:
        raise ValueError("step must be nonzero: as an integer it is 0")
    return -((start - end) // step)


def _check_range(start, end, step):
    for value in (start, end, step):
        if isinstance(value, complex):
            checked_convert(value, scalar_type.float64)
    if step == 0:
        raise TorchError("step must be nonzero")
    if not math.isfinite(start) or not math.isfinite(end):
        raise TorchError(f"unsupported range: {start} -> {end}")
    if (step > 0) != (end >= start) and start != end:
        raise TorchError(
            f"upper bound and lower bound inconsistent with step sign: from {start} to {end} in steps of {step}"
        )


def _fill(out, array):
    """Write `array` in `out`'s dtype."""
    array = cast(array, out.array.dtype)
    if out.array.flags.c_contiguous and out._storage is None:
        out.set_array(array)
    else:
        out.array[...] = array


# -- range


def range_(start, end, step=1, *, dtype=None, layout=None, device=None, pin_memory=None):
    """`start`, `start + step`, ... up to `end`, which may be the last."""
    result = ops.empty.memory_format((0,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.range.out(start, end, step, out=result)


def range_out_no_step(start, end, *, out):
    """The same with step 1, into `out`."""
    return ops.range.out(start, end, 1, out=out)


def range_out(start, end, step=1, *, out):
    """Fill `out` with `start + step * i`, as far as `end`."""
    _check_range(start, end, step)
    length = int((end - start) / step + 1)
    if out.array.size != length:
        ops.resize_.default(out, (length,))
    counted = array_module(out.array).arange(length, dtype=scalar_type.float64.numpy)
    _fill(out, counted * step + start)
    return out


# -- linspace, logspace


def linspace(start, end, steps, *, dtype=None, layout=None, device=None, pin_memory=None):
    """`steps` numbers from `start` to `end`, both included, at equal distances."""
    start, end = _as_number(start, "start"), _as_number(end, "end")
    if steps < 0:
        raise TorchError(f"number of steps must be non-negative, got {steps}")
    dtype = dtype or _linspace_dtype(start, end)
    result = ops.empty.memory_format((steps,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.linspace.out(start, end, steps, out=result)


def linspace_out(start, end, steps, *, out):
    """The same, into `out`."""
    start, end = _as_number(start, "start"), _as_number(end, "end")
    if steps < 0:
        raise TorchError(f"number of steps must be non-negative, got {steps}")
    if out.array.size != steps:
        ops.resize_.default(out, (steps,))
    _fill(out, _equal_distances(array_module(out.array), start, end, steps, out.dtype))
    return out


def logspace(start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, pin_memory=None):
    """`base` to the power of `linspace(start, end, steps)`."""
    start, end = _as_number(start, "start"), _as_number(end, "end")
    if steps < 0:
        raise TorchError(f"number of steps must be non-negative, got {steps}")
    dtype = dtype or _linspace_dtype(start, end)
    result = ops.empty.memory_format((steps,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.logspace.out(start, end, steps, base, out=result)


def logspace_out(start, end, steps, base=10.0, *, out):
    """The same, into `out`."""
    start, end = _as_number(start, "start"), _as_number(end, "end")
    if steps < 0:
        raise TorchError(f"number of steps must be non-negative, got {steps}")
    if out.array.size != steps:
        ops.resize_.default(out, (steps,))
    exponents = _equal_distances(array_module(out.array), start, end, steps, out.dtype)
    _fill(out, base**exponents)
    return out


def _as_number(value, name):
    """A bound, which may come as a tensor without dimensions."""
    if not isinstance(value, TensorImpl):
        return value
    if value.array.ndim != 0:
        raise TorchError(
            f"linspace only supports 0-dimensional start and end tensors, but got {name} with "
            f"{value.array.ndim} dimension(s)."
        )
    return ops.item.default(value)  # D2H: the kernel takes a number


def _linspace_dtype(start, end):
    default = scalar_type.get_default_dtype()
    return default.to_complex() if isinstance(start, complex) or isinstance(end, complex) else default


def _equal_distances(xp, start, end, steps, dtype):
    """From both ends to the middle, so that the last number is `end` exactly."""
    wide = scalar_type.complex128 if dtype.category == COMPLEX else scalar_type.float64
    if steps == 1:
        return xp.full(1, start, dtype=wide.numpy)
    if dtype.category == INTEGRAL:
        start, end = checked_convert(start, dtype), checked_convert(end, dtype)
    step = (end - start) / (steps - 1) if steps else 0
    index = xp.arange(steps)
    from_start = start + step * index
    from_end = end - step * (steps - index - 1)
    return xp.where(index < steps // 2, from_start, from_end)

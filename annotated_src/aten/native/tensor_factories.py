"""Kernels that make tensors from sizes. Retells aten/src/ATen/native/TensorFactories.cpp and EmptyTensor.cpp.

    empty, empty_strided            ask the array module for memory
    zeros, ones, full               empty, then zero_ or fill_
    *_like, new_*                   the same with the sizes, or just the dtype and device, of a tensor
    eye (arange, linspace)          empty, then the `out` form fills it; the counting ones: range_factories.py

`dtype`, `layout`, `device` and `pin_memory` are the options (TensorOptions upstream); None means: the default dtype,
strided, the CPU, no.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.context import lazy_init_device
from annotated_src.aten.core.transformation_helper import DIGITS, cast_from_int64
from annotated_src.aten.cpu_generator_impl import get_generator_or_default
from annotated_src.aten.dispatch import PLAIN_TYPES, dispatch
from annotated_src.aten.native.cpu.loops import write_in_order
from annotated_src.aten.native.fill import fill_scalar_
from annotated_src.aten.native.memory import empty_pinned
from annotated_src.c10.array_module import array_module, cuda_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.layout import strided
from annotated_src.c10.core.memory_format import contiguous_format, contiguous_strides, preserve_format, strides_in
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.cuda.cuda_functions import device_count
from annotated_src.c10.util.exception import TorchError


def module_for(device):
    """The array module of a device; None is the CPU."""
    if device is None or device.type == "cpu":
        return numpy
    lazy_init_device(device.type)
    return cuda_module()


# -- memory


def empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """A tensor of `size` whose elements are whatever the memory held."""
    dtype = dtype or scalar_type.get_default_dtype()
    _check_sizes_nonnegative(size)
    _check_options(layout)
    if memory_format is None or memory_format is contiguous_format:
        return make_tensor(_allocate(module_for(device), tuple(size), dtype, device, pin_memory))
    return _empty_strided(size, strides_in(memory_format, size), dtype, device, pin_memory)


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` with these strides."""
    dtype = dtype or scalar_type.get_default_dtype()
    _check_sizes_nonnegative(size)
    _check_options(layout)
    if len(size) != len(stride):
        raise TorchError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    if stride and min(stride) < 0:
        raise TorchError(
            f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}: "
            "a stride cannot be negative"
        )
    return _empty_strided(size, stride, dtype, device, pin_memory)


def _empty_strided(size, stride, dtype, device, pin_memory):
    size, stride = tuple(size), tuple(stride)
    xp = module_for(device)
    if stride == contiguous_strides(size) or 0 in size:
        return make_tensor(_allocate(xp, size, dtype, device, pin_memory))
    # Where the dimensions only lie in another order, they are allocated in that order and transposed.
    order = sorted(range(len(size)), key=lambda dim: -stride[dim])
    in_memory = [size[dim] for dim in order]
    if contiguous_strides(in_memory) == tuple([stride[dim] for dim in order]):
        back = [order.index(dim) for dim in range(len(size))]
        return make_tensor(_allocate(xp, in_memory, dtype, device, pin_memory).transpose(back))
    extent = 1 + sum((count - 1) * step for count, step in zip(size, stride, strict=True))
    flat = _allocate(xp, extent, dtype, device, pin_memory)
    return make_tensor(xp.lib.stride_tricks.as_strided(flat, size, [step * dtype.itemsize for step in stride]))


def _allocate(xp, shape, dtype, device, pin_memory):
    if pin_memory:
        if xp is not numpy:
            raise TorchError("Only dense CPU tensors can be pinned, but pin_memory=True was given with a CUDA device")
        if not device_count():
            raise TorchError(
                "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available "
                "on this system: leave it out"
            )
        return empty_pinned(tuple(shape), dtype.numpy)
    if xp is numpy:
        return numpy.empty(shape, dtype.numpy)
    if device.index is None:
        return xp.empty(shape, dtype.numpy)
    with xp.cuda.Device(device.index):
        return xp.empty(shape, dtype.numpy)


def _check_sizes_nonnegative(size):
    for length in size:
        if length < 0:
            raise TorchError(f"Trying to create tensor with negative dimension {length}: {list(size)}")


def _check_options(layout):
    if layout is not None and layout is not strided:
        raise NotImplementedError(f"an empty tensor of layout {layout} cannot be made yet; torch.strided can")


def empty_like(self, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """A tensor of `self`'s sizes and options; by default its dimensions lie in memory in the same order, too."""
    dtype, device = dtype or self.dtype, device or self.device
    size = self.array.shape
    if memory_format is not None and memory_format is not preserve_format:
        return ops.empty.memory_format(
            size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
        )
    if self.is_non_overlapping_and_dense():
        strides = self.strides()
    else:
        strides = infer_dense_strides(size, self.strides())
    return ops.empty_strided.default(
        size, strides, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory
    )


def infer_dense_strides(sizes, strides):
    """Strides without gaps that keep the order in which the dimensions lie in memory.

    Upstream: aten/src/ATen/ExpandUtils.cpp.
    """
    dims = list(reversed(range(len(sizes))))
    # Insertion sort, innermost dimension first; an expanded dimension (stride 0) stays where it is.
    for position in range(1, len(dims)):
        current = position
        for before in reversed(range(position)):
            order = _compare_dims(sizes, strides, dims[before], dims[current])
            if order > 0:
                dims[current], dims[before] = dims[before], dims[current]
                current = before
            elif order < 0:
                break
    dense, step = [0] * len(sizes), 1
    for dim in dims:
        dense[dim] = step
        step *= max(sizes[dim], 1)
    return tuple(dense)


def _compare_dims(sizes, strides, inner, outer):
    """1 if the two have to change places, -1 if they are right, 0 if that cannot be told."""
    if strides[inner] == 0 or strides[outer] == 0:
        return 0
    if strides[inner] != strides[outer]:
        return -1 if strides[inner] < strides[outer] else 1
    return 1 if sizes[inner] > sizes[outer] else 0


def new_empty(self, size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` with `self`'s dtype and device."""
    dtype, device = dtype or self.dtype, device or self.device
    return ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def new_empty_strided(self, size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` and strides with `self`'s dtype and device."""
    dtype, device = dtype or self.dtype, device or self.device
    return ops.empty_strided.default(size, stride, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


# -- one value everywhere


def zeros(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` filled with 0."""
    for length in size:
        if length < 0:
            raise TorchError(f"zeros: Dimension size must be non-negative. Given: {list(size)}")
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.zero_.default(result)


def zeros_out(size, *, out):
    """Give `out` this size and fill it with 0."""
    ops.resize_.default(out, size)
    return ops.zero_.default(out)


def zeros_like(self, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """Zeros of `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return ops.zero_.default(result)


def new_zeros(self, size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """Zeros of `size` with `self`'s dtype and device."""
    result = ops.new_empty.default(self, size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.zero_.default(result)


def ones(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` filled with 1."""
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.fill_.Scalar(result, 1)


def ones_out(size, *, out):
    """Give `out` this size and fill it with 1."""
    ops.resize_.default(out, size)
    return ops.fill_.Scalar(out, 1)


def ones_like(self, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """Ones of `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return ops.fill_.Scalar(result, 1)


def new_ones(self, size, *, dtype=None, layout=None, device=None, pin_memory=None):
    """Ones of `size` with `self`'s dtype and device."""
    result = ops.new_empty.default(self, size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.fill_.Scalar(result, 1)


def full(size, fill_value, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor of `size` filled with `fill_value`; without `dtype` the value's own kind decides."""
    dtype = dtype or infer_full_dtype(fill_value)
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.fill_.Scalar(result, fill_value)


def infer_full_dtype(fill_value):
    """The dtype of `torch.full` for a Python number."""
    if isinstance(fill_value, bool):
        return scalar_type.bool_
    if isinstance(fill_value, int):
        return scalar_type.int64
    if isinstance(fill_value, complex):
        return scalar_type.get_default_dtype().to_complex()
    return scalar_type.get_default_dtype()


def full_out(size, fill_value, *, out):
    """Give `out` this size and fill it."""
    ops.resize_.default(out, size)
    return ops.fill_.Scalar(out, fill_value)


def full_like(self, fill_value, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    """`fill_value` everywhere, in `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return ops.fill_.Scalar(result, fill_value)


def new_full(self, size, fill_value, *, dtype=None, layout=None, device=None, pin_memory=None):
    """`fill_value` everywhere, of `size`, with `self`'s dtype and device."""
    result = ops.new_empty.default(self, size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.fill_.Scalar(result, fill_value)


def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A tensor without dimensions that holds `s`."""
    if device is None or device.type == "cpu":
        # Straight to the kernels: upstream spares the CPU two trips through the dispatcher.
        return fill_scalar_(empty((), dtype=dtype, layout=layout, pin_memory=pin_memory), s)
    result = ops.empty.memory_format((), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.fill_.Scalar(result, s)


# -- the identity matrix


def eye(n, m=None, *, dtype=None, layout=None, device=None, pin_memory=None):
    """A matrix of `n` rows and `m` (or `n`) columns with 1 on the diagonal and 0 elsewhere."""
    result = ops.empty.memory_format((0,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.eye.m_out(n, n if m is None else m, out=result)


def eye_out(n, m=None, *, out):
    """The same, into `out`."""
    m = n if m is None else m
    if n < 0 or m < 0:
        name, value = ("n", n) if n < 0 else ("m", m)
        raise TorchError(f"{name} must be greater or equal to 0, got {value}")
    ops.resize_.default(out, (n, m))
    ops.zero_.default(out)
    diagonal = array_module(out.array).arange(min(n, m))
    out.array[diagonal, diagonal] = 1
    return out


# -- from a tensor


def clone(self, *, memory_format=None):
    """A copy with memory of its own; its dimensions lie in memory as `self`'s do, unless a format is given."""
    if memory_format is not None and memory_format is not preserve_format:
        copy = ops.empty_like.default(self, memory_format=memory_format)
    elif self.is_non_overlapping_and_dense():
        copy = ops.empty_strided.default(self.array.shape, self.strides(), dtype=self.dtype, device=self.device)
    else:
        copy = ops.empty_like.default(self)
    return ops.copy_.default(copy, self)


def lift_fresh(self):
    """The tensor itself: where a tensor made from Python data enters the world of operators."""
    return self


# -- random numbers: the names for `empty`, then an operator of aten/native/distributions.py


def rand(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """Uniform numbers in [0, 1)."""
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.uniform_.default(result, 0, 1, generator=generator)


def rand_out(size, *, generator=None, out):
    """The same, into `out`."""
    ops.resize_.default(out, size)
    return ops.uniform_.default(out, 0, 1, generator=generator)


def randn(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """Normal numbers of mean 0 and variance 1."""
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.normal_.default(result, 0, 1, generator=generator)


def randn_out(size, *, generator=None, out):
    """The same, into `out`."""
    ops.resize_.default(out, size)
    return ops.normal_.default(out, 0, 1, generator=generator)


def normal(mean, std, size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """Normal numbers, all of one mean and one standard deviation."""
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.normal_.default(result, mean, std, generator=generator)


def normal_out(mean, std, size, *, generator=None, out):
    """The same, into `out`."""
    ops.resize_.default(out, size)
    return ops.normal_.default(out, mean, std, generator=generator)


def _random_from(self, low, high, generator):
    # `from` is a word of Python's: the overload cannot be written as an attribute.
    return getattr(ops.random_, "from")(self, low, high, generator=generator)


def randint(high, size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """Integers in [0, high)."""
    return randint_low(
        0, high, size, generator=generator, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory
    )


def randint_low(low, high, size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """Integers in [low, high); int64 unless `dtype` says otherwise."""
    dtype = dtype or scalar_type.int64
    result = ops.empty.memory_format(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return _random_from(result, low, high, generator)


def randint_out(high, size, *, generator=None, out):
    """Integers in [0, high), into `out`."""
    return randint_low_out(0, high, size, generator=generator, out=out)


def randint_low_out(low, high, size, *, generator=None, out):
    """Integers in [low, high), into `out`."""
    ops.resize_.default(out, size)
    return _random_from(out, low, high, generator)


def rand_like(
    self, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
):
    """Uniform numbers in [0, 1), in `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return ops.uniform_.default(result, 0, 1, generator=generator)


def randn_like(
    self, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
):
    """Normal numbers of mean 0 and variance 1, in `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return ops.normal_.default(result, 0, 1, generator=generator)


def randint_like(self, high, **options):
    """Integers in [0, high), in `self`'s sizes and options."""
    return randint_like_low(self, 0, high, **options)


def randint_like_tensor(self, high, **options):
    """The same; `high` is a tensor of one integer."""
    return randint_like_low(self, 0, ops.item.default(high), **options)  # D2H: the kernel takes a number


def randint_like_low(
    self, low, high, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
):
    """Integers in [low, high), in `self`'s sizes and options."""
    result = ops.empty_like.default(
        self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, memory_format=memory_format
    )
    return _random_from(result, low, high, generator)


def randperm(n, *, generator=None, dtype=None, layout=None, device=None, pin_memory=None):
    """The integers 0 to n - 1 in a random order; int64 unless `dtype` says otherwise."""
    dtype = dtype or scalar_type.int64
    result = ops.empty.memory_format((n,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return ops.randperm.generator_out(n, generator=generator, out=result)


def randperm_out(n, *, out):
    """The same, into `out`."""
    return randperm_out_cpu(n, generator=None, out=out)


_RANDPERM_TYPES = (*PLAIN_TYPES, scalar_type.float16, scalar_type.bfloat16)


def randperm_out_cpu(n, *, generator=None, out):
    """The same, into `out`, from a generator."""
    if n < 0:
        raise TorchError(f"n must be non-negative, got {n}")
    _check_supported_max_int_with_precision(n, out)
    ops.resize_.default(out, (n,))
    dispatch(out.dtype, _RANDPERM_TYPES, "randperm")
    randperm_cpu(out, n, get_generator_or_default(generator, out.device))
    return out


def _check_supported_max_int_with_precision(n, tensor):
    """RuntimeError, unless every integer up to `n` has a number of its own in the tensor's dtype."""
    ops.scalar_tensor.default(n, dtype=tensor.dtype)
    digits = DIGITS.get(tensor.dtype)
    # bfloat16, of the fewest digits, goes unchecked upstream: its permutations have gaps from 257 on.
    if digits is not None and tensor.dtype is not scalar_type.bfloat16 and n > (1 << digits) + 1:
        raise TorchError(f"n cannot be greater than {(1 << digits) + 1} for {tensor.dtype.cpp_name} type.")


def randperm_cpu(result, n, generator):
    """Fisher and Yates: each place, from the first on, swaps with itself or one of those behind it."""
    ops.resize_.default(result, (n,))
    order = list(range(n))
    place = numpy.arange(max(n - 1, 0), dtype=numpy.uint64)
    partners = place + generator.random(len(place)) % (n - place)
    for i, z in enumerate(partners.tolist()):
        order[i], order[z] = order[z], order[i]
    write_in_order(result, None, cast_from_int64(numpy.array(order, numpy.int64), result.dtype))

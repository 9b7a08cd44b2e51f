"""What is checked before random numbers are drawn. Retells aten/src/ATen/native/DistributionTemplates.h.

    random_from_to_impl(...)    `from` < `to`, both within the dtype   -> cpu/distribution_templates.py
    uniform_impl_(...)          within the dtype, to - from too
    ...

An empty tensor passes the checks and draws nothing.

Left out: log_normal, geometric, cauchy.
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.core.transformation_helper import DIGITS
from annotated_src.aten.cpu_generator_impl import get_generator_or_default
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.memory_overlap import assert_no_internal_overlap
from annotated_src.aten.native.cpu import distribution_templates as cpu
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_CPU = Device("cpu")

# As C++ calls the types in its messages.
_CPP_TYPES = {
    scalar_type.uint8: "unsigned char",
    scalar_type.int8: "signed char",
    scalar_type.int16: "short int",
    scalar_type.int32: "int",
    scalar_type.int64: "long int",
    scalar_type.uint16: "short unsigned int",
    scalar_type.uint32: "unsigned int",
    scalar_type.uint64: "long unsigned int",
    scalar_type.bool_: "bool",
    scalar_type.float16: "c10::Half",
    scalar_type.bfloat16: "c10::BFloat16",
    scalar_type.float32: "float",
    scalar_type.float64: "double",
}


_known_limits = {}


def _limits(dtype):
    """The smallest and the largest number of a real dtype."""
    if dtype not in _known_limits:
        _known_limits[dtype] = _find_limits(dtype)
    return _known_limits[dtype]


def _find_limits(dtype):
    if dtype is scalar_type.bool_:
        return 0, 1
    if dtype is scalar_type.bfloat16:
        # A float32 whose lower 16 bits are cut off.
        largest = float(numpy.array(0x7F7F0000, numpy.uint32).view(numpy.float32))
        return -largest, largest
    if dtype.is_floating_point:
        return -float(numpy.finfo(dtype.numpy).max), float(numpy.finfo(dtype.numpy).max)
    info = numpy.iinfo(dtype.numpy)
    return int(info.min), int(info.max)


def _check_out_of_bounds(value, name, dtype):
    smallest, largest = _limits(dtype)
    if not smallest <= value <= min(largest, _INT64_MAX if dtype is scalar_type.uint64 else largest):
        raise TorchError(
            f"{name} is out of bounds for {_CPP_TYPES[dtype]}: got {value}, which {dtype} cannot hold"
        )


# -- random


def _through(dtype, value):
    """`value` cast to a floating dtype and back, as C++ does; what does not fit becomes the smallest int64."""
    with numpy.errstate(over="ignore"):
        number = float(numpy.float32(value)) if dtype is not scalar_type.float64 else float(value)
        number = float(dtype.numpy.type(number))
    return int(number) if -(2.0**63) <= number < 2.0**63 else _INT64_MIN


def update_from(from_, dtype):
    """The first integer at or after `from_` that is not rounded to one before it."""
    from_plus_1 = _through(dtype, from_ + 1)
    if from_plus_1 < from_:
        exponent = abs(from_ + 1).bit_length() - 1
        return from_plus_1 + (1 << (exponent - DIGITS[dtype] + 1))
    return from_


def update_to(to, dtype):
    """The last bound at or before `to` below which no integer is rounded up to `to`."""
    to_minus_1 = _through(dtype, to - 1)
    if to_minus_1 >= to:
        exponent = abs(to - 1).bit_length() - 1
        return to_minus_1 - (1 << (exponent - DIGITS[dtype] + 1))
    return to


def check_from_to_in_range(from_, to_inc, dtype):
    """RuntimeError, if `dtype` cannot hold the bounds; a warning, if it cannot hold every integer between them."""
    if dtype not in _CPP_TYPES:
        raise TorchError("check_random_bounds handles only integral, floating-point and boolean types")
    for value, name in ((from_, "from"), (to_inc, "to - 1")):
        _check_out_of_bounds(value, name, dtype)
    if dtype.is_floating_point:
        for value, name in ((from_, "from"), (to_inc, "to - 1")):
            _warn_out_of_bounds(value, name, dtype)


def _warn_out_of_bounds(value, name, dtype):
    digits = DIGITS[dtype]
    if abs(value) > 1 << digits:
        warnings.warn(
            f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {_CPP_TYPES[dtype]} "
            "can support discrete uniform distribution only within this range. This warning will become an error in "
            "version 1.7 release, please fix the code in advance",
            UserWarning,
        )


def random_impl(self, generator):
    """Integers from 0 to the dtype's largest."""
    assert_no_internal_overlap(self)
    if self.array.size == 0:
        return self
    cpu.random_kernel(self, get_generator_or_default(generator, self.device))
    return self


def random_from_to_impl(self, from_, to, generator):
    """Integers in [from_, to); to=None: up to the dtype's largest."""
    assert_no_internal_overlap(self)
    if to is None and from_ == _INT64_MIN:
        return _random_full_range(self, generator)
    from_, to_inc = _int_bounds(self.dtype, from_, to)
    check_from_to_in_range(from_, to_inc, self.dtype)
    if self.array.size == 0:
        return self
    generator = get_generator_or_default(generator, self.device)
    cpu.random_from_to_kernel(self, to_inc - from_ + 1, from_, generator)
    return self


def _random_full_range(self, generator):
    if self.array.size:
        cpu.random_full_64_bits_range_kernel(self, get_generator_or_default(generator, self.device))
    return self


def _int_bounds(dtype, from_, to):
    """The first and the last integer that may come out."""
    if to is None:
        return _open_bounds(dtype, from_)
    if from_ >= to:
        raise TorchError(f"random_ expects 'from' to be less than 'to', but got from={from_} >= to={to}")
    if dtype.is_floating_point:
        from_, to = update_from(from_, dtype), update_to(to, dtype)
        if from_ >= to:
            raise TorchError(
                f"random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, "
                f"but got from={from_} >= to={to}"
            )
    return from_, to - 1


def _open_bounds(dtype, from_):
    if not dtype.is_floating_point:
        if dtype not in _CPP_TYPES:
            raise TorchError("random_from_to_impl handles only integral, floating-point and boolean types")
        largest = _limits(dtype)[1]
        # uint64's largest number does not fit into C++'s int64 and becomes -1.
        return from_, -1 if largest > _INT64_MAX else largest
    to_inc = 1 << DIGITS[dtype]
    from_ = update_from(from_, dtype)
    if from_ >= to_inc:
        raise TorchError(
            f"random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, "
            f"but got from={from_} > to_inc={to_inc}"
        )
    return from_, to_inc


# -- normal


def check_normal_std(std):
    """RuntimeError for a negative standard deviation."""
    if not std >= 0.0:
        raise TorchError(f"normal expects std >= 0.0, but found std {std:g}")


def check_normal_tensor_std(std):
    """RuntimeError, if one of the standard deviations is negative or complex."""
    if std.dtype.is_complex:
        raise TorchError("normal expects standard deviation to be non-complex")
    if std.array.size:
        is_fine = ops.ge.Scalar(ops.min.default(std), 0)
        if not ops.item.default(is_fine):  # D2H: upstream looks, too
            raise TorchError("normal expects all elements of std >= 0.0")


def normal_impl_(self, mean, std, generator):
    """Fill `self` with normal numbers."""
    check_normal_std(std)
    if self.array.size == 0:
        return self
    assert_no_internal_overlap(self)
    generator = get_generator_or_default(generator, self.device)
    if self.dtype.is_complex:
        # Half the variance each for the real and the imaginary part.
        cpu.normal_kernel(ops.view_as_real.default(self), mean, std / 2.0**0.5, generator)
    else:
        cpu.normal_kernel(self, mean, std, generator)
    return self


def normal_out_impl(output, mean, std, generator):
    """normal_(0, 1) * std + mean, broadcast, written into `output`; `mean` or `std` may be a number."""
    if not isinstance(std, TensorImpl):
        return _normal_out_number_std(output, mean, std, generator)
    check_normal_tensor_std(std)
    if not isinstance(mean, TensorImpl):
        mean = ops.full.default((), mean, dtype=output.dtype, device=output.device)
    _resize_output(output, infer_size(mean.array.shape, std.array.shape))
    normal_impl_(output, 0.0, 1.0, generator)
    ops.mul_.Tensor(output, std)
    return ops.add_.Tensor(output, mean)


def _normal_out_number_std(output, mean, std, generator):
    check_normal_std(std)
    _resize_output(output, infer_size(mean.array.shape, output.array.shape))
    normal_impl_(output, 0.0, std, generator)
    return ops.add_.Tensor(output, mean)


def _resize_output(output, shape):
    if output.array.shape != shape:
        ops.resize_.default(output, shape)


# -- uniform


def uniform_impl_(self, from_, to, generator):
    """Fill `self` with numbers in [from_, to)."""
    if self.dtype.is_complex:
        if self.array.size:
            uniform_impl_(ops.view_as_real.default(self), from_, to, generator)
        return self
    dispatch(self.dtype, FLOATING_TYPES, "check_uniform_bounds")
    _check_uniform_bounds(self.dtype, from_, to)
    if self.array.size == 0:
        return self
    assert_no_internal_overlap(self)
    cpu.uniform_kernel(self, from_, to, get_generator_or_default(generator, self.device))
    return self


def _check_uniform_bounds(dtype, from_, to):
    if from_ == 0 and to == 1:
        return
    _check_out_of_bounds(from_, "from", dtype)
    _check_out_of_bounds(to, "to", dtype)
    if not from_ <= to:
        raise TorchError(f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}")
    if not to - from_ <= _limits(dtype)[1]:
        raise TorchError(
            f"uniform_ expects to-from <= std::numeric_limits<{dtype.cpp_name}>::max(), but found to={to:g} and "
            f"from={from_:g} which result in to-from to exceed the limit"
        )


# -- exponential


def exponential_impl_(self, lambd, generator):
    """Fill `self` with waiting times at rate `lambd`."""
    if not lambd > 0.0:
        raise TorchError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if self.array.size == 0:
        return self
    assert_no_internal_overlap(self)
    cpu.exponential_kernel(self, lambd, get_generator_or_default(generator, self.device))
    return self


# -- bernoulli


def bernoulli_impl_(self, p, generator):
    """Fill `self` with 1 where chance, of probability `p` (a number or a tensor), says so, else 0."""
    is_number = not isinstance(p, TensorImpl)
    if is_number and not 0 <= p <= 1:
        raise TorchError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    if self.array.size == 0:
        return self
    assert_no_internal_overlap(self)
    generator = get_generator_or_default(generator, self.device)
    if is_number:
        cpu.bernoulli_scalar_kernel(self, p, generator)
    else:
        chances = ops.to.device(p, _CPU, p.dtype)  # D2H: the draws are made on the host
        cpu.bernoulli_tensor_kernel(self, chances, generator)
    return self


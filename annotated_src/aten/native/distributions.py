"""Operators that draw random numbers. Retells aten/src/ATen/native/Distributions.cpp.

    torch.rand(3)       ->  empty, uniform_        aten/native/tensor_factories.py
    uniform_            ->  uniform_impl_          checks            aten/native/distribution_templates.py
                        ->  uniform_kernel         which draws       aten/native/cpu/distribution_templates.py
                        ->  uniform_real(...)      the formula       aten/core/transformation_helper.py

`generator=None` draws from the default generator of the tensor's device.

Left out: cauchy_, log_normal_, geometric_, poisson, binomial, the gamma and Dirichlet samplers.
"""

from annotated_src.aten import ops
from annotated_src.aten.cpu_generator_impl import get_generator_or_default
from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.native.cpu.multinomial_kernel import multinomial_with_replacement_kernel
from annotated_src.aten.native.distribution_templates import (
    bernoulli_impl_,
    check_normal_std,
    check_normal_tensor_std,
    exponential_impl_,
    normal_impl_,
    normal_out_impl,
    random_from_to_impl,
    random_impl,
    uniform_impl_,
)
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.memory_format import contiguous_format
from annotated_src.c10.util.exception import TorchError

# -- bernoulli


def bernoulli(self, *, generator=None):
    """1 with the probability that `self` has there, else 0."""
    result = ops.empty_like.default(self, memory_format=contiguous_format)
    return ops.bernoulli_.Tensor(result, self, generator=generator)


def bernoulli_p(self, p, *, generator=None):
    """1 with probability `p`, else 0, in `self`'s sizes and options."""
    result = ops.empty_like.default(self, memory_format=contiguous_format)
    return ops.bernoulli_.float(result, p, generator=generator)


def bernoulli_out(self, *, generator=None, out):
    """bernoulli(self) into `out`."""
    ops.resize_.default(out, self.array.shape)
    return bernoulli_impl_(out, self, generator)


def bernoulli_(self, p=0.5, *, generator=None):
    """Fill `self` with 1 with probability `p`, a number or a tensor, else 0."""
    return bernoulli_impl_(self, p, generator)


# -- continuous


def uniform_(self, from_=0.0, to=1.0, *, generator=None):
    """Fill `self` with numbers from [from_, to)."""
    return uniform_impl_(self, from_, to, generator)


def exponential_(self, lambd=1.0, *, generator=None):
    """Fill `self` with waiting times of rate `lambd`."""
    return exponential_impl_(self, lambd, generator)


def normal_(self, mean=0.0, std=1.0, *, generator=None):
    """Fill `self` with normal numbers."""
    return normal_impl_(self, mean, std, generator)


def normal_out(mean, std=1.0, *, generator=None, out):
    """Normal numbers, of a mean and a standard deviation for each element, into `out`."""
    return normal_out_impl(out, mean, std, generator)


def normal_tensor_float(mean, std=1.0, *, generator=None):
    """Normal numbers with a mean for each element."""
    check_normal_std(std)
    result = ops.empty_like.default(mean, memory_format=contiguous_format)
    # Upstream makes a second tensor here, just for its sizes.
    ops.empty_like.default(result, memory_format=contiguous_format)
    return normal_out_impl(result, mean, std, generator)


def normal_float_tensor(mean, std, *, generator=None):
    """Normal numbers with a standard deviation for each element."""
    check_normal_tensor_std(std)
    result = ops.empty_like.default(std, memory_format=contiguous_format)
    return normal_out_impl(result, mean, std, generator)


def normal_tensor_tensor(mean, std, *, generator=None):
    """Normal numbers with a mean and a standard deviation for each element; the two are broadcast."""
    check_normal_tensor_std(std)
    shape = infer_size(mean.array.shape, std.array.shape)
    result = ops.empty.memory_format(
        shape, dtype=mean.dtype, device=mean.device, memory_format=contiguous_format
    )
    return normal_out_impl(result, mean, std, generator)


# -- integers


def random_(self, *, generator=None):
    """Fill `self` with integers from 0 to the dtype's largest (2**digits for a floating dtype)."""
    return random_impl(self, generator)


def random_from(self, from_, to, *, generator=None):
    """Fill `self` with integers from [from_, to), or from `from_` on if `to` is None."""
    return random_from_to_impl(self, from_, to, generator)


def random_to(self, to, *, generator=None):
    """Fill `self` with integers from [0, to)."""
    return random_from_to_impl(self, 0, to, generator)


# -- multinomial

# From here on float32, in which upstream once kept the indices, has gaps.
FLOAT32_MAX_CONSECUTIVE_INT = 16777216


def multinomial(self, num_samples, replacement=False, *, generator=None):
    """`num_samples` indices from each row of weights `self`; a weight's index comes in proportion to it."""
    result = ops.empty.memory_format((0,), dtype=scalar_type.int64, device=self.device)
    return multinomial_out(self, num_samples, replacement, generator=generator, out=result)


def multinomial_out(self, num_samples, replacement=False, *, generator=None, out):
    """multinomial into `out`."""
    _check_multinomial(self, num_samples, replacement, out)
    ops.resize_.default(out, (*self.array.shape[:-1], num_samples))
    if out.array.size == 0:
        return out
    if replacement and num_samples > 1:
        multinomial_with_replacement_kernel(out, self, num_samples, get_generator_or_default(generator, self.device))
        return out
    _assert_probabilities(self)
    # The race of exponential waiting times: with q of rate 1, each index arrives after q / weight, and who arrives
    # first, second ... is a sample without replacement. Largest weight / q is smallest q / weight.
    q = ops.exponential_.default(ops.empty_like.default(self), 1, generator=generator)
    ops.div.out(self, q, out=q)
    if num_samples == 1:
        return ops.argmax.out(q, -1, True, out=out)
    values = ops.empty.memory_format((0,), dtype=self.dtype, device=self.device)
    ops.topk.values(q, num_samples, values=values, indices=out)
    return out


def _check_multinomial(self, num_samples, replacement, out):
    if self.array.ndim not in (1, 2):
        raise TorchError(f"prob_dist must be 1 or 2 dim, but has {self.array.ndim}")
    if not self.dtype.is_floating_point:
        raise TorchError(f"multinomial only supports floating-point dtypes for input, got: {self.dtype.cpp_name}")
    if out.dtype is not scalar_type.int64:
        raise TorchError(f"multinomial expects Long tensor out, got: {out.dtype.cpp_name}")
    if num_samples <= 0:
        raise TorchError(f"cannot sample n_sample <= 0 samples, but num_samples is {num_samples}")
    categories = self.array.shape[-1]
    if not replacement and num_samples > categories:
        raise TorchError(
            f"cannot sample n_sample > prob_dist.size(-1) samples without replacement: {num_samples} of {categories}"
        )
    if categories > FLOAT32_MAX_CONSECUTIVE_INT:
        raise TorchError(f"number of categories cannot exceed 2^24, but is {categories}")


def _assert_probabilities(self):
    """Weights are finite and not negative, and each row has one that is not 0."""
    smallest, largest = ops.aminmax.default(self)
    is_valid = ops.bitwise_and.Tensor(ops.ge.Scalar(smallest, 0), ops.lt.Scalar(largest, float("inf")))
    ops._assert_async.msg(is_valid, "probability tensor contains either `inf`, `nan` or element < 0")
    if self.array.ndim == 1:
        zero_prob_condition = ops.eq.Scalar(ops.sum.default(self), 0)
    else:
        zero_prob_condition = ops.any.default(ops.eq.Scalar(ops.sum.dim_IntList(self, [1]), 0))
    ops._assert_async.msg(
        ops.bitwise_not.default(zero_prob_condition), "invalid multinomial distribution (sum of probabilities <= 0)"
    )

"""Kernels that fold dimensions into one value.

Retells aten/src/ATen/native/ReduceOps.cpp and ReduceOpsUtils.h.

    dim      None or an empty list: all of them
    keepdim  the folded dimensions stay, with size 1
    dtype    the operand is cast to it first; without it, integers are summed in int64

float16 and bfloat16 are accumulated in float32 and rounded once. A 0-d tensor passes for one of one dimension.
"""

import warnings

from annotated_src.aten import ops
from annotated_src.aten.tensor_iterator import OPMATH, check_same_device, finish, floating, quiet_astype, quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING
from annotated_src.c10.core.wrap_dim_minimal import dim_list_to_bitset, maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError

# -- which dimensions, which dtype


def axes_of(dim, ndim):
    """The dimensions to fold, as the array module takes them: None is all, a 0-d array has none."""
    if dim is None or isinstance(dim, (list, tuple)) and not dim:
        return None
    if isinstance(dim, int):
        dim = (dim,)
    axes = dim_list_to_bitset(dim, ndim)
    return tuple(axes) if ndim else None


def computed_in(tensor, dtype):
    """The tensor's array in the dtype in which results of `dtype` are accumulated."""
    array = tensor.array
    if array.dtype != dtype.numpy and tensor.dtype not in OPMATH:
        array = quiet_astype(array, dtype)
    accumulate = OPMATH.get(dtype, dtype)
    return array if array.dtype == accumulate.numpy else quiet_astype(array, accumulate)


def rounded(result, dtype):
    """The accumulated result in `dtype`, contiguous whatever the operand's strides."""
    if result.dtype != dtype.numpy:
        result = quiet_astype(result, dtype)
    return contiguous(result)


def contiguous(array):
    """The array with its dimensions in order in memory, and no gaps; those of size 1 have regular strides too."""
    return array.reshape(-1).reshape(array.shape) if array.ndim else array


def _integers_summed_in_int64(tensor, dtype, out):
    if dtype is not None:
        return dtype
    if out is not None:
        return out.dtype
    return tensor.dtype if tensor.dtype.category >= FLOATING else scalar_type.int64


# -- sums and products

LONG_COLUMN = 1024


def sum_(self, dim=None, keepdim=False, *, dtype=None, out=None):
    """The sum over `dim`."""
    dtype = _integers_summed_in_int64(self, dtype, out)
    array = computed_in(self, dtype)
    axes = axes_of(dim, array.ndim)
    result = quietly(array.sum, axes, _accumulator(array, axes), None, keepdim)
    return finish(rounded(result, dtype), out)


def _accumulator(array, axes):
    """The dtype to sum in: the array's own, but float64 down long columns of float32.

    Along rows NumPy sums pairwise, down columns one by one, which adds up the rounding errors. Upstream sums in
    cascades in both directions.
    """
    if axes is not None and array.dtype == scalar_type.float32.numpy and array.ndim - 1 not in axes:
        return "float64" if count_folded(array, axes) > LONG_COLUMN else array.dtype
    return array.dtype


def nansum(self, dim=None, keepdim=False, *, dtype=None, out=None):
    """The sum over `dim` of what is not NaN."""
    if self.dtype.is_complex:
        raise TorchError("nansum on CPU does not support complex inputs")
    xp = array_module(self.array)
    dtype = _integers_summed_in_int64(self, dtype, out)
    array = computed_in(self, dtype)
    if dtype.category >= FLOATING:
        array = xp.where(xp.isnan(array), array.dtype.type(0), array)
    result = quietly(array.sum, axes_of(dim, array.ndim), array.dtype, None, keepdim)
    return finish(rounded(result, dtype), out)


def prod(self, dim=None, keepdim=False, *, dtype=None, out=None):
    """The product over `dim`, one dimension or all."""
    dtype = _integers_summed_in_int64(self, dtype, out)
    array = computed_in(self, dtype)
    result = quietly(array.prod, axes_of(dim, array.ndim), array.dtype, None, keepdim)
    return finish(rounded(result, dtype), out)


def mean(self, dim=None, keepdim=False, *, dtype=None, out=None):
    """The mean over `dim`: a sum, divided by the number of elements that went into it."""
    wanted = dtype or (out.dtype if out is not None else self.dtype)
    if wanted.category < FLOATING:
        what = "Input" if dtype is None else "Optional"
        raise TorchError(
            "mean(): could not infer output dtype. "
            f"{what} dtype must be either a floating point or complex dtype. Got: {wanted.cpp_name}"
        )
    count = count_folded(self.array, axes_of(dim, self.array.ndim))
    # Rounding the sum of many float16 or bfloat16 values before the division would lose them.
    if wanted in OPMATH:
        total = ops.sum.dim_IntList(self, dim, keepdim, dtype=OPMATH[wanted])
        return finish(rounded(ops.div_.Scalar(total, count).array, wanted), out)
    if out is None:
        return ops.div_.Scalar(ops.sum.dim_IntList(self, dim, keepdim, dtype=wanted), count)
    return ops.div_.Scalar(ops.sum.IntList_out(self, dim, keepdim, dtype=wanted, out=out), count)


def count_folded(array, axes):
    """How many elements are folded into one."""
    if axes is None:
        return array.size
    count = 1
    for axis in axes:
        count *= array.shape[axis]
    return count


def count_nonzero(self, dim=None):
    """How many elements over `dim` are not zero."""
    array = self.array != 0
    return finish(contiguous(array.sum(axes_of(dim, array.ndim), "int64")), None)


# -- variance


def var(self, dim=None, *, correction=None, keepdim=False, out=None):
    """The variance over `dim`: the squared distances from the mean, over (count - correction)."""
    variance, _ = _var_mean(self, dim, correction, keepdim, "var")
    return finish(rounded(variance, self.dtype.to_real()), out)


def std(self, dim=None, *, correction=None, keepdim=False, out=None):
    """The standard deviation over `dim`: the root of the variance."""
    variance, _ = _var_mean(self, dim, correction, keepdim, "std")
    deviation = array_module(self.array).sqrt(variance)
    return finish(rounded(deviation, self.dtype.to_real()), out)


def var_mean(self, dim=None, *, correction=None, keepdim=False):
    """(variance, mean) over `dim`."""
    variance, average = _var_mean(self, dim, correction, keepdim, "var_mean")
    return finish(rounded(variance, self.dtype.to_real()), None), finish(rounded(average, self.dtype), None)


def std_mean(self, dim=None, *, correction=None, keepdim=False):
    """(standard deviation, mean) over `dim`."""
    variance, average = _var_mean(self, dim, correction, keepdim, "std_mean")
    deviation = array_module(self.array).sqrt(variance)
    return finish(rounded(deviation, self.dtype.to_real()), None), finish(rounded(average, self.dtype), None)


def _var_mean(tensor, dim, correction, keepdim, name):
    """Both as float64 arrays, as upstream accumulates them."""
    if tensor.dtype.category < FLOATING:
        subject = "std and var" if name in ("std", "var") else name
        raise TorchError(f"{subject} only support floating point and complex dtypes, not {tensor.dtype}")
    if correction is None:
        correction = 1
    wide = scalar_type.complex128 if tensor.dtype.is_complex else scalar_type.float64
    array = quiet_astype(tensor.array, wide)
    axes = axes_of(dim, array.ndim)
    count = count_folded(array, axes)
    if count <= correction:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. {count} values less a correction of {correction} leave nothing to "
            "divide by; the correction should be less than the number of values",
            UserWarning,
            stacklevel=2,
        )
    return quietly(_variance_and_mean, array, axes, keepdim, count, max(count - correction, 0))


def _variance_and_mean(array, axes, keepdim, count, degrees):
    average = array.sum(axes, keepdims=True) / array.real.dtype.type(count)
    distance = array - average
    squares = distance.real**2 + distance.imag**2 if array.dtype.kind == "c" else distance**2
    variance = squares.sum(axes, keepdims=keepdim) / squares.dtype.type(degrees)
    return variance, average.reshape(variance.shape)


# The forms with `unbiased`, older than `correction`: True takes 1 off the count, False nothing.


def var_default(self, unbiased=True):
    """The variance of all elements."""
    return ops.var(self, None, correction=int(unbiased))


def var_dim(self, dim, unbiased=True, keepdim=False):
    """The variance over `dim`."""
    return ops.var(self, dim, correction=int(unbiased), keepdim=keepdim)


def var_out(self, dim, unbiased=True, keepdim=False, *, out):
    """The variance over `dim`, into `out`."""
    return ops.var(self, dim, correction=int(unbiased), keepdim=keepdim, out=out)


def std_default(self, unbiased=True):
    """The standard deviation of all elements."""
    return ops.std(self, None, correction=int(unbiased))


def std_dim(self, dim, unbiased=True, keepdim=False):
    """The standard deviation over `dim`."""
    return ops.std(self, dim, correction=int(unbiased), keepdim=keepdim)


def std_out(self, dim, unbiased=True, keepdim=False, *, out):
    """The standard deviation over `dim`, into `out`."""
    return ops.std(self, dim, correction=int(unbiased), keepdim=keepdim, out=out)


def var_mean_default(self, unbiased=True):
    """(variance, mean) of all elements."""
    return ops.var_mean(self, None, correction=int(unbiased))


def var_mean_dim(self, dim, unbiased=True, keepdim=False):
    """(variance, mean) over `dim`."""
    return ops.var_mean(self, dim, correction=int(unbiased), keepdim=keepdim)


def std_mean_default(self, unbiased=True):
    """(standard deviation, mean) of all elements."""
    return ops.std_mean(self, None, correction=int(unbiased))


def std_mean_dim(self, dim, unbiased=True, keepdim=False):
    """(standard deviation, mean) over `dim`."""
    return ops.std_mean(self, dim, correction=int(unbiased), keepdim=keepdim)


# -- softmax's relatives


def logsumexp(self, dim, keepdim=False):
    """log(sum(exp(self))) over `dim`, with the largest element taken out first, so that exp cannot overflow."""
    return _logsumexp(ops.to.dtype(self, floating(self.dtype)), dim, keepdim, None)


def logsumexp_out(self, dim, keepdim=False, *, out):
    """`logsumexp` into `out`."""
    return _logsumexp(ops.to.dtype(self, floating(self.dtype)), dim, keepdim, out)


def _logsumexp(self, dim, keepdim, out):
    if self.array.size == 0:
        return ops.log_(ops.sum(ops.exp(self), dim, keepdim, out=out))
    dims = (dim,) if isinstance(dim, int) else tuple(dim) or tuple(range(self.array.ndim))
    largest = ops.amax(self, dims, True)
    squeezed = largest if keepdim else ops.squeeze(largest, dims)
    # An infinite largest element would give inf - inf. (`squeezed` is a view: both change.)
    ops.masked_fill_(squeezed, ops.eq(ops.abs(squeezed), float("inf")), 0)
    total = ops.sum(ops.exp_(ops.sub(self, largest)), dims, keepdim, out=out)
    return ops.add_(ops.log_(total), squeezed)


# -- any and all


def all_(self, dim=None, keepdim=False, *, out=None):
    """Whether every element over `dim` is true."""
    result = self.array.astype(bool).all(axis=axes_of(dim, self.array.ndim), keepdims=keepdim)
    return finish(contiguous(_as_truth(self, result)), out)


def any_(self, dim=None, keepdim=False, *, out=None):
    """Whether some element over `dim` is true."""
    result = self.array.astype(bool).any(axis=axes_of(dim, self.array.ndim), keepdims=keepdim)
    return finish(contiguous(_as_truth(self, result)), out)


def _as_truth(tensor, result):
    # uint8 was the dtype of truth before bool existed, and has kept its answer.
    return result.astype("uint8") if tensor.dtype is scalar_type.uint8 else result


# -- the largest and the smallest


def amax(self, dim=(), keepdim=False, *, out=None):
    """The largest element over `dim`; NaN if there is one."""
    return _extreme(self, "max", "amax", dim, keepdim, out)


def amin(self, dim=(), keepdim=False, *, out=None):
    """The smallest element over `dim`; NaN if there is one."""
    return _extreme(self, "min", "amin", dim, keepdim, out)


def _extreme(tensor, method, name, dim, keepdim, out):
    zero_numel_check_dims(tensor.array, dim, name)
    if tensor.dtype.category == COMPLEX:
        raise NotImplementedError(f'"{method}_values_cpu" not implemented for {tensor.dtype.cpp_name!r}')
    if out is not None and out.dtype is not tensor.dtype:
        raise TorchError(
            f"Expected the dtype for input and out to match, but got {tensor.dtype.cpp_name} for input's dtype and "
            f"{out.dtype.cpp_name} for out's dtype."
        )
    axes = axes_of(dim, tensor.array.ndim)
    array = comparable(tensor.array)
    result = getattr(array, method)(axes, keepdims=keepdim)
    return finish(rounded(result, tensor.dtype), out)


def comparable(array):
    """An array that the array module can order: bfloat16, which it does not know well, as float32."""
    return array.astype("float32") if array.dtype.kind == "V" else array


def zero_numel_check_dims(array, dim, name):
    """IndexError or RuntimeError where nothing is folded into an element: there is no largest of no numbers."""
    if array.size:
        return
    if dim is None or isinstance(dim, (list, tuple)) and not dim:
        raise TorchError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    for position in (dim,) if isinstance(dim, int) else dim:
        position = maybe_wrap_dim(position, array.ndim)
        if array.shape[position] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {position} to have non-zero size.")


def argmax(self, dim=None, keepdim=False, *, out=None):
    """Where the largest element is: the first of several; counted over all elements if `dim` is None."""
    return _position(self, "argmax", dim, keepdim, out)


def argmin(self, dim=None, keepdim=False, *, out=None):
    """Where the smallest element is: the first of several."""
    return _position(self, "argmin", dim, keepdim, out)


def _position(tensor, name, dim, keepdim, out):
    array = tensor.array
    if tensor.dtype.category == COMPLEX:
        raise TorchError(f"{name}(): does not support complex input")
    if tensor.dtype.category == BOOL:
        raise TorchError(f"{name}(): does not support bool input: convert it first, as in x.to(torch.uint8)")
    if dim is not None:
        dim = maybe_wrap_dim(dim, array.ndim)
        zero_numel_check_dims(array, dim, name)
    elif array.size == 0:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    axis = dim if array.ndim else None
    result = getattr(comparable(array), name)(axis)
    if keepdim and array.ndim:
        shape = [1 if dim is None or position == dim else size for position, size in enumerate(array.shape)]
        result = result.reshape(shape)
    return finish(contiguous(result), out)


# -- norms


def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    """(sum |x| ** ord) ** (1 / ord) over `dim`; the largest or smallest |x| for an infinite `ord`."""
    if self.dtype.category < FLOATING:
        raise TorchError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {self.dtype.cpp_name}"
        )
    computed = dtype or self.dtype
    array = computed_in(self, computed)
    axes = axes_of(dim, array.ndim)
    if array.size == 0 and (ord < 0 or ord == float("inf")):
        _check_norm_of_nothing(array.shape, ord, dim, axes)
    result = quietly(_vector_norm, array_module(array), abs(array), ord, axes, keepdim)
    return finish(rounded(result, computed.to_real()), out)


def _check_norm_of_nothing(shape, ord, dim, axes):
    """RuntimeError where an element of the result would be the largest or smallest of no numbers."""
    if dim is None or dim == () or dim == []:
        raise TorchError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the operation does not have "
            "an identity"
        )
    for axis in axes:
        if shape[axis] == 0:
            raise TorchError(
                f"linalg.vector_norm cannot compute the {ord} norm on the dimension {axis} because this dimension is "
                "empty and the operation does not have an identity"
            )


def norm(self, p, dim, keepdim=False):
    """The p-norm over `dim`, 2 where p is None: what linalg_vector_norm computes, under its older name."""
    return ops.linalg_vector_norm.default(self, 2 if p is None else p, dim, keepdim)


def norm_scalar(self, p=2):
    """The p-norm of all elements."""
    return ops.norm.ScalarOpt_dim(self, p, (), False)


def _vector_norm(xp, magnitude, ord, axes, keepdim):
    if ord == float("inf"):
        return magnitude.max(axes, keepdims=keepdim)
    if ord == float("-inf"):
        return magnitude.min(axes, keepdims=keepdim)
    if ord == 0:
        return (magnitude != 0).sum(axes, keepdims=keepdim).astype(magnitude.dtype)
    if ord == 1:
        return magnitude.sum(axes, keepdims=keepdim)
    if ord == 2:
        return xp.sqrt((magnitude * magnitude).sum(axes, keepdims=keepdim))
    return (magnitude**ord).sum(axes, keepdims=keepdim) ** (1.0 / ord)


def equal(self, other):
    """Whether both have the same shape and the same elements; NaN equals nothing."""
    check_same_device(self, other)
    if not ops.is_same_size.default(self, other):
        return False
    return bool((self.array == other.array).all())  # D2H: the answer is a Python bool


# -- running totals


def cumsum(self, dim, *, dtype=None, out=None):
    """Element k along `dim`: the sum of elements 0 to k."""
    return _running(array_module(self.array).cumsum, self, dim, dtype, out)


def cumprod(self, dim, *, dtype=None, out=None):
    """Element k along `dim`: the product of elements 0 to k."""
    return _running(array_module(self.array).cumprod, self, dim, dtype, out)


# Upstream's running totals are one dtype wider than its sums.
_RUNNING_DTYPE = {**OPMATH, scalar_type.float32: scalar_type.float64, scalar_type.complex64: scalar_type.complex128}


def _running(function, self, dim, dtype, out):
    dim = maybe_wrap_dim(dim, self.array.ndim)
    if dtype is None and out is not None:
        dtype = out.dtype
    elif dtype is None:
        dtype = self.dtype if self.dtype.category >= FLOATING else scalar_type.int64
    array = self.array if self.dtype is dtype else quiet_astype(self.array, dtype)
    if array.ndim == 0:
        return finish(array.copy(), out)
    wide = _RUNNING_DTYPE.get(dtype, dtype).numpy
    return finish(quietly(function, array, dim, wide).astype(dtype.numpy, copy=False), out)


# -- gradients


def value_selecting_reduction_backward(grad, dim, indices, sizes, keepdim):
    """The gradient of max, min, median, sort ... along `dim`: zeros, with grad where the values stood."""
    if not keepdim and sizes:
        grad = ops.unsqueeze(grad, dim)
        indices = ops.unsqueeze(indices, dim)
    zeros = ops.zeros(sizes, dtype=grad.dtype, device=grad.device)
    return ops.scatter_(zeros, dim, indices, grad)


def cumprod_backward(grad, input, dim, output):
    """The gradient of cumprod: a sum over all products that an element is in, divided by it if none is 0."""
    if input.numel() <= 1:
        return grad
    dim = maybe_wrap_dim(dim, input.array.ndim)
    if input.array.shape[dim] == 1:
        return grad
    if not ops.any(ops.eq(input, 0)).item():  # D2H: which of two formulas
        return ops.div(_reversed_cumsum(ops.mul(output, grad), dim), input)
    # Deviation: upstream has a way in linear time for the case that the result is not differentiated again.
    slices = [_cumprod_backward_of(grad, input, dim, k) for k in range(input.array.shape[dim])]
    return ops.stack(slices, dim)


def _reversed_cumsum(tensor, dim):
    return ops.flip(ops.cumsum(ops.flip(tensor, [dim]), dim), [dim])


def _cumprod_backward_of(grad, input, dim, k):
    """The gradient of slice `k`: the products from `k` on, with `k` left out of each."""
    after = input.array.shape[dim] - k - 1
    ones = ops.ones_like(ops.narrow(input, dim, k, 1))
    products = ops.cumprod(ops.cat([ones, ops.narrow(input, dim, k + 1, after)], dim), dim)
    if k > 0:
        products = ops.mul(ops.prod(ops.narrow(input, dim, 0, k), dim, True), products)
    return ops.sum(ops.mul(ops.narrow(grad, dim, k, after + 1), products), [dim])

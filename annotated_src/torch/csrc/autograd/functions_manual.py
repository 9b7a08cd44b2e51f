"""Formulas too long to stand in a node. Retells torch/csrc/autograd/FunctionsManual.cpp.

Each function takes the gradient of an operator's result and what the node has saved, and returns the gradient of one
input. They are written with operators that have a derivative themselves, so that create_graph=True works.

Left out: conjugates, which complex gradients need; forward-mode formulas.
"""

import math

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim

# -- numbers and dimensions


def maybe_multiply(tensor, scale):
    """tensor * scale, less the multiplication by 1."""
    return tensor if scale == 1 else tensor * scale


def zeros_like_info(info):
    """Zeros like a tensor of which only (shape, dtype, device) was saved."""
    shape, dtype, device = info
    return ops.zeros(shape, dtype=dtype, device=device)


def as_list(dim):
    """The dimensions of an argument that may be None, one number, or a list."""
    if dim is None:
        return []
    return [dim] if isinstance(dim, int) else list(dim)


def safe_size(sizes, dim):
    """How many elements one result was folded from."""
    return math.prod(sizes[maybe_wrap_dim(position, len(sizes))] for position in as_list(dim)) if sizes else 1


def restore_reduced_dims(output, dims, keepdim):
    """`output` with the folded dimensions back, of size 1."""
    if keepdim:
        return output
    sizes = list(output.array.shape)
    total = len(sizes) + len(dims)
    for position in sorted(maybe_wrap_dim(dim, total) for dim in dims):
        sizes.insert(position, 1)
    return ops.reshape(output, sizes)


def unsqueeze_multiple(tensor, dims, ndim):
    """`tensor` with the folded dimensions back; no `dims` are all of them."""
    wanted = {maybe_wrap_dim(dim, ndim) for dim in dims} or set(range(ndim))
    for position in sorted(wanted):
        tensor = ops.unsqueeze(tensor, position)
    return tensor


def unsqueeze_to(tensor, sizes, dims=None):
    """`tensor` with the dimensions of size 1 back that squeeze took from `sizes`; only of `dims`, if given."""
    if dims is not None:
        dims = {maybe_wrap_dim(dim, len(sizes)) for dim in as_list(dims)}
    for position, size in enumerate(sizes):
        if size == 1 and (dims is None or position in dims):
            tensor = ops.unsqueeze(tensor, position)
    return tensor


def sum_to(tensor, sizes):
    """The sum over what expanding `sizes` repeated (at::sum_to)."""
    leading = tensor.array.ndim - len(sizes)
    dims = list(range(leading))
    for position, size in enumerate(sizes):
        if size == 1 and tensor.array.shape[position + leading] != 1:
            dims.append(position + leading)
    if dims:
        tensor = ops.sum(tensor, dims, True)
    return ops.view(tensor, sizes) if leading else tensor


# -- element by element


def number_over(number, tensor):
    """number / tensor"""
    return ops.empty_like(tensor).fill_(number).div_(tensor)


def number_minus(number, tensor):
    """number - tensor"""
    return ops.empty_like(tensor).fill_(number).sub_(tensor)


def div_tensor_self_backward(grad, other, rounding_mode=None):
    """grad / other; nothing gets through rounding."""
    if rounding_mode is not None:
        return ops.zeros_like(grad)
    return grad / other


def div_tensor_other_backward(grad, self, other, rounding_mode=None):
    """-grad * self / other**2"""
    if rounding_mode is not None:
        return ops.zeros_like(grad)
    return -grad * ((self / other) / other)


def pow_backward(grad, self, exponent):
    """grad * exponent * self ** (exponent - 1), and 0 for an exponent of 0 even where self is 0."""
    if exponent == 0:
        return ops.zeros_like(self)
    return grad * (exponent * self.pow(exponent - 1))


def pow_backward_self(grad, self, exponent):
    """The same with an exponent for each element."""
    return ops.where(exponent == 0.0, _zero_of(grad), grad * (exponent * self.pow(exponent - 1)))


def pow_backward_exponent(grad, self, exponent, result):
    """grad * result * log(self), and 0 where self is 0 and the exponent is not negative."""
    exponent_is_fine = exponent >= 0
    return ops.where(ops.logical_and(self == 0, exponent_is_fine), _zero_of(grad), grad * (result * self.log()))


def pow_backward_exponent_of_number(grad, base, exponent, result):
    """The same for one number as the base."""
    if base == 0:
        logarithm = result * -math.inf
        zero = ops.zeros([], dtype=grad.dtype, device=grad.device)
        return grad * ops.where(exponent >= 0, zero, logarithm)
    return grad * (result * (math.log(base) if base > 0 else math.nan))


def _zero_of(grad):
    return ops.scalar_tensor(0.0, dtype=grad.dtype, device=grad.device)


def atan2_backward(grad, self, other, wanted):
    """Both gradients share 1 / (self**2 + other**2)."""
    recip = (self * self + other * other).reciprocal()
    recip = recip.masked_fill(recip == math.inf, 0)
    return [
        grad * other * recip if wanted[0] else None,
        grad * -self * recip if wanted[1] else None,
    ]


def clamp_backward(grad, self, minimum, maximum):
    """The gradient, where `self` is within the limits."""
    if minimum is not None and maximum is not None:
        # In place, so that a maximum of more dimensions than the rest is refused here, as upstream does.
        return ops.where(ops.logical_and_(self >= minimum, self <= maximum), grad, _zero_of(grad))
    if minimum is not None:
        return ops.where(self >= minimum, grad, _zero_of(grad))
    if maximum is not None:
        return ops.where(self <= maximum, grad, _zero_of(grad))
    return grad


def clamp_backward_min_max(grad, self, minimum, maximum, wanted):
    """The gradients of limits that are tensors: where they are what came out."""
    results = [None, None]
    zero = _zero_of(grad)
    if minimum is not None and maximum is not None:
        if wanted[0]:
            # Where the limits cross, the upper one wins.
            results[0] = ops.where(ops.logical_and_(self < minimum, minimum < maximum), grad, zero)
        if wanted[1]:
            results[1] = ops.where(ops.logical_or_(self > maximum, maximum < minimum), grad, zero)
    elif minimum is not None and wanted[0]:
        results[0] = ops.where(self < minimum, grad, zero)
    elif maximum is not None and wanted[1]:
        results[1] = ops.where(self > maximum, grad, zero)
    return results


def sgn_backward(self, grad, result):
    """0: a sign does not change."""
    return ops.zeros_like(self)


# -- sums, products, means


def sum_backward(grad, sizes, dims, keepdim):
    """Every element that was summed gets the sum's gradient."""
    dims = as_list(dims)
    if not keepdim and sizes and dims:
        grad = unsqueeze_multiple(grad, dims, len(sizes))
    return ops.expand(grad, sizes)


def nansum_backward(grad, self, dims, keepdim):
    """The same, and nothing for NaN."""
    return sum_backward(grad, self.array.shape, dims, keepdim) * self.isnan().logical_not()


def mean_backward(grad, sizes, dims, numel, keepdim):
    """A sum's gradient, divided by how many elements it was of."""
    count = safe_size(sizes, dims) if as_list(dims) else numel
    return sum_backward(grad, sizes, dims, keepdim) / count


def prod_backward(grad, self, result):
    """grad * result / self, less the division where an element is 0."""
    if self.array.ndim == 0:
        return grad.clone()
    zeros = (self == 0).nonzero()
    if zeros.numel() == 0:
        return grad * (result / self)
    # Two zeros: all gradients are 0, but not those of a gradient.
    if not state.grad_mode and zeros.array.shape[0] > 1:
        return ops.zeros_like(self)
    return prod_safe_zeros_backward(grad, self.contiguous().view(-1), 0).view_as(self)


def prod_backward_dim(grad, self, result, dim, keepdim):
    """The same for one dimension."""
    if self.array.ndim == 0:
        return grad.clone()
    dim = maybe_wrap_dim(dim, self.array.ndim)
    if not keepdim:
        grad = grad.unsqueeze(dim)
        result = result.unsqueeze(dim)
    zeros = (self == 0).sum(dim, True)
    if zeros.sum().item() == 0:  # D2H: which of two formulas
        return grad * (result / self)
    return prod_safe_zeros_backward(grad, self, dim)


def prod_safe_zeros_backward(grad, self, dim):
    """grad * (the product of those before) * (the product of those after): no division."""
    if self.array.shape[dim] == 1:
        return grad
    sizes = list(self.array.shape)
    sizes[dim] = 1
    ones = ops.ones(sizes, dtype=grad.dtype, device=grad.device)
    others = self.array.shape[dim] - 1
    before = ops.cat([ones, self.narrow(dim, 0, others)], dim).cumprod(dim)
    after = ops.cat([ones, self.narrow(dim, 1, others).flip(dim)], dim).cumprod(dim).flip(dim)
    return grad * (before * after)


def var_backward(grad, self, dim, correction, keepdim):
    """2 / (n - correction) * grad * (self - mean)"""
    correction = 1 if correction is None else correction
    if self.array.ndim == 0 or dim is None:
        degrees = self.numel() - correction
        if degrees <= 0:
            return grad * ops.where(self == self.mean(), math.nan, math.inf)
        return (2.0 / degrees) * grad * (self - self.mean())
    if not keepdim and self.array.ndim > 1:
        grad = unsqueeze_multiple(grad, as_list(dim), self.array.ndim)
    degrees = safe_size(self.array.shape, dim or range(self.array.ndim)) - correction
    # (2 / 0 is infinite in C++)
    factor = 2.0 / degrees if degrees else math.inf
    return factor * grad * (self - self.mean(dim, True))


def std_backward(result, grad, self, dim, correction, keepdim):
    """Through the square root, and 0 where it is 0."""
    grad_of_var = (grad / (result * 2)).masked_fill_(result == 0, 0)
    return var_backward(grad_of_var, self, dim, correction, keepdim)


def with_mean_backward(grad_self, grad_mean, self, dim, keepdim):
    """What var_mean and std_mean add for their second output."""
    if grad_mean is None:
        return grad_self
    of_mean = mean_backward(grad_mean, self.array.shape, dim, self.numel(), keepdim)
    return of_mean if grad_self is None else grad_self + of_mean


def logsumexp_backward(grad, self, result, dim, keepdim):
    """grad * softmax(self), from the result that is at hand."""
    if not keepdim and self.array.ndim != 0:
        grad = unsqueeze_multiple(grad, as_list(dim), self.array.ndim)
        result = unsqueeze_multiple(result, as_list(dim), self.array.ndim)
    return grad * (self - result).exp()


def cumsum_backward(grad, dim):
    """Each element is in all sums from its own on: add up from behind."""
    if grad.numel() <= 1 or grad.array.shape[dim] == 1:
        return grad
    return grad.flip(dim).cumsum(dim).flip(dim)


# -- the largest, the smallest, the middle


def evenly_distribute_backward(grad, self, value):
    """The gradient, shared by all elements that equal the result."""
    if self.is_cuda:
        # (nobody asks the card whether the result is NaN)
        mask = (self == value) | (self.isnan() & value.isnan())
        return mask * (grad / mask.sum())
    mask = self.isnan() if value.isnan().item() else self == value
    zeros = ops.new_zeros(grad, self.array.shape, dtype=self.dtype)
    return zeros.masked_fill_(mask, grad / mask.sum())


def scale_grad_by_count(grad, mask, dims):
    """The same along `dims`."""
    return (grad * mask) / mask.sum(list(dims), True)


def amax_backward(grad, self, result, dim, keepdim):
    """amax and amin: equal elements share."""
    dims = as_list(dim)
    mask = restore_reduced_dims(result, dims, keepdim) == self
    return scale_grad_by_count(restore_reduced_dims(grad, dims, keepdim), mask, dims)


def aminmax_backward(self, dim, keepdim, grad_min, grad_max, minimum, maximum):
    """Both at once; either may not have been used."""
    dims = as_list(dim)
    result = None
    for grad, value in ((grad_min, minimum), (grad_max, maximum)):
        if grad is not None:
            mask = self == restore_reduced_dims(value, dims, keepdim)
            part = scale_grad_by_count(restore_reduced_dims(grad, dims, keepdim), mask, dims)
            result = part if result is None else result + part
    return result


# -- norms


def norm_backward(grad, self, p, norm, dim, keepdim):
    """grad * sign(self) * (|self| / norm) ** (p - 1), and 0 where the norm is 0."""
    dims = as_list(dim)
    if not keepdim and dims and self.array.ndim != 0:
        grad = unsqueeze_multiple(grad, dims, self.array.ndim)
        norm = unsqueeze_multiple(norm, dims, self.array.ndim)
    if p == 0:
        return None
    if p == 1:
        return self.sgn() * grad
    if p == 2:
        return grad * (self / norm).masked_fill_(norm == 0, 0)
    if math.isinf(p):
        return _maximum_norm_backward(grad, self, norm, dim)
    if p < 1:
        scaled = self.sgn() * self.abs().pow_(p - 1).masked_fill_(self == 0, 0)
        return scaled * grad * norm.pow(1 - p)
    scale = (grad / norm.pow(p - 1)).masked_fill_(norm == 0, 0)
    if p < 2:
        return self.sgn() * self.abs().pow_(p - 1) * scale
    return self * self.abs().pow_(p - 2) * scale


def _maximum_norm_backward(grad, self, norm, dim):
    size = self.abs()
    mask = size.eq(norm).logical_or(size.isnan())
    return self.sgn() * ((grad / mask.sum(as_list(dim), True)) * mask)


# -- softmax


def softmax_double_backward(grad, grad_output, dim, output):
    """The gradient of _softmax_backward_data for softmax's output."""
    of_output = (output * grad_output).sum(dim, True) * grad
    return grad_output * grad - of_output - grad_output * (output * grad).sum(dim, True)


# -- pieces of tensors


def as_strided_backward(grad, geometry, sizes, strides, storage_offset):
    """Put each element's gradient where as_strided took it from; where it took one twice, they add up.

    `geometry` is (sizes, strides, offset) of the tensor that as_strided was called on. The gradient is laid out in
    memory like the storage of that tensor, from the first element on that either of the two sees.
    """
    own_sizes, own_strides, own_offset = geometry
    offset = own_offset if storage_offset is None else storage_offset
    first = min(own_offset, offset)
    own_offset, offset = own_offset - first, offset - first
    size = max(_extent(own_sizes, own_strides) + own_offset, _extent(sizes, strides) + offset)
    storage = ops.new_zeros(grad, [size])
    if _may_overlap(sizes, strides):
        places = _positions(storage, sizes, strides, offset)
        storage.index_add_(0, places, grad.reshape(-1))
    else:
        storage.as_strided(sizes, strides, offset).copy_(grad)
    if _may_overlap(own_sizes, own_strides):
        # An element that the tensor itself sees at several places has its gradient in equal shares.
        places = _positions(storage, own_sizes, own_strides, own_offset)
        ones = ops.ones([1], dtype=grad.dtype, device=grad.device).expand_as(places)
        storage = storage.div(ops.zeros_like(storage).index_add_(0, places, ones))
    return storage.as_strided(own_sizes, own_strides, own_offset)


def _positions(storage, sizes, strides, offset):
    """Where in the storage the elements of a view are, one after the other."""
    return ops.arange(storage.numel(), device=storage.device).as_strided(sizes, strides, offset).reshape(-1)


def _extent(sizes, strides):
    if 0 in sizes:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))


def _may_overlap(sizes, strides):
    reach = 0
    for stride, size in sorted(zip(strides, sizes, strict=True)):
        if size > 1:
            if stride <= reach:
                return True
            reach += (size - 1) * stride
    return False


def slice_backward_wrapper(grad, sizes, dim, start, end, step):
    """slice_backward, with slice's defaults filled in."""
    start = 0 if start is None else start
    end = 2**63 - 1 if end is None else end
    return ops.slice_backward(grad, sizes, dim, start, end, step)


def permute_backwards(grad, dims):
    """The permutation that undoes `dims`."""
    ndim = len(dims)
    inverse = [0] * ndim
    for position, dim in enumerate(dims):
        inverse[maybe_wrap_dim(dim, ndim)] = position
    return grad.permute(inverse)


def split_with_sizes_backward(grads, split_sizes, dim, sizes):
    """The pieces' gradients joined, zeros for a piece that was not used."""
    dim = maybe_wrap_dim(dim, len(sizes))
    given = next(grad for grad in grads if grad is not None)
    pieces = []
    for grad, length in zip(grads, split_sizes, strict=True):
        if grad is None:
            shape = [*sizes[:dim], length, *sizes[dim + 1 :]]
            grad = ops.zeros(shape, dtype=given.dtype, device=given.device)
        pieces.append(grad)
    return ops.cat(pieces, dim)


def split_backward(grads, split_size, dim, sizes):
    """The same for pieces of one size, of which the last may be shorter."""
    size = sizes[maybe_wrap_dim(dim, len(sizes))]
    split_sizes = [split_size] * len(grads)
    split_sizes[-1] = split_size - (split_size * len(grads) - size)
    return split_with_sizes_backward(grads, split_sizes, dim, sizes)


def unbind_backward(grads, dim):
    """The gradients stacked, zeros for those that were not used."""
    given = next(grad for grad in grads if grad is not None)
    zeros = None
    pieces = []
    for grad in grads:
        if grad is None and zeros is None:
            zeros = ops.zeros([], dtype=given.dtype, device=given.device).expand(given.array.shape)
        pieces.append(zeros if grad is None else grad)
    return ops.stack(pieces, dim)


def cat_tensors_backward(grad, shapes, dim):
    """The stretch of the gradient that each tensor lies in."""
    results, start = [], 0
    for shape in shapes:
        if shape == (0,):
            # An empty vector may be joined to anything, and is no stretch of it.
            results.append(ops.zeros([0], dtype=grad.dtype, device=grad.device))
            continue
        length = shape[maybe_wrap_dim(dim, len(shape))]
        results.append(grad.narrow(dim, start, length))
        start += length
    return results


def repeat_backward(grad, repeats, sizes):
    """The sum over all copies."""
    if 0 in repeats:
        return ops.zeros(sizes, dtype=grad.dtype, device=grad.device)
    leading = grad.array.ndim - len(sizes)
    for _ in range(leading):
        grad = grad.sum(0, False)
    # (r * s) -> (r, s): one copy beside the other
    shape, copies = [], []
    for size, repeat in zip(sizes, repeats[leading:], strict=True):
        if repeat != 1:
            copies.append(len(shape))
            shape.append(repeat)
        shape.append(size)
    grad = grad.reshape(shape)
    return grad.sum(copies) if copies else grad


# -- elements by position or mask


def index_backward(zeros_like_self, indices, grad):
    """Each element's gradient, added where it was picked."""
    return ops._index_put_impl_(zeros_like_self, indices, grad, True, True)


def take_backward(grad, self, index):
    """The same by positions in the flattened tensor."""
    # Deviation: upstream has an operator for it, put_.
    flat = ops.zeros([self.numel()], dtype=grad.dtype, device=grad.device)
    return flat.index_put_([index], grad, True).view(self.array.shape)


def masked_fill_backward(grad, mask):
    """The value was written to every place of the mask."""
    return grad.masked_select(mask).sum()


# -- matrices


def mm_mat1_backward(grad, mat2, sizes, strides, alpha):
    """alpha * grad @ mat2.T, laid out as mat1 was."""
    if is_column_major(sizes, strides):
        return maybe_multiply(mat2.mm(grad.t()).t(), alpha)
    return maybe_multiply(grad.mm(mat2.t()), alpha)


def mm_mat2_backward(grad, mat1, sizes, strides, alpha):
    """alpha * mat1.T @ grad, laid out as mat2 was."""
    if is_column_major(sizes, strides):
        return maybe_multiply(grad.t().mm(mat1).t(), alpha)
    return maybe_multiply(mat1.t().mm(grad), alpha)


def is_column_major(sizes, strides):
    """Whether columns lie one behind the other."""
    return strides[0] == 1 and strides[1] == sizes[0]


def embedding_dense_double_backward(grad, indices, padding_idx):
    """The rows of grad that were picked; those of padding_idx are 0."""
    rows = grad.index_select(0, indices.reshape(-1))
    if padding_idx >= 0:
        rows = rows * (indices != padding_idx).reshape(-1, 1)
    return rows.view([*indices.array.shape, grad.array.shape[1]])

"""Losses that compare two tensors of one shape. Retells aten/src/ATen/native/Loss.cpp and cpu/PointwiseOpsKernel.cpp.

    reduction   0 "none": the loss of each element; 1 "mean"; 2 "sum"

Most are a few operators in a row, and get their gradients from those. mse_loss, smooth_l1_loss, huber_loss,
binary_cross_entropy and soft_margin_loss are kernels of their own, each with a backward operator. That one gets the
gradient of the result, whichever the reduction: for the mean it is divided by the number of elements.

Left out: the `grad_input` forms of backward operators.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.tensor_iterator import finish, pointwise
from annotated_src.c10.array_module import array_module
from annotated_src.c10.util.exception import TorchError

NONE, MEAN, SUM = range(3)
EPSILON = 1e-12
TWO_PI = 6.283185307179586


def apply_loss_reduction(unreduced, reduction):
    """The mean or the sum of the losses, or all of them."""
    if reduction == MEAN:
        return ops.mean.default(unreduced)
    if reduction == SUM:
        return ops.sum.default(unreduced)
    return unreduced


def _norm(array, reduction):
    """What one element's loss counts in the result."""
    return 1.0 / array.size if reduction == MEAN and array.size else 1.0


def _kernel(function, self, target, reduction, out, name):
    """A loss that has a kernel: the function of each pair, then the reduction."""
    unreduced = pointwise(function, (self, target), opmath=True)
    dispatch(unreduced.dtype, FLOATING_TYPES, name)
    result = apply_loss_reduction(unreduced, reduction)
    return result if out is None else finish(result.array, out, (self, target))


def _number_minus(number, tensor):
    """`number - tensor` as C++ computes it: a tensor of that number, minus the other in place."""
    return ops.sub_.Tensor(ops.fill_.Scalar(ops.empty_like.default(tensor), number), tensor)


# -- made of other operators


def l1_loss(self, target, reduction=MEAN):
    """|self - target|."""
    return apply_loss_reduction(ops.abs.default(ops.sub.Tensor(self, target)), reduction)


def kl_div(self, target, reduction=MEAN, *, log_target=False):
    """target * (log(target) - self): self holds logarithms, target too if `log_target`."""
    if log_target:
        output = ops.mul.Tensor(ops.exp.default(target), ops.sub.Tensor(target, self))
    else:
        product = ops.mul.Tensor(target, self)
        output = ops.sub.Tensor(ops.xlogy.Tensor(target, target), product)
    return apply_loss_reduction(output, reduction)


def binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=MEAN):
    """binary_cross_entropy of sigmoid(self), without the logarithm of a rounded 0."""
    log_sigmoid_input = ops.log_sigmoid.default(self)
    if pos_weight is not None:
        log_weight = ops.add_.Scalar(ops.mul.Tensor(ops.sub.Scalar(pos_weight, 1), target), 1)
        ops.mul_.Tensor(log_sigmoid_input, log_weight)
    loss = ops.sub_.Tensor(ops.mul_.Tensor(_number_minus(1, target), self), log_sigmoid_input)
    if weight is not None:
        ops.mul_.Tensor(loss, weight)
    return apply_loss_reduction(loss, reduction)


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """exp(input) - target * input, or with `log_input` off: input - target * log(input + eps)."""
    if log_input:
        product = ops.mul.Tensor(target, input)
        loss = ops.sub.Tensor(ops.exp.default(input), product)
    else:
        logarithm = ops.log.default(ops.add.Scalar(input, eps))
        loss = ops.sub.Tensor(input, ops.mul.Tensor(target, logarithm))
    if full:
        # Stirling's approximation of log(target!).
        half = ops.mul.Scalar(ops.log.default(ops.mul.Scalar(target, TWO_PI)), 0.5)
        term = ops.sub.Tensor(ops.mul.Tensor(target, ops.log.default(target)), target)
        stirling_term = ops.masked_fill.Scalar(ops.add.Tensor(term, half), ops.le.Scalar(target, 1), 0)
        loss = ops.add_.Tensor(loss, stirling_term)
    return apply_loss_reduction(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=MEAN):
    """max(0, -target * (input1 - input2) + margin): target is 1 where input1 should be larger, else -1."""
    difference = ops.sub.Tensor(input1, input2)
    output = ops.add.Scalar(ops.mul.Tensor(ops.neg.default(target), difference), margin)
    return apply_loss_reduction(ops.clamp_min_.default(output, 0), reduction)


def hinge_embedding_loss(self, target, margin=1.0, reduction=MEAN):
    """self where target is 1, max(0, margin - self) where it is -1."""
    zeros = ops.zeros_like.default(self)
    margin_clamp = ops.clamp_min_.default(_number_minus(margin, self), 0)
    output_margin = ops.where.self(ops.ne.Scalar(target, 1), margin_clamp, zeros)
    output_self = ops.where.self(ops.ne.Scalar(target, -1), self, zeros)
    return apply_loss_reduction(ops.add.Tensor(output_margin, output_self), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=MEAN):
    """1 - cos where target is 1, max(0, cos - margin) where it is -1; inputs (N, D) or (D)."""
    _check_cosine_embedding(input1, input2, target)
    dim = (target.array.ndim,)
    prod_sum = ops.sum.dim_IntList(ops.mul.Tensor(input1, input2), dim)
    mag_square1 = ops.add.Scalar(ops.sum.dim_IntList(ops.mul.Tensor(input1, input1), dim), EPSILON)
    mag_square2 = ops.add.Scalar(ops.sum.dim_IntList(ops.mul.Tensor(input2, input2), dim), EPSILON)
    denominator = ops.sqrt_.default(ops.mul.Tensor(mag_square1, mag_square2))
    cos = ops.div.Tensor(prod_sum, denominator)
    zeros = ops.zeros_like.default(cos)
    pos = _number_minus(1, cos)
    neg = ops.clamp_min_.default(ops.sub.Scalar(cos, margin), 0)
    output_pos = ops.where.self(ops.eq.Scalar(target, 1), pos, zeros)
    output_neg = ops.where.self(ops.eq.Scalar(target, -1), neg, zeros)
    return apply_loss_reduction(ops.add.Tensor(output_pos, output_neg), reduction)


def _check_cosine_embedding(input1, input2, target):
    ndim = target.array.ndim
    if ndim > 1:
        raise TorchError(f"0D or 1D target tensor expected, multi-target not supported; target has {ndim} dimensions")
    if input1.array.ndim != ndim + 1 or input2.array.ndim != ndim + 1:
        raise TorchError(
            f"{ndim}D target tensor expects {ndim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.array.shape)} and {list(input2.array.shape)}."
        )


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=MEAN):
    """max(0, margin + |anchor - positive| - |anchor - negative|)."""
    ndims = [tensor.array.ndim for tensor in (anchor, positive, negative)]
    if len(set(ndims)) > 1:
        raise TorchError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {ndims[0]}D, positive {ndims[1]}D, and negative {ndims[2]}D inputs"
        )
    dist_pos = ops.pairwise_distance.default(anchor, positive, p, eps)
    dist_neg = ops.pairwise_distance.default(anchor, negative, p, eps)
    if swap:
        dist_neg = ops.min.other(dist_neg, ops.pairwise_distance.default(positive, negative, p, eps))
    output = ops.sub.Tensor(ops.add.Scalar(dist_pos, margin), dist_neg)
    return apply_loss_reduction(ops.clamp_min.default(output, 0), reduction)


# -- squares and their relatives


def mse_loss(self, target, reduction=MEAN, *, out=None):
    """(self - target) ** 2."""
    return _kernel(lambda x, y: (x - y) * (x - y), self, target, reduction, out, "mse_cpu")


def mse_loss_backward(grad_output, self, target, reduction):
    """2 * (self - target), times the gradient."""
    norm = 2.0 * _norm(self.array, reduction)
    return pointwise(lambda grad, x, y: norm * (x - y) * grad, (grad_output, self, target), opmath=True)


def smooth_l1_loss(self, target, reduction=MEAN, beta=1.0, *, out=None):
    """A parabola where |self - target| < beta, |self - target| - beta / 2 outside."""
    if beta < 0:
        raise TorchError(f"smooth_l1_loss does not support negative values for beta, but got {beta}.")
    xp = array_module(self.array)

    def loss(x, y):
        size = xp.abs(x - y)
        return xp.where(size < beta, 0.5 * size * size / beta if beta else size, size - 0.5 * beta)

    return _kernel(loss, self, target, reduction, out, "smooth_l1_cpu")


def smooth_l1_loss_backward(grad_output, self, target, reduction, beta):
    """The difference over beta within beta, its sign outside; times the gradient."""
    xp = array_module(self.array)
    norm = _norm(self.array, reduction)

    def gradient(grad, x, y):
        difference = x - y
        inside = norm * difference * grad / beta if beta else difference * 0
        outside = xp.where(difference <= -beta, -norm * grad, norm * grad)
        return xp.where(xp.abs(difference) < beta, inside, outside)

    return pointwise(gradient, (grad_output, self, target), opmath=True)


def huber_loss(self, target, reduction=MEAN, delta=1.0):
    """A parabola where |self - target| <= delta, delta * (|self - target| - delta / 2) outside."""
    _check_delta(delta)
    xp = array_module(self.array)

    def loss(x, y):
        size = xp.abs(x - y)
        return xp.where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta))

    return _kernel(loss, self, target, reduction, None, "huber_cpu")


def huber_loss_backward(grad_output, self, target, reduction, delta):
    """The difference, no further from 0 than delta; times the gradient."""
    _check_delta(delta)
    xp = array_module(self.array)
    norm = _norm(self.array, reduction)
    return pointwise(
        lambda grad, x, y: norm * xp.clip(x - y, -delta, delta) * grad, (grad_output, self, target), opmath=True
    )


def _check_delta(delta):
    if delta <= 0:
        raise TorchError(f"huber_loss does not support non-positive values for delta, but got {delta}.")


# -- probabilities


def binary_cross_entropy(self, target, weight=None, reduction=MEAN):
    """-(target * log(self) + (1 - target) * log(1 - self)), each logarithm no lower than -100."""
    dispatch(self.dtype, FLOATING_TYPES, "binary_cross_entropy")
    array = self.array
    # (upstream's CUDA kernel checks itself, and ends the program: the host does not wait for an answer)
    if isinstance(array, numpy.ndarray) and array.size and not ((array >= 0) & (array <= 1)).all():
        raise TorchError(
            "all elements of input should be between 0 and 1: give probabilities, or use "
            "binary_cross_entropy_with_logits for numbers of any size"
        )
    xp = array_module(array)

    def loss(x, y):
        return (y - 1) * xp.maximum(xp.log1p(-x), -100) - y * xp.maximum(xp.log(x), -100)

    unreduced = pointwise(loss, (self, target), opmath=True)
    if weight is not None:
        ops.mul_.Tensor(unreduced, weight)
    return apply_loss_reduction(unreduced, reduction)


def binary_cross_entropy_backward(grad_output, self, target, weight=None, reduction=MEAN):
    """(self - target) / (self * (1 - self)), times the gradient."""
    xp = array_module(self.array)

    def gradient(grad, x, y):
        return grad * (x - y) / xp.maximum((1 - x) * x, EPSILON)

    result = pointwise(gradient, (grad_output, self, target), opmath=True)
    if weight is not None:
        ops.mul_.Tensor(result, weight)
    if reduction == MEAN:
        ops.div_.Scalar(result, self.array.size)
    return result


def soft_margin_loss(self, target, reduction=MEAN):
    """log(1 + exp(-target * self)), with target 1 or -1."""
    output = ops.mul_.Tensor(ops.neg.default(self), target)
    output = ops.log1p_.default(ops.exp_.default(output))
    return apply_loss_reduction(output, reduction)


def soft_margin_loss_backward(grad_output, self, target, reduction):
    """-target * z / (1 + z) with z = exp(-target * self), times the gradient."""
    norm = _norm(self.array, reduction)
    z = ops.exp.default(ops.mul.Tensor(ops.neg.default(target), self))
    grad_input = ops.mul_.Scalar(ops.mul.Tensor(target, z), -norm)
    ops.add_.Scalar(z, 1)
    return ops.mul_.Tensor(ops.div_.Tensor(grad_input, z), grad_output)

"""The negative log likelihood and cross entropy.

Retells aten/src/ATen/native/LossNLL.cpp and LossNLL2d.cpp.

    cross_entropy_loss   log_softmax, then nll_loss_nd for classes; a sum of products for class probabilities
    nll_loss_nd          nll_loss for (C) and (N, C), nll_loss2d for (N, C, H, W) and everything brought to that shape
    nll_loss_forward     minus the log probability of the target's class, weighted; and the sum of the weights

The mean is over the weights: a target of class c counts weight[c] times, and `ignore_index` counts nothing.

Deviation: one kernel serves both shapes; upstream has one for rows and one for images.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.loss import MEAN, NONE, SUM
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.c10.util.exception import TorchError

# -- cross entropy


def cross_entropy_loss(self, target, weight=None, reduction=MEAN, ignore_index=-100, label_smoothing=0.0):
    """The cross entropy of scores (N, C, ...) and classes (N, ...), or class probabilities (N, C, ...)."""
    if self.array.shape == target.array.shape:
        # Where input and target have one shape, the target holds probabilities.
        if target.dtype.category != scalar_type.FLOATING:
            raise TorchError(
                f"Expected floating point type for target with class probabilities, got {target.dtype.cpp_name}; class "
                "indices have no dimension for the classes"
            )
        if ignore_index >= 0:
            raise TorchError("ignore_index is not supported for floating point target")
        return _cross_entropy_loss_prob_target(self, target, weight, reduction, label_smoothing)
    if label_smoothing > 0.0:
        return _cross_entropy_loss_label_smoothing(self, target, weight, reduction, ignore_index, label_smoothing)
    log_probabilities = ops.log_softmax.int(self, _class_dim(self), self.dtype)
    return ops.nll_loss_nd.default(log_probabilities, target, weight, reduction, ignore_index)


def _class_dim(self):
    return 0 if self.array.ndim == 1 else 1


def _check_smoothing(label_smoothing):
    if label_smoothing > 1.0:
        raise TorchError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")


def _share(label_smoothing, n_classes):
    """What each class gets; of no classes, infinity, as C++ divides."""
    return label_smoothing / n_classes if n_classes else float("inf")


def _cross_entropy_loss_prob_target(self, target, weight, reduction, label_smoothing):
    class_dim = _class_dim(self)
    n_classes = size_along(self.array, class_dim)
    if weight is not None and weight.array.shape != (n_classes,):
        raise TorchError(
            f"cross_entropy: weight tensor should be defined either for all {n_classes} classes or no classes but got "
            f"weight tensor of shape: {list(weight.array.shape)}"
        )
    input = ops.log_softmax.int(self, class_dim, self.dtype)
    if label_smoothing > 0.0:
        _check_smoothing(label_smoothing)
        share = _share(label_smoothing, n_classes)
        target = ops.add.Scalar(ops.mul.Scalar(target, 1 - label_smoothing), share)
    if weight is not None:
        weight = _as_channels(weight, input)
    product = ops.mul.Tensor(input, target)
    if weight is not None:
        product = ops.mul.Tensor(product, weight)
    if reduction == NONE:
        return ops.neg.default(ops.sum.dim_IntList(product, (class_dim,)))
    total = ops.neg.default(ops.sum.default(product))
    if reduction == SUM:
        return total
    if input.array.size == 0:
        return ops.fill_.Scalar(total, float("nan"))
    return ops.div.Scalar(total, input.array.size // n_classes)


def _as_channels(weight, input):
    """(C) as (1, C, 1, ...), so that it broadcasts."""
    if input.array.ndim == 1:
        return weight
    sizes = [1] * input.array.ndim
    sizes[1] = weight.array.shape[0]
    return ops.view.default(weight, sizes)


def _cross_entropy_loss_label_smoothing(self, target, weight, reduction, ignore_index, label_smoothing):
    """(1 - label_smoothing) of the loss of the class, and the rest spread evenly over all classes."""
    _check_smoothing(label_smoothing)
    class_dim = _class_dim(self)
    input = ops.log_softmax.int(self, class_dim, self.dtype)
    nllloss = ops.nll_loss_nd.default(input, target, weight, reduction, ignore_index)
    n_classes = input.array.shape[class_dim]
    if weight is not None:
        weighted = ops.mul.Tensor(input, _as_channels(weight, input))
        smooth_loss = ops.neg.default(ops.sum.dim_IntList(weighted, (class_dim,)))
    else:
        smooth_loss = ops.neg.default(ops.sum.dim_IntList(input, (class_dim,)))
    ignore_mask = ops.eq.Scalar(target, ignore_index)
    ops.masked_fill_.Scalar(smooth_loss, ignore_mask, 0.0)
    smoothed = _reduce_smooth(smooth_loss, target, weight, reduction, ignore_mask)
    return ops.add.Tensor(
        ops.mul.Scalar(nllloss, 1 - label_smoothing), ops.mul.Scalar(smoothed, _share(label_smoothing, n_classes))
    )


def _reduce_smooth(smooth_loss, target, weight, reduction, ignore_mask):
    if reduction == NONE:
        return smooth_loss
    if reduction == SUM:
        return ops.sum.default(smooth_loss)
    kept = ops.bitwise_not.default(ignore_mask)
    if weight is None:
        count = ops.sum.default(kept)
        return ops.div.Tensor(ops.sum.default(smooth_loss), count)
    # The mean over the weights, as nll_loss has it.
    classes = ops.flatten.using_ints(ops.masked_select.default(target, kept))
    total_weight = ops.sum.default(ops.gather.default(weight, 0, classes))
    return ops.div.Tensor(ops.sum.default(smooth_loss), total_weight)


# -- negative log likelihood: which shapes


def nll_loss(self, target, weight=None, reduction=MEAN, ignore_index=-100):
    """-self[n, target[n]] for self (N, C) or (C)."""
    return ops.nll_loss_forward.default(self, target, weight, reduction, ignore_index)[0]


def nll_loss2d(self, target, weight=None, reduction=MEAN, ignore_index=-100):
    """-self[n, target[n, h, w], h, w] for self (N, C, H, W)."""
    return ops.nll_loss2d_forward.default(self, target, weight, reduction, ignore_index)[0]


def nll_loss_nd(self, target, weight=None, reduction=MEAN, ignore_index=-100):
    """The negative log likelihood of any number of dimensions: self (N, C, d1, d2, ...), target (N, d1, d2, ...)."""
    shape, target_shape = self.array.shape, target.array.shape
    if len(shape) < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {len(shape)})")
    batch = target_shape[0] if target_shape else 0
    if len(shape) != 1 and shape[0] != batch:
        raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({batch}).")
    if len(shape) in (1, 2):
        return ops.nll_loss.default(self, target, weight, reduction, ignore_index)
    if len(shape) == 4:
        return ops.nll_loss2d.default(self, target, weight, reduction, ignore_index)
    out_size = (shape[0], *shape[2:])
    if target_shape[1:] != shape[2:]:
        raise TorchError(f"Expected target size {list(out_size)}, got {list(target_shape)}")
    # (N, C, d1, d2, ...) -> (N, C, 1, d1 * d2 * ...)
    rest = (1, -1) if self.array.size else (0, 0)
    input = ops.view.default(ops.contiguous.default(self), (*shape[:2], *rest))
    target = ops.view.default(ops.contiguous.default(target), (shape[0], *rest))
    result = ops.nll_loss2d.default(input, target, weight, reduction, ignore_index)
    return result if reduction != NONE else ops.view.default(result, out_size)


def _check_shapes(self, target, weight):
    """The checks of nll_loss_forward."""
    shape, target_shape = self.array.shape, target.array.shape
    if len(shape) not in (1, 2):
        raise TorchError(f"input tensor should be 1D or 2D, but got {list(shape)}")
    if len(target_shape) > 1:
        raise TorchError(
            f"0D or 1D target tensor expected, multi-target not supported; target has shape {list(target_shape)}"
        )
    if len(shape) == 1 and target.array.size != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.array.size}")
    if len(shape) == 2 and shape[0] != size_along(target.array, 0):
        raise TorchError(f"size mismatch (got input: {list(shape)}, target: {list(target_shape)})")
    _check_weight(weight, shape[-1])


def _check_shapes_2d(self, target, weight):
    """The checks of nll_loss2d_forward."""
    shape, target_shape = self.array.shape, target.array.shape
    if len(target_shape) != 3:
        raise TorchError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {len(target_shape)}"
        )
    if len(shape) != 4:
        raise TorchError(
            f"only batches of spatial inputs supported (4D tensors), but got input of dimension: {len(shape)}"
        )
    if (shape[0], *shape[2:]) != target_shape:
        raise TorchError(f"size mismatch (got input: {list(shape)}, target: {list(target_shape)}")
    _check_weight(weight, shape[1])


def _check_weight(weight, n_classes):
    if weight is not None and weight.array.shape != (n_classes,):
        raise TorchError(
            f"weight tensor should be defined either for all {n_classes} classes or no classes but got weight tensor "
            f"of shape: {list(weight.array.shape)}"
        )


# -- the kernels


def nll_loss_forward(self, target, weight, reduction, ignore_index):
    """The loss, and the sum of the weights (0 without reduction)."""
    _check_shapes(self, target, weight)
    return _forward(self, target, weight, reduction, ignore_index, "nll_loss_out_frame")


def nll_loss2d_forward(self, target, weight, reduction, ignore_index):
    """`nll_loss_forward` of images."""
    _check_shapes_2d(self, target, weight)
    return _forward(self, target, weight, reduction, ignore_index, "nll_loss2d_forward_out_frame")


def _forward(self, target, weight, reduction, ignore_index, name):
    dispatch(self.dtype, FLOATING_TYPES, name)
    xp = array_module(self.array)
    classes, ignored, wrong = _classes_of(xp, self, target, ignore_index)
    losses = -_rows_of(xp, computed_in(self, self.dtype))[xp.arange(classes.size), classes]
    weights = _weights_of(xp, classes, ignored, wrong, weight, self.dtype, losses.dtype)
    if weights is not None:
        losses *= weights
    total_weight = losses.dtype.type(classes.size) if weights is None else weights.sum()
    if reduction == NONE:
        output = losses.reshape(() if self.array.ndim == 1 else target.array.shape)
        # Nothing is divided by it; for a single row upstream keeps it all the same.
        total_weight = total_weight * (output.ndim == 0)
    elif reduction == SUM:
        output = losses.sum()
    else:
        # (NaN where every target is ignored)
        output = quietly(xp.divide, losses.sum(), total_weight)
    dtype = self.dtype
    return make_tensor(rounded(xp.asarray(output), dtype)), make_tensor(rounded(xp.asarray(total_weight), dtype))


def _rows_of(xp, log_probabilities):
    """One row for each target, the classes in it: (targets, C)."""
    if log_probabilities.ndim == 2:
        return log_probabilities
    dim = 0 if log_probabilities.ndim == 1 else 1
    return xp.moveaxis(log_probabilities, dim, -1).reshape(-1, log_probabilities.shape[dim])


def _classes_of(xp, self, target, ignore_index):
    """Each target's class in one dimension; which are ignored, whose class is 0; which are no class at all.

    None where there is none. The host knows; a card is not asked, for that would mean to wait for it.
    """
    if target.dtype not in (scalar_type.int64, scalar_type.uint8):
        raise TorchError(f"expected target dtype to be Long or Byte, but got {target.dtype.cpp_name}")
    classes = target.array.reshape(-1)
    n_classes = self.array.shape[0 if self.array.ndim == 1 else 1]
    if xp is numpy and not 0 <= ignore_index < n_classes and _all_below(n_classes, classes):
        return classes, None, None
    ignored = classes == ignore_index
    if xp is not numpy:
        wrong = ~ignored & ((classes < 0) | (classes >= n_classes))
        return xp.where(ignored | wrong, 0, classes), ignored, wrong
    if ignored.any():
        classes = xp.where(ignored, 0, classes)
    else:
        ignored = None
    if not _all_below(n_classes, classes):
        first = int(classes[(classes < 0) | (classes >= n_classes)][0])
        raise IndexError(f"Target {first} is out of bounds: there are {n_classes} classes, from 0 on")
    return classes, ignored, None


def _all_below(n_classes, classes):
    return classes.size == 0 or 0 <= classes.min() and classes.max() < n_classes


def _weights_of(xp, classes, ignored, wrong, weight, dtype, compute):
    """What each target counts; None if all count 1.

    Deviation: upstream's CUDA kernel stops the program at a wrong class (an assert on the card); here it counts NaN.
    """
    if weight is not None:
        weights = computed_in(weight, dtype)[classes]
        weights = weights if ignored is None else xp.where(ignored, weights.dtype.type(0), weights)
    else:
        weights = None if ignored is None else (~ignored).astype(compute)
    return weights if wrong is None else xp.where(wrong, weights.dtype.type("nan"), weights)


def nll_loss_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    """Minus the target's weight at its class, 0 elsewhere; times the gradient."""
    _check_shapes(self, target, weight)
    return _backward(grad_output, self, target, weight, reduction, ignore_index, total_weight)


def nll_loss2d_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    """`nll_loss_backward` of images."""
    _check_shapes_2d(self, target, weight)
    return _backward(grad_output, self, target, weight, reduction, ignore_index, total_weight)


def _backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    xp = array_module(self.array)
    classes, ignored, wrong = _classes_of(xp, self, target, ignore_index)
    grad = computed_in(grad_output, self.dtype)
    weights = _weights_of(xp, classes, ignored, wrong, weight, self.dtype, grad.dtype)
    values = -grad.reshape(-1)
    if reduction == MEAN:
        values = quietly(xp.divide, values, computed_in(total_weight, self.dtype))
    if weights is not None:
        # (not a product: the mean of nothing is NaN, but ignored targets have gradient 0)
        values = values * weights if ignored is None else xp.where(ignored, 0, values * weights)
    dim = 0 if self.array.ndim == 1 else 1
    n_classes = self.array.shape[dim]
    rows = xp.zeros((classes.size, n_classes), grad.dtype)
    rows[xp.arange(classes.size), classes] = values
    if self.array.ndim == 1:
        rows = rows.reshape(n_classes)
    elif self.array.ndim != 2:
        rows = xp.moveaxis(rows.reshape(*target.array.shape, n_classes), -1, dim)
    return make_tensor(rounded(rows, self.dtype))

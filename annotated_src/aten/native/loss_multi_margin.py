"""multi_margin_loss. Retells aten/src/ATen/native/LossMultiMargin.cpp.

For scores (N, C) and one class a row: how far does any other class come within `margin` of the target's score?
"""

import numpy

from annotated_src.aten.dispatch import FULL_FLOATING_TYPES, dispatch
from annotated_src.aten.native.loss import MEAN, NONE
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import int64
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def multi_margin_loss(self, target, p=1, margin=1, weight=None, reduction=MEAN):
    """The sum over the other classes of max(0, margin - self[target] + self[c]) ** p, divided by C."""
    xp, scores, classes, weights = _prepare(self, target, p, weight)
    distance = _distances(xp, scores, classes, margin)
    losses = (distance**p * weights).sum(1) / max(scores.shape[1], 1)
    if reduction == NONE:
        return make_tensor(rounded(losses.reshape(target.array.shape), self.dtype))
    return make_tensor(rounded(xp.asarray(quietly(losses.mean) if reduction == MEAN else losses.sum()), self.dtype))


def multi_margin_loss_backward(grad_output, self, target, p, margin, weight=None, reduction=MEAN):
    """What each class within the margin adds to itself, and the target's class loses."""
    xp, scores, classes, weights = _prepare(self, target, p, weight)
    distance = _distances(xp, scores, classes, margin)
    slope = (distance > 0).astype(scores.dtype) if p == 1 else 2 * distance
    norm = 1.0 / max(scores.shape[1] * (scores.shape[0] if reduction == MEAN else 1), 1)
    grad = slope * weights * norm
    grad[xp.arange(len(classes)), classes] = -grad.sum(1)
    arriving = computed_in(grad_output, self.dtype)
    grad = grad * (arriving.reshape(-1, 1) if reduction == NONE else arriving)
    return make_tensor(rounded(grad.reshape(self.array.shape), self.dtype))


def _prepare(self, target, p, weight):
    """The scores as (N, C), the classes as (N), and what each row counts as (N, 1)."""
    _check(self, target, p, weight)
    xp = array_module(self.array)
    scores = computed_in(self, self.dtype)
    scores = scores.reshape(1, -1) if scores.ndim < 2 else scores
    classes = target.array.reshape(-1)
    # (upstream's CUDA kernel checks itself, and ends the program)
    if xp is numpy and ((classes < 0) | (classes >= scores.shape[1])).any():
        raise TorchError(f"target out of range: there are {scores.shape[1]} classes, from 0 on")
    if weight is None:
        weights = xp.ones((len(classes), 1), scores.dtype)
    else:
        weights = computed_in(weight, self.dtype)[classes].reshape(-1, 1)
    return xp, scores, classes, weights


def _check(self, target, p, weight):
    if p not in (1, 2):
        raise TorchError(f"multi_margin_loss: Invalid p, expected 1 or 2 but got {p}")
    shape = self.array.shape
    if len(shape) > 2 or len(shape) == 2 and shape[1] == 0 or len(shape) == 1 and shape[0] == 0:
        raise TorchError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: " + str(list(shape))
        )
    rows = shape[0] if len(shape) == 2 else 1
    if target.array.ndim > 1 or target.array.size != rows:
        raise TorchError(
            f"multi_margin_loss: target tensor should be 1-D, with a class for each row: expected {rows}, but got "
            f"{list(target.array.shape)} for an input of {list(shape)}"
        )
    n_classes = shape[-1] if shape else 1
    if weight is not None and (weight.array.ndim > 1 or weight.array.size != n_classes):
        raise TorchError(f"inconsistent weight size, expected {n_classes} but got {list(weight.array.shape)}")
    dispatch(self.dtype, FULL_FLOATING_TYPES, "multi_margin_loss_cpu_kernel")
    if target.dtype is not int64:
        raise TorchError(f"expected scalar type Long but found {target.dtype.cpp_name}")


def _distances(xp, scores, classes, margin):
    """(N, C): how far each class reaches into the margin, 0 for the target's own."""
    rows = xp.arange(len(classes))
    own = scores[rows, classes].reshape(-1, 1)
    distance = xp.maximum(margin - own + scores, 0)
    distance[rows, classes] = 0
    return distance

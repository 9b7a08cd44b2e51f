"""multilabel_margin_loss. Retells aten/src/ATen/native/LossMultiLabelMargin.cpp.

The target names a row's classes one after the other, up to the first -1; what stands behind it is not read.
"""

import numpy

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FULL_FLOATING_TYPES, dispatch
from annotated_src.aten.native.loss import MEAN, NONE
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.native.tensor_advanced_indexing import add_at
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def multilabel_margin_loss(self, target, reduction=MEAN):
    """The sum over target classes t and others c of max(0, 1 - self[t] + self[c]), divided by C."""
    return ops.multilabel_margin_loss_forward.default(self, target, reduction)[0]


def multilabel_margin_loss_forward(self, target, reduction):
    """The loss, and which classes are targets: the gradient needs it."""
    xp, scores, targets, named = _prepare(self, target)
    is_target = _is_target(xp, scores, targets, named)
    losses = _distances(xp, scores, targets, named, is_target).sum((1, 2)) / max(scores.shape[1], 1)
    if reduction == NONE:
        output = losses.reshape(self.array.shape[:-1])
    else:
        output = xp.asarray(quietly(losses.mean) if reduction == MEAN else losses.sum())
    marks = is_target.astype(scores.dtype).reshape(target.array.shape)
    return make_tensor(rounded(output, self.dtype)), make_tensor(rounded(marks, self.dtype))


def multilabel_margin_loss_backward(grad_output, self, target, reduction, is_target):
    """What each class within a margin adds to itself, and the target's class loses."""
    xp, scores, targets, named = _prepare(self, target)
    marks = is_target.array.reshape(scores.shape) != 0
    reached = _distances(xp, scores, targets, named, marks) > 0
    norm = 1.0 / max(scores.shape[1] * (scores.shape[0] if reduction == MEAN else 1), 1)
    grad = reached.sum(1).astype(scores.dtype)
    lost = reached.sum(2).astype(scores.dtype)
    add_at(grad, _places(xp, targets, named), xp.where(named, -lost, lost.dtype.type(0)))
    arriving = computed_in(grad_output, self.dtype)
    grad = grad * norm * (arriving.reshape(-1, 1) if reduction == NONE else arriving)
    return make_tensor(rounded(grad.reshape(self.array.shape), self.dtype))


def _prepare(self, target):
    """The scores and targets as (N, C), and which targets stand before the first -1."""
    dispatch(self.dtype, FULL_FLOATING_TYPES, "multilabel_margin_loss_forward_out_frame")
    xp = array_module(self.array)
    shape = self.array.shape
    if len(shape) > 2 or self.array.ndim and shape[-1] == 0:
        raise TorchError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(shape)}"
        )
    if target.array.shape != shape:
        raise TorchError(f"inconsistent target size: {list(target.array.shape)} for input of size: {list(shape)}")
    columns = shape[-1] if shape else 1
    scores = computed_in(self, self.dtype).reshape(-1, columns)
    targets = target.array.reshape(-1, columns)
    # (upstream's CUDA kernel checks itself, and ends the program)
    if xp is numpy and targets.size and (int(targets.min()) < -1 or int(targets.max()) >= columns):
        raise TorchError(f"argument #2 'target' is out of range: there are {columns} classes, and -1 for the end")
    named = xp.cumsum((targets < 0).astype("int64"), axis=1) == 0
    return xp, scores, targets, named


def _is_target(xp, scores, targets, named):
    # A class that is named twice counts once.
    counts = xp.zeros(scores.shape, "int32")
    add_at(counts, _places(xp, targets, named), named.astype("int32"))
    return counts > 0


def _places(xp, targets, named):
    """The row and column of each target among the scores; those that count nothing are at column 0."""
    return xp.arange(targets.shape[0])[:, None], xp.where(named, targets, 0)


def _distances(xp, scores, targets, named, is_target):
    """(N, T, C): how far class c reaches into the margin of the t-th target; 0 where c is a target itself."""
    own = xp.take_along_axis(scores, xp.where(named, targets, 0), 1)
    distance = xp.maximum(1 - own[:, :, None] + scores[:, None, :], 0)
    return distance * named[:, :, None] * ~is_target[:, None, :]

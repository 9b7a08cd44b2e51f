"""Dropout: elements set to 0 at random, the others scaled up. Retells aten/src/ATen/native/Dropout.cpp.

    dropout                a draw for each element
    feature_dropout        a draw for each channel, dimension 1
    alpha_dropout          what is dropped becomes selu's lower limit, and mean and variance stay
    feature_alpha_dropout  both

All four are one procedure: noise of ones and zeros from bernoulli_, scaled, then multiplied. So the mask comes from
the generator in the order of the elements, and the same seed gives upstream's mask.
"""

import math

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type
from annotated_src.c10.util.exception import TorchError

# -scale * alpha of selu: what selu gives for minus infinity.
ALPHA = 1.7580993408473766


def dropout(input, p, train):
    """Elements dropped with probability p in training, the others divided by 1 - p."""
    return _dropout_impl(input, p, train)


def dropout_(self, p, train):
    """`dropout` in place."""
    return _dropout_impl(self, p, train, inplace=True)


def feature_dropout(input, p, train):
    """Whole channels dropped."""
    return _dropout_impl(input, p, train, feature=True)


def feature_dropout_(self, p, train):
    """`feature_dropout` in place."""
    return _dropout_impl(self, p, train, feature=True, inplace=True)


def alpha_dropout(input, p, train):
    """Elements set to selu's lower limit, and all scaled and shifted so that mean and variance stay."""
    return _dropout_impl(input, p, train, alpha=True)


def alpha_dropout_(self, p, train):
    """`alpha_dropout` in place."""
    return _dropout_impl(self, p, train, alpha=True, inplace=True)


def feature_alpha_dropout(input, p, train):
    """Whole channels set to selu's lower limit."""
    return _dropout_impl(input, p, train, feature=True, alpha=True)


def feature_alpha_dropout_(self, p, train):
    """`feature_alpha_dropout` in place."""
    return _dropout_impl(self, p, train, feature=True, alpha=True, inplace=True)


def _dropout_impl(input, p, train, feature=False, alpha=False, inplace=False):
    if not 0 <= p <= 1:
        raise TorchError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p == 0 or not train or input.array.size == 0:
        return input
    multiply = ops.mul_.Tensor if inplace else ops.mul.Tensor
    if p == 1:
        return multiply(input, ops.zeros.default((), dtype=input.dtype, device=input.device))
    noise = _feature_noise(input) if feature else ops.empty_like.default(input)
    ops.bernoulli_.float(noise, 1 - p)
    if not alpha:
        ops.div_.Scalar(noise, 1 - p)
        return multiply(input, noise)
    a = 1.0 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    # a * x + b for what is kept, a * -ALPHA + b for what is dropped
    b = ops.add_.Scalar(ops.mul_.Scalar(ops.add.Scalar(noise, -1), ALPHA * a), ALPHA * a * p)
    ops.mul_.Scalar(noise, a)
    return ops.add_.Tensor(multiply(input, noise), b)


def _feature_noise(input):
    """One element a channel: (N, C, 1, 1, ...)."""
    shape = input.array.shape
    if len(shape) < 2:
        raise TorchError(f"Feature dropout requires at least 2 dimensions in the input, but got {list(shape)}")
    sizes = (*shape[:2], *[1] * (len(shape) - 2))
    return ops.new_empty.default(input, sizes)


def native_dropout(input, p, train):
    """`dropout` with its mask of bools, which the gradient needs."""
    if input.array.size == 0:
        return input, ops.empty_like.default(input, dtype=scalar_type.bool_)
    if train is False:
        return ops.clone.default(input), ops.ones_like.default(input, dtype=scalar_type.bool_)
    kept = 1.0 - p
    scale = 0.0 if kept == 0 else 1.0 / kept
    mask = ops.empty_like.default(input, dtype=scalar_type.bool_)
    ops.bernoulli_.float(mask, kept)
    output = ops.mul_.Scalar(ops.mul.Tensor(input, mask), scale)
    return output, mask


def native_dropout_backward(grad_output, mask, scale):
    """The gradient where the element was kept, scaled as it was."""
    return ops.mul.Scalar(ops.mul.Tensor(grad_output, mask), scale)

"""Formulas of losses, embedding bags, bilinear, and of the losses' backward operators.

Retells its part of tools/autograd/derivatives.yaml.

A loss and its backward operator take the same `reduction`; the gradient of a mean is divided there.
"""

from annotated_src.aten import ops
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.torch.csrc.autograd.formula import FormulaNode

NONE, MEAN, SUM = range(3)


def _mean_part(gradient, count, reduction):
    """One element's part of a mean."""
    return gradient / count if reduction == MEAN else gradient


# -- squares and their relatives


class MseLossBackward0(FormulaNode):
    """(self - target) ** 2"""

    operators = ("mse_loss",)
    inputs = ("self", "target")
    saves = ("self", "target", "reduction")

    def grad_self(self, grad):
        return ops.mse_loss_backward(grad, self.saved("self"), self.saved("target"), self.saved("reduction"))

    def grad_target(self, grad):
        return ops.mse_loss_backward(grad, self.saved("target"), self.saved("self"), self.saved("reduction"))


class MseLossBackwardBackward0(FormulaNode):
    """2 * (self - target) * grad_output"""

    operators = ("mse_loss_backward",)
    inputs = ("grad_output", "self", "target")
    saves = ("grad_output", "self", "target", "reduction")

    def grad_grad_output(self, grad):
        return ops.mse_loss_backward(grad, self.saved("self"), self.saved("target"), self.saved("reduction"))

    def grad_self(self, grad):
        product = 2 * (grad * self.saved("grad_output"))
        return _mean_part(product, self.saved("self").numel(), self.saved("reduction"))

    def grad_target(self, grad):
        return -self.grad_self(grad)


class SmoothL1LossBackward0(FormulaNode):
    """A parabola within beta, straight lines outside"""

    operators = ("smooth_l1_loss",)
    inputs = ("self", "target")
    saves = ("self", "target", "reduction", "beta")

    def grad_self(self, grad):
        rest = self.saved("reduction"), self.saved("beta")
        return ops.smooth_l1_loss_backward(grad, self.saved("self"), self.saved("target"), *rest)

    def grad_target(self, grad):
        rest = self.saved("reduction"), self.saved("beta")
        return ops.smooth_l1_loss_backward(grad, self.saved("target"), self.saved("self"), *rest)


class SmoothL1LossBackwardBackward0(FormulaNode):
    """The gradient of smooth_l1_loss."""

    operators = ("smooth_l1_loss_backward",)
    inputs = ("grad_output", "self", "target")
    saves = ("grad_output", "self", "target", "reduction", "beta")

    def grad_grad_output(self, grad):
        rest = self.saved("reduction"), self.saved("beta")
        return ops.smooth_l1_loss_backward(grad, self.saved("self"), self.saved("target"), *rest)

    def grad_self(self, grad):
        self_, beta = self.saved("self"), self.saved("beta")
        inside = ops.lt(ops.abs(self_ - self.saved("target")), beta)
        product = grad * self.saved("grad_output") * inside / beta
        return _mean_part(product, self_.numel(), self.saved("reduction"))

    def grad_target(self, grad):
        return -self.grad_self(grad)


class HuberLossBackward0(FormulaNode):
    """A parabola within delta, straight lines outside"""

    operators = ("huber_loss",)
    inputs = ("self", "target")
    saves = ("self", "target", "reduction", "delta")

    def grad_self(self, grad):
        rest = self.saved("reduction"), self.saved("delta")
        return ops.huber_loss_backward(grad, self.saved("self"), self.saved("target"), *rest)

    def grad_target(self, grad):
        rest = self.saved("reduction"), self.saved("delta")
        return ops.huber_loss_backward(grad, self.saved("target"), self.saved("self"), *rest)


class HuberLossBackwardBackward0(FormulaNode):
    """The gradient of huber_loss."""

    operators = ("huber_loss_backward",)
    inputs = ("grad_output", "self", "target")
    saves = ("grad_output", "self", "target", "reduction", "delta")

    def grad_grad_output(self, grad):
        rest = self.saved("reduction"), self.saved("delta")
        return ops.huber_loss_backward(grad, self.saved("self"), self.saved("target"), *rest)

    def grad_self(self, grad):
        self_ = self.saved("self")
        inside = ops.lt(ops.abs(self_ - self.saved("target")), self.saved("delta"))
        product = grad * self.saved("grad_output") * inside
        return _mean_part(product, self_.numel(), self.saved("reduction"))

    def grad_target(self, grad):
        return -self.grad_self(grad)


class SoftMarginLossBackward0(FormulaNode):
    """log(1 + exp(-target * self))"""

    operators = ("soft_margin_loss",)
    saves = ("self", "target", "reduction")

    def grad_self(self, grad):
        return ops.soft_margin_loss_backward(grad, self.saved("self"), self.saved("target"), self.saved("reduction"))


class SoftMarginLossBackwardBackward0(FormulaNode):
    """The gradient of soft_margin_loss."""

    operators = ("soft_margin_loss_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self", "target", "reduction")

    def grad_grad_output(self, grad):
        return ops.soft_margin_loss_backward(grad, self.saved("self"), self.saved("target"), self.saved("reduction"))

    def grad_self(self, grad):
        self_, target = self.saved("self"), self.saved("target")
        z = ops.exp(-target * self_)
        product = grad * self.saved("grad_output") * (target * target * z / ((z + 1) * (z + 1)))
        return _mean_part(product, self_.numel(), self.saved("reduction"))


# -- probabilities


class BinaryCrossEntropyBackward0(FormulaNode):
    """-(target * log(self) + (1 - target) * log(1 - self))"""

    operators = ("binary_cross_entropy",)
    inputs = ("self", "target")
    saves = ("self", "target", "weight", "reduction")

    def grad_self(self, grad):
        rest = self.saved("weight"), self.saved("reduction")
        return ops.binary_cross_entropy_backward(grad, self.saved("self"), self.saved("target"), *rest)

    def grad_target(self, grad):
        self_ = self.saved("self")
        product = (ops.log(1 - self_) - ops.log(self_)) * grad
        return _weighted(product, self.saved("weight"), self_.numel(), self.saved("reduction"))


def _weighted(product, weight, count, reduction):
    if weight is not None:
        product = product * weight
    return _mean_part(product, count, reduction)


class BinaryCrossEntropyBackwardBackward0(FormulaNode):
    """(self - target) / (self * (1 - self)) * grad_output"""

    operators = ("binary_cross_entropy_backward",)
    inputs = ("grad_output", "self", "target")
    saves = ("grad_output", "self", "target", "weight", "reduction")

    def grad_grad_output(self, grad):
        self_ = self.saved("self")
        slope = (self_ - self.saved("target")) / ((self_ + 1e-12) * (1 - self_ + 1e-12))
        return self._of_all(slope * grad)

    def grad_self(self, grad):
        self_, target = self.saved("self"), self.saved("target")
        product = (self_ + 1e-12) * (1 - self_ + 1e-12)
        curvature = (self_ * self_ - 2 * self_ * target + target) / (product * product)
        return self._of_all(curvature * grad * self.saved("grad_output"))

    def grad_target(self, grad):
        self_ = self.saved("self")
        product = (self_ + 1e-12) * (1 - self_ + 1e-12)
        return self._of_all(-grad * self.saved("grad_output") / product)

    def _of_all(self, product):
        return _weighted(product, self.saved("weight"), self.saved("self").numel(), self.saved("reduction"))


class BinaryCrossEntropyWithLogitsBackward0(FormulaNode):
    """binary_cross_entropy of sigmoid(self)"""

    operators = ("binary_cross_entropy_with_logits",)
    inputs = ("self", "target")
    saves = ("self", "target", "weight", "pos_weight", "reduction")

    def grad_self(self, grad):
        self_, target, pos_weight = self.saved("self"), self.saved("target"), self.saved("pos_weight")
        if pos_weight is None:
            product = (ops.sigmoid(self_) - target) * grad
        else:
            t = pos_weight * target
            product = ((t + 1 - target) * ops.sigmoid(self_) - t) * grad
        return _weighted(product, self.saved("weight"), self_.numel(), self.saved("reduction"))

    def grad_target(self, grad):
        self_, pos_weight = self.saved("self"), self.saved("pos_weight")
        if pos_weight is None:
            product = -self_ * grad
        else:
            product = (ops.log_sigmoid(-self_) - pos_weight * ops.log_sigmoid(self_)) * grad
        return _weighted(product, self.saved("weight"), self.saved("target").numel(), self.saved("reduction"))


class NllLossBackward0(FormulaNode):
    """Minus the log probability of the target's class"""

    operators = ("nll_loss_forward",)
    outputs = ("output", "total_weight")
    saves = ("self", "target", "weight", "reduction", "ignore_index", "total_weight")

    def grad_self(self, grad, _):
        return ops.nll_loss_backward(grad, *[self.saved(name) for name in self.saves])


class NllLossBackwardBackward0(FormulaNode):
    """The gradient of nll_loss, which does not depend on self."""

    operators = ("nll_loss_backward",)
    inputs = ("grad_output", "self")
    saves = ("target", "weight", "reduction", "ignore_index")

    def grad_grad_output(self, grad):
        return ops.nll_loss(grad, *[self.saved(name) for name in self.saves])

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class NllLoss2DBackward0(FormulaNode):
    """`nll_loss` of images"""

    operators = ("nll_loss2d_forward",)
    outputs = ("output", "total_weight")
    saves = ("self", "target", "weight", "reduction", "ignore_index", "total_weight")

    def grad_self(self, grad, _):
        return ops.nll_loss2d_backward(grad, *[self.saved(name) for name in self.saves])


class NllLoss2DBackwardBackward0(FormulaNode):
    """The gradient of nll_loss2d, which does not depend on self."""

    operators = ("nll_loss2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("target", "weight", "reduction", "ignore_index")

    def grad_grad_output(self, grad):
        return ops.nll_loss2d(grad, *[self.saved(name) for name in self.saves])

    def grad_self(self, grad):
        return ops.zeros_like(grad)


# -- margins


class MultiMarginLossBackward0(FormulaNode):
    """How far other classes reach into the margin of the target's"""

    operators = ("multi_margin_loss",)
    saves = ("self", "target", "p", "margin", "weight", "reduction")

    def grad_self(self, grad):
        return ops.multi_margin_loss_backward(grad, *[self.saved(name) for name in self.saves])


class MultilabelMarginLossBackward0(FormulaNode):
    """How far other classes reach into the margins of the targets'"""

    operators = ("multilabel_margin_loss_forward",)
    outputs = ("output", "is_target")
    saves = ("self", "target", "reduction", "is_target")

    def grad_self(self, grad, _):
        return ops.multilabel_margin_loss_backward(grad, *[self.saved(name) for name in self.saves])


# -- bilinear, embedding bags


class TrilinearBackward0(FormulaNode):
    """The sum over `sumdim` of i1 * i2 * i3. The gradient of one is such a sum with the arriving one in its place."""

    operators = ("_trilinear",)
    inputs = ("i1", "i2", "i3")
    saves = ("i1", "i2", "i3", "expand1", "expand2", "expand3", "sumdim")

    def grad_i1(self, grad):
        expand1, expand2, expand3, sumdim = self._dims()
        return ops._trilinear(grad, self.saved("i2"), self.saved("i3"), sumdim, expand2, expand3, expand1)

    def grad_i2(self, grad):
        expand1, expand2, expand3, sumdim = self._dims()
        return ops._trilinear(self.saved("i1"), grad, self.saved("i3"), expand1, sumdim, expand3, expand2)

    def grad_i3(self, grad):
        expand1, expand2, expand3, sumdim = self._dims()
        return ops._trilinear(self.saved("i1"), self.saved("i2"), grad, expand1, expand2, sumdim, expand3)

    def _dims(self):
        return [self.saved(name) for name in ("expand1", "expand2", "expand3", "sumdim")]


class EmbeddingBagBackward0(FormulaNode):
    """Sums, means or maxima of rows of a table"""

    operators = ("_embedding_bag",)
    inputs = ("weight", "per_sample_weights")
    outputs = ("result0", "result1", "result2", "result3")
    saves = (
        "weight", "weight_sym_argsize_0", "indices", "offsets", "scale_grad_by_freq", "mode", "sparse",
        "per_sample_weights", "padding_idx", "result1", "result2", "result3",
    )  # fmt: skip
    only_for = {"weight": "per_sample_weights"}

    def save_arguments(self, bound, original_self=None):
        facts = {**bound, "weight_sym_argsize_0": size_along(bound["weight"].array, 0)}
        super().save_arguments(facts, original_self)

    def grad_weight(self, grad, *_):
        names = ("indices", "offsets", "result1", "result2", "result3", "weight_sym_argsize_0", "scale_grad_by_freq")
        names += ("mode", "sparse", "per_sample_weights", "padding_idx")
        return ops._embedding_bag_backward(grad, *[self.saved(name) for name in names])

    def grad_per_sample_weights(self, grad, *_):
        names = ("weight", "indices", "offsets", "result1", "mode", "padding_idx")
        return ops._embedding_bag_per_sample_weights_backward(grad, *[self.saved(name) for name in names])

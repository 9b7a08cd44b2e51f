"""Formulas of activations, dropout, and their backward operators.

Retells its part of tools/autograd/derivatives.yaml.

An activation in place keeps its result where that is enough, since self is gone: those have a node of their own.
"""

from annotated_src.aten import ops
from annotated_src.c10.core.autograd_state import state
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- relu, threshold, leaky_relu


class ReluBackward0(FormulaNode):
    """relu(self)"""

    operators = ("relu", "relu_")
    saves = ("result",)

    def grad_self(self, grad):
        return ops.threshold_backward(grad, self.saved("result"), 0)


class ThresholdBackward0(FormulaNode):
    """self where it is above `threshold`, else `value`"""

    operators = ("threshold",)
    saves = ("self", "threshold")

    def grad_self(self, grad):
        return ops.threshold_backward(grad, self.saved("self"), self.saved("threshold"))


class ThresholdBackward1(ThresholdBackward0):
    """`threshold` in place"""

    operators = ("threshold_",)


class ThresholdBackwardBackward0(FormulaNode):
    """grad_output where self is above `threshold`"""

    operators = ("threshold_backward",)
    inputs = ("grad_output", "self")
    saves = ("self", "threshold")

    def grad_grad_output(self, grad):
        return ops.threshold_backward(grad, self.saved("self"), self.saved("threshold"))

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class LeakyReluBackward0(FormulaNode):
    """self where it is positive, else self * negative_slope"""

    operators = ("leaky_relu",)
    saves = ("self", "negative_slope")

    def grad_self(self, grad):
        return ops.leaky_relu_backward(grad, self.saved("self"), self.saved("negative_slope"), False)


class LeakyReluBackward1(FormulaNode):
    """`leaky_relu` in place"""

    operators = ("leaky_relu_",)
    saves = ("negative_slope", "result")

    def grad_self(self, grad):
        return ops.leaky_relu_backward(grad, self.saved("result"), self.saved("negative_slope"), True)


class LeakyReluBackwardBackward0(FormulaNode):
    """The gradient of leaky_relu: grad_output times 1 or the slope."""

    operators = ("leaky_relu_backward",)
    inputs = ("grad_output", "self")
    saves = ("self", "negative_slope")

    def grad_grad_output(self, grad):
        return ops.leaky_relu_backward(grad, self.saved("self"), self.saved("negative_slope"), False)

    def grad_self(self, grad):
        return ops.zeros_like(grad)


# -- the hard ones


class HardtanhBackward0(FormulaNode):
    """self within its limits"""

    operators = ("hardtanh", "hardtanh_")
    saves = ("self", "min_val", "max_val")

    def grad_self(self, grad):
        return ops.hardtanh_backward(grad, self.saved("self"), self.saved("min_val"), self.saved("max_val"))


class HardtanhBackwardBackward0(FormulaNode):
    """grad_output within the limits"""

    operators = ("hardtanh_backward",)
    inputs = ("grad_output", "self")
    saves = ("self", "min_val", "max_val")

    def grad_grad_output(self, grad):
        return ops.hardtanh_backward(grad, self.saved("self"), self.saved("min_val"), self.saved("max_val"))

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class HardsigmoidBackward0(FormulaNode):
    """(self + 3) / 6 within 0 and 1"""

    operators = ("hardsigmoid", "hardsigmoid_")
    saves = ("self",)

    def grad_self(self, grad):
        return ops.hardsigmoid_backward(grad, self.saved("self"))


class HardswishBackward0(FormulaNode):
    """self * hardsigmoid(self)"""

    operators = ("hardswish", "hardswish_")
    saves = ("self",)

    def grad_self(self, grad):
        return ops.hardswish_backward(grad, self.saved("self"))


class HardswishBackwardBackward0(FormulaNode):
    """The gradient of hardswish."""

    operators = ("hardswish_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self")
    only_for = {"grad_output": "self"}

    def grad_grad_output(self, grad):
        return ops.hardswish_backward(grad, self.saved("self"))

    def grad_self(self, grad):
        self_ = self.saved("self")
        slopes = ops.logical_and(ops.gt(self_, -3.0), ops.lt(self_, 3.0))
        return ops.where(slopes, grad * self.saved("grad_output") / 3.0, ops.zeros_like(grad))


class HardshrinkBackward0(FormulaNode):
    """0 within -lambd and lambd, self outside"""

    operators = ("hardshrink",)
    saves = ("self", "lambd")

    def grad_self(self, grad):
        return ops.hardshrink_backward(grad, self.saved("self"), self.saved("lambd"))


class HardshrinkBackwardBackward0(FormulaNode):
    """grad_out outside of -lambd and lambd"""

    operators = ("hardshrink_backward",)
    inputs = ("grad_out", "self")
    saves = ("self", "lambd")

    def grad_grad_out(self, grad):
        return ops.hardshrink_backward(grad, self.saved("self"), self.saved("lambd"))

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class SoftshrinkBackward0(FormulaNode):
    """self moved by lambd towards 0"""

    operators = ("softshrink",)
    saves = ("self", "lambd")

    def grad_self(self, grad):
        return ops.softshrink_backward(grad, self.saved("self"), self.saved("lambd"))


class SoftshrinkBackwardBackward0(FormulaNode):
    """grad_output outside of -lambd and lambd"""

    operators = ("softshrink_backward",)
    inputs = ("grad_output", "self")
    saves = ("self", "lambd")

    def grad_grad_output(self, grad):
        return ops.softshrink_backward(grad, self.saved("self"), self.saved("lambd"))

    def grad_self(self, grad):
        return ops.zeros_like(grad)


# -- elu


class EluBackward0(FormulaNode):
    """scale * self above 0, else scale * alpha * (exp(input_scale * self) - 1)"""

    operators = ("elu",)
    saves = ("self", "alpha", "scale", "input_scale")

    def grad_self(self, grad):
        alpha, scale, input_scale = self.saved("alpha"), self.saved("scale"), self.saved("input_scale")
        return ops.elu_backward(grad, alpha, scale, input_scale, False, self.saved("self"))


class EluBackward1(FormulaNode):
    """`elu` in place"""

    operators = ("elu_",)
    saves = ("alpha", "scale", "input_scale", "result")

    def grad_self(self, grad):
        alpha, scale, input_scale = self.saved("alpha"), self.saved("scale"), self.saved("input_scale")
        return ops.elu_backward(grad, alpha, scale, input_scale, True, self.saved("result"))


class CeluBackward0(FormulaNode):
    """self above 0, else alpha * (exp(self / alpha) - 1)"""

    operators = ("celu",)
    saves = ("self", "alpha")

    def grad_self(self, grad):
        alpha = self.saved("alpha")
        return ops.elu_backward(grad, alpha, 1, 1.0 / alpha, False, self.saved("self"))


class CeluBackward1(FormulaNode):
    """`celu` in place"""

    operators = ("celu_",)
    saves = ("alpha", "result")

    def grad_self(self, grad):
        alpha = self.saved("alpha")
        return ops.elu_backward(grad, alpha, 1, 1.0 / alpha, True, self.saved("result"))


class EluBackwardBackward0(FormulaNode):
    """The gradient of elu."""

    operators = ("elu_backward",)
    inputs = ("grad_output", "self_or_result")
    saves = ("grad_output", "alpha", "scale", "input_scale", "is_result", "self_or_result")
    only_for = {"grad_output": "self_or_result"}

    def grad_grad_output(self, grad):
        scales = self.saved("alpha"), self.saved("scale"), self.saved("input_scale")
        return ops.elu_backward(grad, *scales, self.saved("is_result"), self.saved("self_or_result"))

    def grad_self_or_result(self, grad):
        x, input_scale = self.saved("self_or_result"), self.saved("input_scale")
        product = grad * self.saved("grad_output") * input_scale
        if not self.saved("is_result"):
            negative = self.saved("alpha") * self.saved("scale")
            product = product * input_scale * negative * ops.exp(x * input_scale)
        return product * ops.lt(x, 0)


# -- smooth curves


class GeluBackward0(FormulaNode):
    """self times the normal distribution's cumulative function"""

    operators = ("gelu", "gelu_")
    saves = ("self", "approximate")

    def grad_self(self, grad):
        return ops.gelu_backward(grad, self.saved("self"), approximate=self.saved("approximate"))


class GeluBackwardBackward0(FormulaNode):
    """The gradient of gelu."""

    operators = ("gelu_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self", "approximate")
    only_for = {"grad_output": "self"}

    def grad_grad_output(self, grad):
        return ops.gelu_backward(grad, self.saved("self"), approximate=self.saved("approximate"))

    def grad_self(self, grad):
        x = self.saved("self")
        curvature = _tanh_gelu_curvature(x) if self.saved("approximate") == "tanh" else _gelu_curvature(x)
        return grad * self.saved("grad_output") * curvature


def _gelu_curvature(x):
    """The second derivative of x * cdf(x): pdf(x) * (2 - x * x)."""
    squared = x * x
    density = 0.39894228040143267794 * ops.exp(-0.5 * squared)
    return 2 * density - squared * density


def _tanh_gelu_curvature(x):
    """The second derivative of x / 2 * (1 + tanh(inner(x)))."""
    factor, cubic = 0.79788456080286535588, 0.044715
    squared = x * x
    tanh = ops.tanh(factor * (x + cubic * squared * x))
    rest = 1 - tanh * tanh
    slope = factor * (1 + 3 * cubic * squared)
    bend = factor * 6 * cubic * x
    return rest * slope + 0.5 * x * rest * (bend - 2 * tanh * slope * slope)


class SiluBackward0(FormulaNode):
    """self * sigmoid(self)"""

    operators = ("silu", "silu_")
    saves = ("self",)

    def grad_self(self, grad):
        # Of operators that have derivatives where a graph is wanted, else in one kernel.
        if _wants_graph():
            return _silu_backward(grad, self.saved("self"))
        return ops.silu_backward(grad, self.saved("self"))


def _silu_backward(grad, x):
    sigmoid = ops.sigmoid(x)
    return grad * sigmoid * (1.0 + x * (1.0 - sigmoid))


class MishBackward0(FormulaNode):
    """self * tanh(softplus(self))"""

    operators = ("mish", "mish_")
    saves = ("self",)

    def grad_self(self, grad):
        if _wants_graph():
            return _mish_backward(grad, self.saved("self"))
        return ops.mish_backward(grad, self.saved("self"))


def _mish_backward(grad, x):
    sigmoid = ops.sigmoid(x)
    tanh = ops.tanh(ops.softplus(x))
    return grad * (tanh + x * sigmoid * (1.0 - tanh * tanh))


def _wants_graph():
    return state.grad_mode


class SoftplusBackward0(FormulaNode):
    """log(1 + exp(beta * self)) / beta"""

    operators = ("softplus",)
    saves = ("self", "beta", "threshold")

    def grad_self(self, grad):
        return ops.softplus_backward(grad, self.saved("self"), self.saved("beta"), self.saved("threshold"))


class SoftplusBackwardBackward0(FormulaNode):
    """grad_output * sigmoid(beta * self)"""

    operators = ("softplus_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self", "beta", "threshold")
    only_for = {"grad_output": "self"}

    def grad_grad_output(self, grad):
        return ops.softplus_backward(grad, self.saved("self"), self.saved("beta"), self.saved("threshold"))

    def grad_self(self, grad):
        beta = self.saved("beta")
        x = self.saved("self") * beta
        curved = ops.sigmoid_backward(grad * self.saved("grad_output"), ops.sigmoid(x))
        return curved * ops.lt(x, self.saved("threshold")) * beta


class LogSigmoidBackward0(FormulaNode):
    """log(sigmoid(self))"""

    operators = ("log_sigmoid_forward",)
    outputs = ("output", "buffer")
    saves = ("self", "buffer")

    def grad_self(self, grad, _):
        return ops.log_sigmoid_backward(grad, self.saved("self"), self.saved("buffer"))


class LogSigmoidBackwardBackward0(FormulaNode):
    """grad_output * (1 - sigmoid(self))"""

    operators = ("log_sigmoid_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self", "buffer")
    only_for = {"grad_output": "self"}

    def grad_grad_output(self, grad):
        return ops.log_sigmoid_backward(grad, self.saved("self"), self.saved("buffer"))

    def grad_self(self, grad):
        sigmoid = ops.sigmoid(self.saved("self"))
        return grad * self.saved("grad_output") * (sigmoid - 1) * sigmoid


# -- with a second tensor


class PreluKernelBackward0(FormulaNode):
    """self where it is positive, else weight * self"""

    operators = ("_prelu_kernel",)
    inputs = ("self", "weight")
    saves = ("self", "weight")

    def apply(self, grad):
        if grad is None:
            return [None, None]
        return list(ops._prelu_kernel_backward(grad, self.saved("self"), self.saved("weight")))


class PreluKernelBackwardBackward0(FormulaNode):
    """The gradients of prelu's two operands; here each may have received one."""

    operators = ("_prelu_kernel_backward",)
    inputs = ("grad_output", "self", "weight")
    outputs = ("result0", "result1")
    saves = ("grad_output", "self", "weight")

    def grad_grad_output(self, grad_self, grad_weight):
        positive, weight = ops.ge(self.saved("self"), 0), self.saved("weight")
        above = grad_self if grad_self is not None else ops.zeros_like(grad_weight)
        below = 0
        if grad_self is not None:
            below = grad_self * weight
        if grad_weight is not None:
            below = below + grad_weight * self.saved("self")
        return ops.where(positive, above, below)

    def grad_self(self, grad_self, grad_weight):
        if grad_weight is None:
            return ops.zeros_like(self.saved("self"))
        product = self.saved("grad_output") * grad_weight
        return ops.where(ops.ge(self.saved("self"), 0), ops.zeros_like(product), product)

    def grad_weight(self, grad_self, grad_weight):
        if grad_self is None:
            return ops.zeros_like(self.saved("self"))
        product = self.saved("grad_output") * grad_self
        return ops.where(ops.ge(self.saved("self"), 0), ops.zeros_like(product), product)


class RreluWithNoiseBackward0(FormulaNode):
    """leaky_relu with the slopes that `noise` holds"""

    operators = ("rrelu_with_noise",)
    saves = ("self", "noise", "lower", "upper", "training")

    def grad_self(self, grad):
        limits = self.saved("lower"), self.saved("upper"), self.saved("training")
        return ops.rrelu_with_noise_backward(grad, self.saved("self"), self.saved("noise"), *limits, False)


class RreluWithNoiseBackward1(FormulaNode):
    """`rrelu_with_noise` in place"""

    operators = ("rrelu_with_noise_",)
    saves = ("noise", "lower", "upper", "training", "result")

    def grad_self(self, grad):
        limits = self.saved("lower"), self.saved("upper"), self.saved("training")
        return ops.rrelu_with_noise_backward(grad, self.saved("result"), self.saved("noise"), *limits, True)


class RreluWithNoiseBackwardBackward0(FormulaNode):
    """grad_output times the slopes"""

    operators = ("rrelu_with_noise_backward",)
    inputs = ("grad_output", "self")
    saves = ("self", "noise", "lower", "upper", "training")

    def grad_grad_output(self, grad):
        limits = self.saved("lower"), self.saved("upper"), self.saved("training")
        return ops.rrelu_with_noise_backward(grad, self.saved("self"), self.saved("noise"), *limits, False)

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class GluBackward0(FormulaNode):
    """The first half times the sigmoid of the second"""

    operators = ("glu",)
    saves = ("self", "dim")

    def grad_self(self, grad):
        return ops.glu_backward(grad, self.saved("self"), self.saved("dim"))


class GluBackwardBackward0(FormulaNode):
    """The gradients of both halves."""

    operators = ("glu_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output", "self", "dim")
    only_for = {"grad_output": "self"}

    def grad_grad_output(self, grad):
        first, sigmoid, slope, grad_first, grad_second = self._halves(grad)
        return grad_first * sigmoid + grad_second * slope * first

    def grad_self(self, grad):
        first, sigmoid, slope, grad_first, grad_second = self._halves(grad)
        grad_output = self.saved("grad_output")
        of_first = grad_second * grad_output * slope
        of_second = grad_first * grad_output * slope + grad_second * grad_output * first * (1 - 2 * sigmoid) * slope
        return ops.cat([of_first, of_second], self.saved("dim"))

    def _halves(self, grad):
        dim = self.saved("dim")
        first, second = ops.chunk(self.saved("self"), 2, dim)
        sigmoid = ops.sigmoid(second)
        return first, sigmoid, (1 - sigmoid) * sigmoid, *ops.chunk(grad, 2, dim)


# -- dropout


class NativeDropoutBackward0(FormulaNode):
    """Elements dropped at random; result1 is the mask"""

    operators = ("native_dropout",)
    inputs = ("input",)
    outputs = ("result0", "result1")
    saves = ("p", "train", "result1")

    def grad_input(self, grad, _):
        p = self.saved("p")
        scale = 1 if self.saved("train") is False else (0.0 if p == 1 else 1.0 / (1.0 - p))
        if _wants_graph():
            return grad * (self.saved("result1") * scale)
        return ops.native_dropout_backward(grad, self.saved("result1"), scale)


class NativeDropoutBackwardBackward0(FormulaNode):
    """grad_output where the mask is set, scaled"""

    operators = ("native_dropout_backward",)
    inputs = ("grad_output", "mask")
    saves = ("grad_output", "mask", "scale")

    def grad_grad_output(self, grad):
        return grad * (self.saved("mask") * self.saved("scale"))

    def grad_mask(self, grad):
        raise NotImplementedError("the derivative for 'native_dropout_backward: mask' is not implemented.")

"""Formulas of the operators that work element by element.

Retells its part of tools/autograd/derivatives.yaml.

In order: arithmetic; powers, exponentials, logarithms; angles; rounding; limits; choices; comparisons in place; values
that do not depend on the input.

Deviation: a number beside a tensor goes to the operator's Scalar form here (mul.Scalar), while upstream's Python face
makes a 0-d tensor of it and calls mul.Tensor. The node has upstream's name for what a reader writes: `x * 2` is a
MulBackward0. Where upstream keeps the two forms apart in Python as well (remainder, fmod, pow), there are two classes.
"""

import math

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd import functions_manual as manual
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- arithmetic


class AddBackward0(FormulaNode):
    """self + alpha * other"""

    operators = ("add.Tensor", "add_.Tensor", "add.Scalar", "add_.Scalar")
    inputs = ("self", "other")
    saves = ("alpha",)

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return manual.maybe_multiply(grad, self.saved("alpha"))


class SubBackward0(FormulaNode):
    """self - alpha * other"""

    operators = ("sub.Tensor", "sub_.Tensor", "sub.Scalar", "sub_.Scalar")
    inputs = ("self", "other")
    saves = ("alpha",)

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return manual.maybe_multiply(-grad, self.saved("alpha"))


class RsubBackward0(FormulaNode):
    """other - alpha * self"""

    operators = ("rsub.Tensor",)
    inputs = ("self", "other")
    saves = ("alpha",)

    def grad_self(self, grad):
        return manual.maybe_multiply(-grad, self.saved("alpha"))

    def grad_other(self, grad):
        return grad


class RsubBackward1(FormulaNode):
    """number - alpha * self"""

    operators = ("rsub.Scalar",)
    saves = ("alpha",)

    def grad_self(self, grad):
        return manual.maybe_multiply(-grad, self.saved("alpha"))


class MulBackward0(FormulaNode):
    """self * other"""

    operators = ("mul.Tensor", "mul_.Tensor", "mul.Scalar", "mul_.Scalar")
    inputs = ("self", "other")
    saves = ("self", "other")
    only_for = {"self": "other", "other": "self"}

    def grad_self(self, grad):
        return grad * self.saved("other")

    def grad_other(self, grad):
        return grad * self.saved("self")


class DivBackward0(FormulaNode):
    """self / other"""

    operators = ("div.Tensor", "div_.Tensor", "div.Scalar", "div_.Scalar")
    inputs = ("self", "other")
    saves = ("self", "other")
    only_for = {"self": "other"}

    def grad_self(self, grad):
        return manual.div_tensor_self_backward(grad, self.saved("other"))

    def grad_other(self, grad):
        return manual.div_tensor_other_backward(grad, self.saved("self"), self.saved("other"))


class DivBackward2(FormulaNode):
    """self / other, rounded"""

    operators = ("div.Tensor_mode", "div_.Tensor_mode", "div.Scalar_mode", "div_.Scalar_mode")
    inputs = ("self", "other")
    saves = ("self", "other", "rounding_mode")
    only_for = {"self": "other"}

    def grad_self(self, grad):
        return manual.div_tensor_self_backward(grad, self.saved("other"), self.saved("rounding_mode"))

    def grad_other(self, grad):
        self_, other = self.saved("self"), self.saved("other")
        return manual.div_tensor_other_backward(grad, self_, other, self.saved("rounding_mode"))


class RemainderBackward0(FormulaNode):
    """self - floor(self / number) * number"""

    operators = ("remainder.Scalar", "remainder_.Scalar")

    def grad_self(self, grad):
        return grad


class RemainderBackward1(FormulaNode):
    """self - floor(self / other) * other"""

    operators = ("remainder.Tensor", "remainder_.Tensor")
    inputs = ("self", "other")
    saves = ("self", "other")
    only_for = {"self": "other", "other": "other"}

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return -grad * self.saved("self").div(self.saved("other"), rounding_mode="floor")


class FmodBackward0(FormulaNode):
    """self - trunc(self / number) * number"""

    operators = ("fmod.Scalar", "fmod_.Scalar")

    def grad_self(self, grad):
        return grad


class FmodBackward1(FormulaNode):
    """self - trunc(self / other) * other"""

    operators = ("fmod.Tensor", "fmod_.Tensor")
    inputs = ("self", "other")
    saves = ("self", "other")
    only_for = {"self": "other", "other": "other"}

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return -grad * self.saved("self").div(self.saved("other"), rounding_mode="trunc")


class NegBackward0(FormulaNode):
    """-self"""

    operators = ("neg", "neg_")

    def grad_self(self, grad):
        return grad.neg()


class AbsBackward0(FormulaNode):
    """|self|"""

    operators = ("abs", "abs_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * self.saved("self").sgn()


class SgnBackward0(FormulaNode):
    """The sign of self."""

    operators = ("sgn", "sgn_")
    saves = ("self", "result")

    def grad_self(self, grad):
        return manual.sgn_backward(self.saved("self"), grad, self.saved("result"))


class ReciprocalBackward0(FormulaNode):
    """1 / self"""

    operators = ("reciprocal", "reciprocal_")
    saves = ("result",)

    def grad_self(self, grad):
        result = self.saved("result")
        return -grad * (result * result)


class AddcmulBackward0(FormulaNode):
    """self + value * tensor1 * tensor2"""

    operators = ("addcmul", "addcmul_")
    inputs = ("self", "tensor1", "tensor2")
    saves = ("tensor1", "tensor2", "value")
    only_for = {"tensor1": "tensor2", "tensor2": "tensor1"}

    def grad_self(self, grad):
        return grad

    def grad_tensor1(self, grad):
        return grad * (self.saved("tensor2") * self.saved("value"))

    def grad_tensor2(self, grad):
        return grad * (self.saved("tensor1") * self.saved("value"))


class AddcdivBackward0(FormulaNode):
    """self + value * tensor1 / tensor2"""

    operators = ("addcdiv", "addcdiv_")
    inputs = ("self", "tensor1", "tensor2")
    saves = ("tensor1", "tensor2", "value")
    only_for = {"tensor1": "tensor2"}

    def grad_self(self, grad):
        return grad

    def grad_tensor1(self, grad):
        return grad * manual.number_over(self.saved("value"), self.saved("tensor2"))

    def grad_tensor2(self, grad):
        tensor2 = self.saved("tensor2")
        return -grad * (self.saved("value") * self.saved("tensor1") / (tensor2 * tensor2))


class LerpBackward0(FormulaNode):
    """self + number * (end - self)"""

    operators = ("lerp.Scalar", "lerp_.Scalar")
    inputs = ("self", "end")
    saves = ("weight",)

    def grad_self(self, grad):
        return grad * (1 - self.saved("weight"))

    def grad_end(self, grad):
        return grad * self.saved("weight")


class LerpBackward1(FormulaNode):
    """self + weight * (end - self)"""

    operators = ("lerp.Tensor", "lerp_.Tensor")
    inputs = ("self", "end", "weight")
    saves = ("self", "end", "weight")
    only_for = {"self": "weight", "end": "weight"}

    def grad_self(self, grad):
        return grad * manual.number_minus(1, self.saved("weight"))

    def grad_end(self, grad):
        return grad * self.saved("weight")

    def grad_weight(self, grad):
        return grad * (self.saved("end") - self.saved("self"))


# -- powers, exponentials, logarithms


class PowBackward0(FormulaNode):
    """self ** number"""

    operators = ("pow.Tensor_Scalar", "pow_.Scalar")
    saves = ("self", "exponent")

    def grad_self(self, grad):
        return manual.pow_backward(grad, self.saved("self"), self.saved("exponent"))


class PowBackward1(FormulaNode):
    """self ** exponent"""

    operators = ("pow.Tensor_Tensor", "pow_.Tensor")
    inputs = ("self", "exponent")
    saves = ("self", "exponent", "result")
    only_for = {"result": "exponent"}

    def grad_self(self, grad):
        return manual.pow_backward_self(grad, self.saved("self"), self.saved("exponent"))

    def grad_exponent(self, grad):
        return manual.pow_backward_exponent(grad, self.saved("self"), self.saved("exponent"), self.saved("result"))


class PowBackward2(FormulaNode):
    """number ** exponent"""

    operators = ("pow.Scalar",)
    inputs = ("exponent",)
    saves = ("self", "exponent", "result")

    def grad_exponent(self, grad):
        base, exponent = self.saved("self"), self.saved("exponent")
        return manual.pow_backward_exponent_of_number(grad, base, exponent, self.saved("result"))


class SqrtBackward0(FormulaNode):
    """The square root."""

    operators = ("sqrt", "sqrt_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad / (2 * self.saved("result"))


class RsqrtBackward0(FormulaNode):
    """1 / sqrt(self)"""

    operators = ("rsqrt", "rsqrt_")
    saves = ("result",)

    def grad_self(self, grad):
        return -0.5 * grad * self.saved("result").pow(3)


class HypotBackward0(FormulaNode):
    """sqrt(self**2 + other**2)"""

    operators = ("hypot", "hypot_")
    inputs = ("self", "other")
    saves = ("self", "other", "result")
    only_for = {"self": "self", "other": "other"}

    def grad_self(self, grad):
        return grad * self.saved("self") / self.saved("result")

    def grad_other(self, grad):
        return grad * self.saved("other") / self.saved("result")


class ExpBackward0(FormulaNode):
    """exp(self)"""

    operators = ("exp", "exp_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad * self.saved("result")


class Exp2Backward0(FormulaNode):
    """2 ** self"""

    operators = ("exp2", "exp2_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad * self.saved("result") * math.log(2)


class Expm1Backward0(FormulaNode):
    """exp(self) - 1"""

    operators = ("expm1", "expm1_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad * (self.saved("result") + 1)


class LogBackward0(FormulaNode):
    """log(self)"""

    operators = ("log", "log_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad.div(self.saved("self"))


class Log2Backward0(FormulaNode):
    """The logarithm to base 2."""

    operators = ("log2", "log2_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad / (self.saved("self") * math.log(2))


class Log10Backward0(FormulaNode):
    """The logarithm to base 10."""

    operators = ("log10", "log10_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad / (self.saved("self") * math.log(10))


class Log1PBackward0(FormulaNode):
    """log(1 + self)"""

    operators = ("log1p", "log1p_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad / (self.saved("self") + 1)


class XlogyBackward0(FormulaNode):
    """self * log(other), and 0 where self is 0"""

    operators = ("xlogy.Tensor", "xlogy_.Tensor")
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        self_, other = self.saved("self"), self.saved("other")
        return ops.xlogy(grad, other).masked_fill((self_ == 0.0).bitwise_and(other <= 0.0), 0.0)

    def grad_other(self, grad):
        return grad * self.saved("self") / self.saved("other")


class SigmoidBackward0(FormulaNode):
    """1 / (1 + exp(-self))"""

    operators = ("sigmoid", "sigmoid_")
    saves = ("result",)

    def grad_self(self, grad):
        return ops.sigmoid_backward(grad, self.saved("result"))


class SigmoidBackwardBackward0(FormulaNode):
    """grad_output * (1 - output) * output"""

    operators = ("sigmoid_backward",)
    inputs = ("grad_output", "output")
    saves = ("grad_output", "output")
    only_for = {"grad_output": "output"}

    def grad_grad_output(self, grad):
        return ops.sigmoid_backward(grad, self.saved("output"))

    def grad_output(self, grad):
        return grad * self.saved("grad_output") * (-2 * self.saved("output") + 1)


class ErfBackward0(FormulaNode):
    """The error function."""

    operators = ("erf", "erf_")
    saves = ("self",)

    def grad_self(self, grad):
        return 2.0 / math.sqrt(math.pi) * (-self.saved("self").pow(2)).exp() * grad


class ErfcBackward0(FormulaNode):
    """1 - erf(self)"""

    operators = ("erfc", "erfc_")
    saves = ("self",)

    def grad_self(self, grad):
        return -2.0 / math.sqrt(math.pi) * (-self.saved("self").pow(2)).exp() * grad


# -- angles


class SinBackward0(FormulaNode):
    """sin(self)"""

    operators = ("sin", "sin_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * self.saved("self").cos()


class CosBackward0(FormulaNode):
    """cos(self)"""

    operators = ("cos", "cos_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * -self.saved("self").sin()


class TanBackward0(FormulaNode):
    """tan(self)"""

    operators = ("tan", "tan_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad * (1 + self.saved("result").pow(2))


class AsinBackward0(FormulaNode):
    """The angle whose sine is self."""

    operators = ("asin", "asin_")
    saves = ("self",)

    def grad_self(self, grad):
        self_ = self.saved("self")
        return grad * (-self_ * self_ + 1).rsqrt()


class AcosBackward0(FormulaNode):
    """The angle whose cosine is self."""

    operators = ("acos", "acos_")
    saves = ("self",)

    def grad_self(self, grad):
        self_ = self.saved("self")
        return grad * -((-self_ * self_ + 1).rsqrt())


class AtanBackward0(FormulaNode):
    """The angle whose tangent is self."""

    operators = ("atan", "atan_")
    saves = ("self",)

    def grad_self(self, grad):
        self_ = self.saved("self")
        return grad / (self_ * self_ + 1)


class Atan2Backward0(FormulaNode):
    """The angle of the point (other, self)."""

    operators = ("atan2", "atan2_")
    inputs = ("self", "other")
    saves = ("self", "other")

    def apply(self, grad):
        if grad is None:
            return [None, None]
        wanted = [self.should_compute_output(0), self.should_compute_output(1)]
        return manual.atan2_backward(grad, self.saved("self"), self.saved("other"), wanted)


class SinhBackward0(FormulaNode):
    """sinh(self)"""

    operators = ("sinh", "sinh_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * self.saved("self").cosh()


class CoshBackward0(FormulaNode):
    """cosh(self)"""

    operators = ("cosh", "cosh_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * self.saved("self").sinh()


class TanhBackward0(FormulaNode):
    """tanh(self)"""

    operators = ("tanh", "tanh_")
    saves = ("result",)

    def grad_self(self, grad):
        return ops.tanh_backward(grad, self.saved("result"))


class TanhBackwardBackward0(FormulaNode):
    """grad_output * (1 - output**2)"""

    operators = ("tanh_backward",)
    inputs = ("grad_output", "output")
    saves = ("grad_output", "output")
    only_for = {"grad_output": "output"}

    def grad_grad_output(self, grad):
        return ops.tanh_backward(grad, self.saved("output"))

    def grad_output(self, grad):
        return grad * (-2 * self.saved("output") * self.saved("grad_output"))


# -- rounding: steps have no slope


class ConstantNode(FormulaNode):
    """A result that does not change with the input: the gradient is 0."""

    def grad_self(self, grad):
        return ops.zeros_like(grad)


class SignBackward0(ConstantNode):
    """-1, 0 or 1"""

    operators = ("sign", "sign_")


class FloorBackward0(ConstantNode):
    """Down."""

    operators = ("floor", "floor_")


class CeilBackward0(ConstantNode):
    """Up."""

    operators = ("ceil", "ceil_")


class TruncBackward0(ConstantNode):
    """Towards 0."""

    operators = ("trunc", "trunc_")


class RoundBackward0(ConstantNode):
    """To the nearest integer."""

    operators = ("round", "round_")


class RoundBackward1(ConstantNode):
    """To so many decimals."""

    operators = ("round.decimals", "round_.decimals")


class FracBackward0(FormulaNode):
    """self - trunc(self)"""

    operators = ("frac", "frac_")

    def grad_self(self, grad):
        return grad


class NanToNumBackward0(FormulaNode):
    """NaN and infinities replaced."""

    operators = ("nan_to_num", "nan_to_num_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad * self.saved("self").isfinite()


# -- limits


class MaximumBackward0(FormulaNode):
    """The greater of two; equal ones share the gradient."""

    operators = ("maximum",)
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return self._share(grad).masked_fill_(self.saved("self") < self.saved("other"), 0)

    def grad_other(self, grad):
        return self._share(grad).masked_fill_(self.saved("self") > self.saved("other"), 0)

    def _share(self, grad):
        return ops.where(self.saved("self") == self.saved("other"), grad / 2, grad)


class MinimumBackward0(FormulaNode):
    """The smaller of two; equal ones share the gradient."""

    operators = ("minimum",)
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return self._share(grad).masked_fill_(self.saved("self") > self.saved("other"), 0)

    def grad_other(self, grad):
        return self._share(grad).masked_fill_(self.saved("self") < self.saved("other"), 0)

    def _share(self, grad):
        return ops.where(self.saved("self") == self.saved("other"), grad / 2, grad)


class FmaxBackward0(FormulaNode):
    """The greater of two, NaN being less than all; of equal ones the first has the gradient."""

    operators = ("fmax",)
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return grad.masked_fill(self._is_self().logical_not_(), 0)

    def grad_other(self, grad):
        return grad.masked_fill(self._is_self(), 0)

    def _is_self(self):
        other = self.saved("other")
        return (self.saved("self") >= other).logical_or_(other.isnan())


class FminBackward0(FormulaNode):
    """The smaller of two, NaN being greater than all; of equal ones the first has the gradient."""

    operators = ("fmin",)
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return grad.masked_fill(self._is_self().logical_not_(), 0)

    def grad_other(self, grad):
        return grad.masked_fill(self._is_self(), 0)

    def _is_self(self):
        other = self.saved("other")
        return (self.saved("self") <= other).logical_or_(other.isnan())


class ClampBackward0(FormulaNode):
    """Kept within limits that are tensors."""

    operators = ("clamp.Tensor", "clamp_.Tensor")
    inputs = ("self", "min", "max")
    saves = ("self", "min", "max")

    def apply(self, grad):
        if grad is None:
            return [None, None, None]
        self_, minimum, maximum = self.saved("self"), self.saved("min"), self.saved("max")
        result = None
        if self.should_compute_output(0):
            result = manual.clamp_backward(grad, self_, minimum, maximum)
        wanted = [self.should_compute_output(1), self.should_compute_output(2)]
        return [result, *manual.clamp_backward_min_max(grad, self_, minimum, maximum, wanted)]


class ClampBackward1(FormulaNode):
    """Kept within limits that are numbers."""

    operators = ("clamp", "clamp_")
    saves = ("self", "min", "max")

    def grad_self(self, grad):
        return manual.clamp_backward(grad, self.saved("self"), self.saved("min"), self.saved("max"))


class ClampMinBackward0(FormulaNode):
    """No less than a number."""

    operators = ("clamp_min", "clamp_min_")
    saves = ("self", "min")

    def grad_self(self, grad):
        return manual.clamp_backward(grad, self.saved("self"), self.saved("min"), None)


class ClampMinBackward1(FormulaNode):
    """No less than another tensor."""

    operators = ("clamp_min.Tensor", "clamp_min_.Tensor")
    inputs = ("self", "min")
    saves = ("self", "min")

    def grad_self(self, grad):
        return manual.clamp_backward(grad, self.saved("self"), self.saved("min"), None)

    def grad_min(self, grad):
        return manual.clamp_backward_min_max(grad, self.saved("self"), self.saved("min"), None, [True, False])[0]


class ClampMaxBackward0(FormulaNode):
    """No more than a number."""

    operators = ("clamp_max", "clamp_max_")
    saves = ("self", "max")

    def grad_self(self, grad):
        return manual.clamp_backward(grad, self.saved("self"), None, self.saved("max"))


class ClampMaxBackward1(FormulaNode):
    """No more than another tensor."""

    operators = ("clamp_max.Tensor", "clamp_max_.Tensor")
    inputs = ("self", "max")
    saves = ("self", "max")

    def grad_self(self, grad):
        return manual.clamp_backward(grad, self.saved("self"), None, self.saved("max"))

    def grad_max(self, grad):
        return manual.clamp_backward_min_max(grad, self.saved("self"), None, self.saved("max"), [False, True])[1]


# -- choices


class WhereBackward0(FormulaNode):
    """self where the condition holds, other elsewhere"""

    operators = ("where.self",)
    inputs = ("self", "other")
    saves = ("condition",)

    def grad_self(self, grad):
        return ops.where(self.saved("condition"), grad, 0)

    def grad_other(self, grad):
        return ops.where(self.saved("condition"), 0, grad)


# -- comparisons in place: the result is 0 or 1, whatever the input


class ComparisonWithNumberNode(FormulaNode):
    """self and a number."""

    saves = ("self_info",)

    def grad_self(self, grad):
        return manual.zeros_like_info(self.saved("self_info"))


class ComparisonNode(ComparisonWithNumberNode):
    """self and another tensor."""

    inputs = ("self", "other")
    saves = ("self_info", "other_info")
    only_for = {"other_info": "other"}

    def grad_other(self, grad):
        return manual.zeros_like_info(self.saved("other_info"))


class EqBackward0(ComparisonWithNumberNode):
    """self == number"""

    operators = ("eq_.Scalar",)


class EqBackward1(ComparisonNode):
    """self == other"""

    operators = ("eq_.Tensor",)


class NeBackward0(ComparisonWithNumberNode):
    """self != number"""

    operators = ("ne_.Scalar",)


class NeBackward1(ComparisonNode):
    """self != other"""

    operators = ("ne_.Tensor",)


class LtBackward0(ComparisonWithNumberNode):
    """self < number"""

    operators = ("lt_.Scalar",)


class LtBackward1(ComparisonNode):
    """self < other"""

    operators = ("lt_.Tensor",)


class LeBackward0(ComparisonWithNumberNode):
    """self <= number"""

    operators = ("le_.Scalar",)


class LeBackward1(ComparisonNode):
    """self <= other"""

    operators = ("le_.Tensor",)


class GtBackward0(ComparisonWithNumberNode):
    """self > number"""

    operators = ("gt_.Scalar",)


class GtBackward1(ComparisonNode):
    """self > other"""

    operators = ("gt_.Tensor",)


class GeBackward0(ComparisonWithNumberNode):
    """self >= number"""

    operators = ("ge_.Scalar",)


class GeBackward1(ComparisonNode):
    """self >= other"""

    operators = ("ge_.Tensor",)


# -- values that do not depend on the input


class ZeroBackward0(ConstantNode):
    """0"""

    operators = ("zero_",)


class FillBackward0(ConstantNode):
    """A number, in a new tensor."""

    operators = ("fill.Scalar",)


class FillBackward1(ConstantNode):
    """Another tensor's number, in a new tensor."""

    operators = ("fill.Tensor",)
    inputs = ("self", "value")

    def grad_value(self, grad):
        return grad.sum()


class FillBackward2(ConstantNode):
    """A number."""

    operators = ("fill_.Scalar",)


class FillBackward3(ConstantNode):
    """Another tensor's number."""

    operators = ("fill_.Tensor",)
    inputs = ("self", "value")

    def grad_value(self, grad):
        return grad.sum()


class RandomBackward0(ConstantNode):
    """Integers drawn from a range."""

    operators = ("random_.from",)


class RandomBackward1(ConstantNode):
    """Integers drawn below a limit."""

    operators = ("random_.to",)


class RandomBackward2(ConstantNode):
    """Integers drawn."""

    operators = ("random_",)


class UniformBackward0(ConstantNode):
    """Drawn between two numbers."""

    operators = ("uniform_",)


class ExponentialBackward0(ConstantNode):
    """Drawn from an exponential distribution."""

    operators = ("exponential_",)


class NormalBackward0(ConstantNode):
    """Drawn from a normal distribution."""

    operators = ("normal_",)


class NormalOfTensorsNode(FormulaNode):
    """Drawn from normal distributions; upstream does not differentiate the draw."""

    def grad_mean(self, grad):
        return ops.zeros(self.saved("mean_sym_sizes"), dtype=grad.dtype, device=grad.device)

    def grad_std(self, grad):
        return ops.zeros(self.saved("std_sym_sizes"), dtype=grad.dtype, device=grad.device)


class NormalBackward1(NormalOfTensorsNode):
    """A mean for each element."""

    operators = ("normal.Tensor_float",)
    inputs = ("mean",)
    saves = ("mean_sym_sizes",)


class NormalBackward2(NormalOfTensorsNode):
    """A standard deviation for each element."""

    operators = ("normal.float_Tensor",)
    inputs = ("std",)
    saves = ("std_sym_sizes",)


class NormalBackward3(NormalOfTensorsNode):
    """Both for each element."""

    operators = ("normal.Tensor_Tensor",)
    inputs = ("mean", "std")
    saves = ("mean_sym_sizes", "std_sym_sizes")


class BernoulliBackward0(ConstantNode):
    """0 or 1, drawn with the input as probability."""

    operators = ("bernoulli",)


class BernoulliBackward1(ConstantNode):
    """0 or 1, drawn with a probability for each element."""

    operators = ("bernoulli_.Tensor",)
    inputs = ("self", "p")
    saves = ("p_info",)

    def grad_p(self, grad):
        return manual.zeros_like_info(self.saved("p_info"))


class BernoulliBackward2(ConstantNode):
    """0 or 1, drawn with one probability."""

    operators = ("bernoulli_.float",)

"""Formulas of the operators that work element by element."""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- arithmetic


class AddBackward0(FormulaNode):
    """self + alpha * other"""

    operators = ("add.Tensor", "add_.Tensor")
    inputs = ("self", "other")
    saves = ("alpha",)

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return _times(grad, self.saved("alpha"))


class AddBackward1(FormulaNode):
    """self + alpha * number"""

    operators = ("add.Scalar", "add_.Scalar")

    def grad_self(self, grad):
        return grad


class SubBackward0(FormulaNode):
    """self - alpha * other"""

    operators = ("sub.Tensor", "sub_.Tensor")
    inputs = ("self", "other")
    saves = ("alpha",)

    def grad_self(self, grad):
        return grad

    def grad_other(self, grad):
        return _times(-grad, self.saved("alpha"))


class MulBackward0(FormulaNode):
    """self * other"""

    operators = ("mul.Tensor", "mul_.Tensor")
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return grad * self.saved("other")

    def grad_other(self, grad):
        return grad * self.saved("self")


class MulBackward1(FormulaNode):
    """self * number"""

    operators = ("mul.Scalar", "mul_.Scalar")
    saves = ("other",)

    def grad_self(self, grad):
        return grad * self.saved("other")


class DivBackward0(FormulaNode):
    """self / other"""

    operators = ("div.Tensor", "div_.Tensor")
    inputs = ("self", "other")
    saves = ("self", "other")

    def grad_self(self, grad):
        return grad / self.saved("other")

    def grad_other(self, grad):
        other = self.saved("other")
        return -grad * ((self.saved("self") / other) / other)


class NegBackward0(FormulaNode):
    """-self"""

    operators = ("neg", "neg_")

    def grad_self(self, grad):
        return -grad


# -- powers, exponentials, logarithms


class PowBackward0(FormulaNode):
    """self ** number"""

    operators = ("pow.Tensor_Scalar", "pow_.Scalar")
    saves = ("self", "exponent")

    def grad_self(self, grad):
        exponent = self.saved("exponent")
        if exponent == 0:
            return ops.zeros_like(grad)
        return grad * (exponent * self.saved("self").pow(exponent - 1))


class ExpBackward0(FormulaNode):
    """exp(self)"""

    operators = ("exp", "exp_")
    saves = ("result",)

    def grad_self(self, grad):
        return grad * self.saved("result")


class LogBackward0(FormulaNode):
    """log(self)"""

    operators = ("log", "log_")
    saves = ("self",)

    def grad_self(self, grad):
        return grad / self.saved("self")


def _times(grad, alpha):
    return grad if alpha == 1 else grad * alpha

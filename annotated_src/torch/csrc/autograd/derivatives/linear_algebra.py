"""Formulas of the operators that multiply matrices and vectors.

Retells its part of tools/autograd/derivatives.yaml.

For C = A @ B with the gradient G of C: A gets G @ B.T, B gets A.T @ G; shapes leave no other way.
"""

from annotated_src.torch.csrc.autograd import functions_manual as manual
from annotated_src.torch.csrc.autograd.formula import FormulaNode


class MmBackward0(FormulaNode):
    """self @ mat2"""

    operators = ("mm",)
    inputs = ("self", "mat2")
    saves = ("self", "self_sym_sizes", "self_sym_strides", "mat2", "mat2_sym_sizes", "mat2_sym_strides")
    only_for = {
        "self": "mat2", "mat2_sym_sizes": "mat2", "mat2_sym_strides": "mat2",
        "mat2": "self", "self_sym_sizes": "self", "self_sym_strides": "self",
    }  # fmt: skip

    def grad_self(self, grad):
        sizes, strides = self.saved("self_sym_sizes"), self.saved("self_sym_strides")
        return manual.mm_mat1_backward(grad, self.saved("mat2"), sizes, strides, 1)

    def grad_mat2(self, grad):
        sizes, strides = self.saved("mat2_sym_sizes"), self.saved("mat2_sym_strides")
        return manual.mm_mat2_backward(grad, self.saved("self"), sizes, strides, 1)


class AddmmBackward0(FormulaNode):
    """beta * self + alpha * mat1 @ mat2"""

    operators = ("addmm", "addmm_")
    inputs = ("self", "mat1", "mat2")
    saves = (
        "mat1", "mat1_sym_sizes", "mat1_sym_strides", "mat2", "mat2_sym_sizes", "mat2_sym_strides", "alpha", "beta",
    )  # fmt: skip
    only_for = {
        "mat1": "mat2", "mat2_sym_sizes": "mat2", "mat2_sym_strides": "mat2",
        "mat2": "mat1", "mat1_sym_sizes": "mat1", "mat1_sym_strides": "mat1",
    }  # fmt: skip

    def grad_self(self, grad):
        return manual.maybe_multiply(grad, self.saved("beta"))

    def grad_mat1(self, grad):
        sizes, strides = self.saved("mat1_sym_sizes"), self.saved("mat1_sym_strides")
        return manual.mm_mat1_backward(grad, self.saved("mat2"), sizes, strides, self.saved("alpha"))

    def grad_mat2(self, grad):
        sizes, strides = self.saved("mat2_sym_sizes"), self.saved("mat2_sym_strides")
        return manual.mm_mat2_backward(grad, self.saved("mat1"), sizes, strides, self.saved("alpha"))


class BmmBackward0(FormulaNode):
    """self @ mat2, for each of a batch"""

    operators = ("bmm",)
    inputs = ("self", "mat2")
    saves = ("self", "mat2")
    only_for = {"self": "mat2", "mat2": "self"}

    def grad_self(self, grad):
        return grad.bmm(self.saved("mat2").transpose(1, 2))

    def grad_mat2(self, grad):
        return self.saved("self").transpose(1, 2).bmm(grad)


class BaddbmmBackward0(FormulaNode):
    """beta * self + alpha * batch1 @ batch2, for each of a batch"""

    operators = ("baddbmm", "baddbmm_")
    inputs = ("self", "batch1", "batch2")
    saves = ("batch1", "batch2", "alpha", "beta")
    only_for = {"batch1": "batch2", "batch2": "batch1"}

    def grad_self(self, grad):
        return manual.maybe_multiply(grad, self.saved("beta"))

    def grad_batch1(self, grad):
        return manual.maybe_multiply(grad.bmm(self.saved("batch2").transpose(1, 2)), self.saved("alpha"))

    def grad_batch2(self, grad):
        return manual.maybe_multiply(self.saved("batch1").transpose(1, 2).bmm(grad), self.saved("alpha"))


class MvBackward0(FormulaNode):
    """self @ vec"""

    operators = ("mv",)
    inputs = ("self", "vec")
    saves = ("self", "vec")
    only_for = {"self": "vec", "vec": "self"}

    def grad_self(self, grad):
        return grad.ger(self.saved("vec"))

    def grad_vec(self, grad):
        return self.saved("self").t().mv(grad)


class AddmvBackward0(FormulaNode):
    """beta * self + alpha * mat @ vec"""

    operators = ("addmv", "addmv_")
    inputs = ("self", "mat", "vec")
    saves = ("mat", "vec", "alpha", "beta")
    only_for = {"mat": "vec", "vec": "mat"}

    def grad_self(self, grad):
        return manual.maybe_multiply(grad, self.saved("beta"))

    def grad_mat(self, grad):
        return manual.maybe_multiply(grad.ger(self.saved("vec")), self.saved("alpha"))

    def grad_vec(self, grad):
        return manual.maybe_multiply(self.saved("mat").t().mv(grad), self.saved("alpha"))


class DotBackward0(FormulaNode):
    """sum(self * tensor)"""

    operators = ("dot",)
    inputs = ("self", "tensor")
    saves = ("self", "tensor")
    only_for = {"self": "tensor", "tensor": "self"}

    def grad_self(self, grad):
        return grad * self.saved("tensor")

    def grad_tensor(self, grad):
        return grad * self.saved("self")


class VdotBackward0(FormulaNode):
    """sum(self * other)"""

    operators = ("vdot",)
    inputs = ("self", "other")
    saves = ("self", "other")
    only_for = {"self": "other", "other": "self"}

    def grad_self(self, grad):
        return grad * self.saved("other")

    def grad_other(self, grad):
        return grad * self.saved("self")

"""Formulas of the operators that fold dimensions into one value, or run along them.

Retells its part of tools/autograd/derivatives.yaml.

In order: sums and products; variance; the largest, the smallest, the middle; norms; softmax; running sums.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd import functions_manual as manual
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- sums and products


class SumBackward0(FormulaNode):
    """The sum of all elements."""

    operators = ("sum",)
    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return ops.expand(grad, self.saved("self_sym_sizes"))


class SumBackward1(FormulaNode):
    """The sum over some dimensions."""

    operators = ("sum.dim_IntList",)
    saves = ("self_sym_sizes", "dim", "keepdim")
    lists = ("dim",)

    def grad_self(self, grad):
        return manual.sum_backward(grad, self.saved("self_sym_sizes"), self.saved("dim"), self.saved("keepdim"))


class MeanBackward0(FormulaNode):
    """The mean of all elements."""

    operators = ("mean",)
    saves = ("self_sym_sizes", "self_sym_numel")

    def grad_self(self, grad):
        return ops.expand(grad, self.saved("self_sym_sizes")) / self.saved("self_sym_numel")


class MeanBackward1(FormulaNode):
    """The mean over some dimensions."""

    operators = ("mean.dim",)
    saves = ("self_sym_sizes", "self_sym_numel", "dim", "keepdim")
    lists = ("dim",)

    def grad_self(self, grad):
        sizes, numel = self.saved("self_sym_sizes"), self.saved("self_sym_numel")
        return manual.mean_backward(grad, sizes, self.saved("dim"), numel, self.saved("keepdim"))


class NansumBackward0(FormulaNode):
    """The sum of what is not NaN."""

    operators = ("nansum",)
    saves = ("self", "dim", "keepdim")
    lists = ("dim",)

    def grad_self(self, grad):
        self_ = self.saved("self")
        return manual.nansum_backward(grad.to(self_.dtype), self_, self.saved("dim"), self.saved("keepdim"))


class ProdBackward0(FormulaNode):
    """The product of all elements."""

    operators = ("prod",)
    saves = ("self", "result")

    def grad_self(self, grad):
        return manual.prod_backward(grad, self.saved("self").to(grad.dtype), self.saved("result"))


class ProdBackward1(FormulaNode):
    """The product over one dimension."""

    operators = ("prod.dim_int",)
    saves = ("self", "dim", "keepdim", "result")

    def grad_self(self, grad):
        self_ = self.saved("self").to(grad.dtype)
        return manual.prod_backward_dim(grad, self_, self.saved("result"), self.saved("dim"), self.saved("keepdim"))


class LogsumexpBackward0(FormulaNode):
    """log(sum(exp(self)))"""

    operators = ("logsumexp",)
    saves = ("self", "dim", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        self_, result = self.saved("self"), self.saved("result")
        return manual.logsumexp_backward(grad, self_, result, self.saved("dim"), self.saved("keepdim"))


# -- variance


class VarBackward0(FormulaNode):
    """The variance."""

    operators = ("var.correction",)
    saves = ("self", "dim", "correction", "keepdim")
    lists = ("dim",)

    def grad_self(self, grad):
        dim, correction = self.saved("dim"), self.saved("correction")
        return manual.var_backward(grad, self.saved("self"), dim, correction, self.saved("keepdim"))


class StdBackward0(FormulaNode):
    """The standard deviation."""

    operators = ("std.correction",)
    saves = ("self", "dim", "correction", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        dim, correction, result = self.saved("dim"), self.saved("correction"), self.saved("result")
        return manual.std_backward(result, grad, self.saved("self"), dim, correction, self.saved("keepdim"))


class VarMeanBackward0(FormulaNode):
    """Variance and mean."""

    operators = ("var_mean.correction",)
    outputs = ("result0", "result1")
    saves = ("self", "dim", "correction", "keepdim")
    lists = ("dim",)

    def grad_self(self, grad_var, grad_mean):
        self_, dim, keepdim = self.saved("self"), self.saved("dim"), self.saved("keepdim")
        result = None
        if grad_var is not None:
            result = manual.var_backward(grad_var, self_, dim, self.saved("correction"), keepdim)
        return manual.with_mean_backward(result, grad_mean, self_, dim, keepdim)


class StdMeanBackward0(FormulaNode):
    """Standard deviation and mean."""

    operators = ("std_mean.correction",)
    outputs = ("result0", "result1")
    saves = ("self", "dim", "correction", "keepdim", "result0")
    lists = ("dim",)

    def grad_self(self, grad_std, grad_mean):
        self_, dim, keepdim = self.saved("self"), self.saved("dim"), self.saved("keepdim")
        result = None
        if grad_std is not None:
            correction = self.saved("correction")
            result = manual.std_backward(self.saved("result0"), grad_std, self_, dim, correction, keepdim)
        return manual.with_mean_backward(result, grad_mean, self_, dim, keepdim)


# -- the largest, the smallest, the middle


class EvenlyDistributedNode(FormulaNode):
    """One value of all elements: those that equal it share the gradient."""

    saves = ("self", "result")

    def grad_self(self, grad):
        return manual.evenly_distribute_backward(grad, self.saved("self"), self.saved("result"))


class MaxBackward1(EvenlyDistributedNode):
    """The largest of all."""

    operators = ("max",)


class MinBackward1(EvenlyDistributedNode):
    """The smallest of all."""

    operators = ("min",)


class MedianBackward0(EvenlyDistributedNode):
    """The middle one of all."""

    operators = ("median",)


class NanmedianBackward0(EvenlyDistributedNode):
    """The middle one of those that are not NaN."""

    operators = ("nanmedian",)


class SelectedNode(FormulaNode):
    """One element along a dimension, and where it was: the gradient goes there."""

    outputs = ("values", "indices")
    saves = ("self_sym_sizes", "dim", "keepdim", "indices")

    def grad_self(self, grad, grad_indices=None):
        sizes, dim = self.saved("self_sym_sizes"), self.saved("dim")
        return ops.value_selecting_reduction_backward(
            grad, dim, self.saved("indices"), sizes, self.saved("keepdim")
        )  # fmt: skip


class MaxBackward0(SelectedNode):
    """The largest along a dimension."""

    operators = ("max.dim",)


class MinBackward0(SelectedNode):
    """The smallest along a dimension."""

    operators = ("min.dim",)


class MedianBackward1(SelectedNode):
    """The middle one along a dimension."""

    operators = ("median.dim",)


class NanmedianBackward1(SelectedNode):
    """The middle one of those along a dimension that are not NaN."""

    operators = ("nanmedian.dim",)


class ModeBackward0(SelectedNode):
    """The most frequent one along a dimension."""

    operators = ("mode",)


class KthvalueBackward0(SelectedNode):
    """The k-th smallest along a dimension."""

    operators = ("kthvalue",)


class AmaxBackward0(FormulaNode):
    """The largest over some dimensions; equal ones share the gradient."""

    operators = ("amax",)
    saves = ("self", "dim", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        self_, result = self.saved("self"), self.saved("result")
        return manual.amax_backward(grad, self_, result, self.saved("dim"), self.saved("keepdim"))


class AminBackward0(FormulaNode):
    """The smallest over some dimensions; equal ones share the gradient."""

    operators = ("amin",)
    saves = ("self", "dim", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        self_, result = self.saved("self"), self.saved("result")
        return manual.amax_backward(grad, self_, result, self.saved("dim"), self.saved("keepdim"))


class AminmaxBackward0(FormulaNode):
    """The smallest and the largest."""

    operators = ("aminmax",)
    outputs = ("min", "max")
    saves = ("self", "dim", "keepdim", "min", "max")

    def grad_self(self, grad_min, grad_max):
        self_, dim, keepdim = self.saved("self"), self.saved("dim"), self.saved("keepdim")
        return manual.aminmax_backward(self_, dim, keepdim, grad_min, grad_max, self.saved("min"), self.saved("max"))


# -- norms


class NormBackward0(FormulaNode):
    """sum(|self| ** p) ** (1 / p)"""

    operators = ("norm.Scalar",)
    saves = ("self", "p", "result")

    def grad_self(self, grad):
        return manual.norm_backward(grad, self.saved("self"), self.saved("p"), self.saved("result"), [], True)


class NormBackward1(FormulaNode):
    """The same over some dimensions."""

    operators = ("norm.ScalarOpt_dim",)
    saves = ("self", "p", "dim", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        p = 2 if self.saved("p") is None else self.saved("p")
        dim, keepdim = self.saved("dim"), self.saved("keepdim")
        return manual.norm_backward(grad, self.saved("self"), p, self.saved("result"), dim, keepdim)


class LinalgVectorNormBackward0(FormulaNode):
    """sum(|self| ** ord) ** (1 / ord)"""

    operators = ("linalg_vector_norm",)
    saves = ("self", "ord", "dim", "keepdim", "result")
    lists = ("dim",)

    def grad_self(self, grad):
        self_, result = self.saved("self"), self.saved("result")
        dim, keepdim = self.saved("dim"), self.saved("keepdim")
        return manual.norm_backward(grad, self_, self.saved("ord"), result, dim, keepdim)


# -- softmax


class SoftmaxBackward0(FormulaNode):
    """exp(self) / sum(exp(self))"""

    operators = ("_softmax",)
    saves = ("dim", "self_dtype", "result")

    def grad_self(self, grad):
        return ops._softmax_backward_data(grad, self.saved("result"), self.saved("dim"), self.saved("self_dtype"))


class SoftmaxBackwardDataBackward0(FormulaNode):
    """(grad_output - sum(grad_output * output)) * output"""

    operators = ("_softmax_backward_data",)
    inputs = ("grad_output", "output")
    saves = ("grad_output", "output", "dim", "input_dtype")
    only_for = {"grad_output": "output"}

    def grad_grad_output(self, grad):
        output = self.saved("output")
        return ops._softmax_backward_data(grad.to(output.dtype), output, self.saved("dim"), self.saved("input_dtype"))

    def grad_output(self, grad):
        output = self.saved("output")
        grad_output = self.saved("grad_output")
        grad = grad.to(output.dtype)
        return manual.softmax_double_backward(grad, grad_output, self.saved("dim"), output).to(output.dtype)


class LogSoftmaxBackward0(FormulaNode):
    """self - log(sum(exp(self)))"""

    operators = ("_log_softmax",)
    saves = ("dim", "self_dtype", "result")

    def grad_self(self, grad):
        return ops._log_softmax_backward_data(grad, self.saved("result"), self.saved("dim"), self.saved("self_dtype"))


class LogSoftmaxBackwardDataBackward0(FormulaNode):
    """grad_output - exp(output) * sum(grad_output)"""

    operators = ("_log_softmax_backward_data",)
    inputs = ("grad_output", "output")
    saves = ("grad_output", "output", "dim")
    only_for = {"grad_output": "output"}

    def grad_grad_output(self, grad):
        output = self.saved("output")
        grad = grad.to(output.dtype)
        return grad - (grad * output.exp()).sum(self.saved("dim"), True)

    def grad_output(self, grad):
        output = self.saved("output")
        total = self.saved("grad_output").sum(self.saved("dim"), True)
        return (-total * output.exp() * grad.to(output.dtype)).to(output.dtype)


# -- running sums and products


class CumsumBackward0(FormulaNode):
    """Each element's result is the sum up to it."""

    operators = ("cumsum", "cumsum_")
    saves = ("dim", "self_dtype")

    def grad_self(self, grad):
        return manual.cumsum_backward(grad.to(self.saved("self_dtype")), self.saved("dim"))


class CumprodBackward0(FormulaNode):
    """Each element's result is the product up to it."""

    operators = ("cumprod", "cumprod_")
    saves = ("self", "dim", "self_dtype", "result")

    def grad_self(self, grad):
        grad = grad.to(self.saved("self_dtype"))
        return ops.cumprod_backward(grad, self.saved("self"), self.saved("dim"), self.saved("result"))

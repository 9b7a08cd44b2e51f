"""Formulas of the operators that pick and place elements.

Retells its part of tools/autograd/derivatives.yaml.

In order: by indices; along one dimension; by mask; in order; unique values, which have no derivative.

What was picked gets its gradient back to where it was; what was overwritten gets 0.
"""

from annotated_src.aten import ops
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.torch.csrc.autograd import functions_manual as manual
from annotated_src.torch.csrc.autograd.derivatives.reduction import SelectedNode
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- by indices


class IndexBackward0(FormulaNode):
    """self[indices]"""

    operators = ("index.Tensor",)
    saves = ("self_sym_sizes", "indices")

    def grad_self(self, grad):
        zeros = grad.new_zeros(self.saved("self_sym_sizes"))
        return manual.index_backward(zeros, self.saved("indices"), grad)


class IndexPutNode(FormulaNode):
    """self[indices] = values, or += values"""

    inputs = ("self", "values")
    saves = ("indices", "values_info", "accumulate")

    def grad_self(self, grad):
        if self.saved("accumulate"):
            return grad
        return grad.index_put(self.saved("indices"), manual.zeros_like_info(self.saved("values_info")), False)

    def grad_values(self, grad):
        return ops.index(grad, self.saved("indices"))


class IndexPutBackward0(IndexPutNode):
    """index_put and index_put_"""

    operators = ("index_put", "index_put_")


class IndexPutImplBackward0(IndexPutNode):
    """What both call; index's gradient is one, too."""

    operators = ("_index_put_impl_",)


class TakeBackward0(FormulaNode):
    """self.view(-1)[index]"""

    operators = ("take",)
    saves = ("self", "index")

    def grad_self(self, grad):
        return manual.take_backward(grad, self.saved("self"), self.saved("index"))


# -- along one dimension


class IndexSelectBackward0(FormulaNode):
    """The slices at these positions."""

    operators = ("index_select",)
    saves = ("self_sym_sizes", "dim", "index")

    def grad_self(self, grad):
        return ops.index_select_backward(grad, self.saved("self_sym_sizes"), self.saved("dim"), self.saved("index"))


class IndexAddBackward0(FormulaNode):
    """self[index] += alpha * source"""

    operators = ("index_add", "index_add_")
    inputs = ("self", "source")
    saves = ("dim", "index", "source", "source_dim", "alpha")
    only_for = {"index": "source", "source": "source"}

    def grad_self(self, grad):
        return grad

    def grad_source(self, grad):
        return manual.maybe_multiply(_picked(self, grad), self.saved("alpha"))


class IndexCopyBackward0(FormulaNode):
    """self[index] = source"""

    operators = ("index_copy", "index_copy_")
    inputs = ("self", "source")
    saves = ("dim", "index", "source", "source_dim")
    only_for = {"source": "source"}

    def grad_self(self, grad):
        return grad.index_fill(self.saved("dim"), self.saved("index"), 0)

    def grad_source(self, grad):
        return _picked(self, grad)


def _picked(node, grad):
    """The slices of grad that `source` went to, in its shape."""
    dim, index = node.saved("dim"), node.saved("index")
    if node.saved("source_dim") > 0:
        return grad.index_select(dim, index).expand_as(node.saved("source"))
    return grad.index_select(dim, index.squeeze(0))


class IndexFillBackward0(FormulaNode):
    """self[index] = number"""

    operators = ("index_fill.int_Scalar", "index_fill_.int_Scalar")
    saves = ("dim", "index")

    def grad_self(self, grad):
        return grad.index_fill(self.saved("dim"), self.saved("index"), 0)


class IndexFillBackward1(FormulaNode):
    """self[index] = value"""

    operators = ("index_fill.int_Tensor", "index_fill_.int_Tensor")
    inputs = ("self", "value")
    saves = ("dim", "index")

    def grad_self(self, grad):
        return grad.index_fill(self.saved("dim"), self.saved("index"), 0)

    def grad_value(self, grad):
        # (each place counts once, however often the index names it)
        places = ops._unique2(self.saved("index"), False)[0]
        return grad.index_select(self.saved("dim"), places).sum()


class GatherBackward0(FormulaNode):
    """self[index[i][j]][j]"""

    operators = ("gather",)
    saves = ("self", "dim", "index", "sparse_grad")

    def grad_self(self, grad):
        self_, dim = self.saved("self"), self.saved("dim")
        return ops.gather_backward(grad, self_, dim, self.saved("index"), self.saved("sparse_grad"))


class ScatterBackward0(FormulaNode):
    """self[index[i][j]][j] = src[i][j]"""

    operators = ("scatter.src", "scatter_.src")
    inputs = ("self", "src")
    saves = ("dim", "index")

    def grad_self(self, grad):
        return grad.scatter(self.saved("dim"), self.saved("index"), 0)

    def grad_src(self, grad):
        return grad.gather(self.saved("dim"), self.saved("index"))


class ScatterBackward1(FormulaNode):
    """self[index[i][j]][j] = number"""

    operators = ("scatter.value", "scatter_.value")
    saves = ("dim", "index")

    def grad_self(self, grad):
        return grad.scatter(self.saved("dim"), self.saved("index"), 0)


class ScatterAddBackward0(FormulaNode):
    """self[index[i][j]][j] += src[i][j]"""

    operators = ("scatter_add", "scatter_add_")
    inputs = ("self", "src")
    saves = ("dim", "index")
    only_for = {"index": "src"}

    def grad_self(self, grad):
        return grad

    def grad_src(self, grad):
        return grad.gather(self.saved("dim"), self.saved("index"))


class EmbeddingBackward0(FormulaNode):
    """Rows of a table."""

    operators = ("embedding",)
    inputs = ("weight",)
    saves = ("weight_sym_argsize_0", "indices", "padding_idx", "scale_grad_by_freq", "sparse")

    def save_arguments(self, bound, original_self=None):
        facts = {**bound, "weight_sym_argsize_0": size_along(bound["weight"].array, 0)}
        super().save_arguments(facts, original_self)

    def grad_weight(self, grad):
        rows, padding_idx = self.saved("weight_sym_argsize_0"), self.saved("padding_idx")
        by_freq, sparse = self.saved("scale_grad_by_freq"), self.saved("sparse")
        return ops.embedding_backward(grad, self.saved("indices"), rows, padding_idx, by_freq, sparse)


class EmbeddingDenseBackwardBackward0(FormulaNode):
    """Rows' gradients, added up."""

    operators = ("embedding_dense_backward",)
    inputs = ("grad_output",)
    saves = ("indices", "padding_idx")

    def grad_grad_output(self, grad):
        return manual.embedding_dense_double_backward(grad, self.saved("indices"), self.saved("padding_idx"))


# -- by mask


class MaskedFillBackward0(FormulaNode):
    """A number where the mask is set."""

    operators = ("masked_fill.Scalar", "masked_fill_.Scalar")
    saves = ("mask",)

    def grad_self(self, grad):
        return grad.masked_fill(self.saved("mask"), 0)


class MaskedFillBackward1(FormulaNode):
    """A tensor's number where the mask is set."""

    operators = ("masked_fill.Tensor", "masked_fill_.Tensor")
    inputs = ("self", "value")
    saves = ("mask",)

    def grad_self(self, grad):
        return grad.masked_fill(self.saved("mask"), 0)

    def grad_value(self, grad):
        return manual.masked_fill_backward(grad, self.saved("mask"))


class MaskedSelectBackward0(FormulaNode):
    """The elements where the mask is set."""

    operators = ("masked_select",)
    saves = ("self", "mask")

    def grad_self(self, grad):
        return ops.masked_select_backward(grad, self.saved("self"), self.saved("mask"))


class MaskedScatterBackward0(FormulaNode):
    """source's elements, one after the other, where the mask is set."""

    operators = ("masked_scatter", "masked_scatter_")
    inputs = ("self", "source")
    saves = ("mask", "source_sym_sizes")

    def grad_self(self, grad):
        return grad.masked_fill(self.saved("mask"), 0)

    def grad_source(self, grad):
        return ops.masked_scatter_backward(grad, self.saved("mask"), self.saved("source_sym_sizes"))


class MaskedScatterBackwardBackward0(FormulaNode):
    """grad_output's elements where the mask is set, one after the other."""

    operators = ("masked_scatter_backward",)
    inputs = ("grad_output",)
    saves = ("mask", "grad_output_info")

    def grad_grad_output(self, grad):
        zeros = manual.zeros_like_info(self.saved("grad_output_info"))
        return zeros.masked_scatter(self.saved("mask"), grad)


# -- in order: the gradient goes back to where each value stood


class SortBackward0(SelectedNode):
    """All along a dimension, in order."""

    operators = ("sort",)
    saves = ("self_sym_sizes", "dim", "indices")

    def grad_self(self, grad, grad_indices=None):
        sizes, dim = self.saved("self_sym_sizes"), self.saved("dim")
        return ops.value_selecting_reduction_backward(grad, dim, self.saved("indices"), sizes, True)


class SortBackward1(SortBackward0):
    """Equal ones stay in their order."""

    operators = ("sort.stable",)


class TopkBackward0(SortBackward0):
    """The k largest along a dimension."""

    operators = ("topk",)


# -- no derivative


class NoFormulaNode(FormulaNode):
    """Upstream has no formula either: raises when backward comes by."""

    def grad_self(self, *grads):
        name = self.operators[0]
        raise NotImplementedError(
            f"the derivative for '{name}' is not implemented. Detach the tensor, or look up its values by index: "
            f"x[indices] has a derivative."
        )


class Unique2Backward0(NoFormulaNode):
    """Each value once."""

    operators = ("_unique2",)


class UniqueDimBackward0(NoFormulaNode):
    """Each slice once."""

    operators = ("unique_dim",)


class UniqueConsecutiveBackward0(NoFormulaNode):
    """Each run of equal values once."""

    operators = ("unique_consecutive",)

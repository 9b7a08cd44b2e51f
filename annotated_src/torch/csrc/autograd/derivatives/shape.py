"""Formulas of the operators that look at, move or join memory.

Retells its part of tools/autograd/derivatives.yaml.

In order: views of a part; views of another shape; views in another order; pieces; joins; copies.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd import functions_manual as manual
from annotated_src.torch.csrc.autograd.formula import FormulaNode


class SameNode(FormulaNode):
    """The same elements in the same places: the gradient passes as it is."""

    def grad_self(self, grad):
        return grad


# -- views of a part: the rest gets 0


class SelectBackward0(FormulaNode):
    """self[..., index, ...]"""

    operators = ("select.int",)
    saves = ("self_sym_sizes", "dim", "index")

    def grad_self(self, grad):
        return ops.select_backward(grad, self.saved("self_sym_sizes"), self.saved("dim"), self.saved("index"))


class SelectBackwardBackward0(FormulaNode):
    """Zeros with grad_output in the selected place."""

    operators = ("select_backward",)
    inputs = ("grad_output",)
    saves = ("dim", "index")

    def grad_grad_output(self, grad):
        return grad.select(self.saved("dim"), self.saved("index"))


class SliceBackward0(FormulaNode):
    """self[..., start:end:step, ...]"""

    operators = ("slice.Tensor",)
    saves = ("self_sym_sizes", "dim", "start", "end", "step")

    def grad_self(self, grad):
        sizes, dim = self.saved("self_sym_sizes"), self.saved("dim")
        start, end, step = self.saved("start"), self.saved("end"), self.saved("step")
        return manual.slice_backward_wrapper(grad, sizes, dim, start, end, step)


class SliceBackwardBackward0(FormulaNode):
    """Zeros with grad_output in the sliced places."""

    operators = ("slice_backward",)
    inputs = ("grad_output",)
    saves = ("dim", "start", "end", "step")

    def grad_grad_output(self, grad):
        return ops.slice(grad, self.saved("dim"), self.saved("start"), self.saved("end"), self.saved("step"))


class DiagonalBackward0(FormulaNode):
    """A diagonal."""

    operators = ("diagonal",)
    saves = ("self_sym_sizes", "offset", "dim1", "dim2")

    def grad_self(self, grad):
        sizes, offset = self.saved("self_sym_sizes"), self.saved("offset")
        return ops.diagonal_backward(grad, sizes, offset, self.saved("dim1"), self.saved("dim2"))


class DiagonalBackwardBackward0(FormulaNode):
    """Zeros with grad_output on the diagonal."""

    operators = ("diagonal_backward",)
    inputs = ("grad_output",)
    saves = ("offset", "dim1", "dim2")

    def grad_grad_output(self, grad):
        return grad.diagonal(self.saved("offset"), self.saved("dim1"), self.saved("dim2"))


class UnfoldBackward0(FormulaNode):
    """Windows along a dimension."""

    operators = ("unfold",)
    saves = ("self_sym_sizes", "dimension", "size", "step")

    def grad_self(self, grad):
        sizes, dimension = self.saved("self_sym_sizes"), self.saved("dimension")
        return ops.unfold_backward(grad, sizes, dimension, self.saved("size"), self.saved("step"))


class UnfoldBackwardBackward0(FormulaNode):
    """The windows' gradients, added up."""

    operators = ("unfold_backward",)
    inputs = ("grad_in",)
    saves = ("dim", "size", "step")

    def grad_grad_in(self, grad):
        return grad.unfold(self.saved("dim"), self.saved("size"), self.saved("step"))


class AsStridedNode(FormulaNode):
    """Any sizes and strides over the same memory."""

    saves = ("size", "stride", "storage_offset")

    def save_arguments(self, bound, original_self=None):
        super().save_arguments(bound, original_self)
        self_ = bound["self"]
        self._geometry = (tuple(self_.array.shape), self_.strides(), self_.storage_offset())

    def grad_self(self, grad):
        size, stride, offset = self.saved("size"), self.saved("stride"), self.saved("storage_offset")
        return manual.as_strided_backward(grad, self._geometry, size, stride, offset)


class AsStridedBackward0(AsStridedNode):
    """A new view."""

    operators = ("as_strided",)


class AsStridedBackward1(AsStridedNode):
    """The tensor itself, changed."""

    operators = ("as_strided_",)


class AliasBackward0(SameNode):
    """The whole."""

    operators = ("alias",)


# -- views of another shape


class ViewBackward0(FormulaNode):
    """The same elements in another shape."""

    operators = ("view",)
    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return grad.reshape(self.saved("self_sym_sizes"))


class ReshapeAliasBackward0(FormulaNode):
    """The same, of a tensor with gaps in its memory."""

    operators = ("_reshape_alias",)
    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return grad.reshape(self.saved("self_sym_sizes"))


class UnsafeViewBackward0(FormulaNode):
    """The same, as a tensor of its own."""

    operators = ("_unsafe_view",)
    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return grad.reshape(self.saved("self_sym_sizes"))


class UnsqueezeBackward0(FormulaNode):
    """A dimension of size 1 put in."""

    operators = ("unsqueeze",)
    saves = ("dim",)

    def grad_self(self, grad):
        return grad.squeeze(self.saved("dim"))


class UnsqueezeBackward1(FormulaNode):
    """... in place."""

    operators = ("unsqueeze_",)
    saves = ("dim",)

    def grad_self(self, grad):
        return grad.squeeze(self.saved("dim"))


class SqueezeAllNode(FormulaNode):
    """All dimensions of size 1 taken out."""

    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return manual.unsqueeze_to(grad, self.saved("self_sym_sizes"))


class SqueezeNode(FormulaNode):
    """Some dimensions taken out, where their size is 1."""

    saves = ("self_sym_sizes", "dim")

    def grad_self(self, grad):
        return manual.unsqueeze_to(grad, self.saved("self_sym_sizes"), self.saved("dim"))


class SqueezeBackward0(SqueezeAllNode):
    """All."""

    operators = ("squeeze",)


class SqueezeBackward1(SqueezeNode):
    """One."""

    operators = ("squeeze.dim",)


class SqueezeBackward2(SqueezeNode):
    """Several."""

    operators = ("squeeze.dims",)
    lists = ("dim",)


class SqueezeBackward3(SqueezeAllNode):
    """All, in place."""

    operators = ("squeeze_",)


class SqueezeBackward4(SqueezeNode):
    """One, in place."""

    operators = ("squeeze_.dim",)


class SqueezeBackward5(SqueezeNode):
    """Several, in place."""

    operators = ("squeeze_.dims",)
    lists = ("dim",)


class ExpandBackward0(FormulaNode):
    """Dimensions of size 1 repeated, without copying."""

    operators = ("expand",)
    saves = ("self_sym_sizes",)

    def grad_self(self, grad):
        return manual.sum_to(grad, self.saved("self_sym_sizes"))


class ViewAsRealBackward0(FormulaNode):
    """Complex numbers as pairs."""

    operators = ("view_as_real",)

    def grad_self(self, grad):
        return ops.view_as_complex(grad.contiguous())


# -- views in another order


class TransposeNode(FormulaNode):
    """Two dimensions change places: and back."""

    saves = ("dim0", "dim1")

    def grad_self(self, grad):
        return grad.transpose(self.saved("dim0"), self.saved("dim1"))


class TransposeBackward0(TransposeNode):
    """A new view."""

    operators = ("transpose.int",)


class TransposeBackward1(TransposeNode):
    """In place."""

    operators = ("transpose_",)


class TBackward0(FormulaNode):
    """A matrix on its side."""

    operators = ("t",)

    def grad_self(self, grad):
        return grad.t()


class TBackward1(FormulaNode):
    """In place."""

    operators = ("t_",)

    def grad_self(self, grad):
        return grad.t()


class PermuteBackward0(FormulaNode):
    """All dimensions in another order."""

    operators = ("permute",)
    saves = ("dims",)

    def grad_self(self, grad):
        return manual.permute_backwards(grad, self.saved("dims"))


class FlipBackward0(FormulaNode):
    """Back to front."""

    operators = ("flip",)
    saves = ("dims",)
    lists = ("dims",)

    def grad_self(self, grad):
        return grad.flip(self.saved("dims"))


class RollBackward0(FormulaNode):
    """Shifted round."""

    operators = ("roll",)
    saves = ("shifts", "dims")
    lists = ("shifts", "dims")

    def grad_self(self, grad):
        back = [-shift for shift in reversed(self.saved("shifts"))]
        return grad.roll(back, list(reversed(self.saved("dims"))))


# -- pieces: several outputs, of which some may not have been used


class SplitBackward0(FormulaNode):
    """Pieces of one size."""

    operators = ("split.Tensor",)
    saves = ("self_sym_sizes", "split_size", "dim")

    def apply(self, *grads):
        if all(grad is None for grad in grads):
            return [None]
        sizes, dim = self.saved("self_sym_sizes"), self.saved("dim")
        return [manual.split_backward(grads, self.saved("split_size"), dim, sizes)]


class SplitWithSizesBackward0(FormulaNode):
    """Pieces of given sizes."""

    operators = ("split_with_sizes",)
    saves = ("self_sym_sizes", "split_sizes", "dim")

    def apply(self, *grads):
        if all(grad is None for grad in grads):
            return [None]
        sizes, dim = self.saved("self_sym_sizes"), self.saved("dim")
        return [manual.split_with_sizes_backward(grads, self.saved("split_sizes"), dim, sizes)]


class UnbindBackward0(FormulaNode):
    """Each slice by itself."""

    operators = ("unbind.int",)
    saves = ("dim",)

    def apply(self, *grads):
        if all(grad is None for grad in grads):
            return [None]
        return [manual.unbind_backward(grads, self.saved("dim"))]


# -- joins: one gradient for each tensor


class CatBackward0(FormulaNode):
    """Tensors one behind the other."""

    operators = ("cat",)
    inputs = ("tensors",)
    saves = ("dim",)

    def save_arguments(self, bound, original_self=None):
        super().save_arguments(bound, original_self)
        self._shapes = [tuple(tensor.array.shape) for tensor in bound["tensors"]]

    def apply(self, grad):
        if grad is None:
            return [None] * len(self._shapes)
        return manual.cat_tensors_backward(grad, self._shapes, self.saved("dim"))


class StackBackward0(FormulaNode):
    """Tensors side by side in a new dimension."""

    operators = ("stack",)
    inputs = ("tensors",)
    saves = ("dim",)

    def apply(self, grad):
        if grad is None:
            return [None] * len(self._next_edges)
        return [grad.select(self.saved("dim"), position) for position in range(len(self._next_edges))]


class RepeatBackward0(FormulaNode):
    """Copies laid side by side."""

    operators = ("repeat",)
    saves = ("self_sym_sizes", "repeats")
    lists = ("repeats",)

    def grad_self(self, grad):
        return manual.repeat_backward(grad, self.saved("repeats"), self.saved("self_sym_sizes"))


# -- copies


class CloneBackward0(SameNode):
    """A copy."""

    operators = ("clone",)


class LiftFreshBackward0(SameNode):
    """What torch.tensor has just made."""

    operators = ("lift_fresh",)


class PinMemoryBackward0(SameNode):
    """A copy in page-locked memory."""

    operators = ("_pin_memory",)


class ToCopyBackward0(FormulaNode):
    """A copy of another dtype or device: the gradient goes back to the first."""

    operators = ("_to_copy",)

    def save_arguments(self, bound, original_self=None):
        self._dtype, self._device = bound["self"].dtype, bound["self"].device

    def grad_self(self, grad):
        return grad.to(self._device, self._dtype)  # H2D: or # D2H: back to where the input was


class DiagEmbedBackward0(FormulaNode):
    """A diagonal put into zeros."""

    operators = ("diag_embed",)
    saves = ("offset", "dim1", "dim2")

    def grad_self(self, grad):
        return grad.diagonal(self.saved("offset"), self.saved("dim1"), self.saved("dim2"))


class TrilBackward0(FormulaNode):
    """What lies on and below a diagonal."""

    operators = ("tril", "tril_")
    saves = ("diagonal",)

    def grad_self(self, grad):
        return grad.tril(self.saved("diagonal"))


class TriuBackward0(FormulaNode):
    """What lies on and above a diagonal."""

    operators = ("triu", "triu_")
    saves = ("diagonal",)

    def grad_self(self, grad):
        return grad.triu(self.saved("diagonal"))

"""Formulas of the convolutions."""

from annotated_src.aten import ops
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.torch.csrc.autograd.formula import FormulaNode

NUMBERS = ("stride", "padding", "dilation", "transposed", "output_padding", "groups")


class ConvolutionBackward0(FormulaNode):
    """Every convolution; one operator computes the three gradients, as far as they are wanted."""

    operators = ("convolution",)
    inputs = ("input", "weight", "bias")
    saves = ("input", "weight", *NUMBERS, "bias_sym_sizes_opt")

    def save_arguments(self, bound, original_self=None):
        bias = bound["bias"]
        # No bias has the sizes of a tensor that is not there.
        bias_sizes = (0,) if bias is None else bias.array.shape
        super().save_arguments({**bound, "bias_sym_sizes_opt": bias_sizes}, original_self)

    def apply(self, grad):
        if grad is None:
            return [None, None, None]
        numbers = [self.saved(name) for name in NUMBERS]
        wanted = [self.should_compute_output(index) for index in range(3)]
        bias_sizes = self.saved("bias_sym_sizes_opt")
        return ops.convolution_backward.default(
            grad, self.saved("input"), self.saved("weight"), bias_sizes, *numbers, wanted
        )


class ConvolutionBackwardBackward0(FormulaNode):
    """The gradients of the gradients: convolutions again."""

    operators = ("convolution_backward",)
    inputs = ("grad_output", "input", "weight")
    saves = ("grad_output", "input", "weight", *NUMBERS)

    def apply(self, *grads):
        if all(grad is None for grad in grads):
            return [None, None, None]
        numbers = [self.saved(name) for name in NUMBERS]
        wanted = [self.should_compute_output(index) for index in range(3)]
        operands = (self.saved("grad_output"), self.saved("weight"), self.saved("input"))
        return ops._convolution_double_backward.default(*grads, *operands, *numbers, wanted)


# -- windows as columns, channels as pixels


class Im2ColBackward0(FormulaNode):
    """Windows as columns."""

    operators = ("im2col",)
    saves = (
        "self_sym_argsize_minus_2", "self_sym_argsize_minus_1", "kernel_size", "dilation", "padding", "stride",
    )  # fmt: skip

    def save_arguments(self, bound, original_self=None):
        array = bound["self"].array
        sizes = {f"self_sym_argsize_minus_{number}": size_along(array, -number) for number in (1, 2)}
        super().save_arguments({**bound, **sizes}, original_self)

    def grad_self(self, grad):
        height, width, *windows = [self.saved(name) for name in self.saves]
        return ops.col2im.default(grad, (height, width), *windows)


class Col2ImBackward0(FormulaNode):
    """Columns added up."""

    operators = ("col2im",)
    saves = ("kernel_size", "dilation", "padding", "stride")

    def grad_self(self, grad):
        return ops.im2col.default(grad, *[self.saved(name) for name in self.saves])


class PixelShuffleBackward0(FormulaNode):
    """Channels to pixels."""

    operators = ("pixel_shuffle",)
    saves = ("upscale_factor",)

    def grad_self(self, grad):
        return ops.pixel_unshuffle.default(grad, self.saved("upscale_factor"))


class PixelUnshuffleBackward0(FormulaNode):
    """Pixels to channels."""

    operators = ("pixel_unshuffle",)
    saves = ("downscale_factor",)

    def grad_self(self, grad):
        return ops.pixel_shuffle.default(grad, self.saved("downscale_factor"))

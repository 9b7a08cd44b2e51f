"""Convolutions."""

from annotated_src.aten.native import convolution, im2col, pixel_shuffle
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

NUMBERS = (
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups"
)


def register():
    """Define them."""
    for dim in (1, 2, 3):
        _of_dimension(dim)
    operands = "Tensor input, Tensor weight, Tensor? bias"
    native(f"convolution({operands}, {NUMBERS}) -> Tensor", {EXPLICIT: convolution.convolution})
    native(
        f"_convolution({operands}, {NUMBERS}, bool benchmark, bool deterministic, bool cudnn_enabled, "
        "bool allow_tf32) -> Tensor",
        {EXPLICIT: convolution._convolution},
    )
    native(
        f"_convolution_mode({operands}, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor",
        {IMPLICIT: convolution._convolution_mode},
    )
    native(
        "mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, "
        "SymInt[] dilation, SymInt groups) -> Tensor",
        {EXPLICIT: convolution.mkldnn_convolution},
    )
    native(
        f"convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, {NUMBERS}, "
        "bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
        {EXPLICIT: convolution.convolution_backward},
    )
    native(
        "_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, "
        f"{NUMBERS}, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
        {IMPLICIT: convolution._convolution_double_backward},
    )
    numbers = "int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride"
    native(f"im2col(Tensor self, {numbers}) -> Tensor", {BOTH: im2col.im2col})
    native(f"col2im(Tensor self, SymInt[2] output_size, {numbers}) -> Tensor", {BOTH: im2col.col2im})
    native("pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", {BOTH: pixel_shuffle.pixel_shuffle})
    native("pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", {BOTH: pixel_shuffle.pixel_unshuffle})


def _of_dimension(dim):
    ones = f"[{', '.join(['1'] * dim)}]"
    zeros = f"[{', '.join(['0'] * dim)}]"
    size = f"SymInt[{dim}]"
    operands = "Tensor input, Tensor weight, Tensor? bias=None"
    native(
        f"conv{dim}d({operands}, {size} stride={ones}, {size} padding={zeros}, {size} dilation={ones}, "
        "SymInt groups=1) -> Tensor",
        {IMPLICIT: getattr(convolution, f"conv{dim}d")},
    )
    native(
        f'conv{dim}d.padding({operands}, {size} stride={ones}, str padding="valid", {size} dilation={ones}, '
        "SymInt groups=1) -> Tensor",
        {IMPLICIT: getattr(convolution, f"conv{dim}d_padding")},
    )
    overload = "" if dim == 1 else ".input"
    native(
        f"conv_transpose{dim}d{overload}({operands}, {size} stride={ones}, {size} padding={zeros}, "
        f"{size} output_padding={zeros}, SymInt groups=1, {size} dilation={ones}) -> Tensor",
        {IMPLICIT: getattr(convolution, f"conv_transpose{dim}d")},
    )

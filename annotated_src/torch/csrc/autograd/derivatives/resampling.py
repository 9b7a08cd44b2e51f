"""Formulas of padding and interpolation: linear operators, whose second derivative is the operator itself."""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.derivatives.pooling import zeros_of
from annotated_src.torch.csrc.autograd.formula import FormulaNode

# -- padding


class ConstantPadNdBackward0(FormulaNode):
    """A constant around: padding by the same amounts, taken negatively, cuts the gradient to size."""

    operators = ("constant_pad_nd",)
    saves = ("pad",)

    def grad_self(self, grad):
        return ops.constant_pad_nd.default(grad, [-number for number in self.saved("pad")])


class ReflectionPad1DBackward0(FormulaNode):
    """A mirror at each border."""

    operators = ("reflection_pad1d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.reflection_pad1d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReflectionPad1DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("reflection_pad1d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.reflection_pad1d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class ReflectionPad2DBackward0(FormulaNode):
    """A mirror at each border."""

    operators = ("reflection_pad2d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.reflection_pad2d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReflectionPad2DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("reflection_pad2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.reflection_pad2d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class ReflectionPad3DBackward0(FormulaNode):
    """A mirror at each border."""

    operators = ("reflection_pad3d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.reflection_pad3d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReflectionPad3DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("reflection_pad3d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.reflection_pad3d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class ReplicationPad1DBackward0(FormulaNode):
    """The border's elements."""

    operators = ("replication_pad1d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.replication_pad1d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReplicationPad1DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("replication_pad1d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.replication_pad1d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class ReplicationPad2DBackward0(FormulaNode):
    """The border's elements."""

    operators = ("replication_pad2d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.replication_pad2d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReplicationPad2DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("replication_pad2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.replication_pad2d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class ReplicationPad3DBackward0(FormulaNode):
    """The border's elements."""

    operators = ("replication_pad3d",)
    saves = ("self", "padding")

    def grad_self(self, grad):
        return ops.replication_pad3d_backward.default(grad, self.saved("self"), self.saved("padding"))


class ReplicationPad3DBackwardBackward0(FormulaNode):
    """The gradient of the gradient."""

    operators = ("replication_pad3d_backward",)
    inputs = ("grad_output", "self")
    saves = ("padding", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops.replication_pad3d.default(grad, self.saved("padding"))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


# -- interpolation


class UpsampleNode(FormulaNode):
    """What the interpolations save: sizes, and a scale for each dimension."""

    def several(self, *names):
        """What was kept under these names."""
        return [self.saved(name) for name in names]

    def save(self, name, value, is_output=False):
        if name == "output_size" and isinstance(value, int):
            value = (value,) * len(self.scales)
        super().save(name, value, is_output)


class UpsampleNearest1DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest."""

    operators = ("upsample_nearest1d",)
    scales = ("scales",)
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops.upsample_nearest1d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearest1DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_nearest1d_backward",)
    inputs = ("grad_output",)
    scales = ("scales",)
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_nearest1d.default(grad, *self.several(*self.saves))


class UpsampleNearest2DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest."""

    operators = ("upsample_nearest2d",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops.upsample_nearest2d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearest2DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_nearest2d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_nearest2d.default(grad, *self.several(*self.saves))


class UpsampleNearest3DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest."""

    operators = ("upsample_nearest3d",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops.upsample_nearest3d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearest3DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_nearest3d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_nearest3d.default(grad, *self.several(*self.saves))


class UpsampleNearestExact1DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest, rightly rounded."""

    operators = ("_upsample_nearest_exact1d",)
    scales = ("scales",)
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops._upsample_nearest_exact1d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearestExact1DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("_upsample_nearest_exact1d_backward",)
    inputs = ("grad_output",)
    scales = ("scales",)
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops._upsample_nearest_exact1d.default(grad, *self.several(*self.saves))


class UpsampleNearestExact2DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest, rightly rounded."""

    operators = ("_upsample_nearest_exact2d",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops._upsample_nearest_exact2d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearestExact2DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("_upsample_nearest_exact2d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops._upsample_nearest_exact2d.default(grad, *self.several(*self.saves))


class UpsampleNearestExact3DBackward0(UpsampleNode):
    """Each pixel a copy of the nearest, rightly rounded."""

    operators = ("_upsample_nearest_exact3d",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", *scales)

    def grad_self(self, grad):
        return ops._upsample_nearest_exact3d_backward.default(grad, *self.several(*self.saves))


class UpsampleNearestExact3DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("_upsample_nearest_exact3d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", *scales)

    def grad_grad_output(self, grad):
        return ops._upsample_nearest_exact3d.default(grad, *self.several(*self.saves))


class UpsampleLinear1DBackward0(UpsampleNode):
    """Each pixel a mean of the 2 around."""

    operators = ("upsample_linear1d",)
    scales = ("scales",)
    saves = ("output_size", "self_sym_sizes", "align_corners", *scales)

    def grad_self(self, grad):
        return ops.upsample_linear1d_backward.default(grad, *self.several(*self.saves))


class UpsampleLinear1DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_linear1d_backward",)
    inputs = ("grad_output",)
    scales = ("scales",)
    saves = ("output_size", "align_corners", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_linear1d.default(grad, *self.several(*self.saves))


class UpsampleBilinear2DBackward0(UpsampleNode):
    """Each pixel a mean of the 4 around."""

    operators = ("upsample_bilinear2d",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", "align_corners", *scales)

    def grad_self(self, grad):
        return ops.upsample_bilinear2d_backward.default(grad, *self.several(*self.saves))


class UpsampleBilinear2DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_bilinear2d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "align_corners", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_bilinear2d.default(grad, *self.several(*self.saves))


class UpsampleTrilinear3DBackward0(UpsampleNode):
    """Each pixel a mean of the 8 around."""

    operators = ("upsample_trilinear3d",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", "align_corners", *scales)

    def grad_self(self, grad):
        return ops.upsample_trilinear3d_backward.default(grad, *self.several(*self.saves))


class UpsampleTrilinear3DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_trilinear3d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_d", "scales_h", "scales_w")
    saves = ("output_size", "align_corners", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_trilinear3d.default(grad, *self.several(*self.saves))


class UpsampleBicubic2DBackward0(UpsampleNode):
    """Each pixel a sum of the 16 around."""

    operators = ("upsample_bicubic2d",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "self_sym_sizes", "align_corners", *scales)

    def grad_self(self, grad):
        return ops.upsample_bicubic2d_backward.default(grad, *self.several(*self.saves))


class UpsampleBicubic2DBackwardBackward0(UpsampleNode):
    """The gradient of the gradient."""

    operators = ("upsample_bicubic2d_backward",)
    inputs = ("grad_output",)
    scales = ("scales_h", "scales_w")
    saves = ("output_size", "align_corners", *scales)

    def grad_grad_output(self, grad):
        return ops.upsample_bicubic2d.default(grad, *self.several(*self.saves))

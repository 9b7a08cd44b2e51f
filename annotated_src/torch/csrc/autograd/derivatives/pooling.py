"""Formulas of the poolings.

Retells its part of tools/autograd/derivatives.yaml.

A maximum's gradient goes to the element that was the maximum; a mean's, in equal parts, to all elements of its window.
"""

import math

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.formula import FormulaNode


class PoolNode(FormulaNode):
    """What the poolings save: numbers for each dimension, whether the caller wrote one or several."""

    dims = 2
    per_dimension = ("kernel_size", "stride", "padding", "dilation")

    def save(self, name, value, is_output=False):
        if name in self.per_dimension and isinstance(value, int):
            value = (value,) * self.dims
        super().save(name, value, is_output)

    def several(self, *names):
        """What was kept under these names."""
        return [self.saved(name) for name in names]


def max_pool_double_backward(grad, indices, dim):
    """The gradients that the maxima's places hold: what max_pool*_backward spread is gathered again."""
    sizes = indices.shape
    if indices.numel() == 0:
        return ops.zeros_like(indices, dtype=grad.dtype)
    flat = (*sizes[: len(sizes) - dim], math.prod(sizes[len(sizes) - dim :]))
    spread = (*grad.shape[: len(sizes) - dim], math.prod(grad.shape[len(sizes) - dim :]))
    gathered = ops.gather(ops.view(ops.contiguous(grad), spread), -1, ops.view(ops.contiguous(indices), flat))
    return ops.view(gathered, sizes)


# -- over 2 dimensions


class MaxPool2DWithIndicesBackward0(PoolNode):
    """The maximum of each window, and its place."""

    operators = ("max_pool2d_with_indices",)
    outputs = ("result0", "result1")
    saves = ("self", "kernel_size", "stride", "padding", "dilation", "ceil_mode", "result1")
    dims = 2

    def grad_self(self, grad, _):
        return ops.max_pool2d_with_indices_backward.default(grad, *self.several(*self.saves))


class MaxPool2DWithIndicesBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("max_pool2d_with_indices_backward",)
    inputs = ("grad_output", "self")
    saves = ("self_info", "indices")
    only_for = {"self_info": "self", "indices": "grad_output"}
    dims = 2

    def grad_grad_output(self, grad):
        return max_pool_double_backward(grad, self.saved("indices"), 2)

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AvgPool2DBackward0(PoolNode):
    """The mean of each window."""

    operators = ("avg_pool2d",)
    saves = ("self", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
    dims = 2

    def grad_self(self, grad):
        return ops.avg_pool2d_backward.default(grad, *self.several(*self.saves))


class AvgPool2DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("avg_pool2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override", "self_info")
    only_for = {"self_info": "self"}
    dims = 2

    def grad_grad_output(self, grad):
        return ops.avg_pool2d.default(grad, *self.several(*self.saves[:-1]))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AdaptiveAvgPool2DBackward0(PoolNode):
    """The mean of each of as many windows as asked for."""

    operators = ("_adaptive_avg_pool2d",)
    saves = ("self",)

    def grad_self(self, grad):
        return ops._adaptive_avg_pool2d_backward.default(grad, self.saved("self"))


class AdaptiveAvgPool2DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("_adaptive_avg_pool2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output_sym_sizes", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops._adaptive_avg_pool2d.default(grad, self.saved("grad_output_sym_sizes")[-2:])

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AdaptiveMaxPool2DBackward0(PoolNode):
    """The maximum of each of as many windows as asked for, and its place."""

    operators = ("adaptive_max_pool2d",)
    outputs = ("result0", "result1")
    saves = ("self", "result1")

    def grad_self(self, grad, _):
        return ops.adaptive_max_pool2d_backward.default(grad, *self.several("self", "result1"))


class AdaptiveMaxPool2DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("adaptive_max_pool2d_backward",)
    inputs = ("grad_output", "self")
    saves = ("self_info", "indices")
    only_for = {"self_info": "self", "indices": "grad_output"}

    def grad_grad_output(self, grad):
        return max_pool_double_backward(grad, self.saved("indices"), 2)

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


# -- over 3 dimensions


class MaxPool3DWithIndicesBackward0(PoolNode):
    """The maximum of each window, and its place."""

    operators = ("max_pool3d_with_indices",)
    outputs = ("result0", "result1")
    saves = ("self", "kernel_size", "stride", "padding", "dilation", "ceil_mode", "result1")
    dims = 3

    def grad_self(self, grad, _):
        return ops.max_pool3d_with_indices_backward.default(grad, *self.several(*self.saves))


class MaxPool3DWithIndicesBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("max_pool3d_with_indices_backward",)
    inputs = ("grad_output", "self")
    saves = ("self_info", "indices")
    only_for = {"self_info": "self", "indices": "grad_output"}
    dims = 3

    def grad_grad_output(self, grad):
        return max_pool_double_backward(grad, self.saved("indices"), 3)

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AvgPool3DBackward0(PoolNode):
    """The mean of each window."""

    operators = ("avg_pool3d",)
    saves = ("self", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
    dims = 3

    def grad_self(self, grad):
        return ops.avg_pool3d_backward.default(grad, *self.several(*self.saves))


class AvgPool3DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("avg_pool3d_backward",)
    inputs = ("grad_output", "self")
    saves = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override", "self_info")
    only_for = {"self_info": "self"}
    dims = 3

    def grad_grad_output(self, grad):
        return ops.avg_pool3d.default(grad, *self.several(*self.saves[:-1]))

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AdaptiveAvgPool3DBackward0(PoolNode):
    """The mean of each of as many windows as asked for."""

    operators = ("_adaptive_avg_pool3d",)
    saves = ("self",)

    def grad_self(self, grad):
        return ops._adaptive_avg_pool3d_backward.default(grad, self.saved("self"))


class AdaptiveAvgPool3DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("_adaptive_avg_pool3d_backward",)
    inputs = ("grad_output", "self")
    saves = ("grad_output_sym_sizes", "self_info")
    only_for = {"self_info": "self"}

    def grad_grad_output(self, grad):
        return ops._adaptive_avg_pool3d.default(grad, self.saved("grad_output_sym_sizes")[-3:])

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


class AdaptiveMaxPool3DBackward0(PoolNode):
    """The maximum of each of as many windows as asked for, and its place."""

    operators = ("adaptive_max_pool3d",)
    outputs = ("result0", "result1")
    saves = ("self", "result1")

    def grad_self(self, grad, _):
        return ops.adaptive_max_pool3d_backward.default(grad, *self.several("self", "result1"))


class AdaptiveMaxPool3DBackwardBackward0(PoolNode):
    """The gradient of the gradient."""

    operators = ("adaptive_max_pool3d_backward",)
    inputs = ("grad_output", "self")
    saves = ("self_info", "indices")
    only_for = {"self_info": "self", "indices": "grad_output"}

    def grad_grad_output(self, grad):
        return max_pool_double_backward(grad, self.saved("indices"), 3)

    def grad_self(self, grad):
        return zeros_of(self.saved("self_info"))


def zeros_of(info):
    """The gradient for an input that a gradient does not depend on: the windows do, but not smoothly."""
    sizes, dtype, device = info
    return ops.zeros(sizes, dtype=dtype, device=device)

"""Poolings that are made of others. Retells aten/src/ATen/native/Pooling.cpp.

One spatial dimension is pooled as two, the first of size 1:

    max_pool1d_with_indices, avg_pool1d, adaptive_avg_pool1d, adaptive_max_pool1d

    max_pool2d, max_pool3d      the `_with_indices` operators, without the indices
"""

from annotated_src.aten import ops
from annotated_src.aten.native.adaptive_pooling import check_not_empty
from annotated_src.aten.native.pool import check_dim_range, single


def adaptive_avg_pool1d(self, output_size):
    """(N, C, L) or (C, L): as many windows as asked for."""
    check_dim_range(self, 2, 3, "adaptive_avg_pool1d")
    size = single("adaptive_avg_pool1d", "output_size", output_size)
    output = ops.adaptive_avg_pool2d.default(ops.unsqueeze.default(self, -2), (1, size))
    return ops.squeeze.dim(output, -2)


def adaptive_max_pool1d(self, output_size):
    """(N, C, L) or (C, L): as many windows as asked for; the maxima and where they are."""
    check_dim_range(self, 2, 3, "adaptive_max_pool1d")
    size = single("adaptive_max_pool1d", "output_size", output_size)
    check_not_empty("adaptive_max_pool1d", self, 1)
    output, indices = ops.adaptive_max_pool2d.default(ops.unsqueeze.default(self, -2), (1, size))
    return ops.squeeze.dim(output, -2), ops.squeeze.dim(indices, -2)


def max_pool1d_with_indices(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """(N, C, L) or (C, L): the maximum of each window and where it is."""
    check_dim_range(self, 2, 3, "max_pool1d")
    kernel = single("max_pool1d", "kernel_size", kernel_size)
    step = single("max_pool1d", "stride", stride) if stride != () and stride != [] else kernel
    pad = single("max_pool1d", "padding", padding)
    spread = single("max_pool1d", "dilation", dilation)
    output, indices = ops.max_pool2d_with_indices.default(
        ops.unsqueeze.default(self, -2), (1, kernel), (1, step), (0, pad), (1, spread), ceil_mode
    )
    return ops.squeeze.dim(output, -2), ops.squeeze.dim(indices, -2)


def avg_pool1d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True):
    """(N, C, L) or (C, L): the mean of each window."""
    check_dim_range(self, 2, 3, "avg_pool1d")
    kernel = single("avg_pool1d", "kernel_size", kernel_size)
    step = single("avg_pool1d", "stride", stride) if stride != () and stride != [] else kernel
    pad = single("avg_pool1d", "padding", padding)
    output = ops.avg_pool2d.default(
        ops.unsqueeze.default(self, -2), (1, kernel), (1, step), (0, pad), ceil_mode, count_include_pad
    )
    return ops.squeeze.dim(output, -2)


def max_pool2d(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """(N, C, H, W) or (C, H, W): the maximum of each window."""
    output, _ = ops.max_pool2d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)
    return output


def max_pool3d(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """(N, C, D, H, W) or (C, D, H, W): the maximum of each window."""
    output, _ = ops.max_pool3d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)
    return output

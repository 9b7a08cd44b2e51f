"""Interpolation."""

from annotated_src.aten.native import (
    up_sample_bicubic2d,
    up_sample_bilinear2d,
    up_sample_linear1d,
    up_sample_nearest1d,
    up_sample_nearest2d,
    up_sample_nearest3d,
    up_sample_trilinear3d,
)
from annotated_src.aten.native.native_functions.registry import BOTH, IMPLICIT, native

SCALES = {
    1: "float? scales=None",
    2: "float? scales_h=None, float? scales_w=None",
    3: "float? scales_d=None, float? scales_h=None, float? scales_w=None",
}


def register():
    """Define them."""
    for dims, module in ((1, up_sample_nearest1d), (2, up_sample_nearest2d), (3, up_sample_nearest3d)):
        _forms(module, f"upsample_nearest{dims}d", dims, "")
        _forms(module, f"_upsample_nearest_exact{dims}d", dims, "")
    _forms(up_sample_linear1d, "upsample_linear1d", 1, "bool align_corners, ")
    _forms(up_sample_bilinear2d, "upsample_bilinear2d", 2, "bool align_corners, ")
    _forms(up_sample_trilinear3d, "upsample_trilinear3d", 3, "bool align_corners, ")
    _forms(up_sample_bicubic2d, "upsample_bicubic2d", 2, "bool align_corners, ")


def _forms(module, name, dims, align):
    size = f"SymInt[{dims}] output_size"
    native(f"{name}(Tensor self, {size}, {align}{SCALES[dims]}) -> Tensor", {BOTH: getattr(module, name)})
    native(
        f"{name}.vec(Tensor input, SymInt[]? output_size, {align}float[]? scale_factors) -> Tensor",
        {IMPLICIT: getattr(module, f"{name}_vec")},
    )
    native(
        f"{name}_backward(Tensor grad_output, {size}, SymInt[{dims + 2}] input_size, {align}{SCALES[dims]}) -> Tensor",
        {BOTH: getattr(module, f"{name}_backward")},
    )

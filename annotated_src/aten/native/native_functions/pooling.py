"""Poolings."""

from annotated_src.aten.native import (
    adaptive_average_pooling,
    adaptive_average_pooling3d,
    adaptive_max_pooling2d,
    adaptive_max_pooling3d,
    average_pool2d,
    average_pool3d,
    dilated_max_pool2d,
    dilated_max_pool3d,
    max_pooling,
    pooling,
)
from annotated_src.aten.native.native_functions.registry import BOTH, IMPLICIT, native


def register():
    """Define them."""
    _max()
    _average()
    _adaptive()


def _max():
    numbers = (
        "Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], "
        "bool ceil_mode=False"
    )
    native(f"max_pool1d({numbers}) -> Tensor", {IMPLICIT: max_pooling.max_pool1d})
    native(f"max_pool1d_with_indices({numbers}) -> (Tensor, Tensor)", {IMPLICIT: pooling.max_pool1d_with_indices})
    for dims, module in ((2, dilated_max_pool2d), (3, dilated_max_pool3d)):
        size, name = f"int[{dims}]", f"max_pool{dims}d"
        numbers = (
            f"Tensor self, {size} kernel_size, {size} stride=[], {size} padding=0, {size} dilation=1, "
            "bool ceil_mode=False"
        )
        native(f"{name}({numbers}) -> Tensor", {IMPLICIT: getattr(pooling, name)})
        name = f"{name}_with_indices"
        native(f"{name}({numbers}) -> (Tensor, Tensor)", {BOTH: getattr(module, name)})
        native(
            f"{name}_backward(Tensor grad_output, Tensor self, {size} kernel_size, {size} stride, {size} padding, "
            f"{size} dilation, bool ceil_mode, Tensor indices) -> Tensor",
            {BOTH: getattr(module, f"{name}_backward")},
        )


def _average():
    native(
        "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, "
        "bool count_include_pad=True) -> Tensor",
        {IMPLICIT: pooling.avg_pool1d},
    )
    for dims, module in ((2, average_pool2d), (3, average_pool3d)):
        size, name = f"int[{dims}]", f"avg_pool{dims}d"
        native(
            f"{name}(Tensor self, {size} kernel_size, {size} stride=[], {size} padding=0, bool ceil_mode=False, "
            "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
            {BOTH: getattr(module, name)},
        )
        native(
            f"{name}_backward(Tensor grad_output, Tensor self, {size} kernel_size, {size} stride, {size} padding, "
            "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
            {BOTH: getattr(module, f"{name}_backward")},
        )


def _adaptive():
    native("adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", {IMPLICIT: pooling.adaptive_avg_pool1d})
    native(
        "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
        {IMPLICIT: pooling.adaptive_max_pool1d},
    )
    for dims, module in ((2, adaptive_average_pooling), (3, adaptive_average_pooling3d)):
        name, arguments = f"adaptive_avg_pool{dims}d", f"Tensor self, SymInt[{dims}] output_size"
        native(f"{name}({arguments}) -> Tensor", {IMPLICIT: getattr(module, name)})
        native(f"_{name}({arguments}) -> Tensor", {BOTH: getattr(module, f"_{name}")})
        native(
            f"_{name}_backward(Tensor grad_output, Tensor self) -> Tensor", {BOTH: getattr(module, f"_{name}_backward")}
        )
    for dims, module in ((2, adaptive_max_pooling2d), (3, adaptive_max_pooling3d)):
        name = f"adaptive_max_pool{dims}d"
        native(f"{name}(Tensor self, int[{dims}] output_size) -> (Tensor, Tensor)", {BOTH: getattr(module, name)})
        native(
            f"{name}_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
            {BOTH: getattr(module, f"{name}_backward")},
        )

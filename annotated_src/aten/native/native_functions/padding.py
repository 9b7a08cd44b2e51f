"""Padding."""

from annotated_src.aten.native import pad_nd, reflection_pad, replication_padding
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native


def register():
    """Define them."""
    native(
        'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor', {IMPLICIT: pad_nd.pad}
    )
    native(
        "_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor", {IMPLICIT: pad_nd._pad_enum}
    )
    native("_pad_circular(Tensor self, SymInt[] pad) -> Tensor", {IMPLICIT: pad_nd._pad_circular})
    native(
        "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", {EXPLICIT: pad_nd.constant_pad_nd}
    )
    for module, kind in ((reflection_pad, "reflection"), (replication_padding, "replication")):
        for dims in (1, 2, 3):
            name, size = f"{kind}_pad{dims}d", f"SymInt[{2 * dims}]"
            native(f"{name}(Tensor self, {size} padding) -> Tensor", {BOTH: getattr(module, name)})
            native(
                f"{name}_backward(Tensor grad_output, Tensor self, {size} padding) -> Tensor",
                {BOTH: getattr(module, f"{name}_backward")},
            )

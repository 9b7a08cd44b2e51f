"""Operators that make tensors."""

from annotated_src.aten.native import tensor_factories
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, native

OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def register():
    """Define them."""
    native(
        f"empty.memory_format(SymInt[] size, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor",
        {BOTH: tensor_factories.empty},
    )
    native(f"ones(SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.ones})

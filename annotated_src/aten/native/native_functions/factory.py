"""Operators that make tensors, fill them, copy them and convert them."""

from annotated_src.aten.native import (
    copy,
    fill,
    memory,
    range_factories,
    reduce_ops,
    resize,
    scalar,
    tensor_compare,
    tensor_conversions,
    tensor_factories,
    tensor_properties,
    tensor_shape,
    type_properties,
)
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
OPTIONS_AND_FORMAT = f"{OPTIONS}, MemoryFormat? memory_format=None"
TO = "bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None"


def register():
    """Define them."""
    _empty()
    _one_value()
    _ranges()
    _fill_and_copy()
    _conversions()
    _questions()


def _empty():
    native(f"empty.memory_format(SymInt[] size, {OPTIONS_AND_FORMAT}) -> Tensor", {BOTH: tensor_factories.empty})
    native(
        f"empty_strided(SymInt[] size, SymInt[] stride, {OPTIONS}) -> Tensor", {BOTH: tensor_factories.empty_strided}
    )
    native(f"empty_like(Tensor self, {OPTIONS_AND_FORMAT}) -> Tensor", {EXPLICIT: tensor_factories.empty_like})
    native(f"new_empty(Tensor self, SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.new_empty})
    native(
        f"new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, {OPTIONS}) -> Tensor",
        {EXPLICIT: tensor_factories.new_empty_strided},
    )


def _one_value():
    native(f"zeros(SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.zeros})
    native("zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", {EXPLICIT: tensor_factories.zeros_out})
    native(f"zeros_like(Tensor self, {OPTIONS_AND_FORMAT}) -> Tensor", {EXPLICIT: tensor_factories.zeros_like})
    native(f"new_zeros(Tensor self, SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.new_zeros})
    native(f"ones(SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.ones})
    native("ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", {EXPLICIT: tensor_factories.ones_out})
    native(f"ones_like(Tensor self, {OPTIONS_AND_FORMAT}) -> Tensor", {EXPLICIT: tensor_factories.ones_like})
    native(f"new_ones(Tensor self, SymInt[] size, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.new_ones})
    native(f"full(SymInt[] size, Scalar fill_value, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.full})
    native(
        "full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)",
        {EXPLICIT: tensor_factories.full_out},
    )
    native(
        f"full_like(Tensor self, Scalar fill_value, {OPTIONS_AND_FORMAT}) -> Tensor",
        {EXPLICIT: tensor_factories.full_like},
    )
    native(
        f"new_full(Tensor self, SymInt[] size, Scalar fill_value, {OPTIONS}) -> Tensor",
        {EXPLICIT: tensor_factories.new_full},
    )
    native(f"scalar_tensor(Scalar s, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.scalar_tensor})
    native(f"eye(SymInt n, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.eye})
    native(f"eye.m(SymInt n, SymInt m, {OPTIONS}) -> Tensor", {EXPLICIT: tensor_factories.eye})
    native("eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: tensor_factories.eye_out})
    native("eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: tensor_factories.eye_out})


def _ranges():
    native(f"arange(Scalar end, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.arange})
    native(
        f"arange.start(Scalar start, Scalar end, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.arange_start_step}
    )
    native(
        f"arange.start_step(Scalar start, Scalar end, Scalar step=1, {OPTIONS}) -> Tensor",
        {EXPLICIT: range_factories.arange_start_step},
    )
    native("arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)", {EXPLICIT: range_factories.arange_out_end})
    native(
        "arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)",
        {BOTH: range_factories.arange_out},
    )
    native(
        f"range.step(Scalar start, Scalar end, Scalar step=1, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.range_}
    )
    native(f"range(Scalar start, Scalar end, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.range_})
    native(
        "range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)",
        {EXPLICIT: range_factories.range_out_no_step},
    )
    native(
        "range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)",
        {BOTH: range_factories.range_out},
    )
    for overload, start, end in (
        ("", "Scalar", "Scalar"),
        ("Tensor_Tensor", "Tensor", "Tensor"),
        ("Tensor_Scalar", "Tensor", "Scalar"),
        ("Scalar_Tensor", "Scalar", "Tensor"),
    ):
        bounds = f"{start} start, {end} end, int steps"
        plain, out = (f".{overload}", f".{overload}_out") if overload else ("", ".out")
        key = EXPLICIT if overload else BOTH
        native(f"linspace{plain}({bounds}, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.linspace})
        native(f"linspace{out}({bounds}, *, Tensor(a!) out) -> Tensor(a!)", {key: range_factories.linspace_out})
        bounds = f"{bounds}, float base=10.0"
        native(f"logspace{plain}({bounds}, {OPTIONS}) -> Tensor", {EXPLICIT: range_factories.logspace})
        native(f"logspace{out}({bounds}, *, Tensor(a!) out) -> Tensor(a!)", {key: range_factories.logspace_out})


def _fill_and_copy():
    native("fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", {BOTH: fill.fill_scalar_})
    native("fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", {BOTH: fill.fill_tensor_})
    native("fill.Scalar(Tensor self, Scalar value) -> Tensor", {EXPLICIT: fill.fill_scalar})
    native("fill.Tensor(Tensor self, Tensor value) -> Tensor", {EXPLICIT: fill.fill_tensor})
    native("zero_(Tensor(a!) self) -> Tensor(a!)", {BOTH: fill.zero_})
    native(
        "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
        {EXPLICIT: copy.copy_},
    )
    native("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", {EXPLICIT: tensor_factories.clone})
    native(
        "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
        {BOTH: resize.resize_},
    )
    native(
        "resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
        {EXPLICIT: resize.resize_as_},
    )
    native(
        "set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] size, "
        "SymInt[] stride=[]) -> Tensor(a!)",
        {BOTH: resize.set_storage_},
    )


def _conversions():
    native("lift_fresh(Tensor(a) self) -> Tensor(a)", {EXPLICIT: tensor_factories.lift_fresh})
    native(
        f"_to_copy(Tensor self, {OPTIONS}, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
        {EXPLICIT: tensor_conversions._to_copy},
    )
    native(
        f"to.dtype_layout(Tensor(a) self, {OPTIONS}, {TO}) -> Tensor(a)",
        {IMPLICIT: tensor_conversions.to_dtype_layout},
    )
    native(
        f"to.device(Tensor(a) self, Device device, ScalarType dtype, {TO}) -> Tensor(a)",
        {IMPLICIT: tensor_conversions.to_device},
    )
    native(f"to.dtype(Tensor(a) self, ScalarType dtype, {TO}) -> Tensor(a)", {IMPLICIT: tensor_conversions.to_dtype})
    native(f"to.other(Tensor(a) self, Tensor other, {TO}) -> Tensor(a)", {IMPLICIT: tensor_conversions.to_other})
    native(
        "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
        {IMPLICIT: tensor_properties.contiguous},
    )
    native("detach(Tensor(a) self) -> Tensor(a)", {EXPLICIT: tensor_shape.detach})
    native("detach_(Tensor(a!) self) -> Tensor(a!)", {EXPLICIT: tensor_shape.detach_})
    native("item(Tensor self) -> Scalar", {IMPLICIT: scalar.item})
    native("_local_scalar_dense(Tensor self) -> Scalar", {BOTH: scalar._local_scalar_dense})


def _questions():
    native("is_same_size(Tensor self, Tensor other) -> bool", {EXPLICIT: tensor_properties.is_same_size})
    native("is_nonzero(Tensor self) -> bool", {IMPLICIT: tensor_compare.is_nonzero})
    native("equal(Tensor self, Tensor other) -> bool", {BOTH: reduce_ops.equal})
    close = "Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False"
    native(f"isclose({close}) -> Tensor", {IMPLICIT: tensor_compare.isclose})
    native(f"allclose({close}) -> bool", {EXPLICIT: tensor_compare.allclose})
    native("result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", {IMPLICIT: type_properties.result_type})
    native("result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", {IMPLICIT: type_properties.result_type})
    native(
        "result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType",
        {IMPLICIT: type_properties.result_type_scalar_tensor},
    )
    native(
        "result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType",
        {IMPLICIT: type_properties.result_type_scalar_scalar},
    )
    native("can_cast(ScalarType from_, ScalarType to) -> bool", {IMPLICIT: type_properties.can_cast})
    native("promote_types(ScalarType type1, ScalarType type2) -> ScalarType", {IMPLICIT: type_properties.promote_types})
    native("is_floating_point(Tensor self) -> bool", {IMPLICIT: type_properties.is_floating_point})
    native("is_complex(Tensor self) -> bool", {IMPLICIT: type_properties.is_complex})
    native("is_signed(Tensor self) -> bool", {IMPLICIT: type_properties.is_signed})
    native("type_as(Tensor self, Tensor other) -> Tensor", {IMPLICIT: type_properties.type_as})
    native("is_pinned(Tensor self, Device? device=None) -> bool", {EXPLICIT: memory.is_pinned})
    native("pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", {IMPLICIT: memory.pin_memory})
    native("_pin_memory(Tensor self, Device? device=None) -> Tensor", {EXPLICIT: memory._pin_memory})

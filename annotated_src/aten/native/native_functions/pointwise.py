"""Operators that work element by element.

Most come in three forms: `exp` makes a tensor, `exp_` writes to its first argument, `exp.out` to `out`.
"""

from annotated_src.aten.native import binary_ops, pointwise_ops, pow, tensor_compare, unary_ops
from annotated_src.aten.native.native_functions.registry import (
    BOTH,
    EXPLICIT,
    IMPLICIT,
    aliases,
    in_place,
    native,
    structured,
)

SELF = "Tensor(a!) self"
OUT = "Tensor(a!) out) -> Tensor(a!)"


def register():
    """Define them."""
    _arithmetic()
    _division()
    _powers()
    _unary()
    _comparisons()
    _limits()
    _logic()
    _bits()
    _three_operands()


def _unary_forms(name):
    return (
        f"{name}(Tensor self) -> Tensor",
        f"{name}_({SELF}) -> Tensor(a!)",
        f"{name}.out(Tensor self, *, {OUT}",
    )


def _scaled_forms(name):
    """The forms of `add` and `sub`, whose second operand is scaled by `alpha`."""
    return (
        f"{name}.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        f"{name}_.Tensor({SELF}, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
        f"{name}.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        f"{name}_.Scalar({SELF}, Scalar other, Scalar alpha=1) -> Tensor(a!)",
        f"{name}.out(Tensor self, Tensor other, *, Scalar alpha=1, {OUT}",
    )


def _binary_forms(name):
    """The forms of an operator of a tensor and a tensor or number."""
    return (
        f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
        f"{name}_.Tensor({SELF}, Tensor other) -> Tensor(a!)",
        f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
        f"{name}_.Scalar({SELF}, Scalar other) -> Tensor(a!)",
        f"{name}.out(Tensor self, Tensor other, *, {OUT}",
    )


def _tensor_forms(name):
    """The forms of an operator of two tensors."""
    return (
        f"{name}(Tensor self, Tensor other) -> Tensor",
        f"{name}_({SELF}, Tensor other) -> Tensor(a!)",
        f"{name}.out(Tensor self, Tensor other, *, {OUT}",
    )


def _comparison_forms(name):
    return (
        f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
        f"{name}_.Tensor({SELF}, Tensor other) -> Tensor(a!)",
        f"{name}.Tensor_out(Tensor self, Tensor other, *, {OUT}",
        f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
        f"{name}_.Scalar({SELF}, Scalar other) -> Tensor(a!)",
        f"{name}.Scalar_out(Tensor self, Scalar other, *, {OUT}",
    )


def _arithmetic():
    structured(binary_ops.add, *_scaled_forms("add"))
    structured(binary_ops.sub, *_scaled_forms("sub"))
    aliases("subtract", "sub", *_scaled_forms("subtract"))
    native("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", {BOTH: binary_ops.rsub})
    native("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", {EXPLICIT: binary_ops.rsub})
    structured(binary_ops.mul, *_binary_forms("mul"))
    aliases("multiply", "mul", *_binary_forms("multiply"))
    for name in ("atan2", "hypot"):
        structured(getattr(binary_ops, name), *_tensor_forms(name))
    made, in_place, out = _tensor_forms("xlogy")
    structured(
        binary_ops.xlogy,
        made.replace("xlogy(", "xlogy.Tensor("),
        in_place.replace("xlogy_(", "xlogy_.Tensor("),
        out.replace("xlogy.out(", "xlogy.OutTensor("),
    )
    aliases("arctan2", "atan2", *_tensor_forms("arctan2"))


def _division():
    structured(binary_ops.div, *_binary_forms("div"))
    structured(binary_ops.div_mode, *_mode_forms("div"))
    aliases("divide", "div", *_binary_forms("divide"), *_mode_forms("divide"))
    aliases("true_divide", "div", *_binary_forms("true_divide"))
    structured(
        binary_ops.floor_divide,
        "floor_divide(Tensor self, Tensor other) -> Tensor",
        f"floor_divide_.Tensor({SELF}, Tensor other) -> Tensor(a!)",
        f"floor_divide.out(Tensor self, Tensor other, *, {OUT}",
        "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
        f"floor_divide_.Scalar({SELF}, Scalar other) -> Tensor(a!)",
    )
    structured(binary_ops.remainder, *_comparison_forms("remainder"))
    native(
        "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {BOTH: binary_ops.remainder_scalar_tensor},
    )
    structured(binary_ops.fmod, *_comparison_forms("fmod"))


def _mode_forms(name):
    mode = "*, str? rounding_mode"
    return (
        f"{name}.Tensor_mode(Tensor self, Tensor other, {mode}) -> Tensor",
        f"{name}_.Tensor_mode({SELF}, Tensor other, {mode}) -> Tensor(a!)",
        f"{name}.out_mode(Tensor self, Tensor other, {mode}, {OUT}",
        f"{name}.Scalar_mode(Tensor self, Scalar other, {mode}) -> Tensor",
        f"{name}_.Scalar_mode({SELF}, Scalar other, {mode}) -> Tensor(a!)",
    )


def _powers():
    structured(
        pow.pow_tensor_tensor,
        "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
        f"pow_.Tensor({SELF}, Tensor exponent) -> Tensor(a!)",
        f"pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, {OUT}",
    )
    structured(
        pow.pow_tensor_scalar,
        "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        f"pow_.Scalar({SELF}, Scalar exponent) -> Tensor(a!)",
        f"pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, {OUT}",
    )
    native("pow.Scalar(Scalar self, Tensor exponent) -> Tensor", {BOTH: pow.pow_scalar})
    native(f"pow.Scalar_out(Scalar self, Tensor exponent, *, {OUT}", {BOTH: pow.pow_scalar})
    native("square(Tensor self) -> Tensor", {IMPLICIT: unary_ops.square})
    native(f"square_({SELF}) -> Tensor(a!)", {IMPLICIT: unary_ops.square_})
    native(f"square.out(Tensor self, *, {OUT}", {IMPLICIT: unary_ops.square_out})


def _unary():
    structured(unary_ops.abs_, *_unary_forms("abs"))
    for name in (
        "neg", "sign", "sgn", "reciprocal", "sqrt", "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
        "sigmoid", "erf", "erfc", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "floor", "ceil", "trunc", "frac",
    ):  # fmt: skip
        structured(getattr(unary_ops, name), *_unary_forms(name))
    for name, target in (("absolute", "abs"), ("negative", "neg"), ("fix", "trunc")):
        aliases(name, target, *_unary_forms(name))
    for name, target in (("arcsin", "asin"), ("arccos", "acos"), ("arctan", "atan")):
        aliases(name, target, *_unary_forms(name))
    native("positive(Tensor(a) self) -> Tensor(a)", {IMPLICIT: unary_ops.positive})
    native("signbit(Tensor self) -> Tensor", {BOTH: unary_ops.signbit})
    native(f"signbit.out(Tensor self, *, {OUT}", {BOTH: unary_ops.signbit})
    structured(unary_ops.round_, *_unary_forms("round"))
    structured(
        unary_ops.round_decimals,
        "round.decimals(Tensor self, *, int decimals) -> Tensor",
        f"round_.decimals({SELF}, *, int decimals) -> Tensor(a!)",
        f"round.decimals_out(Tensor self, *, int decimals, {OUT}",
    )
    limits = "float? nan=None, float? posinf=None, float? neginf=None"
    structured(
        unary_ops.nan_to_num,
        f"nan_to_num(Tensor self, {limits}) -> Tensor",
        f"nan_to_num_({SELF}, {limits}) -> Tensor(a!)",
        keys=EXPLICIT,
    )
    native(f"nan_to_num.out(Tensor self, {limits}, *, {OUT}", {BOTH: unary_ops.nan_to_num})


def _comparisons():
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        structured(getattr(binary_ops, name), *_comparison_forms(name))
    for name, target in (("not_equal", "ne"), ("less", "lt"), ("less_equal", "le")):
        aliases(name, target, *_comparison_forms(name))
    for name, target in (("greater", "gt"), ("greater_equal", "ge")):
        aliases(name, target, *_comparison_forms(name))
    native("isnan(Tensor self) -> Tensor", {BOTH: tensor_compare.isnan})
    native("isinf(Tensor self) -> Tensor", {EXPLICIT: tensor_compare.isinf})
    native("isfinite(Tensor self) -> Tensor", {IMPLICIT: tensor_compare.isfinite})
    for name in ("isposinf", "isneginf"):
        native(f"{name}(Tensor self) -> Tensor", {BOTH: getattr(tensor_compare, name)})
        native(f"{name}.out(Tensor self, *, {OUT}", {BOTH: getattr(tensor_compare, name)})


def _limits():
    for name in ("maximum", "minimum", "fmax", "fmin"):
        native(f"{name}(Tensor self, Tensor other) -> Tensor", {BOTH: getattr(binary_ops, name)})
        native(f"{name}.out(Tensor self, Tensor other, *, {OUT}", {BOTH: getattr(binary_ops, name)})
    structured(tensor_compare.clamp, *_clamp_forms("clamp"))
    aliases("clip", "clamp", *_clamp_forms("clip"))
    for name, limit in (("clamp_min", "min"), ("clamp_max", "max")):
        structured(
            getattr(tensor_compare, name),
            f"{name}(Tensor self, Scalar {limit}) -> Tensor",
            f"{name}.Tensor(Tensor self, Tensor {limit}) -> Tensor",
            f"{name}_({SELF}, Scalar {limit}) -> Tensor(a!)",
            f"{name}_.Tensor({SELF}, Tensor {limit}) -> Tensor(a!)",
            f"{name}.out(Tensor self, Scalar {limit}, *, {OUT}",
            f"{name}.Tensor_out(Tensor self, Tensor {limit}, *, {OUT}",
        )


def _clamp_forms(name):
    return (
        f"{name}(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
        f"{name}.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
        f"{name}_({SELF}, Scalar? min=None, Scalar? max=None) -> Tensor(a!)",
        f"{name}_.Tensor({SELF}, Tensor? min=None, Tensor? max=None) -> Tensor(a!)",
        f"{name}.out(Tensor self, Scalar? min=None, Scalar? max=None, *, {OUT}",
        f"{name}.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, {OUT}",
    )


def _logic():
    for name in ("logical_and", "logical_or", "logical_xor"):
        kernel = getattr(binary_ops, name)
        made, in_place, out = _tensor_forms(name)
        structured(kernel, made, in_place, keys=EXPLICIT)
        structured(kernel, out)
    made, in_place, out = _unary_forms("logical_not")
    structured(unary_ops.logical_not, made, in_place, keys=EXPLICIT)
    structured(unary_ops.logical_not, out)


def _bits():
    structured(unary_ops.bitwise_not, *_unary_forms("bitwise_not"))
    for name, dunder in (("bitwise_and", "and"), ("bitwise_or", "or"), ("bitwise_xor", "xor")):
        kernel = getattr(binary_ops, name)
        structured(kernel, *_comparison_forms(name))
        native(f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", {EXPLICIT: kernel})
        # `x & y` is an operator of its own, which calls bitwise_and.
        aliases(f"__{dunder}__", name, *_dunder_forms(f"__{dunder}__"))
        aliases(f"__i{dunder}__", f"{name}_", *_in_place_dunder_forms(f"__i{dunder}__"))
    for name, dunder in (("bitwise_left_shift", "lshift"), ("bitwise_right_shift", "rshift")):
        kernel = getattr(binary_ops, name)
        structured(
            kernel,
            f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
            f"{name}_.Tensor({SELF}, Tensor other) -> Tensor(a!)",
            f"{name}.Tensor_out(Tensor self, Tensor other, *, {OUT}",
        )
        structured(
            kernel,
            f"{name}.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
            f"{name}_.Tensor_Scalar({SELF}, Scalar other) -> Tensor(a!)",
            f"{name}.Tensor_Scalar_out(Tensor self, Scalar other, *, {OUT}",
            keys=EXPLICIT,
        )
        native(f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", {EXPLICIT: kernel})
        for schema in _dunder_forms(f"__{dunder}__"):
            native(schema, {BOTH: kernel})
        for schema in _in_place_dunder_forms(f"__i{dunder}__"):
            native(schema, {BOTH: in_place(kernel)})


def _dunder_forms(name):
    return (
        f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
        f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
    )


def _in_place_dunder_forms(name):
    return (
        f"{name}.Scalar({SELF}, Scalar other) -> Tensor(a!)",
        f"{name}.Tensor({SELF}, Tensor other) -> Tensor(a!)",
    )


def _three_operands():
    for name in ("addcmul", "addcdiv"):
        structured(
            getattr(pointwise_ops, name),
            f"{name}(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
            f"{name}_({SELF}, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)",
            f"{name}.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, {OUT}",
        )
    structured(
        pointwise_ops.lerp_scalar,
        "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
        f"lerp_.Scalar({SELF}, Tensor end, Scalar weight) -> Tensor(a!)",
        f"lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, {OUT}",
    )
    structured(
        pointwise_ops.lerp_tensor,
        "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
        f"lerp_.Tensor({SELF}, Tensor end, Tensor weight) -> Tensor(a!)",
        f"lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, {OUT}",
    )

"""Operators that work element by element.

Most come in three forms: `exp` makes a tensor, `exp_` writes to its first argument, `exp.out` to `out`.
"""

from annotated_src.aten.native import binary_ops, unary_ops
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, native, structured


def register():
    """Define them."""
    _arithmetic()
    _unary()
    _comparisons()


def _arithmetic():
    for name, kernel in (("add", binary_ops.add), ("sub", binary_ops.sub)):
        structured(
            kernel,
            f"{name}.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
            f"{name}_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
            f"{name}.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
            f"{name}_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)",
            f"{name}.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
        )
    for name, kernel in (("mul", binary_ops.mul), ("div", binary_ops.div)):
        structured(
            kernel,
            f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
            f"{name}_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
            f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
            f"{name}_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
            f"{name}.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
        )
    native("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", {BOTH: binary_ops.rsub})
    native("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", {EXPLICIT: binary_ops.rsub})


def _unary():
    for name, kernel in (("abs", unary_ops.abs_), ("neg", unary_ops.neg), ("reciprocal", unary_ops.reciprocal)):
        structured(
            kernel,
            f"{name}(Tensor self) -> Tensor",
            f"{name}_(Tensor(a!) self) -> Tensor(a!)",
            f"{name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
        )


def _comparisons():
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        structured(
            getattr(binary_ops, name),
            f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
            f"{name}_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
            f"{name}.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
            f"{name}.Scalar(Tensor self, Scalar other) -> Tensor",
            f"{name}_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
            f"{name}.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
        )

"""Operators that work element by element."""

from annotated_src.aten.native import binary_ops
from annotated_src.aten.native.native_functions.registry import structured


def register():
    """Define them."""
    structured(
        binary_ops.add,
        "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
        "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        "add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)",
        "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
    )
    structured(
        binary_ops.mul,
        "mul.Tensor(Tensor self, Tensor other) -> Tensor",
        "mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        "mul.Scalar(Tensor self, Scalar other) -> Tensor",
        "mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
        "mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
    )

"""Operators that multiply matrices."""

from annotated_src.aten.native import blas, linear, linear_algebra
from annotated_src.aten.native.native_functions.registry import (
    BOTH,
    EXPLICIT,
    IMPLICIT,
    aliases,
    native,
    structured,
)

OUT = "Tensor(a!) out) -> Tensor(a!)"
SCALES = "*, Scalar beta=1, Scalar alpha=1"


def register():
    """Define them."""
    native("mm(Tensor self, Tensor mat2) -> Tensor", {BOTH: linear_algebra.mm})
    native(f"mm.out(Tensor self, Tensor mat2, *, {OUT}", {BOTH: linear_algebra.mm})
    native("bmm(Tensor self, Tensor mat2) -> Tensor", {BOTH: linear_algebra.bmm})
    native(f"bmm.out(Tensor self, Tensor mat2, *, {OUT}", {BOTH: linear_algebra.bmm})
    _sums_with_products()
    _vectors()
    _composites()


def _sums_with_products():
    for name, kernel, factors in (
        ("addmm", linear_algebra.addmm, "Tensor mat1, Tensor mat2"),
        ("baddbmm", linear_algebra.baddbmm, "Tensor batch1, Tensor batch2"),
        ("addmv", blas.addmv, "Tensor mat, Tensor vec"),
    ):
        structured(
            kernel,
            f"{name}(Tensor self, {factors}, {SCALES}) -> Tensor",
            f"{name}_(Tensor(a!) self, {factors}, {SCALES}) -> Tensor(a!)",
            f"{name}.out(Tensor self, {factors}, {SCALES}, {OUT}",
        )


def _vectors():
    native("dot(Tensor self, Tensor tensor) -> Tensor", {BOTH: blas.dot})
    native("vdot(Tensor self, Tensor other) -> Tensor", {BOTH: blas.vdot})
    native(f"dot.out(Tensor self, Tensor tensor, *, {OUT}", {EXPLICIT: blas.dot})
    native("mv(Tensor self, Tensor vec) -> Tensor", {EXPLICIT: blas.mv})
    native(f"mv.out(Tensor self, Tensor vec, *, {OUT}", {EXPLICIT: blas.mv})


def _composites():
    native("matmul(Tensor self, Tensor other) -> Tensor", {IMPLICIT: linear_algebra.matmul})
    native(f"matmul.out(Tensor self, Tensor other, *, {OUT}", {IMPLICIT: linear_algebra.matmul_out})
    native("inner(Tensor self, Tensor other) -> Tensor", {IMPLICIT: linear_algebra.inner})
    native("outer(Tensor self, Tensor vec2) -> Tensor", {IMPLICIT: linear_algebra.outer})
    native(f"outer.out(Tensor self, Tensor vec2, *, {OUT}", {IMPLICIT: linear_algebra.outer_out})
    aliases(
        "ger",
        "outer",
        "ger(Tensor self, Tensor vec2) -> Tensor",
        f"ger.out(Tensor self, Tensor vec2, *, {OUT}",
    )
    native("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", {IMPLICIT: linear.linear})
    native(
        "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
        {IMPLICIT: linear.bilinear},
    )
    native(
        "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
        "int unroll_dim=1) -> Tensor",
        {EXPLICIT: linear._trilinear},
    )
    native(
        "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
        {IMPLICIT: linear.tensordot},
    )
    native(
        f"tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, {OUT}",
        {IMPLICIT: linear.tensordot_out},
    )
    native("einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", {IMPLICIT: linear.einsum})

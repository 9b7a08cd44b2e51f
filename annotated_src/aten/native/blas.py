"""Products with vectors: dot, mv, addmv. Retells aten/src/ATen/native/Blas.cpp.

float16 and bfloat16 are multiplied and summed in float32, and rounded once.
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import ALL_TYPES_AND_COMPLEX, dispatch
from annotated_src.aten.native.linear_algebra import bad_in_place, cast_factors, product
from annotated_src.aten.tensor_iterator import OPMATH, cast_number, check_same_device, finish, quietly
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.c10.util.exception import TorchError


def dot(self, tensor, *, out=None):
    """The sum of the products of two vectors' elements."""
    dot_check(self, tensor)
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "dot")
    return finish(product(self.dtype, self.array, tensor.array), out, (self, tensor))


def vdot(self, other):
    """`dot` of self's conjugate."""
    if not self.dtype.is_complex:
        return ops.dot.default(self, other)
    dot_check(self, other)
    return finish(product(self.dtype, self.array.conj(), other.array), None)


def dot_check(self, other):
    """RuntimeError unless these are two vectors of one length and one dtype."""
    if self.array.ndim != 1 or other.array.ndim != 1:
        raise TorchError(
            f"1D tensors expected, but got {self.array.ndim}D and {other.array.ndim}D tensors: "
            "torch.matmul takes other shapes"
        )
    if self.dtype is not other.dtype:
        raise TorchError(
            "dot : expected both vectors to have same dtype, "
            f"but found {self.dtype.cpp_name} and {other.dtype.cpp_name}"
        )
    if self.array.shape != other.array.shape:
        first, second = self.array.size, other.array.size
        raise TorchError(
            f"inconsistent tensor size, expected tensor [{first}] and src [{second}] to have the same number of "
            f"elements, but got {first} and {second} elements respectively"
        )
    check_same_device(self, other)


def mv(self, vec, *, out=None):
    """A matrix times a vector."""
    if out is not None:
        return ops.addmv.out(vec, self, vec, beta=0, out=out)
    result = ops.empty.memory_format((size_along(self.array, 0),), dtype=vec.dtype, device=vec.device)
    return ops.addmv_.default(result, self, vec, beta=0)


def addmv(self, mat, vec, *, beta=1, alpha=1, out=None):
    """beta * self + alpha * (mat @ vec)."""
    if mat.array.ndim != 2 or vec.array.ndim != 1 or self.array.ndim > 1:
        raise TorchError(
            f"vector + matrix @ vector expected, got {self.array.ndim}, {mat.array.ndim}, {vec.array.ndim}"
        )
    rows, columns = mat.array.shape
    # beta = 0 ignores self, whatever its size.
    if columns != vec.array.shape[0] or beta != 0 and self.array.size not in (rows, 1):
        raise TorchError(
            f"size mismatch, got input ({self.array.size}), mat ({rows}x{columns}), vec ({vec.array.shape[0]})"
        )
    if out is self and self.array.shape != (rows,):
        raise bad_in_place(self, (rows,))
    dispatch(mat.dtype, ALL_TYPES_AND_COMPLEX, "addmv_impl_cpu")
    check_same_device(self, mat, vec)
    return finish(quietly(_addmv, self, mat, vec, beta, alpha), out, (self, mat, vec))


def _addmv(self, mat, vec, beta, alpha):
    dtype = self.dtype
    wide = OPMATH.get(dtype, dtype)
    matrix, vector = cast_factors(dtype, mat.array, vec.array)
    result = (matrix @ vector) * cast_number(alpha, wide)
    if beta != 0:
        (addend,) = cast_factors(dtype, self.array)
        result = result + addend * cast_number(beta, wide)
    return result.astype(dtype.numpy, copy=False)

"""Matrix products. Retells aten/src/ATen/native/LinearAlgebra.cpp.

    mm, bmm             two matrices; two batches of them
    addmm, baddbmm      the same, scaled and added to a third
    matmul              Python's `@`: looks at the dimensions and calls dot, mv, mm or bmm
    outer, inner        by way of other operators

float16 and bfloat16 are multiplied and summed in float32, and rounded once.
"""

import operator

from annotated_src.aten import ops
from annotated_src.aten.dispatch import ALL_TYPES_AND_COMPLEX, dispatch
from annotated_src.aten.expand_utils import infer_size
from annotated_src.aten.tensor_iterator import (
    NUMPY_COMPUTES,
    OPMATH,
    cast_number,
    check_same_device,
    finish,
    need_nothing,
    quietly,
)
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.c10.util.exception import TorchError

# -- arrays


def cast_factors(dtype, *arrays):
    """The arrays in the dtype in which products of `dtype` are computed."""
    if dtype not in OPMATH:
        return arrays
    return [array.astype(OPMATH[dtype].numpy, copy=False) for array in arrays]


def product(dtype, first, second):
    """first @ second, computed wide and rounded to `dtype` once."""
    if dtype in OPMATH:
        first, second = cast_factors(dtype, first, second)
        return quietly(lambda a, b: (a @ b).astype(dtype.numpy), first, second)
    return quietly(operator.matmul, first, second)


# -- mm and bmm


def mm(self, mat2, *, out=None):
    """The product of two matrices: (n, k) @ (k, m) -> (n, m)."""
    first, second = self.array, mat2.array
    # Two matrices of float32 or float64 that fit: there is nothing to check or to convert.
    if out is None and first.dtype in NUMPY_COMPUTES and need_nothing(self, mat2):
        if first.ndim == second.ndim == 2 and first.shape[1] == second.shape[0]:
            return make_tensor(quietly(operator.matmul, first, second))
    _check_matrices("self", self, mat2)
    _check_same_dtype(self, mat2)
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "addmm_impl_cpu_")
    _check_out(self, out)
    return finish(product(self.dtype, self.array, mat2.array), out, (self, mat2))


def _check_matrices(name, first, second):
    if first.array.ndim != 2:
        raise TorchError(f"{name} must be a matrix, got {first.array.ndim}-D tensor")
    if second.array.ndim != 2:
        raise TorchError(f"mat2 must be a matrix, not a tensor of {second.array.ndim} dimensions")
    (n, k), (k2, m) = first.array.shape, second.array.shape
    if k != k2:
        raise TorchError(
            f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m}): the inner sizes have to be equal"
        )
    check_same_device(first, second)


def _check_same_dtype(first, second):
    if first.dtype is not second.dtype:
        raise TorchError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{_cpp_type(first.dtype)} != {_cpp_type(second.dtype)}; convert one of them with .to()"
        )


_CPP_TYPES = {"float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double"}
_CPP_TYPES |= {"int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char"}
_CPP_TYPES |= {"uint8": "unsigned char", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}


def _cpp_type(dtype):
    return _CPP_TYPES.get(dtype.name, dtype.name)


def _check_out(self, out):
    if out is not None and out.dtype is not self.dtype:
        raise TorchError(
            f"Expected out tensor to have dtype {_cpp_type(self.dtype)}, but got {_cpp_type(out.dtype)} instead"
        )


def bmm(self, mat2, *, out=None):
    """The products of two batches of matrices: (b, n, k) @ (b, k, m) -> (b, n, m)."""
    _check_batches(self, mat2)
    _check_same_dtype(self, mat2)
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "bmm")
    _check_out(self, out)
    return finish(product(self.dtype, self.array, mat2.array), out, (self, mat2))


def _check_batches(batch1, batch2):
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.array.ndim != 3:
            raise TorchError(f"{name} must be a 3D tensor, not one of {batch.array.ndim} dimensions")
    expected = [batch1.array.shape[0], batch1.array.shape[2]]
    got = list(batch2.array.shape[:2])
    if got != expected:
        raise TorchError(
            f"Expected size for first two dimensions of batch2 tensor to be: {expected} but got: {got}."
        )
    check_same_device(batch1, batch2)


# -- the same, added to something


def addmm(self, mat1, mat2, *, beta=1, alpha=1, out=None):
    """beta * self + alpha * (mat1 @ mat2); self is broadcast to the product's shape."""
    _check_matrices("mat1", mat1, mat2)
    shape = (mat1.array.shape[0], mat2.array.shape[1])
    addend = self
    if self.array.shape != shape:
        if out is self:
            raise bad_in_place(self, shape)
        addend = ops.expand.default(self, shape)
    _check_addend(self, mat1, mat2)
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "addmm_impl_cpu_")
    return finish(quietly(_scaled_sum, addend, mat1, mat2, beta, alpha), out, (self, mat1, mat2))


def bad_in_place(self, shape):
    """The error where the result does not fit into the tensor it is to be written to."""
    return TorchError(
        f"Bad in-place call: input tensor size {list(self.array.shape)} and output tensor size {list(shape)} "
        "should match"
    )


def baddbmm(self, batch1, batch2, *, beta=1, alpha=1, out=None):
    """beta * self + alpha * (batch1 @ batch2), a batch of matrices; self is broadcast."""
    shape = (size_along(batch1.array, 0), size_along(batch1.array, 1), size_along(batch2.array, 2))
    addend = self if self.array.shape == shape else ops.expand.default(self, shape)
    _check_batches(batch1, batch2)
    if out is self and addend is not self:
        raise bad_in_place(self, shape)
    _check_addend(self, batch1, batch2)
    dispatch(self.dtype, ALL_TYPES_AND_COMPLEX, "baddbmm")
    return finish(quietly(_scaled_sum, addend, batch1, batch2, beta, alpha), out, (self, batch1, batch2))


def _check_addend(self, mat1, mat2):
    if need_nothing(self, mat1) and need_nothing(mat1, mat2):
        return
    check_same_device(self, mat1, mat2)
    if mat1.dtype is not mat2.dtype:
        raise TorchError(
            f"mat1 and mat2 must have the same dtype, but got {mat1.dtype.cpp_name} and {mat2.dtype.cpp_name}"
        )
    if self.dtype is not mat2.dtype:
        raise TorchError(
            f"self and mat2 must have the same dtype, but got {self.dtype.cpp_name} and {mat2.dtype.cpp_name}"
        )


def _scaled_sum(addend, first, second, beta, alpha):
    dtype = addend.dtype
    wide = OPMATH.get(dtype, dtype)
    a, b, c = cast_factors(dtype, first.array, second.array, addend.array)
    result = a @ b
    if alpha != 1:
        result = result * cast_number(alpha, wide)
    # beta = 0 ignores the addend, NaN and all.
    if beta != 0:
        # (the product is ours: no third array)
        result += c if beta == 1 else c * cast_number(beta, wide)
    return result if wide is dtype else result.astype(dtype.numpy)


# -- matmul


def matmul(self, other):
    """Python's `@`: vectors, matrices, and batches of matrices, whose batch dimensions are broadcast."""
    dim1, dim2 = self.array.ndim, other.array.ndim
    if dim1 == 0 or dim2 == 0:
        raise TorchError(
            f"both arguments to matmul need to be at least 1D, but they are {dim1}D and {dim2}D: use `*` for numbers"
        )
    if dim1 == 1 and dim2 == 1:
        return ops.dot.default(self, other)
    if dim1 == 2 and dim2 == 1:
        return ops.mv.default(self, other)
    if dim1 == 1 and dim2 == 2:
        return ops.squeeze_(ops.mm.default(ops.unsqueeze.default(self, 0), other), 0)
    if dim1 == 2 and dim2 == 2:
        return ops.mm.default(self, other)
    if should_fold(self, other):
        return _matmul_folded(self, other)
    return _matmul_batched(self, other)


def matmul_out(self, other, *, out):
    """`matmul` into `out`."""
    return finish(matmul(self, other).array, out, (self, other))


def should_fold(tensor1, tensor2):
    """Whether (b, n, k) @ (k, m) is to be computed as one product (b * n, k) @ (k, m)."""
    # Seen so that the matrix is on the right: of the transposed product, where `tensor2` is the larger.
    larger, smaller = tensor1, tensor2
    if tensor1.array.ndim < tensor2.array.ndim:
        larger, smaller = ops.mT.default(tensor2), tensor1
    if larger.array.ndim < 3 or smaller.array.ndim > 2:
        return False
    # A gradient of the smaller one would be summed over an expanded batch: folding spares that.
    if getattr(smaller, "requires_grad", False):
        return True
    # The product would come out transposed, and would have to be copied.
    if tensor1.array.ndim == 2:
        return False
    if larger.array.size == 0:
        return True
    sizes, strides = larger.array.shape, larger.array.strides
    # The batch dimensions can be one dimension only if they follow each other densely.
    return all(strides[dim] == strides[dim + 1] * sizes[dim + 1] for dim in range(larger.array.ndim - 2))


def _matmul_folded(tensor1, tensor2):
    transpose = tensor2.array.ndim > tensor1.array.ndim
    larger, smaller = tensor1, tensor2
    if transpose:
        larger = ops.mT.default(tensor2)
        smaller = ops.t.default(tensor1) if tensor1.array.ndim == 2 else tensor1
    *output_shape, inner = larger.array.shape
    folded = 1
    for size in output_shape:
        folded *= size
    # (b, n, k) -> (b * n, k)
    matrix = ops.reshape.default(larger, (folded, inner))
    if smaller.array.ndim == 1:
        return ops._unsafe_view.default(ops.mv.default(matrix, smaller), output_shape)
    output_shape.append(smaller.array.shape[1])
    output = ops._unsafe_view.default(ops.mm.default(matrix, smaller), output_shape)
    return ops.contiguous.default(ops.mT.default(output)) if transpose else output


def _matmul_batched(tensor1, tensor2):
    shape1, shape2 = tensor1.array.shape, tensor2.array.shape
    n, k1 = shape1[-2:] if len(shape1) > 1 else (1, shape1[-1])
    k2, m = shape2[-2:] if len(shape2) > 1 else (shape2[-1], 1)
    batch1, batch2 = shape1[:-2], shape2[:-2]
    # A batch of one that is to be broadcast and wants a gradient: fold it, as above.
    if len(shape1) == 3 and len(shape2) == 3 and batch1 != batch2:
        if batch1[0] == 1 and getattr(tensor1, "requires_grad", False):
            return matmul(ops.squeeze(tensor1, 0), tensor2)
        if batch2[0] == 1 and getattr(tensor2, "requires_grad", False):
            return matmul(tensor1, ops.squeeze(tensor2, 0))
    batch = infer_size(batch1, batch2)
    count = 1
    for size in batch:
        count *= size
    # (batch..., n, k) -> (count, n, k) and (batch..., k, m) -> (count, k, m)
    first = ops.reshape.default(ops.expand.default(tensor1, (*batch, n, k1)), (count, n, k1))
    if len(shape2) == 1:
        second = ops.unsqueeze.default(ops.reshape.default(ops.expand.default(tensor2, (*batch, k2)), (count, k2)), 2)
    else:
        second = ops.reshape.default(ops.expand.default(tensor2, (*batch, k2, m)), (count, k2, m))
    output_shape = list(batch)
    if len(shape1) > 1:
        output_shape.append(n)
    if len(shape2) > 1:
        output_shape.append(m)
    return ops._unsafe_view.default(ops.bmm.default(first, second), output_shape)


# -- outer and inner


def outer(self, vec2):
    """Every element of one vector times every element of the other: (n,), (m,) -> (n, m)."""
    _check_vectors(self, vec2)
    return ops.mul(ops.reshape.default(self, (self.array.shape[0], 1)), vec2)


def outer_out(self, vec2, *, out):
    """`outer` into `out`."""
    _check_vectors(self, vec2)
    return ops.mul(ops.reshape.default(self, (self.array.shape[0], 1)), vec2, out=out)


def _check_vectors(self, vec2):
    for name, vector in (("self", self), ("vec2", vec2)):
        if vector.array.ndim != 1:
            raise TorchError(f"outer: Expected 1-D argument {name}, but got {vector.array.ndim}-D")


def inner(self, other):
    """The sums of products along both tensors' last dimensions; an ordinary product where one is 0-d."""
    if self.array.ndim == 0 or other.array.ndim == 0:
        return ops.mul(self, other)
    if self.array.shape[-1] != other.array.shape[-1]:
        raise TorchError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(self.array.shape)} and {list(other.array.shape)}"
        )
    return ops.tensordot.default(self, other, (-1,), (-1,))

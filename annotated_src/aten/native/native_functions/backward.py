"""Operators that derivative formulas call: gradients that are more than a line, and have a kernel of their own."""

from annotated_src.aten.native import reduce_ops, tensor_advanced_indexing, tensor_shape, unfold_backward
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

GRAD_OUTPUT = "Tensor grad_output, SymInt[] input_sizes"


def register():
    """Define them."""
    _of_views()
    _of_selections()


def _of_views():
    native(
        f"select_backward({GRAD_OUTPUT}, int dim, SymInt index) -> Tensor",
        {EXPLICIT: tensor_shape.select_backward},
    )
    native(
        f"slice_backward({GRAD_OUTPUT}, int dim, SymInt start, SymInt end, SymInt step) -> Tensor",
        {EXPLICIT: tensor_shape.slice_backward},
    )
    native(
        f"diagonal_backward({GRAD_OUTPUT}, int offset, int dim1, int dim2) -> Tensor",
        {EXPLICIT: tensor_shape.diagonal_backward},
    )
    native(
        "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
        {BOTH: unfold_backward.unfold_backward},
    )


def _of_selections():
    native(
        "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) "
        "-> Tensor",
        {IMPLICIT: reduce_ops.value_selecting_reduction_backward},
    )
    native(
        "cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor",
        {IMPLICIT: reduce_ops.cumprod_backward},
    )
    kernels = tensor_advanced_indexing
    native(
        "index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor",
        {IMPLICIT: kernels.index_select_backward},
    )
    native(
        "gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor",
        {IMPLICIT: kernels.gather_backward},
    )
    native(
        "masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor",
        {IMPLICIT: kernels.masked_select_backward},
    )
    native(
        "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor",
        {EXPLICIT: kernels.masked_scatter_backward},
    )

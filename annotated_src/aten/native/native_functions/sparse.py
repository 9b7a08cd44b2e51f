"""Operators of sparse tensors, and the sparse kernels of operators that others have defined."""

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native
from annotated_src.aten.native.sparse import sparse_tensor, sparse_tensor_math

SPARSE = "SparseCPU, SparseCUDA"
OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None"


def register():
    """Define them."""
    _factories()
    _questions()
    _forms()
    _kernels_for_operators_defined_elsewhere()


def _factories():
    kernels = sparse_tensor
    native(
        f"sparse_coo_tensor.size(int[] size, *, {OPTIONS}, bool? pin_memory=False) -> Tensor",
        {EXPLICIT: kernels.sparse_coo_tensor_size},
    )
    rest = f"*, {OPTIONS}, bool? pin_memory=None, bool? is_coalesced=None"
    native(
        f"sparse_coo_tensor.indices(Tensor indices, Tensor values, {rest}) -> Tensor",
        {IMPLICIT: kernels.sparse_coo_tensor_indices},
    )
    native(
        f"sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, {rest}) -> Tensor",
        {IMPLICIT: kernels.sparse_coo_tensor_indices_size},
    )
    native(
        f"_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, {rest}) -> Tensor",
        {IMPLICIT: kernels._sparse_coo_tensor_unsafe},
    )
    # Its arguments are dense: upstream BackendSelect sends the call to the sparse backend.
    native(
        "_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size, Tensor indices, "
        f"Tensor values, *, {OPTIONS}, bool? pin_memory=False, bool? is_coalesced=None) -> Tensor",
        {BOTH: kernels._sparse_coo_tensor_with_dims_and_tensors},
    )


def _questions():
    kernels = sparse_tensor
    for name in ("_indices", "_values"):
        native(f"{name}(Tensor(a) self) -> Tensor(a)", {SPARSE: getattr(kernels, name)})
    for name in ("indices", "values"):
        native(
            f"{name}(Tensor(a) self) -> Tensor(a)",
            {SPARSE: getattr(kernels, name), EXPLICIT: getattr(kernels, f"dense_{name}")},
        )
    native("_nnz(Tensor self) -> int", {SPARSE: kernels._nnz})
    native("sparse_dim(Tensor self) -> int", {SPARSE: kernels.sparse_dim})
    native("dense_dim(Tensor self) -> int", {SPARSE: kernels.dense_dim})
    native(
        "is_coalesced(Tensor self) -> bool", {SPARSE: kernels.is_coalesced, EXPLICIT: kernels.dense_is_coalesced}
    )
    native("_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)", {SPARSE: kernels._coalesced_})


def _forms():
    kernels = sparse_tensor
    native("coalesce(Tensor(a) self) -> Tensor(a)", {IMPLICIT: kernels.coalesce})
    native("_coalesce(Tensor self) -> Tensor", {SPARSE: kernels._coalesce})
    native(
        "to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
        {IMPLICIT: kernels.to_dense},
    )
    native(
        "_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor", {SPARSE: kernels._to_dense}
    )
    native("sparse_mask(Tensor self, Tensor mask) -> Tensor", {SPARSE: kernels.sparse_mask})


def _kernels_for_operators_defined_elsewhere():
    math = sparse_tensor_math
    for name, kernel in (
        ("add.Tensor", math.add),
        ("add_.Tensor", math.add_),
        ("mul.Tensor", math.mul),
        ("mul.Scalar", math.mul),
        ("mul_.Tensor", math.mul_),
        ("mul_.Scalar", math.mul_),
        ("div.Tensor", math.div),
        ("div.Scalar", math.div),
        ("neg", math.neg),
        ("sum", math.sum_),
        ("clone", sparse_tensor.clone),
        ("detach", sparse_tensor.alias),
        ("alias", sparse_tensor.alias),
        ("zero_", sparse_tensor.zero_),
    ):
        operator, _, overload_name = name.partition(".")
        entry = dispatcher.find_schema(f"aten::{operator}", overload_name)
        for key in SPARSE.split(", "):
            entry.register_kernel(key, kernel)

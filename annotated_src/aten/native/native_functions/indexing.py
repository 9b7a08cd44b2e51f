"""Operators that pick and place elements."""

from annotated_src.aten.native import (
    embedding,
    embedding_bag,
    onehot,
    reduce_ops,
    sorting,
    summary_ops,
    tensor_advanced_indexing,
    tensor_compare,
    unique,
)
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native, structured


def register():
    """Define them."""
    _by_indices()
    _along_one_dimension()
    _each_by_itself()
    _by_mask()
    _in_order()


def _by_indices():
    kernels = tensor_advanced_indexing
    native("index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", {BOTH: kernels.index})
    native("index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: kernels.index})
    native(
        "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
        {EXPLICIT: kernels.index_put},
    )
    native(
        "index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
        {EXPLICIT: kernels.index_put_},
    )
    native(
        "_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, "
        "bool unsafe=False) -> Tensor(a!)",
        {BOTH: kernels._index_put_impl_},
    )
    native("take(Tensor self, Tensor index) -> Tensor", {BOTH: kernels.take})
    native("take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: kernels.take})


def _along_one_dimension():
    kernels = tensor_advanced_indexing
    native("index_select(Tensor self, int dim, Tensor index) -> Tensor", {BOTH: kernels.index_select})
    native(
        "index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)",
        {BOTH: kernels.index_select},
    )
    structured(
        kernels.index_add,
        "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
        "index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)",
        "index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) "
        "-> Tensor(a!)",
    )
    structured(
        kernels.index_copy,
        "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
        "index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)",
        "index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)",
    )
    native(
        "index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
        {BOTH: kernels.index_fill_},
    )
    native(
        "index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)",
        {BOTH: kernels.index_fill__tensor},
    )
    native(
        "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        {EXPLICIT: kernels.index_fill},
    )
    native(
        "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        {EXPLICIT: kernels.index_fill},
    )


def _each_by_itself():
    kernels = tensor_advanced_indexing
    structured(
        kernels.gather,
        "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
        "gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)",
    )
    native("take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", {IMPLICIT: kernels.take_along_dim})
    structured(
        kernels.scatter,
        "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
        "scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
        "scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
    )
    structured(
        kernels.scatter_value,
        "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        "scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
        "scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
    )
    structured(
        kernels.scatter_add,
        "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
        "scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
        "scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
    )


def _by_mask():
    kernels = tensor_advanced_indexing
    native("masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", {EXPLICIT: kernels.masked_fill})
    native("masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", {EXPLICIT: kernels.masked_fill})
    native(
        "masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", {BOTH: kernels.masked_fill_}
    )
    native(
        "masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)",
        {BOTH: kernels.masked_fill__tensor},
    )
    native("masked_select(Tensor self, Tensor mask) -> Tensor", {BOTH: kernels.masked_select})
    native(
        "masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: kernels.masked_select}
    )
    native("masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", {EXPLICIT: kernels.masked_scatter})
    native(
        "masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", {BOTH: kernels.masked_scatter_}
    )
    native("nonzero(Tensor self) -> Tensor", {BOTH: kernels.nonzero})
    native("nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: kernels.nonzero})
    native("nonzero_numpy(Tensor self) -> Tensor[]", {IMPLICIT: kernels.nonzero_numpy})
    native("argwhere(Tensor self) -> Tensor", {IMPLICIT: kernels.argwhere})
    native(
        "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
        {BOTH: tensor_compare.where_self},
    )
    native(
        "where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
        {BOTH: tensor_compare.where_self},
    )
    native(
        "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
        {IMPLICIT: tensor_compare.where_scalar},
    )
    native(
        "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
        {IMPLICIT: tensor_compare.where_scalar},
    )
    native(
        "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
        {IMPLICIT: tensor_compare.where_scalar},
    )
    native("where(Tensor condition) -> Tensor[]", {IMPLICIT: tensor_compare.where_default})
    native(
        "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, "
        "bool sparse=False) -> Tensor",
        {EXPLICIT: embedding.embedding},
    )
    _embeddings()


def _in_order():
    pair = "(Tensor values, Tensor indices)"
    pair_out = "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"
    native(f"sort(Tensor self, int dim=-1, bool descending=False) -> {pair}", {EXPLICIT: sorting.sort})
    native(
        f"sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> {pair}",
        {BOTH: sorting.sort_stable},
    )
    native(
        f"sort.values(Tensor self, int dim=-1, bool descending=False, *, {pair_out}", {EXPLICIT: sorting.sort_values}
    )
    native(
        f"sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, {pair_out}",
        {BOTH: sorting.sort_stable},
    )
    native("argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", {IMPLICIT: sorting.argsort})
    native(
        "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
        {IMPLICIT: sorting.argsort_stable},
    )
    native("msort(Tensor self) -> Tensor", {IMPLICIT: sorting.msort})
    arguments = "Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True"
    native(f"topk({arguments}) -> {pair}", {BOTH: sorting.topk})
    native(f"topk.values({arguments}, *, {pair_out}", {BOTH: sorting.topk})
    arguments = "Tensor self, SymInt k, int dim=-1, bool keepdim=False"
    native(f"kthvalue({arguments}) -> {pair}", {EXPLICIT: sorting.kthvalue})
    native(f"kthvalue.values({arguments}, *, {pair_out}", {BOTH: sorting.kthvalue})
    flags = "bool return_inverse=False, bool return_counts=False"
    native(f"_unique2(Tensor self, bool sorted=True, {flags}) -> (Tensor, Tensor, Tensor)", {BOTH: unique._unique2})
    native(
        f"unique_dim(Tensor self, int dim, bool sorted=True, {flags}) -> (Tensor, Tensor, Tensor)",
        {BOTH: unique.unique_dim},
    )
    native(
        f"unique_consecutive(Tensor self, {flags}, int? dim=None) -> (Tensor, Tensor, Tensor)",
        {BOTH: unique.unique_consecutive},
    )
    native("bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", {BOTH: summary_ops.bincount})
    structured(
        reduce_ops.cumsum,
        "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
        "cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)",
        "cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
    )
    structured(
        reduce_ops.cumprod,
        "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
        "cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)",
        "cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
    )


def _embeddings():
    table = "SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq"
    native(
        f"embedding_backward(Tensor grad, Tensor indices, {table}, bool sparse) -> Tensor",
        {IMPLICIT: embedding.embedding_backward},
    )
    native(
        f"embedding_dense_backward(Tensor grad_output, Tensor indices, {table}) -> Tensor",
        {BOTH: embedding.embedding_dense_backward},
    )
    native(
        "embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, "
        "bool scale_grad_by_freq) -> Tensor",
        {IMPLICIT: embedding.embedding_sparse_backward},
    )
    native(
        "embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)",
        {BOTH: embedding.embedding_renorm_},
    )
    native("one_hot(Tensor self, int num_classes=-1) -> Tensor", {IMPLICIT: onehot.one_hot})
    _embedding_bags()


def _embedding_bags():
    kernels = embedding_bag
    operands = "Tensor weight, Tensor indices, Tensor offsets"
    defaults = "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None"
    bags = "(Tensor, Tensor, Tensor, Tensor)"
    native(
        f"embedding_bag({operands}, {defaults}, bool include_last_offset=False) -> {bags}",
        {IMPLICIT: kernels.embedding_bag},
    )
    native(
        f"embedding_bag.padding_idx({operands}, bool scale_grad_by_freq, int mode, bool sparse, "
        f"Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> {bags}",
        {IMPLICIT: kernels.embedding_bag_padding_idx},
    )
    for name in ("_embedding_bag", "_embedding_bag_forward_only"):
        native(
            f"{name}({operands}, {defaults}, bool include_last_offset=False, int padding_idx=-1) -> {bags}",
            {BOTH: kernels._embedding_bag},
        )
    rest = "Tensor? per_sample_weights, int padding_idx=-1"
    native(
        "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, "
        "Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, "
        f"{rest}) -> Tensor",
        {BOTH: kernels._embedding_bag_backward},
    )
    native(
        "_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, "
        f"Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, {rest}) -> Tensor",
        {BOTH: kernels._embedding_bag_dense_backward},
    )
    native(
        "_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, "
        f"Tensor bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, {rest}) -> Tensor",
        {IMPLICIT: kernels._embedding_bag_sparse_backward},
    )
    native(
        "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, "
        "Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
        {BOTH: kernels._embedding_bag_per_sample_weights_backward},
    )

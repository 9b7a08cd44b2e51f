"""Operators that fold dimensions into one."""

from annotated_src.aten.native import reduce_all_ops, reduce_ops, soft_max, sorting, tensor_compare
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

DIM = "int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None"
OUT = "Tensor(a!) out) -> Tensor(a!)"


def register():
    """Define them."""
    _sums()
    _variances()
    _truth()
    _extremes()
    _norms()
    _softmax()
    _order_statistics()


def _sums():
    native("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", {EXPLICIT: reduce_ops.sum_})
    native(f"sum.dim_IntList(Tensor self, {DIM}) -> Tensor", {BOTH: reduce_ops.sum_})
    native(f"sum.IntList_out(Tensor self, {DIM}, {OUT}", {BOTH: reduce_ops.sum_})
    native("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", {EXPLICIT: reduce_ops.mean})
    native(f"mean.dtype_out(Tensor self, *, ScalarType? dtype=None, {OUT}", {EXPLICIT: reduce_ops.mean})
    native(f"mean.dim(Tensor self, {DIM}) -> Tensor", {BOTH: reduce_ops.mean})
    native(f"mean.out(Tensor self, {DIM}, {OUT}", {BOTH: reduce_ops.mean})
    native(
        "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {BOTH: reduce_ops.nansum},
    )
    native(
        f"nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, {OUT}",
        {BOTH: reduce_ops.nansum},
    )
    native("prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", {BOTH: reduce_ops.prod})
    native(
        "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {BOTH: reduce_ops.prod},
    )
    native(
        f"prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, {OUT}",
        {BOTH: reduce_ops.prod},
    )
    native("count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", {BOTH: reduce_ops.count_nonzero})
    native("count_nonzero(Tensor self, int? dim=None) -> Tensor", {EXPLICIT: reduce_ops.count_nonzero})
    native(
        "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
        {EXPLICIT: reduce_ops.logsumexp},
    )
    native(
        f"logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, {OUT}",
        {EXPLICIT: reduce_ops.logsumexp_out},
    )


def _variances():
    correction = "int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False"
    dim = "int[1]? dim, bool unbiased=True, bool keepdim=False"
    for name in ("var", "std"):
        kernel = getattr(reduce_ops, name)
        native(f"{name}(Tensor self, bool unbiased=True) -> Tensor", {IMPLICIT: getattr(reduce_ops, f"{name}_default")})
        native(f"{name}.dim(Tensor self, {dim}) -> Tensor", {IMPLICIT: getattr(reduce_ops, f"{name}_dim")})
        native(f"{name}.correction(Tensor self, {correction}) -> Tensor", {BOTH: kernel})
        native(f"{name}.out(Tensor self, {dim}, *, {OUT}", {IMPLICIT: getattr(reduce_ops, f"{name}_out")})
        native(f"{name}.correction_out(Tensor self, {correction}, {OUT}", {BOTH: kernel})
    for name in ("var_mean", "std_mean"):
        pair = "-> (Tensor, Tensor)"
        native(f"{name}(Tensor self, bool unbiased=True) {pair}", {IMPLICIT: getattr(reduce_ops, f"{name}_default")})
        native(f"{name}.dim(Tensor self, {dim}) {pair}", {IMPLICIT: getattr(reduce_ops, f"{name}_dim")})
        native(f"{name}.correction(Tensor self, {correction}) {pair}", {BOTH: getattr(reduce_ops, name)})


def _truth():
    for name, kernel in (("all", reduce_ops.all_), ("any", reduce_ops.any_)):
        native(f"{name}.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", {BOTH: kernel})
        native(f"{name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", {EXPLICIT: kernel})
        native(f"{name}.out(Tensor self, int dim, bool keepdim=False, *, {OUT}", {BOTH: kernel})
        native(
            f"{name}.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, {OUT}",
            {BOTH: kernel},
        )
        native(f"{name}(Tensor self) -> Tensor", {BOTH: kernel})
        native(f"{name}.all_out(Tensor self, *, {OUT}", {BOTH: kernel})


def _extremes():
    pair = "(Tensor values, Tensor indices)"
    written = "(Tensor(a!) values, Tensor(b!) indices)"
    native("max(Tensor self) -> Tensor", {BOTH: reduce_all_ops.max_})
    native(f"max.dim(Tensor self, int dim, bool keepdim=False) -> {pair}", {BOTH: tensor_compare.max_dim})
    native(
        "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) "
        f"-> {written}",
        {BOTH: tensor_compare.max_dim},
    )
    native("max.other(Tensor self, Tensor other) -> Tensor", {IMPLICIT: tensor_compare.max_other})
    native(f"max.out(Tensor self, Tensor other, *, {OUT}", {IMPLICIT: tensor_compare.max_out})
    native(f"max.unary_out(Tensor self, *, {OUT}", {BOTH: reduce_all_ops.max_})
    native("_assert_async(Tensor self) -> ()", {BOTH: tensor_compare._assert_async})
    native("_assert_async.msg(Tensor self, str assert_msg) -> ()", {BOTH: tensor_compare._assert_async})
    native("min(Tensor self) -> Tensor", {BOTH: reduce_all_ops.min_})
    native(f"min.dim(Tensor self, int dim, bool keepdim=False) -> {pair}", {BOTH: tensor_compare.min_dim})
    native(
        "min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) "
        f"-> {written}",
        {BOTH: tensor_compare.min_dim},
    )
    native("min.other(Tensor self, Tensor other) -> Tensor", {IMPLICIT: tensor_compare.min_other})
    native(f"min.out(Tensor self, Tensor other, *, {OUT}", {IMPLICIT: tensor_compare.min_out})
    native(f"min.unary_out(Tensor self, *, {OUT}", {BOTH: reduce_all_ops.min_})
    native(
        "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
        {BOTH: tensor_compare.aminmax},
    )
    native(
        "aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) max) "
        "-> (Tensor(a!) min, Tensor(b!) max)",
        {BOTH: tensor_compare.aminmax},
    )
    for name, kernel in (("amax", reduce_ops.amax), ("amin", reduce_ops.amin)):
        native(f"{name}(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", {BOTH: kernel})
        native(f"{name}.out(Tensor self, int[1] dim=[], bool keepdim=False, *, {OUT}", {BOTH: kernel})
    for name, kernel in (("argmax", reduce_ops.argmax), ("argmin", reduce_ops.argmin)):
        native(f"{name}(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", {BOTH: kernel})
        native(f"{name}.out(Tensor self, int? dim=None, bool keepdim=False, *, {OUT}", {BOTH: kernel})


def _norms():
    norm = "Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None"
    native(f"linalg_vector_norm(Tensor self, {norm}) -> Tensor", {BOTH: reduce_ops.linalg_vector_norm})
    native(f"linalg_vector_norm.out(Tensor self, {norm}, {OUT}", {BOTH: reduce_ops.linalg_vector_norm})


def _softmax():
    for name in ("softmax", "log_softmax"):
        outer, inner = getattr(soft_max, name), getattr(soft_max, f"_{name}")
        native(f"{name}.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", {IMPLICIT: outer})
        native(
            f"{name}.int_out(Tensor self, int dim, ScalarType? dtype=None, *, {OUT}",
            {EXPLICIT: getattr(soft_max, f"{name}_out")},
        )
        native(f"_{name}(Tensor self, int dim, bool half_to_float) -> Tensor", {BOTH: inner})
        native(f"_{name}.out(Tensor self, int dim, bool half_to_float, *, {OUT}", {BOTH: inner})


def _order_statistics():
    pair = "(Tensor values, Tensor indices)"
    written = "*, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"
    for name in ("median", "nanmedian"):
        native(f"{name}(Tensor self) -> Tensor", {BOTH: getattr(sorting, name)})
        kernel = getattr(sorting, f"{name}_dim")
        native(f"{name}.dim(Tensor self, int dim, bool keepdim=False) -> {pair}", {EXPLICIT: kernel})
        native(f"{name}.dim_values(Tensor self, int dim, bool keepdim=False, {written}", {BOTH: kernel})
    native(f"mode(Tensor self, int dim=-1, bool keepdim=False) -> {pair}", {BOTH: tensor_compare.mode})
    native(f"mode.values(Tensor self, int dim=-1, bool keepdim=False, {written}", {EXPLICIT: tensor_compare.mode})

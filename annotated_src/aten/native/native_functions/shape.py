"""Operators that look at, move or join memory: views, copies, stack and cat."""

from annotated_src.aten.native import complex_helper, repeat, tensor_shape, tensor_transformations, triangular_ops
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native, structured

INDEX_OPTIONS = "*, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def register():
    """Define them."""
    _views_of_a_part()
    _views_of_another_shape()
    _views_in_another_order()
    _pieces()
    _joins()
    _copies()


def _views_of_a_part():
    native("select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", {EXPLICIT: tensor_shape.select})
    native(
        "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
        {EXPLICIT: tensor_shape.slice},
    )
    native("narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", {IMPLICIT: tensor_shape.narrow})
    native(
        "narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
        {IMPLICIT: tensor_shape.narrow_tensor},
    )
    native(
        "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
        {EXPLICIT: tensor_shape.diagonal},
    )
    native("unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", {BOTH: tensor_shape.unfold})
    native(
        "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
        {BOTH: tensor_shape.as_strided},
    )
    native(
        "as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)",
        {EXPLICIT: tensor_shape.as_strided_},
    )
    native("alias(Tensor(a) self) -> Tensor(a)", {EXPLICIT: tensor_shape.alias})


def _views_of_another_shape():
    native("view_as_real(Tensor(a) self) -> Tensor(a)", {BOTH: complex_helper.view_as_real})
    native("view(Tensor(a) self, SymInt[] size) -> Tensor(a)", {BOTH: tensor_shape.view})
    native("view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", {EXPLICIT: tensor_shape.view_dtype})
    native(
        "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
        {BOTH: tensor_shape._reshape_alias},
    )
    native("_unsafe_view(Tensor self, SymInt[] size) -> Tensor", {EXPLICIT: tensor_shape._unsafe_view})
    native("reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", {IMPLICIT: tensor_shape.reshape})
    native("view_as(Tensor(a) self, Tensor other) -> Tensor(a)", {IMPLICIT: tensor_shape.view_as})
    native("reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", {IMPLICIT: tensor_shape.reshape_as})
    native(
        "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
        {IMPLICIT: tensor_shape.flatten},
    )
    native("unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", {IMPLICIT: tensor_shape.unflatten})
    native("ravel(Tensor(a) self) -> Tensor(a)", {IMPLICIT: tensor_shape.ravel})
    native("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", {EXPLICIT: tensor_shape.unsqueeze})
    native("unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", {EXPLICIT: tensor_shape.unsqueeze_})
    native("squeeze(Tensor(a) self) -> Tensor(a)", {EXPLICIT: tensor_shape.squeeze})
    native("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", {EXPLICIT: tensor_shape.squeeze_dim})
    native("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", {EXPLICIT: tensor_shape.squeeze_dims})
    native("squeeze_(Tensor(a!) self) -> Tensor(a!)", {EXPLICIT: tensor_shape.squeeze_})
    native("squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", {EXPLICIT: tensor_shape.squeeze__dim})
    native("squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", {EXPLICIT: tensor_shape.squeeze__dims})
    native(
        "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", {EXPLICIT: tensor_shape.expand}
    )
    native("expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", {IMPLICIT: tensor_shape.expand_as})
    native("broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", {IMPLICIT: tensor_shape.broadcast_to})


def _views_in_another_order():
    native("transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", {EXPLICIT: tensor_shape.transpose})
    native("transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", {EXPLICIT: tensor_shape.transpose_})
    native("t(Tensor(a) self) -> Tensor(a)", {EXPLICIT: tensor_shape.t})
    native("t_(Tensor(a!) self) -> Tensor(a!)", {EXPLICIT: tensor_shape.t_})
    native("numpy_T(Tensor(a) self) -> Tensor(a)", {IMPLICIT: tensor_shape.numpy_T})
    native("mT(Tensor(a) self) -> Tensor(a)", {IMPLICIT: tensor_shape.mT})
    native("permute(Tensor(a) self, int[] dims) -> Tensor(a)", {EXPLICIT: tensor_shape.permute})
    native(
        "movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
        {IMPLICIT: tensor_shape.movedim},
    )
    native(
        "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", {IMPLICIT: tensor_shape.movedim_int}
    )
    native(
        "moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
        {IMPLICIT: tensor_shape.moveaxis},
    )
    native(
        "moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
        {IMPLICIT: tensor_shape.moveaxis_int},
    )
    native("swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", {IMPLICIT: tensor_shape.swapaxes})
    native("swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", {IMPLICIT: tensor_shape.swapdims})


def _pieces():
    native(
        "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        {EXPLICIT: tensor_shape.split},
    )
    native(
        "split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
        {IMPLICIT: tensor_shape.split_sizes},
    )
    native(
        "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
        {EXPLICIT: tensor_shape.split_with_sizes},
    )
    native("chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", {IMPLICIT: tensor_shape.chunk})
    native(
        "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
        {IMPLICIT: tensor_shape.tensor_split_sections},
    )
    native(
        "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
        {IMPLICIT: tensor_shape.tensor_split_indices},
    )
    native(
        "tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) "
        "-> Tensor(a)[]",
        {IMPLICIT: tensor_shape.tensor_split},
    )
    native("unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", {EXPLICIT: tensor_shape.unbind})


def _joins():
    native("cat(Tensor[] tensors, int dim=0) -> Tensor", {BOTH: tensor_shape.cat})
    native("cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", {BOTH: tensor_shape.cat})
    for name in ("concat", "concatenate"):
        native(f"{name}(Tensor[] tensors, int dim=0) -> Tensor", {IMPLICIT: tensor_shape.concat})
        native(
            f"{name}.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)",
            {IMPLICIT: tensor_shape.concat_out},
        )
    native("stack(Tensor[] tensors, int dim=0) -> Tensor", {EXPLICIT: tensor_shape.stack})
    native(
        "stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", {EXPLICIT: tensor_shape.stack_out}
    )
    for name in ("hstack", "vstack", "dstack", "column_stack", "row_stack"):
        native(f"{name}(Tensor[] tensors) -> Tensor", {IMPLICIT: getattr(tensor_shape, name)})
    native("broadcast_tensors(Tensor[] tensors) -> Tensor[]", {IMPLICIT: tensor_shape.broadcast_tensors})
    native("meshgrid(Tensor[] tensors) -> Tensor[]", {IMPLICIT: tensor_shape.meshgrid})
    native(
        "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", {IMPLICIT: tensor_shape.meshgrid_indexing}
    )
    _dimensions_in_front(1, tensor_transformations.atleast_1d, tensor_transformations.atleast_1d_sequence)
    _dimensions_in_front(2, tensor_transformations.atleast_2d, tensor_transformations.atleast_2d_sequence)
    _dimensions_in_front(3, tensor_transformations.atleast_3d, tensor_transformations.atleast_3d_sequence)


def _dimensions_in_front(count, one, several):
    native(f"atleast_{count}d(Tensor self) -> Tensor", {IMPLICIT: one})
    native(f"atleast_{count}d.Sequence(Tensor[] tensors) -> Tensor[]", {IMPLICIT: several})


def _copies():
    native("repeat(Tensor self, SymInt[] repeats) -> Tensor", {EXPLICIT: tensor_shape.repeat})
    native("tile(Tensor self, SymInt[] dims) -> Tensor", {IMPLICIT: tensor_shape.tile})
    native(
        "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
        {BOTH: repeat.repeat_interleave},
    )
    native(
        "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) "
        "-> Tensor",
        {IMPLICIT: repeat.repeat_interleave_tensor},
    )
    native(
        "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor",
        {IMPLICIT: repeat.repeat_interleave_int},
    )
    native("flip(Tensor self, int[] dims) -> Tensor", {BOTH: tensor_transformations.flip})
    native("fliplr(Tensor self) -> Tensor", {IMPLICIT: tensor_transformations.fliplr})
    native("flipud(Tensor self) -> Tensor", {IMPLICIT: tensor_transformations.flipud})
    native("roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", {BOTH: tensor_transformations.roll})
    native("diag(Tensor self, int diagonal=0) -> Tensor", {IMPLICIT: tensor_shape.diag})
    native(
        "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", {EXPLICIT: tensor_shape.diag_embed}
    )
    structured(
        triangular_ops.tril,
        "tril(Tensor self, SymInt diagonal=0) -> Tensor",
        "tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)",
        "tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)",
    )
    structured(
        triangular_ops.triu,
        "triu(Tensor self, SymInt diagonal=0) -> Tensor",
        "triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)",
        "triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)",
    )
    native(
        f"tril_indices(int row, int col, int offset=0, {INDEX_OPTIONS}) -> Tensor", {BOTH: triangular_ops.tril_indices}
    )
    native(
        f"triu_indices(int row, int col, int offset=0, {INDEX_OPTIONS}) -> Tensor", {BOTH: triangular_ops.triu_indices}
    )

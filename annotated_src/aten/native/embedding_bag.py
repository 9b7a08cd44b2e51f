"""embedding_bag: sums, means or maxima of rows of a table. Retells aten/src/ATen/native/EmbeddingBag.cpp.

    indices   (L)  which rows, bag after bag
    offsets   (B)  where each bag begins; with include_last_offset, where the last one ends too
    mode      0 "sum", 1 "mean", 2 "max"

The kernel returns the bags (B, D), then what the gradient needs: each index's bag, each bag's size, and for the
maximum which row gave it. Rows of padding_idx count nothing.
"""

import math

import numpy

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_TYPES, dispatch
from annotated_src.aten.native.embedding import check_indices
from annotated_src.aten.native.reduce_ops import computed_in, rounded
from annotated_src.aten.native.tensor_advanced_indexing import add_at, check_positions
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError

SUM, MEAN, MAX = range(3)


def embedding_bag(
    weight, indices, offsets, scale_grad_by_freq=False, mode=SUM, sparse=False, per_sample_weights=None,
    include_last_offset=False,
):  # fmt: skip
    """The bags, and what the gradient needs."""
    return embedding_bag_padding_idx(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, None
    )


def embedding_bag_padding_idx(
    weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx
):
    """`embedding_bag` with a row that counts nothing."""
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.array.shape[0]
        if not -rows <= padding_idx < rows:
            raise TorchError(f"padding_idx must be within the number of embeddings, -{rows} to {rows - 1}")
        padding_idx %= rows
    wanted = weight.requires_grad
    kernel = ops._embedding_bag.default if wanted else ops._embedding_bag_forward_only.default
    return kernel(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx
    )


def _embedding_bag(
    weight, indices, offsets, scale_grad_by_freq=False, mode=SUM, sparse=False, per_sample_weights=None,
    include_last_offset=False, padding_idx=-1,
):  # fmt: skip
    """The kernel of embedding_bag."""
    _check(weight, indices, offsets, mode, per_sample_weights, include_last_offset)
    dispatch(weight.dtype, FLOATING_TYPES, "embedding_bag")
    xp = array_module(weight.array)
    begins = offsets.array[:-1] if include_last_offset else offsets.array
    bag_of = xp.searchsorted(begins, xp.arange(indices.array.size), side="right") - 1
    kept = indices.array != padding_idx
    message = "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {first}"
    check_positions(indices.array, weight.array.shape[0], 0, message=message)
    rows = computed_in(weight, weight.dtype)[indices.array]
    if per_sample_weights is not None:
        rows = rows * computed_in(per_sample_weights, weight.dtype)[:, None]
    sizes = xp.zeros((begins.size,), "int64")
    add_at(sizes, (bag_of,), kept.astype("int64"))
    if mode == MAX:
        output, chosen = _maxima(xp, rows, indices.array, kept, bag_of, begins.size)
    else:
        output = xp.zeros((begins.size, rows.shape[1]), rows.dtype)
        add_at(output, (bag_of,), xp.where(kept[:, None], rows, rows.dtype.type(0)))
        chosen = sizes
        if mode == MEAN:
            output /= xp.maximum(sizes, 1)[:, None].astype(rows.dtype)
    extra = [make_tensor(array.astype(indices.array.dtype)) for array in (bag_of, sizes, chosen)]
    return make_tensor(rounded(output, weight.dtype)), *extra


def _maxima(xp, rows, indices, kept, bag_of, bags):
    """Each bag's maxima, 0 where it is empty, and the row in the table that each came from, -1 where none did."""
    nobody = len(rows)
    rows = xp.where(kept[:, None], rows, -math.inf)
    output = xp.full((bags, rows.shape[1]), -math.inf, rows.dtype)
    xp.maximum.at(output, bag_of, rows)
    # Of several that are as large, the first.
    is_maximum = kept[:, None] & (rows == output[bag_of])
    first = xp.full(output.shape, nobody, "int64")
    xp.minimum.at(first, bag_of, xp.where(is_maximum, xp.arange(nobody)[:, None], nobody))
    found = first < nobody
    chosen = xp.concatenate((indices, xp.full((1,), -1, indices.dtype)))[first]
    return xp.where(found, output, rows.dtype.type(0)), chosen


def _check(weight, indices, offsets, mode, per_sample_weights, include_last_offset):
    if indices.array.ndim not in (1, 2):
        raise TorchError(f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {indices.array.ndim}")
    check_indices(indices, "embedding_bag")
    if offsets.array.ndim != 1:
        raise TorchError(f"offsets has to be a 1D Tensor, but got Tensor of dimension {offsets.array.ndim}")
    if weight.array.ndim != 2:
        raise TorchError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.array.ndim}")
    if include_last_offset and offsets.array.size < 1:
        raise TorchError("include_last_offset: number of offset should be at least 1")
    # (a card is not asked: the host would have to wait for it)
    if isinstance(offsets.array, numpy.ndarray) and offsets.array.size:
        first, last = int(offsets.array[0]), int(offsets.array[-1])
        if first != 0:
            raise TorchError(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
                f"However, got {first}"
            )
        if last > indices.array.size:
            raise TorchError(
                f"offsets[-1] can not be greater than input's length({indices.array.size}) but got offsets[-1] of "
                f"{last}"
            )
    if per_sample_weights is not None:
        if mode != SUM:
            raise TorchError("embedding_bag: per_sample_weights was not None. It is only supported for mode='sum'")
        if per_sample_weights.dtype is not weight.dtype:
            raise TorchError(
                f"embedding_bag: expected per_sample_weights to have the dtype of weight, {weight.dtype}, but got "
                f"{per_sample_weights.dtype}"
            )


# -- gradients


def _embedding_bag_backward(
    grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, sparse,
    per_sample_weights, padding_idx=-1,
):  # fmt: skip
    """The gradient of the table, dense or sparse."""
    if sparse:
        return ops._embedding_bag_sparse_backward.default(
            grad, indices, offsets, offset2bag, bag_size, num_weights, scale_grad_by_freq, mode, per_sample_weights,
            padding_idx,
        )  # fmt: skip
    return ops._embedding_bag_dense_backward.default(
        grad, indices, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
        per_sample_weights, padding_idx,
    )  # fmt: skip


def _embedding_bag_dense_backward(
    grad, indices, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, per_sample_weights,
    padding_idx=-1,
):  # fmt: skip
    """Each bag's gradient, spread over its rows, or given to those that were the maxima."""
    if mode == MAX:
        return _max_backward(grad, maximum_indices, num_weights)
    rows = _rows_of_bags(grad, offset2bag, bag_size, mode, per_sample_weights)
    return ops.embedding_dense_backward.default(rows, indices, num_weights, padding_idx, scale_grad_by_freq)


def _embedding_bag_sparse_backward(
    grad, indices, offsets, offset2bag, bag_size, num_weights, scale_grad_by_freq, mode, per_sample_weights,
    padding_idx=-1,
):  # fmt: skip
    """The same as a sparse tensor with a row for each index."""
    if mode == MAX:
        raise TorchError("embedding_bag: max mode has no sparse gradient")
    rows = _rows_of_bags(grad, offset2bag, bag_size, mode, per_sample_weights)
    return ops.embedding_sparse_backward.default(rows, indices, num_weights, padding_idx, scale_grad_by_freq)


def _rows_of_bags(grad, offset2bag, bag_size, mode, per_sample_weights):
    """(L, D): the gradient of each looked-up row."""
    rows = ops.index_select.default(grad, 0, offset2bag)
    if mode == MEAN:
        sizes = ops.to.dtype(ops.index_select.default(bag_size, 0, offset2bag), grad.dtype)
        rows = ops.div.Tensor(rows, ops.unsqueeze.default(ops.clamp_min.default(sizes, 1), 1))
    if per_sample_weights is not None:
        rows = ops.mul.Tensor(rows, ops.unsqueeze.default(per_sample_weights, 1))
    return rows


def _max_backward(grad, maximum_indices, num_weights):
    xp = array_module(grad.array)
    arriving = computed_in(grad, grad.dtype)
    result = xp.zeros((num_weights, arriving.shape[1]), arriving.dtype)
    columns = xp.broadcast_to(xp.arange(arriving.shape[1]), arriving.shape)
    filled = maximum_indices.array >= 0
    rows = xp.where(filled, maximum_indices.array, 0)
    add_at(result, (rows, columns), xp.where(filled, arriving, arriving.dtype.type(0)))
    return make_tensor(rounded(result, grad.dtype))


def _embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, offset2bag, mode, padding_idx=-1):
    """(L): each looked-up row times its bag's gradient, summed over the features."""
    if mode != SUM:
        raise TorchError("embedding_bag_backward: per_sample_weights only supported for mode='sum'")
    xp = array_module(grad.array)
    rows = computed_in(weight, weight.dtype)[indices.array]
    products = (computed_in(grad, weight.dtype)[offset2bag.array] * rows).sum(1)
    products = xp.where(indices.array == padding_idx, products.dtype.type(0), products)
    return make_tensor(rounded(products, weight.dtype))

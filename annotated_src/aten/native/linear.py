"""linear, einsum, tensordot: sums of products by way of matrix products. Retells aten/src/ATen/native/Linear.cpp."""

from annotated_src.aten import ops
from annotated_src.aten.tensor_iterator import finish
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dims, size_along
from annotated_src.c10.util.exception import TorchError

# -- linear


def linear(input, weight, bias=None):
    """input @ weight.T + bias: (..., in) with weight (out, in) -> (..., out)."""
    input_dim = input.array.ndim
    if input_dim == 0 or weight.array.ndim == 0:
        raise TorchError(
            f"both arguments to linear need to be at least 1D, but they are {input_dim}D and {weight.array.ndim}D"
        )
    if bias is None:
        return ops.matmul.default(input, ops.t.default(weight))
    if input_dim == 2:
        return ops.addmm.default(bias, input, ops.t.default(weight))
    if input.is_contiguous():
        vector = bias if bias.array.ndim == 1 else ops.squeeze.default(bias)
        if vector.array.ndim == 1:
            return _flatten_nd_linear(input, weight, vector)
    return ops.add_(ops.matmul.default(input, ops.t.default(weight)), bias)


def _flatten_nd_linear(input, weight, bias):
    """All leading dimensions as one, so that product and sum are a single addmm."""
    *leading, features = input.array.shape
    count = 1
    for size in leading:
        count *= size
    result = ops.addmm.default(bias, ops.view.default(input, (count, features)), ops.t.default(weight))
    return ops.view.default(result, (*leading, result.array.shape[1]))


# -- bilinear


def bilinear(input1, input2, weight, bias=None):
    """input1 @ weight[k] @ input2 for each k: (..., in1), (..., in2) with weight (out, in1, in2) -> (..., out)."""
    _check_bilinear(input1, input2, weight, bias)
    rows1 = ops.reshape.default(input1, (-1, input1.array.shape[-1]))
    rows2 = ops.reshape.default(input2, (-1, input2.array.shape[-1]))
    # Dimensions: (batch, out, in1, in2); each operand lacks those that it is expanded in.
    output = ops._trilinear.default(rows1, weight, rows2, (1, 3), (0,), (1, 2), (2, 3))
    output = ops.reshape.default(output, (*input1.array.shape[:-1], weight.array.shape[0]))
    return output if bias is None else ops.add.Tensor(output, bias)


def _check_bilinear(input1, input2, weight, bias):
    shape1, shape2 = input1.array.shape, input2.array.shape
    if len(shape1) != len(shape2):
        raise TorchError(f"bilinear(): input dimensions do not match: got {len(shape1)} and {len(shape2)}")
    for dim, (size1, size2) in enumerate(zip(shape1[:-1], shape2[:-1], strict=True)):
        if size1 != size2:
            raise TorchError(f"bilinear(): input batch dimensions do not match at dim {dim}: got {size1} and {size2}")
    for name, operand, dim in (("input1", input1, 1), ("input2", input2, 2)):
        expected, got = size_along(weight.array, dim), size_along(operand.array, -1)
        if got != expected:
            raise TorchError(f"bilinear(): {name} size does not match weight size: got {got} but expected {expected}")
    if bias is not None and size_along(bias.array, 0) != weight.array.shape[0]:
        raise TorchError(
            f"bilinear(): bias size does not match weight size: got {bias.array.shape[0]} but expected "
            f"{weight.array.shape[0]}"
        )


def _trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim=1):
    """The sum over `sumdim` of i1 * i2 * i3, each first given dimensions of size 1 at its `expand`.

    One slice of `unroll_dim` after the other, so that no product of all three has to be held.
    """
    operands = [_unsqueezed(i, expand) for i, expand in ((i1, expand1), (i2, expand2), (i3, expand3))]
    sizes = [_common_size([operand.array.shape[dim] for operand in operands]) for dim in range(operands[0].array.ndim)]
    # What is summed over and not in the third operand is summed when the first two meet.
    sum_12 = [dim for dim in sumdim if dim in expand3]
    sum_23 = [dim for dim in sumdim if dim not in expand3]
    shape = [1 if dim in sumdim else size for dim, size in enumerate(sizes)]
    output = ops.zeros.default(shape, dtype=i1.dtype, device=i1.device)
    # Of nothing, the sums are the zeros that are there.
    slices = 0 if 0 in sizes else sizes[unroll_dim]
    for k in range(slices):
        first, second = _slice_of(operands[0], unroll_dim, k), _slice_of(operands[1], unroll_dim, k)
        product = sumproduct_pair(first, second, sum_12)
        product = sumproduct_pair(product, _slice_of(operands[2], unroll_dim, k), sum_23)
        ops.add_.Tensor(_slice_of(output, unroll_dim, k), product)
    for dim in sorted(sumdim, reverse=True):
        ops.squeeze_.dim(output, dim)
    return output


def _common_size(sizes):
    """1 gives way to any other size, 0 included."""
    return next((size for size in sizes if size != 1), 1)


def _unsqueezed(tensor, dims):
    for dim in dims:
        tensor = ops.unsqueeze.default(tensor, dim)
    return tensor


def _slice_of(tensor, dim, k):
    return ops.narrow.default(tensor, dim, k if tensor.array.shape[dim] > 1 else 0, 1)


# -- tensordot


def tensordot(self, other, dims_self, dims_other):
    """The sums of products over pairs of dimensions; what is left of self comes first, then what is left of other."""
    if len(dims_self) != len(dims_other):
        raise TorchError("both dimension lists should have same length")
    dims_self = maybe_wrap_dims(dims_self, self.array.ndim)
    dims_other = maybe_wrap_dims(dims_other, other.array.ndim)
    summed = 1
    for dim1, dim2 in zip(dims_self, dims_other, strict=True):
        size1, size2 = self.array.shape[dim1], other.array.shape[dim2]
        if size2 == 1:
            self = ops.sum(self, (dim1,), True, dtype=self.dtype)
        elif size1 == 1:
            other = ops.sum(other, (dim2,), True, dtype=other.dtype)
        elif size1 != size2:
            raise TorchError(
                f"contracted dimensions need to match, but first has size {size1} in dim {dim1} and second has size "
                f"{size2} in dim {dim2}"
            )
        else:
            summed *= size1
    kept_self = [dim for dim in range(self.array.ndim) if dim not in dims_self]
    kept_other = [dim for dim in range(other.array.ndim) if dim not in dims_other]
    if not kept_self and not kept_other:
        first = ops.permute.default(self, dims_self)
        second = ops.permute.default(other, dims_other)
        return ops.reshape.default(ops.dot.default(ops.flatten(first), ops.flatten(second)), ())
    # (kept, summed) @ (summed, kept)
    rows, columns = _count(self.array.shape, kept_self), _count(other.array.shape, kept_other)
    first = ops.reshape.default(ops.permute.default(self, (*kept_self, *dims_self)), (rows, summed))
    second = ops.reshape.default(ops.permute.default(other, (*dims_other, *kept_other)), (summed, columns))
    sizes = [self.array.shape[dim] for dim in kept_self] + [other.array.shape[dim] for dim in kept_other]
    return ops.reshape.default(ops.mm.default(first, second), sizes)


def tensordot_out(self, other, dims_self, dims_other, *, out):
    """`tensordot` into `out`."""
    return finish(tensordot(self, other, dims_self, dims_other).array, out, (self, other))


def _count(shape, dims):
    count = 1
    for dim in dims:
        count *= shape[dim]
    return count


# -- einsum

ELLIPSIS = "..."


def einsum(equation, tensors, *, path=None):
    """Sums of products, written with a letter for each dimension: "ij,jk->ik" is a matrix product.

    1. read the letters of each operand and of the result
    2. give every operand all letters as dimensions, in one order: those of the result, then those summed over
    3. multiply the operands pair by pair, summing over a letter as soon as no later operand has it
    """
    if not tensors:
        raise TorchError("einsum(): must provide at least one operand")
    inputs, output = _parse(equation, tensors)
    ellipsis_dims = _ellipsis_dims(inputs, tensors)
    if output is None:
        output = _implicit_output(inputs)
    order = _order(inputs, output, ellipsis_dims)
    _check_sizes(inputs, tensors, ellipsis_dims)
    out_dims = _width(output, ellipsis_dims)
    operands = [
        _with_all_dims(index, tensor, labels, order, ellipsis_dims)
        for index, (tensor, labels) in enumerate(zip(tensors, inputs, strict=True))
    ]
    return _contract(operands, out_dims, path)


def _parse(equation, tensors):
    """The labels of each operand, and those of the result, or None where there is no arrow."""
    left, arrow, right = equation.partition("->")
    inputs = [_labels(term) for term in left.split(",")]
    if len(inputs) > len(tensors):
        raise TorchError("einsum(): fewer operands were provided than specified in the equation")
    if len(inputs) < len(tensors):
        raise TorchError("einsum(): more operands were provided than specified in the equation")
    for index, (labels, tensor) in enumerate(zip(inputs, tensors, strict=True)):
        count, ndim = len(labels) - labels.count(ELLIPSIS), tensor.array.ndim
        if ELLIPSIS in labels and count <= ndim or count == ndim:
            continue
        why = "even with the ellipsis" if ELLIPSIS in labels else "and no ellipsis was given"
        raise TorchError(
            f"einsum(): the number of subscripts in the equation ({count}) does not match the number of dimensions "
            f"({ndim}) for operand {index} {why}"
        )
    if not arrow:
        return inputs, None
    output = _labels(right)
    known = {label for labels in inputs for label in labels}
    for label in output:
        if output.count(label) > 1:
            raise TorchError(f"einsum(): output subscript {label} appears more than once in the output")
        if label not in known and label != ELLIPSIS:
            raise TorchError(
                f"einsum(): output subscript {label} does not appear in the equation for any input operand"
            )
    return inputs, output


def _labels(term):
    """["i", "...", "j"] of "i...j"."""
    labels = list(term.replace(" ", "").replace("...", "\0"))
    for label in labels:
        if not (label.isalpha() and label.isascii()) and label != "\0":
            raise TorchError(f"einsum(): invalid subscript given: {label!r}; subscripts must be in [a-zA-Z]")
    if labels.count("\0") > 1:
        raise TorchError("einsum(): found '.' for an operand for which an ellipsis was already found")
    return [ELLIPSIS if label == "\0" else label for label in labels]


def _ellipsis_dims(inputs, tensors):
    """How many dimensions the ellipsis stands for: the most of any operand."""
    most = 0
    for labels, tensor in zip(inputs, tensors, strict=True):
        if ELLIPSIS in labels:
            most = max(most, tensor.array.ndim - len(labels) + 1)
    return most


def _implicit_output(inputs):
    """Without an arrow: the ellipsis, then the letters that are there once, capitals first."""
    everything = [label for labels in inputs for label in labels]
    once = sorted(label for label in everything if label != ELLIPSIS and everything.count(label) == 1)
    return [ELLIPSIS, *once] if ELLIPSIS in everything else once


def _order(inputs, output, ellipsis_dims):
    """label -> the position of its dimension, in every operand: the result's labels first."""
    order, position = {}, 0
    for label in output:
        order[label] = position
        position += ellipsis_dims if label == ELLIPSIS else 1
    everything = {label for labels in inputs for label in labels}
    if ELLIPSIS in everything and ELLIPSIS not in order:
        order[ELLIPSIS] = position
        position += ellipsis_dims
    for label in sorted(everything - {ELLIPSIS}):
        if label not in order:
            order[label] = position
            position += 1
    return order


def _width(labels, ellipsis_dims):
    return sum(ellipsis_dims if label == ELLIPSIS else 1 for label in labels)


def _check_sizes(inputs, tensors, ellipsis_dims):
    """RuntimeError where one letter stands for two sizes, neither of which is 1."""
    seen = {}
    for index, (labels, tensor) in enumerate(zip(inputs, tensors, strict=True)):
        covered = tensor.array.ndim - len(labels) + 1
        dim = 0
        for label in labels:
            if label == ELLIPSIS:
                dim += covered
                continue
            size = tensor.array.shape[dim]
            if size != 1 and seen.setdefault(label, size) != size:
                raise TorchError(
                    f"einsum(): subscript {label} has size {size} for operand {index} which does not broadcast with "
                    f"previously seen size {seen[label]}"
                )
            dim += 1


def _with_all_dims(index, tensor, labels, order, ellipsis_dims):
    """The operand with a dimension for every label, in the common order; those it lacks have size 1."""
    width = _width(order, ellipsis_dims)
    source_of = [None] * width
    covered = tensor.array.ndim - len(labels) + 1
    dim = 0
    for label in labels:
        place = order[label]
        if label == ELLIPSIS:
            for _ in range(ellipsis_dims - covered):
                tensor = ops.unsqueeze.default(tensor, dim)
            source_of[place : place + ellipsis_dims] = range(dim, dim + ellipsis_dims)
            dim += ellipsis_dims
        elif source_of[place] is None:
            source_of[place] = dim
            dim += 1
        else:
            # A letter twice in one operand: its diagonal.
            tensor = _diagonal(index, tensor, label, source_of[place], dim)
    for place in range(width):
        if source_of[place] is None:
            tensor = ops.unsqueeze.default(tensor, -1)
            source_of[place] = dim
            dim += 1
    return ops.permute.default(tensor, source_of)


def _diagonal(index, tensor, label, first, second):
    size1, size2 = tensor.array.shape[first], tensor.array.shape[second]
    if size1 != size2:
        raise TorchError(
            f"einsum(): subscript {label} is repeated for operand {index} but the sizes don't match, "
            f"{size2} != {size1}"
        )
    return ops.movedim(ops.diagonal(tensor, 0, first, second), -1, first)


def _contract(operands, out_dims, path):
    """Multiply the operands, two at a time, and sum over the dimensions from `out_dims` on."""
    width = operands[0].array.ndim
    if len(operands) == 1:
        summed = tuple(range(out_dims, width))
        return ops.sum(operands[0], summed) if summed else operands[0]
    holders = [sum(operand.array.shape[dim] != 1 for operand in operands) for dim in range(width)]
    steps = iter(path or ())
    while len(operands) > 1:
        # Without a path from left to right; a path names the positions of the next pair.
        first, second = (next(steps), next(steps)) if path else (0, 1)
        b = operands.pop(max(first, second))
        a = operands.pop(min(first, second))
        result = _contract_pair(a, b, holders, out_dims)
        if path:
            operands.append(result)
        else:
            operands.insert(0, result)
    (result,) = operands
    if width > out_dims:
        # Every dimension summed over has size 1 by now.
        return ops.view.default(result, result.array.shape[:out_dims])
    return result


def _contract_pair(a, b, holders, out_dims):
    sum_a, sum_b, sum_both = [], [], []
    for dim in range(out_dims, len(holders)):
        in_a, in_b = a.array.shape[dim] != 1, b.array.shape[dim] != 1
        if in_a and in_b:
            holders[dim] -= 1
            if holders[dim] == 1:
                sum_both.append(dim)
                holders[dim] = 0
        elif holders[dim] == 1 and (in_a or in_b):
            (sum_a if in_a else sum_b).append(dim)
            holders[dim] = 0
    if sum_a:
        a = ops.sum(a, sum_a, True)
    if sum_b:
        b = ops.sum(b, sum_b, True)
    return sumproduct_pair(a, b, sum_both) if sum_both else ops.mul(a, b)


def sumproduct_pair(left, right, sum_dims):
    """a * b summed over `sum_dims` (which stay, with size 1), as one batched matrix product.

    Each dimension is one of four kinds: in both and kept (the batch), only in `left`, only in `right`, summed over.
    """
    both, only_left, only_right = [], [], []
    for dim in range(left.array.ndim):
        in_left, in_right = left.array.shape[dim] != 1, right.array.shape[dim] != 1
        if dim in sum_dims:
            continue
        if in_left and in_right:
            both.append(dim)
        elif in_left:
            only_left.append(dim)
        else:
            only_right.append(dim)
    batch, rows = _count(left.array.shape, both), _count(left.array.shape, only_left)
    columns, inner = _count(right.array.shape, only_right), _count(left.array.shape, sum_dims)
    order = [*both, *only_left, *sum_dims, *only_right]
    sizes = [left.array.shape[dim] for dim in (*both, *only_left)] + [1] * len(sum_dims)
    sizes += [right.array.shape[dim] for dim in only_right]
    # (batch, rows, inner) @ (batch, inner, columns)
    left = ops.reshape.default(ops.permute.default(left, order), (batch, rows, inner))
    right = ops.permute.default(right, [*both, *sum_dims, *only_right, *only_left])
    right = ops.reshape.default(right, (batch, inner, columns))
    product = ops.view.default(ops.bmm.default(left, right), sizes)
    back = [order.index(dim) for dim in range(len(order))]
    return ops.permute.default(product, back)

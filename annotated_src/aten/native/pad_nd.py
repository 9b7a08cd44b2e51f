"""pad: more room around a tensor. Retells aten/src/ATen/native/PadNd.cpp.

    pad                picks by mode
      constant_pad_nd  one value all around; negative numbers cut off
      reflection_pad*  mirrored at the border, which itself is not repeated     (reflection_pad.py)
      replication_pad* the border repeated                                      (replication_padding.py)
      _pad_circular    goes on at the other side

`pad` counts from the last dimension: (left, right, top, bottom, front, back).
"""

from annotated_src.aten import ops
from annotated_src.c10.util.exception import TorchError


def constant_pad_nd(self, pad, value=0):
    """A copy with `value` around it."""
    if len(pad) % 2 != 0:
        raise TorchError(f"Length of pad must be even but instead it equals {len(pad)}")
    ndim = self.array.ndim
    if len(pad) // 2 > ndim:
        raise TorchError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {ndim} dimensions."
        )
    # (dim, before, after) for each dimension that changes, the first dimension first.
    changes = [(ndim - 1 - i, pad[2 * i], pad[2 * i + 1]) for i in reversed(range(len(pad) // 2))]
    cut = _cut(self, changes)
    if all(number <= 0 for number in pad):
        return ops.clone.default(cut)
    output = ops.empty.memory_format(_padded_shape(self, changes), dtype=self.dtype, device=self.device)
    ops.fill_(output, value)
    ops.copy_.default(_room_for_the_input(output, changes), cut)
    return output


def _cut(self, changes):
    """What negative numbers leave of the input."""
    for dim, before, after in changes:
        if before < 0:
            self = ops.narrow.default(self, dim, -before, self.array.shape[dim] + before)
        if after < 0:
            self = ops.narrow.default(self, dim, 0, self.array.shape[dim] + after)
    return self


def _padded_shape(self, changes):
    shape = list(self.array.shape)
    for dim, before, after in changes:
        size = shape[dim]
        shape[dim] = size + before + after
        if shape[dim] < 0:
            raise TorchError(
                f"The input size {size}, plus negative padding {before} and {after} resulted in a negative output "
                f"size, which is invalid. Check dimension {dim} of your input."
            )
    return shape


def _room_for_the_input(output, changes):
    for dim, before, after in changes:
        if before > 0:
            output = ops.narrow.default(output, dim, before, output.array.shape[dim] - before)
        if after > 0:
            output = ops.narrow.default(output, dim, 0, output.array.shape[dim] - after)
    return output


def _pad_circular(self, pad):
    """A copy that goes on at the other side: what is right of the last element is the first one."""
    shape = self.array.shape
    ndim, dims = len(shape) - 2, len(pad) // 2
    if ndim + 2 < dims:
        raise TorchError(f"Padding of {dims} dimensions is given for an input of {len(shape)}")
    # (dim, size, before, after), the last dimension first.
    changes = [(len(shape) - 1 - i, shape[len(shape) - 1 - i], pad[2 * i], pad[2 * i + 1]) for i in range(dims)]
    out_shape = list(shape)
    for dim, size, before, after in changes:
        if before > size or after > size:
            raise TorchError(
                f"Padding value causes wrapping around more than once: {(before, after)} for a size of {size}."
            )
        out_shape[dim] = size + before + after
        if out_shape[dim] < 0:
            raise TorchError(
                f"Negative padding value is resulting in an empty dimension: {(before, after)} for a size of {size}"
            )
    output = ops.new_empty.default(self, out_shape)
    _copy_middle(output, self, changes)
    # The last dimension first, so that corners are copied along with the next one.
    for dim, _, before, after in changes:
        _copy_around(output, dim, before, after)
    return output


def _copy_middle(output, self, changes):
    for dim, size, before, after in reversed(changes):
        output = ops.slice.Tensor(output, dim, max(before, 0), output.array.shape[dim] - max(after, 0))
        self = ops.slice.Tensor(self, dim, max(-before, 0), size - max(-after, 0))
    ops.copy_.default(output, self)


def _copy_around(output, dim, before, after):
    size = output.array.shape[dim]
    if before > 0:
        room = ops.slice.Tensor(output, dim, 0, before)
        end = size - max(after, 0)
        ops.copy_.default(room, ops.slice.Tensor(output, dim, end - before, end))
    if after > 0:
        room = ops.slice.Tensor(output, dim, size - after, size)
        begin = max(before, 0)
        ops.copy_.default(room, ops.slice.Tensor(output, dim, begin, begin + after))


# upstream: enum class padding_mode
PADDING_MODES = ("reflect", "replicate", "circular", "constant")


def pad(self, pad, mode="constant", value=None):
    """A padded copy; `mode` is constant, reflect, replicate or circular."""
    if mode not in PADDING_MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}; there are {', '.join(PADDING_MODES)}")
    return _pad_enum(self, pad, PADDING_MODES.index(mode), value)


def _pad_enum(self, pad, mode, value=None):
    """`pad` with the mode as a number."""
    dim, name = self.array.ndim, PADDING_MODES[mode]
    if len(pad) % 2 != 0:
        raise TorchError(f"Padding length must be divisible by 2, got {len(pad)} numbers")
    if len(pad) > 2 * dim:
        raise TorchError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {dim}"
        )
    if name == "constant":
        return ops.constant_pad_nd.default(self, pad, 0.0 if value is None else value)
    if value is not None and value != 0:
        raise TorchError(f'Padding mode "{name}" doesn\'t take in value argument')
    padded_dims = len(pad) // 2
    if padded_dims not in (1, 2, 3) or dim not in (padded_dims + 1, padded_dims + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {dim}D input tensor. Only 2D, 3D, 4D, 5D padding with "
            "non-constant padding are supported for now: two numbers for each of the last 1, 2 or 3 dimensions of an "
            "input that has one or two more"
        )
    if name == "circular":
        return ops._pad_circular.default(self, pad)
    kind = "reflection" if name == "reflect" else "replication"
    return getattr(ops, f"{kind}_pad{padded_dims}d").default(self, pad)

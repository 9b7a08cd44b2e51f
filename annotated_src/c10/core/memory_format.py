"""MemoryFormat: in which order a tensor's dimensions lie in memory.

Retells c10/core/MemoryFormat.h and torch/csrc/MemoryFormat.cpp (torch.memory_format).

    contiguous_format   the last dimension is the innermost: sizes (N, C, H, W) have strides (CHW, HW, W, 1)
    channels_last       the channels are the innermost:                                      (HWC, 1, WC, C)
    channels_last_3d    the same with a depth
    preserve_format     as the tensor at hand has it: for results, not for tensors
"""

from annotated_src.c10.util.exception import TorchError


class MemoryFormat:
    """One of the four orders.

    >>> from annotated_src import torch
    >>> torch.empty(1, 2, 3, 4, memory_format=torch.channels_last).stride()
    (24, 1, 8, 2)
    """

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        # One object for ever, like a dtype.
        return by_name, (self.name,)


contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last")
channels_last_3d = MemoryFormat("channels_last_3d")

# Dimensions from the outermost in memory to the innermost.
_CHANNELS_LAST_ORDER = {channels_last: (0, 2, 3, 1), channels_last_3d: (0, 2, 3, 4, 1)}


def by_name(name):
    """The format of this name, as schemas write their defaults."""
    formats = {format.name: format for format in (contiguous_format, preserve_format, channels_last, channels_last_3d)}
    return formats[name]


def contiguous_strides(sizes):
    """The strides (in elements) of a tensor whose last dimension is the innermost."""
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        # A dimension without elements takes as much room as one with a single one.
        step *= max(size, 1)
    return tuple(reversed(strides))


def strides_in(memory_format, sizes):
    """The strides of a fresh tensor of this format."""
    if memory_format is None or memory_format is contiguous_format:
        return contiguous_strides(sizes)
    if memory_format is preserve_format:
        raise TorchError("unsupported memory format Preserve: a fresh tensor has nothing to preserve")
    order = _CHANNELS_LAST_ORDER[memory_format]
    if len(sizes) != len(order):
        raise TorchError(
            f"required rank {len(order)} tensor to use {memory_format.name} format, but the sizes are {list(sizes)}"
        )
    in_memory = contiguous_strides([sizes[dim] for dim in order])
    strides = [0] * len(order)
    for position, dim in enumerate(order):
        strides[dim] = in_memory[position]
    return tuple(strides)


def is_contiguous_in(memory_format, sizes, strides):
    """Whether a tensor with these sizes and strides lies in memory as the format says, without gaps."""
    order = _CHANNELS_LAST_ORDER.get(memory_format, range(len(sizes)))
    if len(order) != len(sizes):
        return False
    expected = 1
    for dim in reversed(order):
        # The stride of a dimension of size 1 is never taken.
        if sizes[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= sizes[dim]
    return True


def suggest_memory_format(sizes, strides):
    """The format that the strides resemble: channels_last or channels_last_3d in 4 or 5 dimensions, else contiguous."""
    for memory_format, order in _CHANNELS_LAST_ORDER.items():
        if len(order) == len(sizes) and _strides_grow_outwards(order, sizes, strides):
            return memory_format
    return contiguous_format


def _strides_grow_outwards(order, sizes, strides):
    """Whether each dimension of `order`, from the innermost on, has a stride as large as those within it demand."""
    if strides[1] == 0:
        return False
    least = 0
    for dim in reversed(order):
        if sizes[dim] == 0 or strides[dim] < least:
            return False
        # With one channel and one column both orders fit; then it counts as contiguous.
        if dim == 0 and least == strides[1]:
            return False
        least = strides[dim] * max(sizes[dim], 1)
    return True

"""to and _to_copy: another dtype, another device. Retells aten/src/ATen/native/TensorConversions.cpp.

    to          is there anything to do? if not, the tensor itself comes back
    _to_copy    an empty tensor of the new dtype on the new device, then copy_
"""

from annotated_src.aten import ops
from annotated_src.c10.core.memory_format import preserve_format, suggest_memory_format


def _to_copy(
    self, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None
):
    """A copy with these options, `self`'s own where None is given."""
    dtype, device = dtype or self.dtype, device or self.device
    # A copy to the host in the background needs page-locked memory to go to.
    if non_blocking and self.device.type == "cuda" and device.type == "cpu":
        pin_memory = True
    options = {"dtype": dtype, "layout": layout, "device": device, "pin_memory": pin_memory}
    if memory_format is not None and memory_format is not preserve_format:
        result = ops.empty.memory_format(self.array.shape, **options, memory_format=memory_format)
    elif self.is_non_overlapping_and_dense():
        result = ops.empty_strided.default(self.array.shape, self.strides(), **options)
    else:
        result = ops.empty_like.default(self, **options)
    return ops.copy_.default(result, self, non_blocking)


def to_will_alias(self, dtype, layout, device, copy, memory_format):
    """Whether `to` has nothing to do."""
    if copy or (dtype is not None and dtype is not self.dtype):
        return False
    if device is not None and not _is_on(self, device):
        return False
    if memory_format is None or memory_format is preserve_format:
        return True
    return memory_format is suggest_memory_format(self.array.shape, self.strides())


def _is_on(self, device):
    """Whether `self` is on `device`; "cuda" without a number is the current card."""
    own = self.device
    if own.type != device.type:
        return False
    if device.type == "cuda" and device.index is None:
        return True
    return own.index == device.index


def _to(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format):
    if to_will_alias(self, dtype, layout, device, copy, memory_format):
        return self
    return ops._to_copy.default(
        self,
        dtype=dtype,
        layout=layout,
        device=device,
        pin_memory=pin_memory,
        non_blocking=non_blocking,
        memory_format=memory_format,
    )


def to_dtype_layout(
    self,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    non_blocking=False,
    copy=False,
    memory_format=None,
):
    """`self` with these options, or itself if it has them."""
    return _to(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format)


def to_device(self, device, dtype, non_blocking=False, copy=False, memory_format=None):
    """`self` on `device` and in `dtype`."""
    return _to(self, dtype, None, device, None, non_blocking, copy, memory_format)


def to_dtype(self, dtype, non_blocking=False, copy=False, memory_format=None):
    """`self` in `dtype`."""
    return _to(self, dtype, None, None, None, non_blocking, copy, memory_format)


def to_other(self, other, non_blocking=False, copy=False, memory_format=None):
    """`self` with `other`'s dtype and device."""
    return _to(self, other.dtype, None, other.device, None, non_blocking, copy, memory_format)

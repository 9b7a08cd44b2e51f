"""Padding with the border's elements. Retells aten/src/ATen/native/ReplicationPadding.cpp.

    [a b c d], 2 before, 1 after  ->  [a a | a b c d | d]
"""

from annotated_src.aten.native.padding import check_valid_input, pad_backward, pad_forward, pairs_by_dim
from annotated_src.c10.util.exception import TorchError


def _index(xp, size, before, after):
    """Where each element comes from; a negative number cuts off."""
    return xp.clip(xp.arange(-before, size + after), 0, size - 1)


def _check(self, padding):
    check_valid_input(self, len(padding) // 2)
    for dim, before, after in pairs_by_dim(self, padding):
        size = self.array.shape[dim]
        if size + before + after < 1:
            raise TorchError(
                f"input of size {size} at dimension {dim} is too small. Calculated output size: "
                f"{size + before + after}"
            )


def replication_pad1d(self, padding):
    """(N, C, W) or (C, W), padded along W."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "replication_pad1d")


def replication_pad2d(self, padding):
    """(N, C, H, W) or (C, H, W), padded along W and H."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "replication_pad2d")


def replication_pad3d(self, padding):
    """(N, C, D, H, W) or (C, D, H, W), padded along W, H and D."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "replication_pad3d")


def replication_pad1d_backward(grad_output, self, padding):
    """The gradient of replication_pad1d."""
    return pad_backward(grad_output, self, padding, _index, "replication_pad1d_backward")


def replication_pad2d_backward(grad_output, self, padding):
    """The gradient of replication_pad2d."""
    return pad_backward(grad_output, self, padding, _index, "replication_pad2d_backward")


def replication_pad3d_backward(grad_output, self, padding):
    """The gradient of replication_pad3d."""
    return pad_backward(grad_output, self, padding, _index, "replication_pad3d_backward")

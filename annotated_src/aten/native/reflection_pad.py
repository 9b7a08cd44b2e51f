"""Padding with a mirror at each border. Retells aten/src/ATen/native/ReflectionPad.cpp.

    [a b c d], 2 before, 1 after  ->  [c b | a b c d | c]
"""

from annotated_src.aten.native.padding import check_valid_input, pad_backward, pad_forward, pairs_by_dim
from annotated_src.c10.util.exception import TorchError


def _index(xp, size, before, after):
    """Where each element comes from; a negative number cuts off."""
    last = size - 1
    return last - abs(last - abs(xp.arange(-before, size + after)))


def _check(self, padding):
    check_valid_input(self, len(padding) // 2)
    for number, (dim, before, after) in enumerate(pairs_by_dim(self, padding)):
        size = self.array.shape[dim]
        if before >= size or after >= size:
            raise TorchError(
                f"Argument #{2 * number + 4}: Padding size should be less than the corresponding input dimension, "
                f"but got: padding ({before}, {after}) at dimension {dim} of input {list(self.array.shape)}"
            )
        if size + before + after < 1:
            raise TorchError(
                f"input of size {size} at dimension {dim} is too small. Calculated output size: "
                f"{size + before + after}"
            )


def reflection_pad1d(self, padding):
    """(N, C, W) or (C, W), padded along W."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "reflection_pad1d")


def reflection_pad2d(self, padding):
    """(N, C, H, W) or (C, H, W), padded along W and H."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "reflection_pad2d")


def reflection_pad3d(self, padding):
    """(N, C, D, H, W) or (C, D, H, W), padded along W, H and D."""
    _check(self, padding)
    return pad_forward(self, padding, _index, "reflection_pad3d")


def reflection_pad1d_backward(grad_output, self, padding):
    """The gradient of reflection_pad1d."""
    return pad_backward(grad_output, self, padding, _index, "reflection_pad1d_backward")


def reflection_pad2d_backward(grad_output, self, padding):
    """The gradient of reflection_pad2d."""
    return pad_backward(grad_output, self, padding, _index, "reflection_pad2d_backward")


def reflection_pad3d_backward(grad_output, self, padding):
    """The gradient of reflection_pad3d."""
    return pad_backward(grad_output, self, padding, _index, "reflection_pad3d_backward")

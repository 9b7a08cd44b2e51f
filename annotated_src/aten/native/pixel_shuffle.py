"""Channels to pixels and back. Retells aten/src/ATen/native/PixelShuffle.cpp.

    pixel_shuffle     (..., C * r * r, H, W) -> (..., C, H * r, W * r)
    pixel_unshuffle   the other way round
"""

from annotated_src.aten import ops
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError


def pixel_shuffle(self, upscale_factor):
    """Each pixel's r * r channels side by side, as r rows of r pixels."""
    shape, r = self.array.shape, upscale_factor
    _check(self, "pixel_shuffle", "upscale_factor", r)
    if shape[-3] % (r * r) != 0:
        raise TorchError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={shape[-3]} is not divisible by {r * r}"
        )
    *batch, channels, height, width = shape
    # (..., C, r, r, H, W) -> (..., C, H, r, W, r)
    blocks = self.array.reshape(*batch, channels // (r * r), r, r, height, width)
    first = len(batch)
    moved = blocks.transpose(*range(first + 1), first + 3, first + 1, first + 4, first + 2)
    return _contiguous(moved, (*batch, channels // (r * r), height * r, width * r))


def pixel_unshuffle(self, downscale_factor):
    """Each r * r pixels one behind the other, as channels of one pixel."""
    shape, r = self.array.shape, downscale_factor
    _check(self, "pixel_unshuffle", "downscale_factor", r)
    # (an error of upstream's: a tensor without elements comes back in the shape it came in)
    if self.array.size == 0:
        return ops.clone.default(self)
    for dim, word in ((-2, "height"), (-1, "width")):
        if shape[dim] % r != 0:
            raise TorchError(
                f"pixel_unshuffle expects {word} to be divisible by downscale_factor, but input.size({dim})="
                f"{shape[dim]} is not divisible by {r}"
            )
    *batch, channels, height, width = shape
    # (..., C, H, r, W, r) -> (..., C, r, r, H, W)
    blocks = self.array.reshape(*batch, channels, height // r, r, width // r, r)
    first = len(batch)
    moved = blocks.transpose(*range(first + 1), first + 2, first + 4, first + 1, first + 3)
    return _contiguous(moved, (*batch, channels * r * r, height // r, width // r))


def _check(self, function, name, factor):
    if self.array.ndim < 3:
        raise TorchError(
            f"{function} expects input to have at least 3 dimensions, but got input with {self.array.ndim} "
            "dimension(s)"
        )
    if factor <= 0:
        raise TorchError(f"{function} expects a positive {name}, but got {factor}")


def _contiguous(array, shape):
    return make_tensor(array_module(array).ascontiguousarray(array).reshape(shape))

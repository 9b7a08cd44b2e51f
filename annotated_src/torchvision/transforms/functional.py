"""Transforms as functions: each looks at the image's type and hands it on.

Retells torchvision/transforms/functional.py.

    tensor          -> _functional_tensor.py    (C, H, W)
    Pillow's image  -> _functional_pil.py       size is (width, height)
`to_tensor` leads from the one to the other. What a function checks does not depend on the type.

Left out so far: the functions that belong to the transforms left out; accimage.
"""

import sys
import warnings
from enum import Enum
from typing import Any

import numpy as np
from PIL.Image import Image as PILImage

from annotated_src import torch
from annotated_src.torch import Tensor
from annotated_src.torchvision.transforms import _functional_pil as F_pil
from annotated_src.torchvision.transforms import _functional_tensor as F_t
from annotated_src.torchvision.utils import _log_api_usage_once


class InterpolationMode(Enum):
    """How pixels in between are found (torchvision.transforms.InterpolationMode); the last three for Pillow only.

    >>> from annotated_src.torchvision.transforms import InterpolationMode
    >>> InterpolationMode.BILINEAR.value
    'bilinear'
    """

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


# The number by which Pillow knows each filter. Pillow's nearest is exact.
pil_modes_mapping = {
    InterpolationMode.NEAREST: 0,
    InterpolationMode.LANCZOS: 1,
    InterpolationMode.BILINEAR: 2,
    InterpolationMode.BICUBIC: 3,
    InterpolationMode.BOX: 4,
    InterpolationMode.HAMMING: 5,
    InterpolationMode.NEAREST_EXACT: 0,
}


def _interpolation_modes_from_int(i: int) -> InterpolationMode:
    modes = {number: mode for mode, number in pil_modes_mapping.items() if mode is not InterpolationMode.NEAREST_EXACT}
    return modes[i]


_is_pil_image = F_pil._is_pil_image


def get_dimensions(img: Tensor) -> list[int]:
    """[channels, height, width] of an image (torchvision.transforms.functional.get_dimensions).

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms.functional import get_dimensions
    >>> get_dimensions(Image.new("RGB", (4, 2)))
    [3, 2, 4]
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(get_dimensions)
    return F_t.get_dimensions(img) if isinstance(img, torch.Tensor) else F_pil.get_dimensions(img)


def get_image_size(img: Tensor) -> list[int]:
    """[width, height] of an image (torchvision.transforms.functional.get_image_size).

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms.functional import get_image_size
    >>> get_image_size(Image.new("RGB", (4, 2)))
    [4, 2]
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(get_image_size)
    return F_t.get_image_size(img) if isinstance(img, torch.Tensor) else F_pil.get_image_size(img)


def get_image_num_channels(img: Tensor) -> int:
    """How many channels an image has (torchvision.transforms.functional.get_image_num_channels).

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms.functional import get_image_num_channels
    >>> get_image_num_channels(Image.new("L", (4, 2)))
    1
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(get_image_num_channels)
    return F_t.get_image_num_channels(img) if isinstance(img, torch.Tensor) else F_pil.get_image_num_channels(img)


def _is_numpy(img: Any) -> bool:
    return isinstance(img, np.ndarray)


def _is_numpy_image(img: Any) -> bool:
    return img.ndim in (2, 3)


def to_tensor(pic: PILImage | np.ndarray) -> Tensor:
    """An image as a tensor (C, H, W), bytes scaled to 0..1 (torchvision.transforms.functional.to_tensor).

    TypeError for what is neither Pillow's nor NumPy's, ValueError for an array that is not (H, W) or (H, W, C).

    >>> import numpy as np
    >>> from annotated_src.torchvision.transforms.functional import to_tensor
    >>> to_tensor(np.array([[0, 255]], dtype=np.uint8)), to_tensor(np.array([[7]], dtype=np.int32))
    (tensor([[[0., 1.]]]), tensor([[[7]]], dtype=torch.int32))
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(to_tensor)
    if not (F_pil._is_pil_image(pic) or _is_numpy(pic)):
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}: a tensor needs no ToTensor.")
    if _is_numpy(pic) and not _is_numpy_image(pic):
        raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions: write (H, W) or (H, W, C).")

    if isinstance(pic, np.ndarray):
        if pic.ndim == 2:
            pic = pic[:, :, np.newaxis]
        img = torch.from_numpy(pic)
    else:
        # Modes that are not bytes. 16 bits are read as signed: what is above 32767 turns negative.
        little = sys.byteorder == "little"
        wider = {"I": np.int32, "F": np.float32, "I;16" if little else "I;16B": np.int16}
        img = torch.from_numpy(np.array(pic, dtype=wider.get(pic.mode, np.uint8), copy=True))
        if pic.mode == "1":
            # Black and white come as 0 and 1.
            img = 255 * img
        width, height = pic.size
        img = img.view(height, width, F_pil.get_image_num_channels(pic))

    # (H, W, C) -> (C, H, W)
    img = img.permute((2, 0, 1)).contiguous()
    if img.dtype == torch.uint8:
        return img.to(dtype=torch.get_default_dtype()).div(255)
    return img


def normalize(tensor: Tensor, mean: list[float], std: list[float], inplace: bool = False) -> Tensor:
    """(tensor - mean) / std, channel by channel; (..., C, H, W) (torchvision.transforms.functional.normalize).

    TypeError unless it is a tensor of floating point, ValueError with fewer than 3 dimensions or a std of zero.

    >>> from annotated_src import torch
    >>> from annotated_src.torchvision.transforms.functional import normalize
    >>> normalize(torch.tensor([[[1.0]], [[1.0]]]), mean=[0.0, 1.0], std=[2.0, 2.0]).flatten()
    tensor([0.5000, 0.0000])
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(normalize)
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}: put ToTensor before Normalize.")
    return F_t.normalize(tensor, mean=mean, std=std, inplace=inplace)


def _compute_resized_output_size(
    image_size: tuple[int, int],
    size: list[int] | None,
    max_size: int | None = None,
    allow_size_none: bool = False,
) -> list[int]:
    # -> [height, width]
    if size is not None and len(size) == 2:
        return [size[0], size[1]]

    h, w = image_size
    short, long = min(h, w), max(h, w)
    if size is None:
        # Deviation: upstream's second generation of transforms passes None with allow_size_none=True; it is left out.
        raise ValueError("This should never happen!!")
    new_short, new_long = size[0], int(size[0] * long / short)
    if max_size is not None and max_size <= size[0]:
        raise ValueError(
            f"max_size = {max_size} must be strictly greater than the requested size for the smaller edge "
            f"size = {size}: the longer edge cannot be shorter than the smaller one."
        )
    if max_size is not None and new_long > max_size:
        new_short, new_long = int(max_size * new_short / new_long), max_size
    return [new_long, new_short] if w <= h else [new_short, new_long]


def resize(
    img: Tensor,
    size: list[int],
    interpolation: InterpolationMode = InterpolationMode.BILINEAR,
    max_size: int | None = None,
    antialias: bool | None = True,
) -> Tensor:
    """An image in another size (torchvision.transforms.functional.resize); for the arguments see transforms.Resize.

    An image that has the size already is returned as it is.

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms.functional import resize
    >>> resize(Image.new("L", (32, 16)), [8]).size
    (16, 8)
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(resize)

    if isinstance(interpolation, int):
        interpolation = _interpolation_modes_from_int(interpolation)
    if not isinstance(interpolation, InterpolationMode):
        raise TypeError(
            "Argument interpolation should be a InterpolationMode or a corresponding Pillow integer constant, "
            f"but got {interpolation!r}: write InterpolationMode.BILINEAR, say."
        )
    if isinstance(size, (list, tuple)):
        if len(size) not in (1, 2):
            raise ValueError(
                f"Size must be an int or a 1 or 2 element tuple/list, not a {len(size)} element tuple/list: "
                "write (height, width), or one number."
            )
        if max_size is not None and len(size) == 2:
            raise ValueError(
                "max_size should only be passed if size specifies the length of the smaller edge, i.e. size should "
                f"be an int or a sequence of length 1, but got {size}: height and width leave nothing to limit."
            )

    _, image_height, image_width = get_dimensions(img)
    if isinstance(size, int):
        size = [size]
    output_size = _compute_resized_output_size((image_height, image_width), size, max_size)
    if output_size == [image_height, image_width]:
        return img
    if isinstance(img, torch.Tensor):
        return F_t.resize(img, size=output_size, interpolation=interpolation.value, antialias=antialias)

    if antialias is False:
        warnings.warn("Anti-alias option is always applied for PIL Image input. Argument antialias is ignored.")
    return F_pil.resize(img, size=output_size, interpolation=pil_modes_mapping[interpolation])


def hflip(img: Tensor) -> Tensor:
    """An image with left and right swapped (torchvision.transforms.functional.hflip).

    >>> from annotated_src import torch
    >>> from annotated_src.torchvision.transforms.functional import hflip
    >>> hflip(torch.tensor([[1, 2, 3]]))
    tensor([[3, 2, 1]])
    """
    if not torch.jit.is_scripting() and not torch.jit.is_tracing():
        _log_api_usage_once(hflip)
    return F_t.hflip(img) if isinstance(img, torch.Tensor) else F_pil.hflip(img)

"""Transforms of Pillow's images.

Retells torchvision/transforms/_functional_pil.py.

Pillow gives sizes as (width, height); everything here that returns or takes a size as a list has height first, but for
get_image_size.

Left out so far: the functions that belong to the transforms left out; accimage.
"""

from typing import Any

from PIL import Image


def _is_pil_image(img: Any) -> bool:
    return isinstance(img, Image.Image)


def get_dimensions(img: Any) -> list[int]:
    if not _is_pil_image(img):
        raise TypeError(f"Unexpected type {type(img)}: an image of Pillow's or a tensor is expected.")
    width, height = img.size
    return [len(img.getbands()), height, width]


def get_image_size(img: Any) -> list[int]:
    if not _is_pil_image(img):
        raise TypeError(f"Unexpected type {type(img)}: an image of Pillow's or a tensor is expected.")
    return list(img.size)


def get_image_num_channels(img: Any) -> int:
    if not _is_pil_image(img):
        raise TypeError(f"Unexpected type {type(img)}: an image of Pillow's or a tensor is expected.")
    return len(img.getbands())


def hflip(img: Image.Image) -> Image.Image:
    if not _is_pil_image(img):
        raise TypeError(f"img should be PIL Image. Got {type(img)}: open the file with PIL.Image.open.")
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def resize(
    img: Image.Image,
    size: list[int] | int,
    interpolation: int = Image.Resampling.BILINEAR,
) -> Image.Image:
    # size is [height, width]
    if not _is_pil_image(img):
        raise TypeError(f"img should be PIL Image. Got {type(img)}: open the file with PIL.Image.open.")
    if not isinstance(size, list) or len(size) != 2:
        raise TypeError(f"Got inappropriate size arg: {size}. Write [height, width].")
    height, width = size
    return img.resize((width, height), interpolation)

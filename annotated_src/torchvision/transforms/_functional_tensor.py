"""Transforms of tensors.

Retells torchvision/transforms/_functional_tensor.py.

An image is (..., C, H, W), or (H, W) for one channel.

Left out so far: the functions that belong to the transforms left out. `resize` waits for interpolation.
"""

from annotated_src import torch
from annotated_src.torch import Tensor


def _is_tensor_a_torch_image(x: Tensor) -> bool:
    return x.ndim >= 2


def _assert_image_tensor(img: Tensor) -> None:
    if not _is_tensor_a_torch_image(img):
        raise TypeError(f"Tensor is not a torch image: it has {img.ndim} dimensions, and height and width take 2.")


def get_dimensions(img: Tensor) -> list[int]:
    _assert_image_tensor(img)
    height, width = img.shape[-2:]
    return [1 if img.ndim == 2 else img.shape[-3], height, width]


def get_image_size(img: Tensor) -> list[int]:
    _assert_image_tensor(img)
    height, width = img.shape[-2:]
    return [width, height]


def get_image_num_channels(img: Tensor) -> int:
    _assert_image_tensor(img)
    return 1 if img.ndim == 2 else img.shape[-3]


def hflip(img: Tensor) -> Tensor:
    _assert_image_tensor(img)
    return img.flip(-1)


def resize(
    img: Tensor,
    size: list[int],
    interpolation: str = "bilinear",
    antialias: bool | None = True,
) -> Tensor:
    _assert_image_tensor(img)
    raise NotImplementedError(
        "Resizing a tensor is not there yet: it needs torch.nn.functional.interpolate. "
        "Resize the Pillow image, before ToTensor."
    )


def normalize(tensor: Tensor, mean: list[float], std: list[float], inplace: bool = False) -> Tensor:
    _assert_image_tensor(tensor)
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}: convert it, or use ToTensor.")
    if tensor.ndim < 3:
        raise ValueError(
            "Expected tensor to be a tensor image of size (..., C, H, W). "
            f"Got tensor.size() = {tensor.size()}: channels come third from the end."
        )
    if not inplace:
        tensor = tensor.clone()

    mean = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if (std == 0).any():  # D2H: upstream waits here, too
        raise ValueError(
            f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero. "
            "A channel without spread cannot be normalized: give it a std of 1."
        )
    # (C,) -> (C, 1, 1): one number a channel, for all of its pixels
    mean = mean.view(-1, 1, 1) if mean.ndim == 1 else mean
    std = std.view(-1, 1, 1) if std.ndim == 1 else std
    return tensor.sub_(mean).div_(std)

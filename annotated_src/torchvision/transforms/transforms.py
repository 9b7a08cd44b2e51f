"""Transforms as objects: made once with their arguments, called for each image.

Retells torchvision/transforms/transforms.py.

Each class keeps its arguments and hands image and arguments to the function of functional.py that does the work.
Those that could stand among a network's layers are Modules, and do it in `forward`; Compose, ToTensor and Lambda, which
take what no layer takes, are plain classes with `__call__`.

Left out so far: all transforms but six.
"""

from collections.abc import Sequence

from annotated_src import torch
from annotated_src.torch import Tensor
from annotated_src.torchvision.transforms import functional as F
from annotated_src.torchvision.transforms.functional import InterpolationMode, _interpolation_modes_from_int
from annotated_src.torchvision.utils import _log_api_usage_once

__all__ = [
    "Compose",
    "ToTensor",
    "Normalize",
    "Resize",
    "Lambda",
    "RandomHorizontalFlip",
    "InterpolationMode",
]


class Compose:
    """One transform after another (torchvision.transforms.Compose).

    >>> from annotated_src.torchvision.transforms import Compose
    >>> Compose([str.strip, str.upper])(" a ")
    'A'
    """

    def __init__(self, transforms):
        if not torch.jit.is_scripting() and not torch.jit.is_tracing():
            _log_api_usage_once(self)
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self) -> str:
        lines = [f"    {transform}" for transform in self.transforms]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])


class ToTensor:
    """From an image, (H, W) or (H, W, C) in Pillow or NumPy, to a tensor (C, H, W) (torchvision.transforms.ToTensor).

    uint8 becomes float32 from 0 to 1; other dtypes keep their values. TypeError for what is no image, ValueError for
    an array of other than 2 or 3 dimensions.

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms import ToTensor
    >>> ToTensor()(Image.new("L", (2, 1), 51))
    tensor([[[0.2000, 0.2000]]])
    """

    def __init__(self) -> None:
        _log_api_usage_once(self)

    def __call__(self, pic):
        return F.to_tensor(pic)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Normalize(torch.nn.Module):
    """(image - mean) / std, channel by channel; (..., C, H, W), floating point (torchvision.transforms.Normalize).

    Errors are those of functional.normalize.

    >>> from annotated_src import torch
    >>> from annotated_src.torchvision.transforms import Normalize
    >>> Normalize((0.5,), (0.25,))(torch.tensor([[[0.0, 1.0]]]))
    tensor([[[-2.,  2.]]])
    """

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        _log_api_usage_once(self)
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor: Tensor) -> Tensor:
        return F.normalize(tensor, self.mean, self.std, self.inplace)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean}, std={self.std})"


class Resize(torch.nn.Module):
    """To another size: (height, width), or one number for the shorter side (torchvision.transforms.Resize).

    With one number the sides keep their ratio, and the longer one is at most `max_size`. TypeError or ValueError for a
    size that is neither. Pillow's images only, so far, which are always antialiased.

    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms import Resize
    >>> Resize(8)(Image.new("L", (32, 16))).size, Resize((8, 8))(Image.new("L", (32, 16))).size
    ((16, 8), (8, 8))
    """

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__()
        _log_api_usage_once(self)
        if not isinstance(size, (int, Sequence)):
            raise TypeError(f"Size should be int or sequence. Got {type(size)}: write (height, width), or one number.")
        if isinstance(size, Sequence) and len(size) not in (1, 2):
            raise ValueError(
                f"If size is a sequence, it should have 1 or 2 values, but got {len(size)}: "
                "write (height, width), or (shorter side,)."
            )
        # Pillow's own numbers for its filters are taken too.
        if isinstance(interpolation, int):
            interpolation = _interpolation_modes_from_int(interpolation)
        self.size = size
        self.max_size = max_size
        self.interpolation = interpolation
        self.antialias = antialias

    def forward(self, img):
        return F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(size={self.size}, interpolation={self.interpolation.value}, "
            f"max_size={self.max_size}, antialias={self.antialias})"
        )


class Lambda:
    """A function of yours as a transform; TypeError if it cannot be called (torchvision.transforms.Lambda).

    >>> from annotated_src.torchvision.transforms import Lambda
    >>> Lambda(lambda image: image * 2)(21)
    42
    """

    def __init__(self, lambd):
        _log_api_usage_once(self)
        if not callable(lambd):
            raise TypeError(
                f"Argument lambd should be callable, got {type(lambd).__name__!r}: write Lambda(lambda image: ...)."
            )
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class RandomHorizontalFlip(torch.nn.Module):
    """Left and right swapped, with probability `p` (torchvision.transforms.RandomHorizontalFlip).

    Draws one number from torch's global stream for each image, flipped or not.

    >>> import numpy
    >>> from PIL import Image
    >>> from annotated_src.torchvision.transforms import RandomHorizontalFlip
    >>> image = Image.fromarray(numpy.array([[1, 2, 3]], dtype="uint8"))
    >>> numpy.asarray(RandomHorizontalFlip(p=1.0)(image)).tolist()
    [[3, 2, 1]]
    """

    def __init__(self, p=0.5):
        super().__init__()
        _log_api_usage_once(self)
        self.p = p

    def forward(self, img):
        if torch.rand(1) < self.p:  # D2H: one draw decides, where tensors are made on a card
            return F.hflip(img)
        return img

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p={self.p})"

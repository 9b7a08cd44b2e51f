"""torchvision.transforms: what is done to an image before it is a sample.

Retells torchvision/transforms/__init__.py.

transforms.py           classes that keep the arguments           Compose, ToTensor, Normalize ...
functional.py           functions that choose by the image's type
_functional_pil.py      ... for Pillow's images
_functional_tensor.py   ... for tensors
"""

from annotated_src.torchvision.transforms import functional
from annotated_src.torchvision.transforms.functional import InterpolationMode
from annotated_src.torchvision.transforms.transforms import (
    Compose,
    Lambda,
    Normalize,
    RandomHorizontalFlip,
    Resize,
    ToTensor,
)

__all__ = [
    "Compose",
    "InterpolationMode",
    "Lambda",
    "Normalize",
    "RandomHorizontalFlip",
    "Resize",
    "ToTensor",
    "functional",
]

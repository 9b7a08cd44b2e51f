"""VisionDataset: what all of torchvision's data sets have in common.

Retells torchvision/datasets/vision.py.

A root folder, and transforms in one of two forms:
    transform, target_transform   one for the image, one for the target
    transforms                    one for both together
Left out: nothing.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from annotated_src.torch.utils import data
from annotated_src.torchvision.utils import _log_api_usage_once

T_co = TypeVar("T_co", covariant=True)


class VisionDataset(data.Dataset[T_co]):
    """The base of image data sets: root, transforms and a readable repr (torchvision.datasets.VisionDataset).

    A "~" in a root given as a string is expanded. ValueError if `transforms` comes with one of the other two.

    >>> from annotated_src.torchvision.datasets import VisionDataset
    >>> class Three(VisionDataset):
    ...     def __len__(self):
    ...         return 3
    >>> Three("digits")
    Dataset Three
        Number of datapoints: 3
        Root location: digits
    """

    _repr_indent = 4

    def __init__(
        self,
        root: str | Path = None,
        transforms: Callable | None = None,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
    ) -> None:
        _log_api_usage_once(self)
        self.root = os.path.expanduser(root) if isinstance(root, str) else root

        separate = transform is not None or target_transform is not None
        if separate and transforms is not None:
            raise ValueError(
                "Only transforms or transform/target_transform can be passed as argument: transforms already takes "
                "image and target. Drop one of the two."
            )
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = StandardTransform(transform, target_transform) if separate else transforms

    def __getitem__(self, index: int) -> T_co:
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__: define it to return a sample.")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} has no __len__: define it to return the number of samples.")

    def __repr__(self) -> str:
        body = [f"Number of datapoints: {self.__len__()}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body.extend(self.extra_repr().splitlines())
        if getattr(self, "transforms", None) is not None:
            body.append(repr(self.transforms))
        indent = " " * self._repr_indent
        return "\n".join([f"Dataset {type(self).__name__}"] + [indent + line for line in body])

    def _format_transform_repr(self, transform: Callable, head: str) -> list[str]:
        first, *others = repr(transform).splitlines()
        return [head + first] + [" " * len(head) + line for line in others]

    def extra_repr(self) -> str:
        """Further lines for the repr."""
        return ""


class StandardTransform:
    """Two transforms as one: the first for the image, the second for its target.

    >>> from annotated_src.torchvision.datasets.vision import StandardTransform
    >>> StandardTransform(str.upper, None)("a", 1)
    ('A', 1)
    """

    def __init__(self, transform: Callable | None = None, target_transform: Callable | None = None) -> None:
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, input: Any, target: Any) -> tuple[Any, Any]:
        # The image first: both may draw from the random stream.
        if self.transform is not None:
            input = self.transform(input)
        if self.target_transform is None:
            return input, target
        return input, self.target_transform(target)

    def _format_transform_repr(self, transform: Callable, head: str) -> list[str]:
        first, *others = repr(transform).splitlines()
        return [head + first] + [" " * len(head) + line for line in others]

    def __repr__(self) -> str:
        lines = [type(self).__name__]
        if self.transform is not None:
            lines += self._format_transform_repr(self.transform, "Transform: ")
        if self.target_transform is not None:
            lines += self._format_transform_repr(self.target_transform, "Target transform: ")
        return "\n".join(lines)

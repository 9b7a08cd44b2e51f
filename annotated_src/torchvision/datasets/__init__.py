"""torchvision.datasets: data sets of images on disk.

Retells torchvision/datasets/__init__.py. Left out: the data sets that are downloaded.
"""

from annotated_src.torchvision.datasets.folder import DatasetFolder, ImageFolder
from annotated_src.torchvision.datasets.vision import VisionDataset

__all__ = ["DatasetFolder", "ImageFolder", "VisionDataset"]

"""ImageFolder: a tree of folders as a labelled data set.

Retells torchvision/datasets/folder.py.

    root/cat/1.png  root/cat/more/2.png  root/dog/3.png   ->   (image, 0)  (image, 0)  (image, 1)
The names of the folders right below the root, sorted, are the classes; all files below one of them are its samples.
    find_classes   folders -> class names and numbers
    make_dataset   -> [(path, class number), ...], the order that sampler indices refer to
    pil_loader     path -> image, always in RGB
Invariant: paths are listed once, in the constructor; images are opened one by one, in `__getitem__`.

Left out: accimage, a second library for loading images, and its accimage_loader.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from annotated_src.torchvision.datasets.vision import VisionDataset


def has_file_allowed_extension(filename: str, extensions: str | tuple[str, ...]) -> bool:
    """Whether the name ends with one of the extensions, given in lower case; the name's case does not matter.

    >>> from annotated_src.torchvision.datasets.folder import has_file_allowed_extension
    >>> has_file_allowed_extension("a.PNG", (".png", ".jpg"))
    True
    """
    if not isinstance(extensions, str):
        extensions = tuple(extensions)
    return filename.lower().endswith(extensions)


def is_image_file(filename: str) -> bool:
    """Whether the name ends as that of an image file does (torchvision.datasets.folder.is_image_file).

    >>> from annotated_src.torchvision.datasets.folder import is_image_file
    >>> is_image_file("a.webp"), is_image_file("a.txt")
    (True, False)
    """
    return has_file_allowed_extension(filename, IMG_EXTENSIONS)


def find_classes(directory: str | Path) -> tuple[list[str], dict[str, int]]:
    """The folders in `directory`, sorted by name, and the number of each (torchvision.datasets.folder.find_classes).

    FileNotFoundError if there is none, or no such directory.

    >>> import tempfile, pathlib
    >>> from annotated_src.torchvision.datasets.folder import find_classes
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> (root / "dog").mkdir()
    >>> (root / "cat").mkdir()
    >>> find_classes(root)
    (['cat', 'dog'], {'cat': 0, 'dog': 1})
    """
    classes = sorted([entry.name for entry in os.scandir(directory) if entry.is_dir()])
    if not classes:
        raise FileNotFoundError(
            f"Couldn't find any class folder in {directory}. Each class needs a folder of its own, below the root."
        )
    return classes, {name: number for number, name in enumerate(classes)}


def make_dataset(
    directory: str | Path,
    class_to_idx: dict[str, int] | None = None,
    extensions: str | tuple[str, ...] | None = None,
    is_valid_file: Callable[[str], bool] | None = None,
    allow_empty: bool = False,
) -> list[tuple[str, int]]:
    """List (path, class number) of the files below each class's folder (torchvision.datasets.folder.make_dataset).

    Classes in the order of their names, folders and files likewise; links to folders are followed. `is_valid_file`
    is called with the whole path. ValueError unless exactly one of `extensions` and `is_valid_file` is given, or for
    an empty `class_to_idx`; FileNotFoundError for a class without files, unless `allow_empty`.

    >>> import tempfile, pathlib
    >>> from annotated_src.torchvision.datasets.folder import make_dataset
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> (root / "cat").mkdir()
    >>> (root / "cat" / "1.png").touch()
    >>> [(pathlib.Path(path).name, number) for path, number in make_dataset(root, {"cat": 5}, ".png")]
    [('1.png', 5)]
    """
    directory = os.path.expanduser(directory)
    if class_to_idx is None:
        _, class_to_idx = find_classes(directory)
    elif not class_to_idx:
        raise ValueError(
            "'class_to_index' must have at least one entry to collect any samples. "
            "Leave class_to_idx out to take the folders' names as classes."
        )
    if (extensions is None) == (is_valid_file is None):
        raise ValueError(
            "Both extensions and is_valid_file cannot be None or not None at the same time: "
            "each says which files are samples. Give one of them."
        )
    if extensions is not None:

        def is_valid_file(path: str) -> bool:
            return has_file_allowed_extension(path, extensions)

    instances = []
    empty_classes = []
    for target_class in sorted(class_to_idx):
        before = len(instances)
        # A class without a folder has no walk, and so no files.
        walk = os.walk(os.path.join(directory, target_class), followlinks=True)
        for root, _, names in sorted(walk):
            for name in sorted(names):
                path = os.path.join(root, name)
                if is_valid_file(path):
                    instances.append((path, class_to_idx[target_class]))
        if len(instances) == before:
            empty_classes.append(target_class)

    if empty_classes and not allow_empty:
        message = f"Found no valid file for the classes {', '.join(empty_classes)}. "
        if extensions is not None:
            listed = extensions if isinstance(extensions, str) else ", ".join(extensions)
            message += f"Supported extensions are: {listed}. "
        raise FileNotFoundError(message + "Add files, or pass allow_empty=True to keep classes without any.")
    return instances


class DatasetFolder(VisionDataset):
    """A tree of files as a labelled data set: a sample is (loader(path), class number)
    (torchvision.datasets.DatasetFolder).

    classes        names of the folders below `root`, sorted
    class_to_idx   name -> number
    samples        [(path, number), ...]
    targets        the numbers alone
    Errors are those of find_classes and make_dataset.

    >>> import tempfile, pathlib
    >>> from annotated_src.torchvision.datasets import DatasetFolder
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> (root / "cat").mkdir()
    >>> (root / "cat" / "1.txt").write_text("meow")
    4
    >>> dataset = DatasetFolder(root, loader=lambda path: open(path).read(), extensions=(".txt",))
    >>> dataset.classes, dataset[0]
    (['cat'], ('meow', 0))
    """

    def __init__(
        self,
        root: str | Path,
        loader: Callable[[str], Any],
        extensions: tuple[str, ...] | None = None,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
        allow_empty: bool = False,
    ) -> None:
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.classes, self.class_to_idx = self.find_classes(self.root)
        self.loader = loader
        self.extensions = extensions
        self.samples = self.make_dataset(
            self.root,
            class_to_idx=self.class_to_idx,
            extensions=extensions,
            is_valid_file=is_valid_file,
            allow_empty=allow_empty,
        )
        self.targets = [number for _, number in self.samples]

    @staticmethod
    def make_dataset(
        directory: str | Path,
        class_to_idx: dict[str, int],
        extensions: tuple[str, ...] | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
        allow_empty: bool = False,
    ) -> list[tuple[str, int]]:
        """List the samples; override it to find them elsewhere. ValueError without `class_to_idx`."""
        # The function below would take None as "look for yourself", past a find_classes that a subclass overrides.
        if class_to_idx is None:
            raise ValueError("The class_to_idx parameter cannot be None: pass what find_classes returns.")
        return make_dataset(directory, class_to_idx, extensions, is_valid_file, allow_empty)

    def find_classes(self, directory: str | Path) -> tuple[list[str], dict[str, int]]:
        """List the classes; override it to take only some of the folders, or to number them otherwise."""
        return find_classes(directory)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        path, number = self.samples[index]
        sample = self.loader(path)
        if self.transform is not None:
            sample = self.transform(sample)
        if self.target_transform is not None:
            number = self.target_transform(number)
        return sample, number

    def __len__(self) -> int:
        return len(self.samples)


IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def pil_loader(path: str | Path) -> Image.Image:
    """The image in a file, converted to RGB: grey is tripled, transparency dropped (torchvision's pil_loader)."""
    # Pillow reads the pixels as late as convert(); the file must be open until then, and closed after.
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


def default_loader(path: str | Path) -> Any:
    """The image in a file, by the library that set_image_backend chose (torchvision.datasets.folder.default_loader)."""
    from annotated_src.torchvision import get_image_backend

    if get_image_backend() == "accimage":
        raise ModuleNotFoundError("Images are loaded with Pillow alone here: set_image_backend('PIL').")
    return pil_loader(path)


class ImageFolder(DatasetFolder):
    """A tree of images as a labelled data set: a sample is (image, class number) (torchvision.datasets.ImageFolder).

    `imgs` is another name for `samples`. With `is_valid_file` the files' names may end as they like.

    >>> import tempfile, pathlib
    >>> from PIL import Image
    >>> from annotated_src.torchvision.datasets import ImageFolder
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> (root / "cat").mkdir()
    >>> Image.new("L", (4, 3), 7).save(root / "cat" / "1.png")
    >>> image, target = ImageFolder(root)[0]
    >>> image.mode, image.size, target
    ('RGB', (4, 3), 0)
    """

    def __init__(
        self,
        root: str | Path,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
        loader: Callable[[str], Any] = default_loader,
        is_valid_file: Callable[[str], bool] | None = None,
        allow_empty: bool = False,
    ):
        extensions = IMG_EXTENSIONS if is_valid_file is None else None
        super().__init__(root, loader, extensions, transform, target_transform, is_valid_file, allow_empty)
        self.imgs = self.samples

"""Image folders: classes, files, loaders, reprs and errors of torchvision/datasets."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

COVERS = [
    "torchvision/datasets/folder.py",
    "torchvision/datasets/vision.py",
    "torchvision/datasets/__init__.py",
    "torchvision/__init__.py",
]

DIGITS = Path(__file__).resolve().parents[2] / "book" / "data" / "digits"


@pytest.fixture
def root(tmp_path):
    """Three classes, one of them with a folder inside, and files that are no images."""
    for name, grey in (("b/2.png", 2), ("b/10.PNG", 10), ("b/more/1.jpeg", 1), ("a/1.bmp", 3), ("c/x.webp", 4)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (3, 2), grey).save(path)
    (tmp_path / "b" / "notes.txt").write_text("no image")
    (tmp_path / "readme.png").write_text("not in a class")
    return tmp_path


def relative(samples, root):
    return [(os.path.relpath(path, root), number) for path, number in samples]


def test_the_digits(oracle):
    def case(torch, torchvision):
        dataset = torchvision.datasets.ImageFolder(DIGITS, transform=torchvision.transforms.ToTensor())
        image, label = dataset[200]
        loader = torch.utils.data.DataLoader(dataset, batch_size=100)
        images, labels = list(loader)[-1]
        rows = (dataset.classes, dataset.class_to_idx, dataset.targets, labels)
        return len(dataset), rows, image, label, images.shape, images[:2]

    length, (classes, *_), *_ = oracle.same(case, rtol=0, atol=0)
    assert (length, classes) == (360, list("0123456789"))


@pytest.mark.parametrize("seed", [0, 3])
def test_an_epoch_of_shuffled_digits(oracle, seed):
    def case(torch, torchvision):
        torch.manual_seed(seed)
        transform = torchvision.transforms.Compose(
            [
                torchvision.transforms.RandomHorizontalFlip(),
                torchvision.transforms.ToTensor(),
                torchvision.transforms.Normalize((0.5, 0.5, 0.5), (0.25, 0.25, 0.25)),
            ]
        )
        dataset = torchvision.datasets.ImageFolder(DIGITS, transform=transform)
        loader = torch.utils.data.DataLoader(dataset, batch_size=64, shuffle=True, drop_last=True)
        batches = list(loader)
        return [(images.sum((1, 2, 3)), labels) for images, labels in batches], batches[0][0][:2], torch.rand(1)

    oracle.same(case, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("as_path", [False, True])
def test_samples(oracle, root, as_path):
    def case(torchvision):
        dataset = torchvision.datasets.ImageFolder(root if as_path else str(root))
        image, target = dataset[1]
        return (
            relative(dataset.samples, root),
            dataset.imgs is dataset.samples,
            (dataset.targets, dataset.classes, dataset.class_to_idx),
            (image.mode, np.asarray(image), target),
            (len(dataset), dataset.extensions, type(dataset.root).__name__.replace("Posix", "")),
            [dataset.transform, dataset.target_transform, dataset.transforms],
            all(type(path).__name__ == "str" for path, _ in dataset.samples),
        )

    oracle.same(case)


def test_transforms_of_both(oracle, root):
    def case(torchvision):
        dataset = torchvision.datasets.ImageFolder(root, transform=np.shape, target_transform=lambda target: -target)
        return [dataset[i] for i in range(len(dataset))], dataset.targets, dataset.transforms([[1, 2]], 3)

    oracle.same(case)


def test_only_some_files(oracle, root):
    def case(torchvision):
        F = torchvision.datasets.folder
        by_name = F.ImageFolder(root, is_valid_file=lambda path: "1" in os.path.basename(path), allow_empty=True)
        by_extension = F.DatasetFolder(root, loader=os.path.basename, extensions=(".png", ".txt"), allow_empty=True)
        by_string = F.make_dataset(root, {"b": 3}, ".txt")
        return (
            (relative(by_name.samples, root), by_name.extensions),
            ([by_extension[i] for i in range(len(by_extension))], by_extension.classes),
            relative(by_string, root),
        )

    oracle.same(case)


def test_classes_of_ones_own(oracle, root):
    def case(torchvision):
        class NoC(torchvision.datasets.ImageFolder):
            def find_classes(self, directory):
                return ["a", "b"], {"a": 10, "b": 20}

        class Backwards(torchvision.datasets.ImageFolder):
            @staticmethod
            def make_dataset(directory, class_to_idx, **filters):
                samples = torchvision.datasets.DatasetFolder.make_dataset(directory, class_to_idx, **filters)
                return samples[::-1]

        some, backwards = NoC(root), Backwards(root)
        return relative(some.samples, root), some.classes, some.class_to_idx, relative(backwards.samples, root)

    oracle.same(case)


def test_folders_in_a_class_are_sorted_and_links_followed(oracle, root):
    for name in ("p", "c", "z", "m", "a", "x", "e", "q", "k", "b"):
        folder = root / "a" / name
        folder.mkdir()
        for file in ("2.png", "9.png", "1.png", "5.png"):
            (folder / file).touch()
    os.symlink(root / "b" / "more", root / "a" / "n")

    def case(torchvision):
        return relative(torchvision.datasets.ImageFolder(root).samples, root)

    oracle.same(case)


def test_a_class_that_has_no_folder(oracle, root):
    oracle.same(
        lambda torchvision: relative(
            torchvision.datasets.folder.make_dataset(root, {"b": 0, "z": 1}, (".png",), allow_empty=True), root
        )
    )
    oracle.same_error(
        lambda torchvision: torchvision.datasets.folder.make_dataset(root, {"b": 0, "z": 1, "y": 2}, (".png",)),
        "Found no valid file for the classes y, z. Supported extensions are: .png",
    )


def test_functions(oracle, root):
    def case(torchvision):
        F = torchvision.datasets.folder
        return (
            F.find_classes(root),
            F.IMG_EXTENSIONS,
            [F.is_image_file(name) for name in ("a.png", "a.PNG", "a.txt", "png", ".png", "a.png.gz")],
            F.has_file_allowed_extension("a.TXT", ".txt"),
            F.has_file_allowed_extension("a.b", [".b", ".c"]),
            F.pil_loader(root / "b" / "2.png").mode,
            F.default_loader(str(root / "b" / "2.png")).size,
            relative(F.make_dataset(str(root), extensions=".webp", allow_empty=True), root),
        )

    oracle.same(case)


def test_a_home_folder(oracle, root, monkeypatch):
    monkeypatch.setenv("HOME", str(root))

    def case(torchvision):
        by_string = torchvision.datasets.ImageFolder("~")
        made = torchvision.datasets.folder.make_dataset("~", {"a": 0}, ".bmp")
        return by_string.root == str(root), relative(made, root)

    oracle.same(case)


@pytest.mark.parametrize("transform", [None, "one", "two"])
def test_reprs(oracle, root, transform):
    def case(torchvision):
        T = torchvision.transforms
        arguments = {}
        if transform is not None:
            arguments["transform"] = T.Compose([T.Resize((4, 4)), T.ToTensor()])
        if transform == "two":
            arguments["target_transform"] = T.Lambda(lambda target: target)
        dataset = torchvision.datasets.ImageFolder(root, **arguments)
        return repr(dataset).replace(str(root), "ROOT")

    oracle.same(case)


def test_the_base_class(oracle):
    def case(torchvision):
        V = torchvision.datasets.VisionDataset

        class Two(V):
            def __len__(self):
                return 2

            def extra_repr(self):
                return "Split: train\nYear: 1998"

        both = Two(transforms=lambda image, target: (target, image))
        lower = torchvision.transforms.Lambda(str)
        return repr(Two("x", transform=lower)), repr(Two()), both.transforms(1, 2), both.transform, V("x").root

    oracle.same(case, rtol=0)


def test_the_base_class_refuses(oracle):
    def both(torchvision):
        torchvision.datasets.VisionDataset("x", transforms=max, transform=str)

    def both_targets(torchvision):
        torchvision.datasets.VisionDataset("x", transforms=max, target_transform=str)

    phrase = "Only transforms or transform/target_transform can be passed as argument"
    oracle.same_error(both, phrase)
    oracle.same_error(both_targets, phrase)
    oracle.same_error(lambda torchvision: torchvision.datasets.VisionDataset("x")[0])
    oracle.same_error(lambda torchvision: len(torchvision.datasets.VisionDataset("x")))


@pytest.mark.parametrize("transform", [None, np.negative])
@pytest.mark.parametrize("target_transform", [None, np.negative])
def test_standard_transform(oracle, transform, target_transform):
    def case(torchvision):
        standard = torchvision.datasets.vision.StandardTransform(transform, target_transform)
        return standard(1, 2), repr(standard)

    oracle.same(case)


def test_back_ends(oracle, root, monkeypatch, torchvision):
    monkeypatch.setattr(torchvision, "_image_backend", "PIL")

    def accimage(torchvision):
        before = torchvision.get_image_backend()
        torchvision.set_image_backend("accimage")
        try:
            torchvision.datasets.ImageFolder(root)[0]
        finally:
            torchvision.set_image_backend(before)

    oracle.same(lambda torchvision: (torchvision.get_image_backend(), torchvision.set_image_backend("PIL")))
    oracle.same_error(lambda torchvision: torchvision.set_image_backend("cv2"), "Invalid backend 'cv2'. Options are")
    oracle.same_error(accimage)
    assert torchvision.get_image_backend() == "PIL"


def test_errors(oracle, root):
    def without_classes(torchvision):
        torchvision.datasets.DatasetFolder.make_dataset(root, class_to_idx=None, extensions=".png")

    oracle.same_error(without_classes, "The class_to_idx parameter cannot be None")
    oracle.same_error(lambda torchvision: torchvision.datasets.ImageFolder(root)[99], "list index out of range")
    oracle.same_error(lambda torchvision: torchvision.datasets.ImageFolder(None))
    oracle.same_error(lambda torchvision: torchvision.datasets.folder.find_classes(root / "a"), "any class folder in")

    (root / "a" / "broken.png").write_text("no image")
    oracle.same_error(lambda torchvision: torchvision.datasets.ImageFolder(root)[1], "cannot identify image file")


def test_files_are_closed(torchvision, root, recwarn):
    import gc

    dataset = torchvision.datasets.ImageFolder(root)
    images = [dataset[i] for i in range(len(dataset))]
    gc.collect()
    assert len(images) == 5
    assert [warning for warning in recwarn if issubclass(warning.category, ResourceWarning)] == []

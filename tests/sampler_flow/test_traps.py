"""Public reports about upstream's data loading and image folders, reduced, each run on both sides.

Each test names the reports it comes from.
"""

import gc
import os
from pathlib import Path

import pytest
from PIL import Image

COVERS = []


def tree(root, *files, mode="RGB", color=0):
    """A folder with images at these paths; a path that ends in a slash is an empty folder."""
    for file in files:
        path = Path(root, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.endswith("/"):
            path.mkdir()
        else:
            Image.new(mode, (2, 2), color).save(path, "PNG")
    return str(root)


def test_distributed_padding_and_epochs(oracle):
    """pytorch PR #41171 (issue #25162), #11324."""

    def case(torch):
        S = torch.utils.data.DistributedSampler
        parts = []
        for length, replicas in ((10, 4), (2, 5)):
            for drop_last in (False, True):
                parts.append(
                    [list(S(range(length), replicas, r, shuffle=False, drop_last=drop_last)) for r in range(replicas)]
                )
        samplers = [S(range(100), 2, rank, seed=0) for rank in (0, 1)]
        first, second = [list(s) for s in samplers], [list(s) for s in samplers]
        for sampler in samplers:
            sampler.set_epoch(1)
        third = [list(s) for s in samplers]
        return parts, first == second, first == third, sorted(first[0] + first[1]), sorted(third[0] + third[1])

    parts, same_epoch, other_epoch, all_first, all_third = oracle.same(case)
    assert parts[0] == [[0, 4, 8], [1, 5, 9], [2, 6, 0], [3, 7, 1]]
    assert parts[1] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert parts[2] == [[0], [1], [0], [1], [0]]
    assert parts[3] == [[], [], [], [], []]
    assert (same_epoch, other_epoch) == (True, False)
    assert all_first == all_third == list(range(100))
    oracle.same_error(
        lambda torch: torch.utils.data.DistributedSampler(range(4), 2, 2),
        "Invalid rank 2, rank should be in the interval [0, 1]",
    )


def test_concat_indices_from_the_end_and_beyond(oracle):
    """pytorch #23054."""

    def case(torch):
        data = torch.utils.data.ConcatDataset([list("ab"), list("cde")])
        return len(data), data.cumulative_sizes, data[-1], data[-5], data[2]

    assert oracle.same(case) == (5, [2, 5], "e", "a", "c")

    def at(index):
        return lambda torch: torch.utils.data.ConcatDataset([list("ab"), list("cde")])[index]

    before = oracle.same_error(at(-6), "absolute value of index should not exceed dataset length")
    beyond = oracle.same_error(at(5), "list index out of range")
    assert (type(before), type(beyond)) == (ValueError, IndexError)


def test_concat_refuses_streams_and_nothing(oracle):
    """pytorch #23054."""

    def stream(torch):
        class Stream(torch.utils.data.IterableDataset):
            def __iter__(self):
                return iter([1])

        torch.utils.data.ConcatDataset([Stream()])

    oracle.same_error(stream, "ConcatDataset does not support IterableDataset")
    oracle.same_error(lambda torch: torch.utils.data.ConcatDataset([]), "datasets should not be an empty iterable")


def test_an_error_in_a_sample_arrives_as_it_was_raised(oracle):
    """pytorch #30147, #34130, #16647, PR #140911; without workers."""

    class Boom(Exception):
        def __init__(self, a, b):
            super().__init__(f"boom {a} {b}")

    class Raises:
        def __len__(self):
            return 2

        def __getitem__(self, index):
            raise Boom(1, 2)

    class Lacks(Raises):
        def __getitem__(self, index):
            return {}["k"]

    boom = oracle.same_error(lambda torch: next(iter(torch.utils.data.DataLoader(Raises()))), "boom 1 2")
    lacks = oracle.same_error(lambda torch: next(iter(torch.utils.data.DataLoader(Lacks()))), "'k'")
    assert (type(boom), str(boom)) == (Boom, "boom 1 2")
    assert (type(lacks), str(lacks)) == (KeyError, "'k'")


REFUSED = {
    "prefetch_factor option could only be specified in multiprocessing": dict(prefetch_factor=2),
    "persistent_workers option needs num_workers > 0": dict(persistent_workers=True),
    "sampler option is mutually exclusive with shuffle": dict(shuffle=True, sampler=range(4)),
    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last": dict(
        batch_sampler=[[0, 1]], batch_size=2
    ),
    "batch_size=None option disables auto-batching and is mutually exclusive with drop_last": dict(
        batch_size=None, drop_last=True
    ),
    "batch_size should be a positive integer value, but got batch_size=0": dict(batch_size=0),
}


@pytest.mark.parametrize("phrase", REFUSED)
def test_arguments_that_exclude_each_other(oracle, phrase):
    """pytorch #68576, #53628, PR #19228, #196089; AnswerDotAI/ModernBERT #38."""
    error = oracle.same_error(lambda torch: torch.utils.data.DataLoader(range(4), **REFUSED[phrase]), phrase)
    assert type(error) is ValueError


def test_a_stream_cannot_be_shuffled(oracle):
    """pytorch #68576, PR #19228."""

    def case(torch):
        class Stream(torch.utils.data.IterableDataset):
            def __iter__(self):
                return iter(range(3))

        torch.utils.data.DataLoader(Stream(), shuffle=True)

    oracle.same_error(
        case, "DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=True"
    )


def test_no_data_at_all(oracle):
    """pytorch #68576, #53628."""
    phrase = "num_samples should be a positive integer value, but got num_samples=0"
    oracle.same_error(lambda torch: torch.utils.data.DataLoader([], shuffle=True), phrase)

    def case(torch):
        loader = torch.utils.data.DataLoader([])
        return len(loader), list(loader)

    assert oracle.same(case) == (0, [])


# Upstream's iterator, cut short in its constructor, complains once more when it is deleted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_prefetch_factor_of_zero_is_refused_late(oracle):
    """pytorch #196089."""
    oracle.same(lambda torch: torch.utils.data.DataLoader(range(4), num_workers=1, prefetch_factor=0).prefetch_factor)
    oracle.same_error(
        lambda torch: iter(torch.utils.data.DataLoader(range(4), num_workers=1, prefetch_factor=0)),
        "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter",
    )
    gc.collect()


def test_a_class_without_images(oracle, tmp_path):
    """pytorch/vision #4925, #8297, #2138."""
    root = tree(tmp_path, "a/x.png", "b/", "c/y.png")
    oracle.same_error(
        lambda torchvision: torchvision.datasets.ImageFolder(root),
        "Found no valid file for the classes b. Supported extensions are: "
        ".jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff, .webp",
    )
    without = oracle.same_error(
        lambda torchvision: torchvision.datasets.ImageFolder(root, is_valid_file=lambda path: path.endswith("x.png")),
        "Found no valid file for the classes b, c. ",
    )
    assert "extensions" not in str(without)

    def case(torchvision):
        dataset = torchvision.datasets.ImageFolder(root, allow_empty=True)
        return dataset.classes, dataset.targets

    assert oracle.same(case) == (["a", "b", "c"], [0, 2])


def test_the_order_of_the_samples(oracle, tmp_path):
    """pytorch/examples #400, pytorch/vision PR #80."""
    root = tree(tmp_path, "b/2.png", "b/10.png", "b/sub/a.png", "b/A/z.png", "a/deep/er/q.png")
    os.symlink(f"{root}/a", f"{root}/link")

    def case(torchvision):
        dataset = torchvision.datasets.ImageFolder(
            root, transform=lambda image: image.size, target_transform=lambda target: target * 10
        )
        paths = [os.path.relpath(path, root) for path, _ in dataset.samples]
        return paths, dataset.classes, dataset.imgs is dataset.samples, dataset[-1], len(dataset), dataset.targets

    paths, *_, last, length, targets = oracle.same(case)
    assert paths == [
        "a/deep/er/q.png",
        "b/10.png",
        "b/2.png",
        "b/A/z.png",
        "b/sub/a.png",
        "link/deep/er/q.png",
    ]
    assert (last, length, targets) == (((2, 2), 20), 6, [0, 1, 1, 1, 1, 2])


@pytest.mark.parametrize(
    ("mode", "color", "pixel"),
    [
        ("L", 7, (7, 7, 7)),
        ("RGBA", (1, 2, 3, 4), (1, 2, 3)),
        ("1", 1, (255, 255, 255)),
        ("I;16", 200, None),
        ("I;16", 40000, None),
    ],
)
def test_every_image_becomes_rgb(oracle, tmp_path, mode, color, pixel):
    """pytorch/vision #561, #64, #2218; pytorch #20524. (16 bits become 8 in Pillow, by its version's rule.)"""
    root = tree(tmp_path, "k/a.png", mode=mode, color=color)

    def case(torchvision):
        image, target = torchvision.datasets.ImageFolder(root)[0]
        return image.mode, image.getpixel((0, 0)), target

    ours = oracle.same(case)
    assert ours[0] == "RGB"
    assert pixel is None or ours[1] == pixel


def test_a_loader_of_ones_own_keeps_the_mode(oracle, tmp_path):
    """pytorch/vision #561."""
    root = tree(tmp_path, "k/a.png", mode="L", color=7)
    assert oracle.same(lambda torchvision: torchvision.datasets.ImageFolder(root, loader=Image.open)[0][0].mode) == "L"


def test_roots_and_filters_that_cannot_be(oracle, tmp_path):
    """pytorch/vision #669, PR #867, PR #3496, #4871; pytorch/examples #1039."""
    flat, good = tree(tmp_path / "flat", "x.png"), tree(tmp_path / "good", "k/a.png")
    both = "Both extensions and is_valid_file cannot be None or not None at the same time"

    def folder(*arguments, **keywords):
        return lambda torchvision: torchvision.datasets.DatasetFolder(*arguments, loader=str, **keywords)

    lost = oracle.same_error(
        lambda torchvision: torchvision.datasets.ImageFolder(flat), "Couldn't find any class folder in "
    )
    assert f"{flat}." in str(lost)
    oracle.same_error(lambda torchvision: torchvision.datasets.ImageFolder(flat + "/none"), "No such file or directory")
    oracle.same_error(folder(good), both)
    oracle.same_error(folder(good, extensions=(".png",), is_valid_file=bool), both)
    oracle.same_error(
        lambda torchvision: torchvision.datasets.folder.make_dataset(good, class_to_idx={}, extensions=(".png",)),
        "'class_to_index' must have at least one entry to collect any samples.",
    )

    def case(torchvision):
        seen = []
        torchvision.datasets.ImageFolder(good, is_valid_file=lambda path: seen.append(os.path.isabs(path)) or True)
        samples = torchvision.datasets.folder.make_dataset(good, class_to_idx={"k": 5}, extensions=(".png",))
        return samples[0][1], seen

    assert oracle.same(case) == (5, [True])

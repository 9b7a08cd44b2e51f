"""Dataset: one sample at a time.

Retells torch/utils/data/dataset.py.

Two kinds, and DataLoader treats them differently:
    map-style     Dataset: `dataset[index]` gives a sample; a sampler chooses the indices
    iterable      IterableDataset: `iter(dataset)` gives the samples in its own order; no sampler can have a say
The others here wrap data sets: tensors as rows (TensorDataset), several side by side (StackDataset), one after another
(ConcatDataset, ChainDataset), a part (Subset, random_split).
A data set may also have `__getitems__(indices)`, which gives a whole batch of samples at once; the fetcher asks for it.

Left out: ConcatDataset.cummulative_sizes, a deprecated alias.
"""

import bisect
import itertools
import math
import warnings
from collections.abc import Sequence
from typing import Generic, Iterable, TypeVar  # noqa: UP035  (a class cannot inherit from Generic and collections.abc)

from annotated_src.torch import Generator, Tensor, default_generator, randperm

__all__ = [
    "Dataset",
    "IterableDataset",
    "TensorDataset",
    "StackDataset",
    "ConcatDataset",
    "ChainDataset",
    "Subset",
    "random_split",
]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_T_dict = dict[str, _T_co]
_T_tuple = tuple[_T_co, ...]
_T_stack = TypeVar("_T_stack", _T_tuple, _T_dict)


class Dataset(Generic[_T_co]):
    """The base of map-style data sets: a subclass gives the sample of a key from `__getitem__`
    (torch.utils.data.Dataset).

    `__len__` is optional, and needed by the default samplers. Neither it nor `__getitems__` has a default here: the
    fetcher takes a data set that has `__getitems__` at its word.

    >>> from annotated_src.torch.utils.data import Dataset
    >>> class Squares(Dataset):
    ...     def __getitem__(self, index):
    ...         return index * index
    >>> Squares()[3]
    9
    """

    def __getitem__(self, index) -> _T_co:
        raise NotImplementedError(
            f"Subclasses of Dataset should implement __getitem__, and {type(self).__name__} does not: "
            "define it to return the sample of an index."
        )

    def __add__(self, other: "Dataset[_T_co]") -> "ConcatDataset[_T_co]":
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """The base of data sets that are read as a stream: a subclass gives an iterator from `__iter__`
    (torch.utils.data.IterableDataset).

    >>> from annotated_src.torch.utils.data import DataLoader, IterableDataset
    >>> class Letters(IterableDataset):
    ...     def __iter__(self):
    ...         return iter("abc")
    >>> list(DataLoader(Letters(), batch_size=2))
    [['a', 'b'], ['c']]
    """

    def __add__(self, other: Dataset[_T_co]):
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Row `index` of each tensor, as a tuple (torch.utils.data.TensorDataset).

    AssertionError unless all tensors have the same size in their first dimension.

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import TensorDataset
    >>> TensorDataset(torch.arange(6).view(3, 2), torch.tensor([7, 8, 9]))[1]
    (tensor([2, 3]), tensor(8))
    """

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        sizes = [tensor.size(0) for tensor in tensors]
        if len(set(sizes)) > 1:
            raise AssertionError(
                f"Size mismatch between tensors: their first dimensions are {sizes}. "
                "A sample is one row of each, so all must have the same number of rows."
            )
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset[_T_stack]):
    """Several data sets side by side: a sample is a tuple of theirs, or a dict where they were given by name
    (torch.utils.data.StackDataset).

    ValueError without data sets, with both kinds of arguments, or if the lengths differ.

    >>> from annotated_src.torch.utils.data import StackDataset
    >>> StackDataset("abc", [7, 8, 9])[1]
    ('b', 8)
    >>> StackDataset(letter="abc", number=[7, 8, 9])[1]
    {'letter': 'b', 'number': 8}
    """

    datasets: tuple | dict

    def __init__(self, *args: Dataset[_T_co], **kwargs: Dataset[_T_co]) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or ``dict``- (via ``kwargs``) like input/output, but both "
                f"types are given: {len(args)} by position, {list(kwargs)} by name. Give all of them one way."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed: StackDataset() has nothing to take samples from.")
        columns = list(args or kwargs.values())
        self._length = len(columns[0])
        for dataset in columns:
            if len(dataset) != self._length:
                raise ValueError(
                    f"Size mismatch between datasets: the first has {self._length} samples, another {len(dataset)}. "
                    "Sample i is taken from each, so all must be equally long."
                )
        self.datasets = args or kwargs

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple([dataset[index] for dataset in self.datasets])

    def __getitems__(self, indices: list):
        named = isinstance(self.datasets, dict)
        columns = []
        for dataset in self.datasets.values() if named else self.datasets:
            if not callable(getattr(dataset, "__getitems__", None)):
                columns.append([dataset[index] for index in indices])
                continue
            items = dataset.__getitems__(indices)
            if len(items) != len(indices):
                raise ValueError(
                    f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}: "
                    f"{type(dataset).__name__}.__getitems__ must return one sample for each index."
                )
            columns.append(items)
        # From a column a data set to a row a sample.
        rows = zip(*columns, strict=True)
        if named:
            return [dict(zip(self.datasets, row, strict=True)) for row in rows]
        return list(rows)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T_co]):
    """Map-style data sets one after another (torch.utils.data.ConcatDataset).

    `cumulative_sizes[k]` is where data set k ends. Negative indices count from the end. AssertionError without data
    sets or with an IterableDataset among them; ValueError for an index before the beginning.

    >>> from annotated_src.torch.utils.data import ConcatDataset
    >>> both = ConcatDataset(["ab", "cde"])
    >>> both.cumulative_sizes, both[2], both[-1]
    ([2, 5], 'c', 'e')
    """

    datasets: list[Dataset[_T_co]]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence):
        """The running sum of the lengths of what is in `sequence`."""
        return list(itertools.accumulate([len(dataset) for dataset in sequence]))

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable: give at least one dataset.")
        for dataset in self.datasets:
            if isinstance(dataset, IterableDataset):
                raise AssertionError(
                    f"ConcatDataset does not support IterableDataset, but got a {type(dataset).__name__}: "
                    "a stream has no sample number i. Use ChainDataset."
                )
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError(
                    f"absolute value of index should not exceed dataset length, but got index {idx} "
                    f"for {len(self)} samples."
                )
            idx += len(self)
        # _right, not _left: an index equal to where a data set ends belongs to the next one.
        dataset_idx = bisect.bisect_right(self.cumulative_sizes, idx)
        start = self.cumulative_sizes[dataset_idx - 1] if dataset_idx > 0 else 0
        # Deviation: upstream's list index error says no more than "list index out of range".
        if dataset_idx == len(self.datasets):
            raise IndexError(f"list index out of range: there is no sample {idx} among {len(self)}.")
        return self.datasets[dataset_idx][idx - start]


class ChainDataset(IterableDataset):
    """Streams one after another (torch.utils.data.ChainDataset).

    AssertionError, while it is iterated or measured, if one of them is no IterableDataset.

    >>> from annotated_src.torch.utils.data import ChainDataset, IterableDataset
    >>> class Letters(IterableDataset):
    ...     def __iter__(self):
    ...         return iter("ab")
    >>> list(ChainDataset([Letters(), Letters()]))
    ['a', 'b', 'a', 'b']
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError(
                    f"ChainDataset only supports IterableDataset, but got a {type(dataset).__name__}. "
                    "Use ConcatDataset for datasets with indices."
                )
            yield from dataset

    def __len__(self) -> int:
        length = 0
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError(
                    f"ChainDataset only supports IterableDataset, but got a {type(dataset).__name__}. "
                    "Use ConcatDataset for datasets with indices."
                )
            length += len(dataset)
        return length


class Subset(Dataset[_T_co]):
    """The samples of `dataset` at `indices`, in that order (torch.utils.data.Subset).

    A subclass that overrides `__getitem__` must override `__getitems__` too, for DataLoader asks only the latter;
    NotImplementedError if it does not.

    >>> from annotated_src.torch.utils.data import Subset
    >>> list(Subset("abcd", [3, 0]))
    ['d', 'a']
    """

    dataset: Dataset[_T_co]
    indices: Sequence[int]

    def __init__(self, dataset: Dataset[_T_co], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices
        own = type(self)
        if own.__getitem__ is not Subset.__getitem__ and own.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{own.__name__} overrides __getitem__ but not __getitems__: DataLoader asks for whole batches through "
                "__getitems__ and would never reach the override. Add to the class:\n\n"
                "def __getitems__(self, indices):\n"
                "    return [self[index] for index in indices]"
            )

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[_T_co]:
        inner = [self.indices[i] for i in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(inner)
        return [self.dataset[i] for i in inner]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[_T],
    lengths: Sequence[int | float],
    generator: Generator | None = default_generator,
) -> list[Subset[_T]]:
    """Deal the samples of `dataset` at random into subsets that do not overlap (torch.utils.data.random_split).

    `lengths` are counts that sum to len(dataset), or fractions that sum to 1: then each part gets its share rounded
    down, and what remains is dealt one by one, from the first part on. ValueError for a fraction outside [0, 1] or
    counts that do not add up; a warning where a part is empty.

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import random_split
    >>> parts = random_split(range(5), [0.6, 0.4], generator=torch.Generator().manual_seed(0))
    >>> [list(part) for part in parts]
    [[4, 0, 1], [3, 2]]
    """
    total = sum(lengths)
    if math.isclose(total, 1) and total <= 1:
        fractions = lengths
        for i, fraction in enumerate(fractions):
            if not 0 <= fraction <= 1:
                raise ValueError(
                    f"Fraction at index {i} is not between 0 and 1, but {fraction}: it is a share of the dataset."
                )
        lengths = [math.floor(len(dataset) * fraction) for fraction in fractions]
        for i in range(len(dataset) - sum(lengths)):
            lengths[i % len(lengths)] += 1
        for i, length in enumerate(lengths):
            if length == 0:
                warnings.warn(
                    f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=2
                )

    if sum(lengths) != len(dataset):
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset! "
            f"Lengths {list(lengths)} sum to {sum(lengths)}, and the dataset has {len(dataset)} samples. "
            "Give counts that sum to that, or fractions that sum to 1."
        )

    indices = randperm(sum(lengths), generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, indices[end - length : end]) for end, length in zip(ends, lengths, strict=True)]

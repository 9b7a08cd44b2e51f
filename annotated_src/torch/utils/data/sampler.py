"""Sampler: which indices, and in which order.

Retells torch/utils/data/sampler.py.

A sampler is an iterable of indices. It knows how long the data is, never what is in it. DataLoader asks one of two:
    auto-batching     BatchSampler -> a list of indices, one list for each batch
    batch_size=None   any other    -> one index at a time
Interface: `iter(sampler)` starts an epoch; `len(sampler)` counts what one epoch yields.
Invariant: the randomness of an epoch is drawn while it is iterated, never in the constructor. That is why a sampler
can be iterated again, and why two samplers with equally seeded generators visit equal orders.

Left out: nothing.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Generic, TypeVar

from annotated_src import torch

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

_T_co = TypeVar("_T_co", covariant=True)


class Sampler(Generic[_T_co]):
    """The base of all samplers: `__iter__` yields indices, or lists of them (torch.utils.data.Sampler).

    `__len__` is optional, so it has no default here: a default that raises would break `list(sampler)`, which asks
    for a length first and does without one only where the method is missing.

    >>> from annotated_src.torch.utils.data import DataLoader, Sampler
    >>> class Backwards(Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    >>> list(DataLoader("abc", sampler=Backwards()))
    [['c'], ['b'], ['a']]
    """

    def __iter__(self) -> Iterator[_T_co]:
        raise NotImplementedError(
            f"{type(self).__name__} has no __iter__: a sampler must define it and yield indices of the dataset."
        )


class SequentialSampler(Sampler[int]):
    """Yields 0, 1, ..., len(data_source) - 1, in every epoch (torch.utils.data.SequentialSampler).

    >>> from annotated_src.torch.utils.data import SequentialSampler
    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    data_source: Sized

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Yields indices in random order: a shuffle, or draws with replacement (torch.utils.data.RandomSampler).

    `num_samples` (default: the length of `data_source`) may exceed the length: without replacement one shuffle
    follows another. TypeError if `replacement` is no bool; ValueError if there is nothing to draw.

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import RandomSampler
    >>> list(RandomSampler(range(5), generator=torch.Generator().manual_seed(0)))
    [4, 0, 1, 3, 2]
    """

    data_source: Sized
    replacement: bool

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator=None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator

        if not isinstance(self.replacement, bool):
            raise TypeError(
                f"replacement should be a boolean value, but got replacement={self.replacement}: "
                "pass True to draw with replacement, False to shuffle."
            )
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={self.num_samples}: "
                "without samples there is no order to draw. "
                "Give num_samples of 1 or more, or a dataset that is not empty."
            )

    @property
    def num_samples(self) -> int:
        """How many indices one epoch yields: asked anew each time, for a dataset may grow."""
        if self._num_samples is not None:
            return self._num_samples
        return len(self.data_source)

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            # One number of the global stream seeds a stream of the epoch's own: drawing in the loop's body
            # cannot change the order of an epoch that has begun.
            seed = torch.empty((), dtype=torch.int64).random_().item()
            generator = torch.Generator()
            generator.manual_seed(seed)

        if self.replacement:
            # In portions of 32, so that a huge num_samples does not become a huge list.
            for _ in range(self.num_samples // 32):
                yield from torch.randint(n, (32,), dtype=torch.int64, generator=generator).tolist()
            rest = self.num_samples % 32
            yield from torch.randint(n, (rest,), dtype=torch.int64, generator=generator).tolist()
            return

        for _ in range(self.num_samples // n):
            yield from torch.randperm(n, generator=generator).tolist()
        # The last shuffle is drawn even where nothing of it is used: the stream ends where upstream's ends.
        yield from torch.randperm(n, generator=generator).tolist()[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Yields the given indices, each once, in random order (torch.utils.data.SubsetRandomSampler).

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import SubsetRandomSampler
    >>> list(SubsetRandomSampler([10, 20, 30], generator=torch.Generator().manual_seed(1)))
    [20, 30, 10]
    """

    indices: Sequence[int]

    def __init__(self, indices: Sequence[int], generator=None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for position in torch.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[position]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Yields `num_samples` indices, index i with a chance in proportion to `weights[i]`
    (torch.utils.data.WeightedRandomSampler).

    `weights` is a flat sequence of non-negative numbers that need not sum to one. ValueError if `num_samples` is not
    a positive int, `replacement` no bool, or `weights` not one-dimensional.

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import WeightedRandomSampler
    >>> list(WeightedRandomSampler([0.0, 1.0, 0.0], 4))
    [1, 1, 1, 1]
    """

    weights: "torch.Tensor"
    num_samples: int
    replacement: bool

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator=None,
    ) -> None:
        # bool is a subclass of int: True would silently mean one sample.
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}: "
                "it is the number of indices that one epoch yields, 1 or more."
            )
        if not isinstance(replacement, bool):
            raise ValueError(
                f"replacement should be a boolean value, but got replacement={replacement}: "
                "pass True to draw with replacement, False to draw each index at most once."
            )

        weights = torch.as_tensor(weights, dtype=torch.double)
        if weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}: "
                "give one number for each sample of the dataset."
            )
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = torch.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Cuts what another sampler yields into lists of `batch_size` (torch.utils.data.BatchSampler).

    The last list is short where the count does not divide, or is left out with `drop_last=True`.
    ValueError if `batch_size` is not a positive int or `drop_last` no bool.

    >>> from annotated_src.torch.utils.data import BatchSampler
    >>> list(BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    >>> list(BatchSampler(range(5), batch_size=2, drop_last=True))
    [[0, 1], [2, 3]]
    """

    def __init__(
        self,
        sampler: Sampler[int] | Iterable[int],
        batch_size: int,
        drop_last: bool,
    ) -> None:
        # `sampler` is not checked: an object with __getitem__ alone can be iterated too, and isinstance would miss it.
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}: "
                "it is the number of samples in a batch, 1 or more."
            )
        if not isinstance(drop_last, bool):
            raise ValueError(
                f"drop_last should be a boolean value, but got drop_last={drop_last}: "
                "pass True to leave out a short last batch, False to keep it."
            )
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        sampler_iter = iter(self.sampler)
        # islice takes what is there: an exhausted sampler gives the empty list, which ends the loop.
        while batch := list(itertools.islice(sampler_iter, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        if self.drop_last:
            return len(self.sampler) // self.batch_size
        # Rounded up: a short last batch counts.
        return -(-len(self.sampler) // self.batch_size)

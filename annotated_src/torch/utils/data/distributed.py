"""DistributedSampler: each process of a group reads its own part of one shared order.

Retells torch/utils/data/distributed.py.

Every process builds the same list of indices (same seed, same epoch), makes its length a multiple of the number of
processes, and takes each num_replicas-th index, beginning at its rank. No process talks to another: the parts fit
because the lists are equal.
Interface: `set_epoch(epoch)` before each epoch, or every epoch has the first one's order.

Left out: nothing. (There are no process groups here, so num_replicas and rank must be given.)
"""

import math
from collections.abc import Iterator
from typing import TypeVar

import annotated_src.torch.distributed as dist
from annotated_src import torch
from annotated_src.torch.utils.data.dataset import Dataset
from annotated_src.torch.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]

_T_co = TypeVar("_T_co", covariant=True)


class DistributedSampler(Sampler[_T_co]):
    """Yields the indices of `dataset` that belong to one `rank` out of `num_replicas`
    (torch.utils.data.DistributedSampler).

    Where the length does not divide, `drop_last=False` repeats indices from the start, `drop_last=True` leaves the
    tail out. ValueError if `rank` is not in [0, num_replicas - 1].

    >>> from annotated_src.torch.utils.data import DistributedSampler
    >>> [list(DistributedSampler(range(5), 2, rank, shuffle=False)) for rank in (0, 1)]
    [[0, 2, 4], [1, 3, 0]]
    """

    def __init__(
        self,
        dataset: Dataset,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None:
            if not dist.is_available():
                raise RuntimeError("Requires distributed package to be available: give num_replicas and rank instead.")
            num_replicas = dist.get_world_size()
        if rank is None:
            if not dist.is_available():
                raise RuntimeError("Requires distributed package to be available: give num_replicas and rank instead.")
            rank = dist.get_rank()
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]: "
                f"the {num_replicas} processes are counted from 0."
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        if self.drop_last and len(self.dataset) % self.num_replicas != 0:
            # One less than rounding up: only whole rounds over the processes remain.
            self.num_samples = math.ceil((len(self.dataset) - self.num_replicas) / self.num_replicas)
        else:
            self.num_samples = math.ceil(len(self.dataset) / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[_T_co]:
        if self.shuffle:
            # From seed and epoch alone, so that every process draws the same order.
            generator = torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = torch.randperm(len(self.dataset), generator=generator).tolist()
        else:
            indices = list(range(len(self.dataset)))

        if self.drop_last:
            indices = indices[: self.total_size]
        else:
            # A data set smaller than the group is repeated more than once.
            missing = self.total_size - len(indices)
            repeats = math.ceil(missing / max(len(indices), 1))
            indices += (indices * repeats)[:missing]
        if len(indices) != self.total_size:
            raise AssertionError(
                f"Number of indices ({len(indices)}) does not match total_size ({self.total_size}): "
                "the dataset's length has changed since this sampler was made; make a new one."
            )

        indices = indices[self.rank : self.total_size : self.num_replicas]
        if len(indices) != self.num_samples:
            raise AssertionError(
                f"Number of subsampled indices ({len(indices)}) does not match num_samples ({self.num_samples})"
            )
        return iter(indices)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose order the next iteration draws; call it before each epoch.

        >>> from annotated_src.torch.utils.data import DistributedSampler
        >>> sampler = DistributedSampler(range(4), 1, 0)
        >>> first = list(sampler)
        >>> list(sampler) == first
        True
        >>> sampler.set_epoch(1)
        >>> list(sampler) == first
        False
        """
        self.epoch = epoch

"""DataLoader: batches, epoch by epoch.

Retells torch/utils/data/dataloader.py.

DataLoader is an iterable: it keeps the settings, and each `iter(loader)` makes an iterator that lives for one epoch.
    DataLoader.__init__          settles which sampler chooses the indices, and what collates the samples
    DataLoader.__iter__          -> _get_iterator -> _SingleProcessDataLoaderIter
    _BaseDataLoaderIter.__next__ -> _next_data -> _next_index   the sampler gives the indices of a batch
                                               -> fetch         the fetcher gives the samples, collated
Invariants: the settings do not change once __init__ is through (`__setattr__` sees to it), for an iterator has copied
them; the epoch ends when the sampler does, or the stream, by a StopIteration that nobody on the way catches.

Left out: DataPipes (deprecated), and with them _share_dist_seed, _sharding_worker_init_fn and the iterator's
_shared_seed and _pg; the profiler's record_function around `__next__`. Worker processes have a chapter to come:
_MultiProcessingDataLoaderIter says so.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import annotated_src.torch.distributed as dist
from annotated_src import torch
from annotated_src.torch.utils.data import _utils
from annotated_src.torch.utils.data.dataset import Dataset, IterableDataset
from annotated_src.torch.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

__all__ = [
    "DataLoader",
    "get_worker_info",
    "default_collate",
    "default_convert",
]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_worker_init_fn_t = Callable[[int], None]
_collate_fn_t = Callable[[list[_T]], Any]

default_collate: _collate_fn_t = _utils.collate.default_collate
default_convert = _utils.collate.default_convert
get_worker_info = _utils.worker.get_worker_info


class _DatasetKind:
    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last):
        if kind == _DatasetKind.Map:
            return _utils.fetch._MapDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)
        return _utils.fetch._IterableDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)


class _InfiniteConstantSampler(Sampler):
    """Yields None for ever: the sampler of a stream, which cannot be asked for a certain sample.

    It has no end even where the stream has a length: the stream says when it is over.
    """

    def __iter__(self):
        while True:
            yield None


def _get_distributed_settings():
    if dist.is_available() and dist.is_initialized():
        return dist.get_world_size(), dist.get_rank()
    return 1, 0


class DataLoader(Generic[_T_co]):
    """Iterates over a dataset in batches (torch.utils.data.DataLoader).

    batch_size      samples in a batch; None: single samples, converted but not collated
    shuffle         a new random order in each epoch
    sampler         an iterable of indices, in place of the order that `shuffle` chooses
    batch_sampler   an iterable of lists of indices, in place of batch_size, shuffle, sampler and drop_last
    num_workers     processes that load; 0: the samples are loaded where the loop runs (others: not yet)
    collate_fn      list of samples -> batch; default: default_collate, or default_convert if batch_size is None
    pin_memory      return batches in page-locked memory, if there is an accelerator
    drop_last       leave out a last batch that is not full
    generator       the torch.Generator of the shuffle and of each epoch's base seed; default: the global one
    timeout, worker_init_fn, multiprocessing_context, prefetch_factor, persistent_workers, in_order    for workers only

    ValueError for each pair of arguments that exclude each other, and for settings changed later.

    >>> from annotated_src import torch
    >>> from annotated_src.torch.utils.data import DataLoader
    >>> list(DataLoader([1, 2, 3, 4, 5], batch_size=2))
    [tensor([1, 2]), tensor([3, 4]), tensor([5])]
    >>> generator = torch.Generator().manual_seed(0)
    >>> list(DataLoader("abcd", batch_size=2, shuffle=True, generator=generator))
    [['b', 'a'], ['d', 'c']]
    """

    dataset: Dataset[_T_co]
    batch_size: int | None
    num_workers: int
    pin_memory: bool
    drop_last: bool
    timeout: float
    sampler: Sampler | Iterable
    pin_memory_device: str
    prefetch_factor: int | None
    _iterator: _BaseDataLoaderIter | None
    __initialized = False

    def __init__(
        self,
        dataset: Dataset[_T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler | Iterable | None = None,
        batch_sampler: Sampler[list] | Iterable[list] | None = None,
        num_workers: int = 0,
        collate_fn: _collate_fn_t | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: _worker_init_fn_t | None = None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError(
                f"num_workers option should be non-negative, but got num_workers={num_workers}: "
                "it counts processes. Use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError(
                f"timeout option should be non-negative, but got timeout={timeout}: "
                "it is the time in seconds to wait for a worker's batch. Use timeout=0 to wait without limit."
            )
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                f"prefetch_factor option could only be specified in multiprocessing, but got {prefetch_factor} with "
                "num_workers=0: there is nobody to load ahead. "
                "Let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError(
                f"prefetch_factor option should be non-negative, but got prefetch_factor={prefetch_factor}: "
                "it is the number of batches that each worker loads ahead."
            )
        if persistent_workers and num_workers == 0:
            raise ValueError(
                "persistent_workers option needs num_workers > 0, but got num_workers=0: there are no workers to keep. "
                "Leave persistent_workers out."
            )

        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order

        # The kind of dataset is judged before the samplers are: whoever gives a stream a sampler should hear that
        # they never go together, and not mend the sampler first.
        if isinstance(dataset, IterableDataset):
            self._dataset_kind = _DatasetKind.Iterable
            if shuffle not in {False, None}:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}. "
                    "A stream comes in its own order; shuffle inside its __iter__."
                )
            if sampler is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified sampler option, but got sampler={sampler}. "
                    "A stream has no indices to choose from; choose inside its __iter__."
                )
            if batch_sampler is not None:
                raise ValueError(
                    "DataLoader with IterableDataset: expected unspecified batch_sampler option, but got "
                    f"batch_sampler={batch_sampler}. A stream has no indices to choose from; use batch_size, or "
                    "batch_size=None and yield whole batches."
                )
        else:
            shuffle = bool(shuffle)
            self._dataset_kind = _DatasetKind.Map

        if sampler is not None and shuffle:
            raise ValueError(
                "sampler option is mutually exclusive with shuffle: both say in which order the samples come. "
                "Drop shuffle=True, or drop the sampler."
            )
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last, "
                    f"but got batch_size={batch_size}, shuffle={shuffle}, sampler={sampler}, drop_last={drop_last}. "
                    "It yields whole batches, so it alone decides their size, order and end; give these to it."
                )
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last: "
                "without batches there is no last one to drop. Give a batch_size, or leave drop_last out."
            )

        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)

        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator

        if collate_fn is None:
            collate_fn = _utils.collate.default_collate if self._auto_collation else _utils.collate.default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers

        # From here on __setattr__ guards the settings.
        self.__initialized = True
        self._IterableDataset_len_called = None
        self._iterator = None
        self.check_worker_number_rationality()

    def _get_iterator(self) -> _BaseDataLoaderIter:
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    @property
    def multiprocessing_context(self):
        """How worker processes are started: a context of Python's multiprocessing, or None for its default.

        ValueError with num_workers=0 or for an unknown name, TypeError for what is neither name nor context.
        """
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, multiprocessing_context) -> None:
        if multiprocessing_context is None:
            self.__multiprocessing_context = None
            return
        if self.num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                f"num_workers={self.num_workers}: no process is started. Leave multiprocessing_context out."
            )
        # Here and not above: most programs never start a process, and the import is slow.
        import multiprocessing as python_multiprocessing

        if isinstance(multiprocessing_context, str):
            valid_start_methods = python_multiprocessing.get_all_start_methods()
            if multiprocessing_context not in valid_start_methods:
                raise ValueError(
                    "multiprocessing_context option should specify a valid start method in "
                    f"{valid_start_methods!r}, but got multiprocessing_context={multiprocessing_context!r}"
                )
            multiprocessing_context = python_multiprocessing.get_context(multiprocessing_context)

        if not isinstance(multiprocessing_context, python_multiprocessing.context.BaseContext):
            raise TypeError(
                "multiprocessing_context option should be a valid context object or a string specifying the start "
                f"method, but got multiprocessing_context={multiprocessing_context}"
            )
        self.__multiprocessing_context = multiprocessing_context

    def __setattr__(self, attr, val) -> None:
        if self.__initialized and attr in (
            "batch_size",
            "batch_sampler",
            "sampler",
            "drop_last",
            "dataset",
            "persistent_workers",
        ):
            raise ValueError(
                f"{attr} attribute should not be set after {self.__class__.__name__} is initialized: "
                "the samplers were made from it. Make a new loader."
            )
        super().__setattr__(attr, val)

    def __iter__(self) -> _BaseDataLoaderIter:
        # Two ways out. Usually each epoch gets a new iterator; only workers that outlive the epoch
        # need the one that holds them, set back to its start.
        if not (self.persistent_workers and self.num_workers > 0):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        # The one that the iterator really iterates over: of lists of indices, or of single ones.
        if self._auto_collation:
            return self.batch_sampler
        return self.sampler

    def __len__(self) -> int:
        if self._dataset_kind != _DatasetKind.Iterable:
            return len(self._index_sampler)
        # A stream's length is what its author claims. It is kept, and the iterator warns if more than that comes.
        length = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return length
        if self.drop_last:
            return length // self.batch_size
        return math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self) -> None:
        """Warn if there are to be more workers than CPUs that this process may use."""

        def _create_warning_msg(num_worker_suggest, num_worker_created, cpuset_checked):
            if num_worker_suggest is None:
                suggestion = "DataLoader is not able to compute a suggested max number of worker in current system."
            else:
                note = "" if cpuset_checked else " (`cpuset` is not taken into account)"
                suggestion = (
                    f"Our suggested max number of worker in current system is {num_worker_suggest}{note}, "
                    "which is smaller than what this DataLoader is going to create."
                )
            return (
                f"This DataLoader will create {num_worker_created} worker processes in total. {suggestion} "
                "More processes than CPUs take turns, which is slower than fewer: lower num_workers."
            )

        if self.num_workers == 0:
            return
        max_num_worker_suggest = torch._utils.cpu_count()
        if max_num_worker_suggest is None or self.num_workers > max_num_worker_suggest:
            cpuset_checked = hasattr(os, "sched_getaffinity")
            message = _create_warning_msg(max_num_worker_suggest, self.num_workers, cpuset_checked)
            warnings.warn(message, stacklevel=2)


class _BaseDataLoaderIter:
    """One epoch. It copies the loader's settings, starts the sampler, and counts what it has yielded.

    A subclass says in `_next_data` where a batch comes from.
    """

    def __init__(self, loader: DataLoader) -> None:
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._collate_fn = loader.collate_fn
        self._drop_last = loader.drop_last
        self._auto_collation = loader._auto_collation
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        self._persistent_workers = loader.persistent_workers
        self._timeout = loader.timeout
        self._world_size, self._rank = _get_distributed_settings()

        if loader.pin_memory and loader.pin_memory_device:
            warnings.warn(
                "pin_memory_device is deprecated, the current accelerator will be used as the device: "
                f"ignore pin_memory_device='{loader.pin_memory_device}'.",
                stacklevel=2,
            )
        if loader.pin_memory and not torch.accelerator.is_available():
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be "
                "used. Leave pin_memory out on this machine.",
                stacklevel=2,
            )
        self._pin_memory = loader.pin_memory and torch.accelerator.is_available()
        self._pin_memory_device = None
        if self._pin_memory:
            self._pin_memory_device = torch.accelerator.current_accelerator().type

        # The epoch's one iterator over indices. A sampler that is a generator draws its order at the first next().
        self._sampler_iter = iter(self._index_sampler)
        # For workers, but drawn without them too: num_workers does not change what later draws give.
        self._base_seed = torch.empty((), dtype=torch.int64).random_(generator=loader.generator).item()
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._profile_name = f"enumerate(DataLoader)#{self.__class__.__name__}.__next__"

    def __iter__(self) -> Self:
        return self

    def _reset(self, loader, first_iter=False) -> None:
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self) -> NoReturn:
        raise NotImplementedError(f"{type(self).__name__} does not say where its data comes from.")

    def __next__(self) -> Any:
        # Deviation: upstream runs this inside torch.autograd.profiler.record_function(self._profile_name), and can
        # restart itself if _sampler_iter is None, which nothing sets.
        data = self._next_data()
        self._num_yielded += 1
        if self._dataset_kind != _DatasetKind.Iterable or self._IterableDataset_len_called is None:
            return data
        if self._num_yielded > self._IterableDataset_len_called:
            # Batches are counted against samples: the warning comes late, but never without reason.
            warn_msg = (
                f"Length of IterableDataset {self._dataset} was reported to be {self._IterableDataset_len_called} "
                f"(when accessing len(dataloader)), but {self._num_yielded} samples have been fetched. "
            )
            if self._num_workers > 0:
                warn_msg += "Does each worker read all of it? Let __iter__ ask get_worker_info() for its share."
            warnings.warn(warn_msg, stacklevel=2)
        return data

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError(
            f"{self.__class__.__name__} cannot be pickled: it is in the middle of an epoch. Pickle the loader instead."
        )


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Loads each batch when it is asked for, in the process that asks."""

    def __init__(self, loader) -> None:
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError(
                f"_SingleProcessDataLoaderIter requires timeout == 0, but got timeout={self._timeout}: "
                "it waits for nobody. Leave timeout out, or set num_workers."
            )
        if self._num_workers != 0:
            raise AssertionError(f"_SingleProcessDataLoaderIter requires num_workers == 0, not {self._num_workers}")
        self._dataset_fetcher = _DatasetKind.create_fetcher(
            self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn, self._drop_last
        )

    def _next_data(self):
        # Either line may raise StopIteration, and so end the epoch.
        index = self._next_index()
        data = self._dataset_fetcher.fetch(index)
        if self._pin_memory:
            return _utils.pin_memory.pin_memory(data, self._pin_memory_device)
        return data


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Loads batches ahead in worker processes: not there yet."""

    def __init__(self, loader) -> None:
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor
        if self._num_workers <= 0:
            raise AssertionError("num_workers must be greater than 0 for MultiProcessingDataLoaderIter")
        if self._prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter, but got "
                f"{self._prefetch_factor}: with nothing asked for ahead, no worker would ever load. Leave it out for 2."
            )
        raise NotImplementedError(
            f"Loading in worker processes is not there yet, but got num_workers={self._num_workers}. "
            "Use num_workers=0 to load in this process."
        )

"""Fetchers: from the indices of a batch to its samples.

Retells torch/utils/data/_utils/fetch.py.

DataLoader's iterator makes one fetcher, through `_DatasetKind.create_fetcher`, and calls
    fetch(index)     auto-batching: `index` is a list of indices; otherwise it is a single one
which hands the samples to `collate_fn` and returns the batch. StopIteration leaves `fetch` only where a stream is at
its end: a map-style epoch ends earlier, in the sampler.

Left out: nothing.
"""

from typing import NoReturn


class _BaseDatasetFetcher:
    def __init__(self, dataset, auto_collation, collate_fn, drop_last) -> None:
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index) -> NoReturn:
        raise NotImplementedError(f"{type(self).__name__} does not say how to fetch.")


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    """Takes the next samples of a stream. The indices only say how many: each of them is None."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last) -> None:
        super().__init__(dataset, auto_collation, collate_fn, drop_last)
        self.dataset_iter = iter(dataset)
        self.ended = False

    def fetch(self, possibly_batched_index):
        # A stream that ended inside a batch is not asked again: the short batch was its last.
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))

        data = []
        for _ in possibly_batched_index:
            try:
                data.append(next(self.dataset_iter))
            except StopIteration:
                self.ended = True
                break
        too_short = self.drop_last and len(data) < len(possibly_batched_index)
        if not data or too_short:
            raise StopIteration
        return self.collate_fn(data)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    """Looks the samples up: one by one, or all at once where the data set has `__getitems__`."""

    def fetch(self, possibly_batched_index):
        if not self.auto_collation:
            return self.collate_fn(self.dataset[possibly_batched_index])

        # A class sets `__getitems__ = None` to say that it has none after all.
        if hasattr(self.dataset, "__getitems__") and self.dataset.__getitems__:
            return self.collate_fn(self.dataset.__getitems__(possibly_batched_index))
        return self.collate_fn([self.dataset[idx] for idx in possibly_batched_index])

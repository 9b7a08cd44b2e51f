"""One epoch of a DataLoader, without doing anything with the batches."""

import numpy

from tests.benchmarks.timing import versus

ROWS, BATCH = 20_000, 64


def run(ours, theirs):
    """In order and shuffled, over tensors and over NumPy samples."""
    arrays = [numpy.full(10, index, "float32") for index in range(ROWS)]
    for shuffle in (False, True):
        order = "shuffled" if shuffle else "in order"
        yield versus(
            f"DataLoader, TensorDataset of {ROWS}, {order}",
            _epoch(ours, _tensors(ours), shuffle),
            _epoch(theirs, _tensors(theirs), shuffle),
            limit=1.5,
        )
        yield versus(
            f"DataLoader, {ROWS} NumPy samples, {order}",
            _epoch(ours, arrays, shuffle),
            _epoch(theirs, arrays, shuffle),
            limit=1.0,
        )


def _tensors(torch):
    rows = torch.arange(ROWS * 10, dtype=torch.float32).reshape(ROWS, 10)
    return torch.utils.data.TensorDataset(rows)


def _epoch(torch, dataset, shuffle):
    def epoch():
        for _ in torch.utils.data.DataLoader(dataset, batch_size=BATCH, shuffle=shuffle):
            pass

    return epoch

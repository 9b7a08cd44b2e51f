"""Worker: what a worker process knows of itself.

Retells the part of torch/utils/data/_utils/worker.py that a single process meets.

`get_worker_info()` is how code in a data set or a collate function finds out where it runs: None in the main process,
a WorkerInfo in a worker. collate_tensor_fn asks it for every batch of tensors.

Left out until the workers' chapter: `_worker_loop`, the watchdog and the messages that workers exchange.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotated_src.torch.utils.data import Dataset

# Set once, by a worker's own loop, in the worker's copy of this module.
_worker_info: WorkerInfo | None = None


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """One worker: its number `id` of `num_workers`, its random `seed`, its own copy of the `dataset`
    (torch.utils.data._utils.worker.WorkerInfo).

    >>> from annotated_src.torch.utils.data._utils.worker import WorkerInfo
    >>> WorkerInfo(id=0, num_workers=2, seed=7, dataset="abc").num_workers
    2
    """

    id: int
    num_workers: int
    seed: int
    dataset: Dataset
    rng: object | None = None
    worker_method: str | None = "multiprocessing"


def get_worker_info() -> WorkerInfo | None:
    """The WorkerInfo of the worker process that asks, or None in the main process (torch.utils.data.get_worker_info).

    >>> from annotated_src.torch.utils.data import get_worker_info
    >>> get_worker_info() is None
    True
    """
    return _worker_info

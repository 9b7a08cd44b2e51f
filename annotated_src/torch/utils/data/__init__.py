"""torch.utils.data: from a data set to batches.

Retells torch/utils/data/__init__.py.

dataset      the samples                        Dataset, IterableDataset, and what wraps them
sampler      which of them, in which order      Sampler and its kinds; distributed.py has one more
dataloader   the loop's iterable and iterator   DataLoader
_utils       what the iterator calls            fetch, collate, pin_memory, worker

Left out: the DataPipes (datapipes/, graph.py, graph_settings.py, backward_compatibility.py), deprecated upstream.
"""

from annotated_src.torch.utils.data.dataloader import (
    DataLoader,
    _DatasetKind,
    default_collate,
    default_convert,
    get_worker_info,
)
from annotated_src.torch.utils.data.dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from annotated_src.torch.utils.data.distributed import DistributedSampler
from annotated_src.torch.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "_DatasetKind",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

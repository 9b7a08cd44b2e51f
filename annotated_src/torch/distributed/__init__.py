"""torch.distributed: how a process learns whether it is one of a group.

Retells torch/distributed/__init__.py. Left out: everything that makes processes talk to each other; so there never is a
group, and whoever needs a rank is told so by the error that upstream raises before init_process_group.
"""

from annotated_src.torch.distributed.distributed_c10d import get_rank, get_world_size, is_initialized

__all__ = ["get_rank", "get_world_size", "is_available", "is_initialized"]


def is_available() -> bool:
    """Whether this package can be asked at all: always, here as in upstream's wheels (torch.distributed.is_available).

    >>> from annotated_src.torch import distributed
    >>> distributed.is_available(), distributed.is_initialized()
    (True, False)
    """
    return True

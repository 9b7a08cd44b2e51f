"""Small things that several packages need. Retells torch/_utils.py, as far as data loading goes."""

import os


def cpu_count() -> int | None:
    """How many CPUs this process may use: its share, where the system can say; else all (torch._utils.cpu_count).

    >>> from annotated_src.torch import _utils
    >>> _utils.cpu_count() >= 1
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count()
    return len(os.sched_getaffinity(0))

"""The default process group: which one it is, and this process's place in it.

Retells torch/distributed/distributed_c10d.py, as far as data loading asks. There is no way to make a group here, so
`GroupMember.WORLD` stays None. Left out: groups, collectives, back ends.
"""


class _World:
    """What this process knows of groups."""

    def __init__(self):
        self._default_pg = None

    @property
    def default_pg(self):
        return self._default_pg


_world = _World()


class _WorldMeta(type):
    # A property of the class itself, so that GroupMember.WORLD is up to date whenever it is read.
    @property
    def WORLD(cls):
        return _world.default_pg


class GroupMember(metaclass=_WorldMeta):
    """A namespace for the default group."""


def is_initialized() -> bool:
    """Whether there is a default process group (torch.distributed.is_initialized).

    >>> from annotated_src.torch import distributed
    >>> distributed.is_initialized()
    False
    """
    return GroupMember.WORLD is not None


def _get_default_group():
    if is_initialized():
        return GroupMember.WORLD
    raise ValueError(
        "Default process group has not been initialized, please make sure to call init_process_group: "
        "it is not there yet, so give the number of processes and the rank yourself."
    )


def get_rank(group=None) -> int:
    """This process's number in the group, from 0; ValueError without a group (torch.distributed.get_rank).

    >>> from annotated_src.torch import distributed
    >>> distributed.get_rank()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group: ...
    """
    return _get_default_group().rank()


def get_world_size(group=None) -> int:
    """The number of processes in the group; ValueError without a group (torch.distributed.get_world_size).

    >>> from annotated_src.torch import distributed
    >>> distributed.get_world_size()
    Traceback (most recent call last):
        ...
    ValueError: Default process group has not been initialized, please make sure to call init_process_group: ...
    """
    return _get_default_group().size()

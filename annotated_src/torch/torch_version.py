"""TorchVersion: a version that compares with strings and tuples. Retells torch/torch_version.py.

Left out: the whole of PEP 440; releases and what follows a plus sign are all that is told apart.
"""

from annotated_src.torch.version import __version__ as internal_version

__all__ = ["TorchVersion"]


class TorchVersion(str):
    """`torch.__version__`: a string, in comparisons a version.

    >>> from annotated_src import torch
    >>> torch.__version__ >= (2, 1), torch.__version__ < "2.9"
    (True, False)
    """

    __slots__ = ()

    def __lt__(self, other):
        return _key(self) < _key(other)

    def __le__(self, other):
        return _key(self) <= _key(other)

    def __eq__(self, other):
        return _key(self) == _key(other)

    def __ge__(self, other):
        return _key(self) >= _key(other)

    def __gt__(self, other):
        return _key(self) > _key(other)

    __hash__ = str.__hash__


def _key(version):
    """(release numbers without trailing zeros, local part)."""
    text = str(version) if isinstance(version, str) else ".".join(map(str, version))
    release, _, local = text.partition("+")
    numbers = [int(part) if part.isdigit() else 0 for part in release.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers, local


__version__ = TorchVersion(internal_version)

"""finfo and iinfo: the limits of a dtype. Retells torch/csrc/TypeInfo.cpp."""

import ml_dtypes
import numpy

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, INTEGRAL, ScalarType


class _DTypeInfo:
    """What both have in common."""

    def __init__(self, type_):
        self._dtype = type_

    def __eq__(self, other):
        return type(self) is type(other) and self._dtype is other._dtype

    def __hash__(self):
        return hash(self._dtype)

    @property
    def bits(self):
        """How many bits a number takes; a complex dtype's part is meant."""
        return 8 * self._dtype.itemsize

    @property
    def dtype(self):
        """The name, such as "float32"."""
        return self._dtype.name


class finfo(_DTypeInfo):
    """The limits of a floating dtype; the default dtype's without an argument.

    Upstream: torch/csrc/TypeInfo.cpp. TypeError for other dtypes.

    >>> from annotated_src import torch
    >>> torch.finfo(torch.float16).max
    65504.0
    """

    def __init__(self, type=None):
        type = scalar_type.get_default_dtype() if type is None else _check_dtype("finfo", type)
        if type.category not in (FLOATING, COMPLEX):
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo': "
                f"got {type}"
            )
        super().__init__(type.to_real())
        self._limits = ml_dtypes.finfo(self._dtype.numpy) if type is scalar_type.bfloat16 else numpy.finfo(
            self._dtype.numpy
        )

    @property
    def eps(self):
        """The distance from 1 to the next number."""
        return float(self._limits.eps)

    @property
    def max(self):
        """The largest number."""
        return float(self._limits.max)

    @property
    def min(self):
        """The lowest number."""
        return float(self._limits.min)

    @property
    def smallest_normal(self):
        """The smallest positive number of full precision."""
        return float(self._limits.smallest_normal)

    tiny = smallest_normal

    @property
    def resolution(self):
        """Ten to the minus number of decimal digits that survive."""
        return 10.0 ** -int(self._limits.precision)

    def __repr__(self):
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        shown = ", ".join(f"{name}={getattr(self, name):.6g}" for name in names)
        return f"finfo({shown}, dtype={self.dtype})"


class iinfo(_DTypeInfo):
    """The limits of an integer dtype.

    Upstream: torch/csrc/TypeInfo.cpp. TypeError for other dtypes.

    >>> from annotated_src import torch
    >>> torch.iinfo(torch.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    def __init__(self, type):
        type = _check_dtype("iinfo", type)
        if type.category == BOOL:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.category != INTEGRAL:
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo': got {type}"
            )
        super().__init__(type)

    @property
    def max(self):
        """The largest number."""
        return int(numpy.iinfo(self._dtype.numpy).max)

    @property
    def min(self):
        """The lowest number."""
        return int(numpy.iinfo(self._dtype.numpy).min)

    def __repr__(self):
        return f"iinfo(min={self.min:.6g}, max={self.max:.6g}, dtype={self.dtype})"


def _check_dtype(name, value):
    if not isinstance(value, ScalarType):
        raise TypeError(f"{name}(): argument 'type' (position 1) must be torch.dtype, not {type(value).__name__}")
    return value

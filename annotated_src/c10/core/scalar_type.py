"""ScalarType: what one element of a tensor is. Retells c10/core/ScalarType.h; Python knows it as torch.dtype.

Each ScalarType names the NumPy dtype that holds it. `bfloat16` is not NumPy's: it comes from ml_dtypes.
Promotion (`promote_types`) goes by category first (bool < integer < floating < complex) and by size second,
and so differs from NumPy's: int64 with float32 is float32 here and float64 there.

Left out: the quantized types, float8 and the sub-byte types.
"""

import ml_dtypes
import numpy

from annotated_src.c10.util.exception import TorchError

BOOL, INTEGRAL, FLOATING, COMPLEX = range(4)


class ScalarType:
    """The type of a tensor's elements; `torch.dtype` upstream.

    Upstream: c10/core/ScalarType.h, torch/csrc/Dtype.cpp.

    >>> from annotated_src import torch
    >>> torch.float32, torch.float32.itemsize, torch.int64.is_floating_point
    (torch.float32, 4, False)
    """

    __slots__ = ("cpp_name", "category", "is_complex", "is_floating_point", "is_signed", "itemsize", "name", "numpy")

    def __init__(self, name, cpp_name, numpy_type, category):
        self.name = name
        self.cpp_name = cpp_name
        self.numpy = numpy.dtype(numpy_type)
        self.category = category
        self.itemsize = self.numpy.itemsize
        self.is_floating_point = category == FLOATING
        self.is_complex = category == COMPLEX
        self.is_signed = not name.startswith("uint") and category != BOOL

    def to_real(self):
        """The dtype of this dtype's real part."""
        return _REAL.get(self, self)

    def to_complex(self):
        """The complex dtype whose parts have this dtype; RuntimeError if there is none."""
        if self.is_complex:
            return self
        if self not in _COMPLEX:
            raise TorchError(f"Unknown Complex ScalarType for {self.cpp_name}")
        return _COMPLEX[self]

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        # A dtype is one object for ever: copying and unpickling find it again by its name.
        return _by_name, (self.name,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


# The name by which Python and its error messages know the class.
ScalarType.__name__ = "dtype"

uint8 = ScalarType("uint8", "Byte", numpy.uint8, INTEGRAL)
int8 = ScalarType("int8", "Char", numpy.int8, INTEGRAL)
int16 = ScalarType("int16", "Short", numpy.int16, INTEGRAL)
int32 = ScalarType("int32", "Int", numpy.int32, INTEGRAL)
int64 = ScalarType("int64", "Long", numpy.int64, INTEGRAL)
float16 = ScalarType("float16", "Half", numpy.float16, FLOATING)
float32 = ScalarType("float32", "Float", numpy.float32, FLOATING)
float64 = ScalarType("float64", "Double", numpy.float64, FLOATING)
complex64 = ScalarType("complex64", "ComplexFloat", numpy.complex64, COMPLEX)
complex128 = ScalarType("complex128", "ComplexDouble", numpy.complex128, COMPLEX)
bool_ = ScalarType("bool", "Bool", numpy.bool_, BOOL)
bfloat16 = ScalarType("bfloat16", "BFloat16", ml_dtypes.bfloat16, FLOATING)
uint16 = ScalarType("uint16", "UInt16", numpy.uint16, INTEGRAL)
uint32 = ScalarType("uint32", "UInt32", numpy.uint32, INTEGRAL)
uint64 = ScalarType("uint64", "UInt64", numpy.uint64, INTEGRAL)

ALL = (
    uint8, int8, int16, int32, int64, float16, float32, float64,
    complex64, complex128, bool_, bfloat16, uint16, uint32, uint64,
)  # fmt: skip

_NAMES = {scalar_type.name: scalar_type for scalar_type in ALL}
_REAL = {complex64: float32, complex128: float64}
_COMPLEX = {float16: complex64, bfloat16: complex64, float32: complex64, float64: complex128}
_FROM_NUMPY = {scalar_type.numpy: scalar_type for scalar_type in ALL}
# Where unsigned and signed of these sizes meet, no integer type holds both.
_BARELY_SUPPORTED_UNSIGNED = {uint16, uint32, uint64}

_default_dtype = float32


def _by_name(name):
    return _NAMES[name]


def from_numpy_dtype(numpy_dtype):
    """The ScalarType that `numpy_dtype` holds; TypeError for one that no tensor can have."""
    try:
        return _FROM_NUMPY[numpy_dtype]
    except KeyError:
        supported = ", ".join(sorted(str(dtype) for dtype in _FROM_NUMPY))
        raise TypeError(
            f"can't convert np.ndarray of type {numpy_dtype.type.__module__}.{numpy_dtype.type.__name__}. "
            f"The only supported types are: {supported}."
        ) from None


def get_default_dtype():
    """The floating dtype that Python floats become.

    >>> from annotated_src import torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return _default_dtype


def set_default_dtype(scalar_type):
    """Make `scalar_type` (floating) the one that Python floats become."""
    global _default_dtype
    if not isinstance(scalar_type, ScalarType):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type, "
            f"got {scalar_type!r}"
        )
    if not scalar_type.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {scalar_type}")
    _default_dtype = scalar_type


def promote_types(first, second):
    """The smallest dtype to which both convert without losing their category."""
    if first is second:
        return first
    if FLOATING not in (first.category, second.category):
        _check_not_barely_supported(first, second)
    if first.category != second.category:
        return _promote_categories(first, second)
    if first.category == INTEGRAL:
        return _promote_integers(first, second)
    if first.category == FLOATING and {first, second} == {float16, bfloat16}:
        return float32
    return first if first.itemsize > second.itemsize else second


def _promote_categories(first, second):
    low, high = (first, second) if first.category < second.category else (second, first)
    if high.category == COMPLEX and low is float64:
        return complex128
    return high


def _check_not_barely_supported(first, second):
    """RuntimeError if one is uint16, uint32 or uint64: they meet floats only."""
    if first in _BARELY_SUPPORTED_UNSIGNED or second in _BARELY_SUPPORTED_UNSIGNED:
        raise TorchError(
            f"Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
            f"{first.cpp_name} and {second.cpp_name}"
        )


def _promote_integers(first, second):
    if first.is_signed == second.is_signed:
        return first if first.itemsize > second.itemsize else second
    unsigned, signed = (second, first) if first.is_signed else (first, second)
    if signed.itemsize > unsigned.itemsize:
        return signed
    return int16


def can_cast(source, target):
    """Whether a result of dtype `source` may be written into a tensor of dtype `target`."""
    return source.category <= target.category

"""For which dtypes does a kernel exist? Retells aten/src/ATen/Dispatch.h.

Upstream compiles a kernel once for each dtype that its AT_DISPATCH macro lists, under a name that the error gives.
Array modules would often compute something for the others as well; it would not be what upstream does.
"""

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, INTEGRAL

ALL_TYPES = (INTEGRAL, FLOATING)
ALL_TYPES_AND_COMPLEX = (INTEGRAL, FLOATING, COMPLEX)
ALL_TYPES_AND_BOOL = (BOOL, INTEGRAL, FLOATING)
FLOATING_TYPES = (FLOATING,)
# Without float16 and bfloat16.
FULL_FLOATING_TYPES = (scalar_type.float32, scalar_type.float64)
FLOATING_AND_COMPLEX_TYPES = (FLOATING, COMPLEX)
INTEGRAL_TYPES = (INTEGRAL,)
INTEGRAL_TYPES_AND_BOOL = (BOOL, INTEGRAL)
# Where uint16, uint32 and uint64, and the two half-size floating dtypes, are left out.
PLAIN_TYPES = (
    scalar_type.uint8,
    scalar_type.int8,
    scalar_type.int16,
    scalar_type.int32,
    scalar_type.int64,
    scalar_type.float32,
    scalar_type.float64,
)


def dispatch(dtype, categories, name):
    """NotImplementedError, unless the kernel `name` exists for the dtype; `categories` may name single dtypes too."""
    if dtype.category not in categories and dtype not in categories:
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtype.cpp_name}'")

"""torch, retold: `from annotated_src import torch`. Retells torch/__init__.py.

Importing it defines every operator (annotated_src/aten), then the Python side on top of them.
"""

import importlib
import math

import annotated_src.aten  # noqa: F401  (defines the operators)
from annotated_src.c10.core.layout import sparse_coo, strided
from annotated_src.c10.core.memory_format import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from annotated_src.c10.core.scalar_type import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from annotated_src.c10.core.scalar_type import bool_ as bool
from annotated_src.c10.util.exception import OutOfMemoryError
from annotated_src.torch import _C, cuda, random
from annotated_src.torch._C import (
    Generator,
    Size,
    default_generator,
    device,
    dtype,
    get_default_dtype,
    is_grad_enabled,
    is_inference_mode_enabled,
    layout,
    memory_format,
)
from annotated_src.torch._C._VariableFunctions import *  # noqa: F403
from annotated_src.torch._ops import ops
from annotated_src.torch._tensor import Tensor
from annotated_src.torch._tensor_str import set_printoptions
from annotated_src.torch.csrc.tensor.python_tensor import tensor_types as _tensor_types
from annotated_src.torch.csrc.type_info import finfo, iinfo
from annotated_src.torch.functional import *  # noqa: F403
from annotated_src.torch.random import (
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    thread_safe_generator,
)
from annotated_src.torch.storage import TypedStorage, UntypedStorage
from annotated_src.torch.torch_version import __version__

float = float32
double = float64
half = float16
long = int64
int = int32
short = int16
cfloat = complex64
cdouble = complex128

e = math.e
inf = math.inf
nan = math.nan
pi = math.pi

# torch.FloatTensor, torch.LongTensor ...
globals().update(_tensor_types)


def is_tensor(obj, /):
    """Whether `obj` is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj, /):
    """Whether `obj` is a storage."""
    return isinstance(obj, (UntypedStorage, TypedStorage))


def typename(obj, /):
    """The full name of an object's type; of a tensor, `x.type()`."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def set_default_dtype(d, /):
    """Make `d`, a floating dtype, the one that Python floats become. TypeError for other dtypes."""
    _C._set_default_dtype(d)


# The Python packages stand on what is above.
from annotated_src.torch import autograd, linalg  # noqa: E402
from annotated_src.torch.autograd import (  # noqa: E402
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)

# Packages that nothing above needs.
# Deviation: upstream loads these with torch, and only others (torch.onnx ...) when they are first looked at.
_PACKAGES = ("accelerator", "distributed", "jit", "nn", "return_types", "utils")


def __getattr__(name):
    """`torch.nn`, `torch.utils` ...; the import makes it an attribute, so that the next look does not come here."""
    if name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__():
    return [*globals(), *_PACKAGES]

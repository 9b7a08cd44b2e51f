"""torch, retold: `from annotated_src import torch`. Retells torch/__init__.py.

Importing it defines every operator (annotated_src/aten), then the Python side on top of them.
"""

import annotated_src.aten  # noqa: F401  (defines the operators)
from annotated_src.c10.core.scalar_type import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from annotated_src.c10.core.scalar_type import bool_ as bool
from annotated_src.torch import _C, cuda, random
from annotated_src.torch._C import Generator, Size, default_generator, device, dtype
from annotated_src.torch._C._VariableFunctions import *  # noqa: F403
from annotated_src.torch._tensor import Tensor
from annotated_src.torch._tensor_str import set_printoptions
from annotated_src.torch.random import (
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    thread_safe_generator,
)

float = float32
double = float64
half = float16
long = int64
int = int32
short = int16

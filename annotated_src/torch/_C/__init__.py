"""torch._C: the seam between Python and C++. Retells torch/csrc/Module.cpp and what it gathers.

    TensorBase          the tensor's C++ half                        torch/_C/tensor_base.py
    _VariableFunctions  torch.add, torch.stack ...                   torch/_C/_VariableFunctions.py

What is a function of the dispatcher here is an operator packet, not a wrapper: `torch.add` is aten/ops.py's `add`.
"""

from annotated_src.c10.core.autograd_state import (
    InferenceMode as _InferenceMode,
)
from annotated_src.c10.core.autograd_state import (
    is_grad_enabled,
    is_inference_mode_enabled,
)
from annotated_src.c10.core.autograd_state import (
    set_grad_enabled as _set_grad_enabled,
)
from annotated_src.c10.core.device import Device as device
from annotated_src.c10.core.dispatch_key import DispatchKeySet
from annotated_src.c10.core.layout import Layout as layout
from annotated_src.c10.core.memory_format import MemoryFormat as memory_format
from annotated_src.c10.core.scalar_type import ScalarType as dtype
from annotated_src.c10.core.scalar_type import get_default_dtype
from annotated_src.c10.core.scalar_type import set_default_dtype as _set_default_dtype
from annotated_src.torch._C.tensor_base import TensorBase
from annotated_src.torch.csrc.autograd import register_kernels
from annotated_src.torch.csrc.autograd.python_function import FunctionBase as _FunctionBase
from annotated_src.torch.csrc.generator import Generator, default_generator
from annotated_src.torch.csrc.size import Size

__all__ = [
    "DispatchKeySet",
    "Generator",
    "Size",
    "TensorBase",
    "_FunctionBase",
    "_InferenceMode",
    "_set_grad_enabled",
    "_set_default_dtype",
    "default_generator",
    "device",
    "dtype",
    "get_default_dtype",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "layout",
    "memory_format",
]


def _dispatch_keys(tensor):
    """The tensor's dispatch keys."""
    return DispatchKeySet(tensor.key_set)


# The operators exist; from here on autograd has a part in them.
register_kernels.register_all()

"""torch.jit: the two questions that ordinary code asks of TorchScript. Retells torch/jit/__init__.py.

Left out: TorchScript itself.
"""

from annotated_src.torch._jit_internal import is_scripting
from annotated_src.torch.jit._trace import is_tracing

__all__ = ["is_scripting", "is_tracing"]

"""Retells one question of torch/jit/_trace.py: is the caller being traced? Left out: tracing; so the answer is no."""

from annotated_src.torch._jit_internal import is_scripting


def is_tracing():
    """Whether torch.jit.trace is recording the caller's operators.

    >>> from annotated_src.torch import jit
    >>> jit.is_tracing()
    False
    """
    if is_scripting():
        return False
    # Deviation: upstream asks torch._C here.
    return False

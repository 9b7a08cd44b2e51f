"""Retells one question of torch/_jit_internal.py: does TorchScript compile this code?

Many of torchvision's functions ask it first. Left out: TorchScript; so the answer is no.
"""


def is_scripting() -> bool:
    """Whether TorchScript is compiling the caller: never, here and in every program that runs upstream's Python.

    >>> from annotated_src.torch import jit
    >>> jit.is_scripting()
    False
    """
    return False

"""Retells torch/nn/modules/__init__.py."""

from annotated_src.torch.nn.modules.module import Module

__all__ = ["Module"]

"""torch.nn: layers. Retells torch/nn/__init__.py. So far: Module, as far as image transforms need it."""

from annotated_src.torch.nn.modules.module import Module

__all__ = ["Module"]

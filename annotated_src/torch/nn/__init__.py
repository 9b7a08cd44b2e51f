"""torch.nn: layers. Retells torch/nn/__init__.py. So far: the functional forms, and Module as images need it."""

from annotated_src.torch.nn import functional
from annotated_src.torch.nn.modules.module import Module

__all__ = ["Module", "functional"]

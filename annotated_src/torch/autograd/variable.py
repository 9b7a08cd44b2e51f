"""Variable: the name that tensors with gradients once had. Retells torch/autograd/variable.py."""

from annotated_src.torch._tensor import Tensor
from annotated_src.torch.csrc.autograd.python_engine import execution_engine

__all__ = ["VariableMeta", "Variable"]


class VariableMeta(type):
    """Every tensor is a Variable."""

    def __instancecheck__(cls, other):
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """`Variable(tensor)` returns the tensor; `isinstance(x, Variable)` asks for a tensor."""

    _execution_engine = execution_engine

    def __new__(cls, data=None, requires_grad=None, volatile=None):
        """The tensor, its `requires_grad` set."""
        if requires_grad is not None:
            data.requires_grad_(requires_grad)
        return data

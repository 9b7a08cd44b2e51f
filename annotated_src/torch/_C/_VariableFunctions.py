"""torch.add, torch.stack ...: every operator that is a function of `torch`, as its packet.

Retells the generated torch/csrc/autograd/python_torch_functions.cpp.
"""

from annotated_src.aten import ops

# -- factories
empty = ops.empty
ones = ops.ones

# -- pointwise
add = ops.add
mul = ops.mul

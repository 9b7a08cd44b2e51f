"""Autograd's way into the dispatcher: all of its kernels are filed from here.

Upstream each generated VariableType_N.cpp registers its own when the library is loaded (TORCH_LIBRARY_IMPL). Here one
call does it, made by torch/_C/__init__.py: operators know nothing of autograd before.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd import variable, variable_type, variable_type_manual


def register_all():
    """File an autograd kernel for every operator of aten that needs one."""
    ops.set_requires_grad_setter(variable.set_requires_grad_of_new)
    variable_type_manual.register()
    variable_type.register()

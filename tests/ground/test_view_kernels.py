"""An invariant of torch/csrc/autograd/variable_type.py: the kernel below a ViewKernel calls no operators."""

import inspect

from annotated_src import torch  # noqa: F401  (registers the operators)
from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.torch.csrc.autograd.variable_type import ViewKernel


def test_kernels_of_views_call_no_operators():
    looked_at = []
    for overloads in dispatcher.operators.values():
        for entry in overloads.values():
            if type(entry.kernels.get("Autograd")) is ViewKernel:
                kernels = [entry.kernels[key] for key in ("CPU", "CompositeExplicitAutograd") if key in entry.kernels]
                calls = [kernel for kernel in kernels if "ops." in inspect.getsource(kernel)]
                assert not calls, entry.full_name
                looked_at.append(entry.full_name)
    assert "aten::select.int" in looked_at and len(looked_at) > 15

"""What the three stepping levels fold and skip (see README, "Step through it").

ops      what upstream writes in C++ is passed over; a call of an operator is one step and one leaf, `aten::stack`
kernels  an operator's kernel is walked through, the plumbing between its name and its kernel is passed over
all      nothing is
"""

import importlib

from annotated_src.walkthrough import Fold, Levels, Skip


def operator_name(local_variables):
    """`aten::stack`, from the locals of OpOverload.__call__."""
    return local_variables["self"].entry.name


# Every call of an operator comes through here, by way of its packet or not.
OPERATORS = [Fold("aten/ops.py", "OpOverload.__call__", operator_name)]

# C++ upstream: a reader of Python sees only that it was called.
WRITTEN_IN_CPP = [
    Skip("c10/*", "*"),
    Skip("aten/*", "*"),
    Skip("torch/_C/*", "*"),
    Skip("torch/csrc/*", "*"),
]

PLUMBING = [
    Skip("aten/ops.py", "*"),
    Skip("aten/core/*", "*"),
    Skip("aten/native/native_functions/*", "*"),
    Skip("c10/array_module.py", "*"),
    Skip("c10/core/*", "*"),
    Skip("torch/_ops.py", "*"),
    Skip("torch/_C/*", "*"),
    # The autograd wrapper: making and linking nodes. The engine and the formulas are no plumbing.
    Skip("torch/csrc/autograd/variable*.py", "*"),
    Skip("torch/csrc/autograd/saved_variable.py", "*"),
    Skip("torch/csrc/autograd/anomaly_mode.py", "*"),
    Skip("torch/csrc/autograd/function.py", "*"),
    Skip("torch/csrc/autograd/derivatives/__init__.py", "*"),
    Skip("torch/csrc/autograd/formula.py", "FormulaNode.__init__"),
    Skip("torch/csrc/autograd/formula.py", "FormulaNode.save*"),
    Skip("torch/csrc/autograd/functions/accumulate_grad.py", "AccumulateGrad.__init__"),
]

levels = Levels(ops=[*OPERATORS, *WRITTEN_IN_CPP], kernels=PLUMBING, all=[])


def import_upstream(name):
    """The real library; torchvision beside a CPU build of torch needs help (tests/upstream_torchvision.py)."""
    if name != "torchvision":
        return importlib.import_module(name)
    return importlib.import_module("tests.upstream_torchvision").load()

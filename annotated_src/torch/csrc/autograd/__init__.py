"""Autograd's C++ side, in Python: nodes, the engine, the formulas. Retells torch/csrc/autograd/.

    function.py         Node and Edge: what the graph is made of
    variable.py         what a tensor keeps for autograd: grad, grad_fn, hooks
    saved_variable.py   a tensor kept for backward, with the version it had
    variable_type.py    the kernels filed under the Autograd keys: they record a node, then redispatch below
    derivatives.py      the formulas, one class an operator
    engine.py           backward: the ready queue and what it does
"""

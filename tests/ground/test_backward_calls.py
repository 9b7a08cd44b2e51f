"""What backward calls: our nodes and their operators beside those that torch.profiler reports of upstream."""

import pytest

from tests.ground.test_derivatives import CASES, flattened, leaves
from tests.oracle import upstream_is_installed

COVERS = ["torch/csrc/autograd/FunctionsManual.cpp", "torch/csrc/autograd/engine.cpp"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")

# Passed over on both sides: who allocates, who fills, who looks at the same memory under other strides.
BOOKKEEPING = {
    "aten::empty", "aten::empty_like", "aten::empty_strided", "aten::new_empty_strided", "aten::as_strided",
    "aten::zero_", "aten::fill_", "aten::resize_", "aten::resolve_conj", "aten::resolve_neg", "aten::conj",
    "aten::result_type", "aten::detach", "detach", "aten::item",
}  # fmt: skip


# (node, operator): what only one side calls, and why.
DIFFERENCES = {
    ("SgnBackward0", "aten::zeros_like"): "upstream has zeros without memory (_efficientzerotensor)",
    ("SgnBackward0", "aten::_efficientzerotensor"): "the same",
    ("PowBackward1", "aten::to"): "upstream casts grad to the promoted dtype, though it has it",
    ("TakeBackward0", "aten::put"): "put_ is one of the operators that are left out; index_put_ does the same",
    ("TakeBackward0", "aten::zeros_like"): "put_ takes a tensor of any shape",
    ("TakeBackward0", "aten::index_put"): "index_put_ instead of put_",
    ("TakeBackward0", "aten::zeros"): "index_put_ instead of put_",
    ("TakeBackward0", "aten::view"): "index_put_ instead of put_",
    ("IndexFillBackward1", "aten::_unique"): "an older form of _unique2",
    ("IndexFillBackward1", "aten::_unique2"): "the newer form of _unique",
}


def backward(torch, case):
    """A function that runs backward once."""
    torch.manual_seed(5)
    inputs = leaves(torch, case, case.shapes[0], torch.float64, "contiguous")
    outputs = flattened(case.expression(torch, *inputs))
    grads = [torch.rand(output.shape, dtype=output.dtype) for output in outputs]
    return lambda: torch.autograd.grad(outputs, inputs, grads, allow_unused=True, retain_graph=True)


def upstream_calls(case):
    import torch
    from torch.profiler import ProfilerActivity, profile

    run = backward(torch, case)
    run()
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        run()
    nodes = []
    for event in profiler.events():
        if event.name.startswith(ENGINE) and not event.name.endswith(("AccumulateGrad", "GraphRoot")):
            for node in event.cpu_children:
                if node.name == event.name.removeprefix(ENGINE):
                    name = node.name.removeprefix(CPP)
                    calls = [child.name.removeprefix(CPP) for child in node.cpu_children]
                    nodes.append((name, counted(name, calls)))
    return nodes


ENGINE = "autograd::engine::evaluate_function: "
CPP = "torch::autograd::"


def our_calls(case, monkeypatch):
    from annotated_src import torch
    from annotated_src.aten.ops import OpOverload
    from annotated_src.torch.csrc.autograd.function import Node

    run = backward(torch, case)
    nodes, calls, depth, running = [], [], 0, False
    call_operator, call_node = OpOverload.__call__, Node.__call__

    def operator(self, /, *args, **kwargs):
        nonlocal depth
        if depth == 0:
            calls.append(self.entry.name)
        depth += 1
        try:
            return call_operator(self, *args, **kwargs)
        finally:
            depth -= 1

    def node(self, *grads):
        nonlocal calls, depth, running
        name = type(self).__name__
        if running:
            # (CopySlices calls the node of the write)
            calls.append(name)
            depth += 1
            result = call_node(self, *grads)
            depth -= 1
            return result
        calls, running = [], True
        result = call_node(self, *grads)
        running = False
        if name not in ("GraphRoot", "AccumulateGrad"):
            nodes.append((name, counted(name, calls)))
        return result

    with monkeypatch.context() as patch:
        patch.setattr(OpOverload, "__call__", operator)
        patch.setattr(Node, "__call__", node)
        run()
    return nodes


def counted(node, names):
    """The operators that a node calls, in place or not.

    Sorted, since C++ leaves open in which order the arguments of a call are computed.
    """
    kept = [name.removesuffix("_") for name in names if name not in BOOKKEEPING]
    return sorted(name for name in kept if (node, name) not in DIFFERENCES)


@pytest.mark.parametrize("name", CASES)
def test_backward_calls(name, monkeypatch):
    assert our_calls(CASES[name], monkeypatch) == upstream_calls(CASES[name])

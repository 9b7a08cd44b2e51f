"""Operators call the operators that upstream's call: our nested calls beside those that torch.profiler reports."""

import pytest

from tests.oracle import upstream_is_installed

COVERS = ["aten/src/ATen/native/TensorFactories.cpp", "aten/src/ATen/native/TensorConversions.cpp"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")

# What upstream calls between the lines and we do not: bits of conjugation, negation.
LEFT_OUT = {"aten::resolve_conj", "aten::resolve_neg"}


def names(lines):
    """The tree as text, from (depth, name)."""
    return "\n".join("  " * depth + name for depth, name in lines)


def upstream_calls(statement):
    import torch
    from torch.profiler import ProfilerActivity, profile

    run = compile(statement, "statement", "eval")
    scope = prepared(torch)
    eval(run, scope)
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        eval(run, scope)
    lines = []
    for event in profiler.events():
        if event.cpu_parent is None:
            collect(event, 0, lines)
    return names(lines)


def collect(event, depth, lines):
    shown = event.name.startswith("aten::") and event.name not in LEFT_OUT
    if shown:
        lines.append((depth, event.name))
    for child in event.cpu_children:
        collect(child, depth + shown, lines)


def our_calls(statement, monkeypatch):
    from annotated_src import torch
    from annotated_src.aten.ops import OpOverload

    run = compile(statement, "statement", "eval")
    scope = prepared(torch)
    lines, depth = [], 0
    call = OpOverload.__call__

    def recorded(self, /, *args, **kwargs):
        nonlocal depth
        lines.append((depth, self.entry.name))
        depth += 1
        try:
            return call(self, *args, **kwargs)
        finally:
            depth -= 1

    with monkeypatch.context() as patch:
        patch.setattr(OpOverload, "__call__", recorded)
        eval(run, scope)
    return names(lines)


def prepared(torch):
    import numpy

    return {
        "torch": torch,
        "numpy": numpy,
        "x": torch.arange(6.0).reshape(2, 3),
        "i": torch.arange(3),
        "s": torch.tensor(1.5),
    }


STATEMENTS = [
    "torch.empty(2)", "torch.zeros(2, 3)", "torch.ones(2)", "torch.full((2,), 3)", "torch.zeros_like(x)",
    "torch.ones_like(x)", "torch.full_like(x, 2)", "torch.empty_like(x)", "x.new_empty(2)", "x.new_zeros(2)",
    "x.new_ones(2)", "x.new_full((2,), 1)", "x.new_tensor([1, 2])", "torch.arange(5)", "torch.arange(1, 5)",
    "torch.arange(1, 5, 2)", "torch.linspace(0, 1, 5)", "torch.eye(3)", "torch.tensor([1, 2])", "torch.tensor(1.0)",
    "torch.tensor(numpy.ones(2))", "torch.as_tensor([1, 2])", "torch.as_tensor(x)",
    "torch.from_numpy(numpy.ones(2))", "torch.Tensor(2, 3)", "torch.Tensor([1, 2])", "x.fill_(1)", "x.zero_()",
    "x.clone()", "x.copy_(i)", "x.to(torch.float32)", "x.to(torch.float64)",
    "x.to(torch.float32, copy=True)", "x.float()", "x.long()", "x.type(torch.int64)", "x.type_as(i)", "x.contiguous()",
    "s.item()", "x.tolist()", "torch.equal(x, x)", "x.detach()", "float(s)",
    "int(s)", "bool(s)", "len(x)", "x.shape", "x.data", "torch.empty(2).resize_(3)", "x.is_floating_point()",
    "torch.empty_strided((2, 3), (1, 2))", "x.cpu()", "torch.zeros(3, out=torch.empty(3))",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_nested_calls(statement, monkeypatch):
    assert our_calls(statement, monkeypatch) == upstream_calls(statement)


def test_an_array_that_is_shared_passes_no_operator(monkeypatch):
    """Deviation: upstream's lift_fresh and `to` find nothing to do, and are left out for a DataLoader's sake."""
    assert our_calls("torch.as_tensor(numpy.ones(2))", monkeypatch) == ""
    assert upstream_calls("torch.as_tensor(numpy.ones(2))") == "aten::lift_fresh\naten::to"

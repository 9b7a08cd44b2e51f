"""The chapter's scenarios beside upstream: the same Python calls, the same operators, the same nodes of backward.

    calls       the functions of the files that this chapter retells, as tests/sampler_flow compares them
    operators   every operator with those that it calls, and every node that the engine evaluates with the operators
                of its formula, in order: here from our dispatcher and engine, upstream from torch.profiler
"""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from annotated_src.walkthrough.scenario import load
from tests.conftest import TALLY
from tests.oracle import upstream_is_installed
from tests.upstream_calls import OURS_ONLY, calls_elsewhere, left_out_calls, ours, upstreams

HERE = Path(__file__).parent

RETOLD = (
    "scenarios/*", "torch/autograd/__init__.py", "torch/autograd/function.py", "torch/autograd/grad_mode.py",
    "torch/autograd/graph.py", "torch/_tensor.py", "torch/utils/data/*", "torch/distributed/*", "torch/random.py",
    "torch/cuda/*", "torch/_utils.py", "torch/utils/_contextlib.py", "torchvision/*",
)  # fmt: skip

SCENARIOS = ("weight_times_input", "used_twice", "two_products", "custom_function", "training_step")


def rows(within=None):
    """What may be missing; Tensor's methods may not: this is their chapter."""
    return [row for row in left_out_calls(within) if row[0] != "torch/_tensor.py"]


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_calls(name, request):
    theirs, kind = upstreams(name, HERE, request.config.getoption("--record"))
    elsewhere = calls_elsewhere(theirs, RETOLD)
    comparison = ours(name).compare(theirs, only=RETOLD, ours_only=OURS_ONLY, left_out=rows(RETOLD))
    TALLY.add_trace("ground", name, comparison, kind, len(elsewhere))
    assert comparison.share >= 0.95, str(comparison)
    assert comparison.excused_share <= 0.05, [row[:2] for row in comparison.excused]
    assert comparison.extra == [], str(comparison)
    unexplained = [call for call in elsewhere if not any(_explains(row, call) for row in left_out_calls())]
    assert unexplained == []


def _explains(row, call):
    return fnmatchcase(call[0], row[0]) and fnmatchcase(call[1], row[1])


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_result(name, oracle):
    main = load(name).main

    def case(torch):
        return main(torch)

    def case_of_images(torch, torchvision):
        return main(torch, torchvision)

    oracle.same(case_of_images if "torchvision" in load(name).libraries else case, rtol=1e-5)


# -- operators and nodes

# (caller, operator): what only upstream calls, with all that is called from there, and why.
BOOKKEEPING = {
    ("*", "aten::resolve_conj"): "conjugates that are computed late",
    ("*", "aten::resolve_neg"): "the same, of negation",
    ("*", "aten::as_strided"): "makes the view, once sizes and strides are known; here the array module does",
    ("aten::sum", "aten::fill_"): "the result, of which every element begins as 0",
    ("aten::mul", "aten::to"): "a number among the operands: upstream makes a 0-d tensor of it and casts that",
    ("aten::div", "aten::to"): "the same",
    ("aten::div_", "aten::to"): "the same",
    ("aten::index", "aten::reshape"): "the indices, brought to the result's number of dimensions",
    ("aten::_index_put_impl_", "aten::reshape"): "the same",
}


def is_bookkeeping(caller, name):
    return any(fnmatchcase(caller, one) and name == other for one, other in BOOKKEEPING)


def without_bookkeeping(lines):
    """[(depth, name)] without what is passed over, as indented lines."""
    stack, kept, passed_over = [], [], None
    for depth, name in lines:
        if passed_over is not None and depth > passed_over:
            continue
        passed_over = None
        del stack[depth:]
        if is_bookkeeping(stack[-1] if stack else "", name):
            passed_over = depth
            continue
        stack.append(name)
        kept.append("  " * depth + name)
    return kept


def our_operators(name, monkeypatch):
    from annotated_src.aten.ops import OpOverload
    from annotated_src.torch.csrc.autograd.engine import Engine
    from annotated_src.torch.csrc.autograd.function import Node
    from annotated_src.torch.csrc.autograd.python_function import FunctionBase

    scenario = load(name)
    libraries = scenario.arguments()
    lines, depth = [], 0

    def nested(function, name_of):
        def call(self, /, *args, **kwargs):
            nonlocal depth
            lines.append((depth, name_of(self, *args)))
            depth += 1
            try:
                return function(self, *args, **kwargs)
            finally:
                depth -= 1

        return call

    with monkeypatch.context() as patch:
        patch.setattr(OpOverload, "__call__", nested(OpOverload.__call__, lambda self, *_: self.entry.name))
        for kind in (Node, FunctionBase):
            patch.setattr(kind, "__call__", nested(kind.__call__, lambda self, *_: self.name()))
        evaluate = nested(Engine.evaluate_function, lambda self, task, node, *_: f"evaluate {node.name()}")
        patch.setattr(Engine, "evaluate_function", evaluate)
        scenario.main(*libraries)
    return lines


def upstream_operators(name):
    from torch.profiler import ProfilerActivity, profile

    scenario = load(name)
    libraries = scenario.arguments(upstream=True)
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        scenario.main(*libraries)
    lines = []
    for event in profiler.events():
        if event.cpu_parent is None:
            _collect(event, 0, lines)
    return lines


ENGINE = "autograd::engine::evaluate_function: "


def _collect(event, depth, lines):
    is_node = event.cpu_parent is not None and event.cpu_parent.name == ENGINE + event.name
    shown = event.name.startswith(("aten::", ENGINE)) or is_node
    if shown:
        lines.append((depth, event.name.replace(ENGINE, "evaluate ")))
    for child in event.cpu_children:
        _collect(child, depth + shown, lines)


@pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")
@pytest.mark.parametrize("name", SCENARIOS)
def test_same_operators(name, monkeypatch):
    theirs = upstream_operators(name)
    assert without_bookkeeping(our_operators(name, monkeypatch)) == without_bookkeeping(theirs)
    assert any("evaluate" in operator for _, operator in theirs)

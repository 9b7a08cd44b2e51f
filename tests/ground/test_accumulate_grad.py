"""Does a leaf keep the gradient that arrives, or a copy of it? What AccumulateGrad calls, here and upstream."""

import pytest

from tests.oracle import upstream_is_installed

COVERS = ["torch/csrc/autograd/functions/accumulate_grad.h", "torch/csrc/autograd/utils/grad_layout_contract.h"]

live = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch and its profiler")

# (losses of w, a 3x2 leaf, of b and of x; `nn` is torch.nn.functional)
LOSSES = {
    "nobody else has it": "(w * 2).sum()",
    "a view of memory that is nobody else's": "nn.linear(x, w, b).sum()",
    "expanded": "w.sum()",
    "expanded, passed on": "(w + 1).sum()",
    "arrives twice": "(w + w).sum()",
    "two formulas": "(w * w).sum()",
    "parts of one gradient": "(torch.cat([w, w]) * 2).sum()",
    "another order in memory": "(w.t() * 2).t().contiguous().sum()",
    "a Function's": "Doubled.apply(w).sum()",
    "a Function keeps it": "Kept.apply(w).sum()",
    "a hook has seen it": "seen(w, lambda grad: None).sum()",
    "a hook keeps it": "seen(w, kept.append).sum()",
    "two leaves have it": "((w + z) * 2).sum()",
}


def names(torch):
    kept = []

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    class Kept(Doubled):
        @staticmethod
        def backward(ctx, grad):
            kept.append(grad * 2)
            return kept[-1]

    def seen(leaf, hook):
        leaf.register_hook(hook)
        return leaf * 2

    return {
        "torch": torch, "nn": torch.nn.functional, "Doubled": Doubled, "Kept": Kept, "seen": seen, "kept": kept,
        "w": torch.ones(3, 2, requires_grad=True), "z": torch.ones(3, 2, requires_grad=True),
        "b": torch.ones(3, requires_grad=True), "x": torch.ones(4, 2),
    }  # fmt: skip


def our_calls(loss, monkeypatch):
    from annotated_src import torch
    from annotated_src.aten.ops import OpOverload
    from annotated_src.torch.csrc.autograd.functions.accumulate_grad import AccumulateGrad

    result = eval(loss, names(torch))
    calls, running = [], []
    call_operator, apply = OpOverload.__call__, AccumulateGrad.apply

    def operator(self, /, *args, **kwargs):
        if running:
            calls[-1].append(self.entry.name)
        return call_operator(self, *args, **kwargs)

    def accumulate(self, *grads):
        calls.append([])
        running.append(self)
        try:
            return apply(self, *grads)
        finally:
            running.pop()

    with monkeypatch.context() as patch:
        patch.setattr(OpOverload, "__call__", operator)
        patch.setattr(AccumulateGrad, "apply", accumulate)
        result.backward()
    return calls


def upstream_calls(loss):
    import torch
    from torch.profiler import ProfilerActivity, profile

    result = eval(loss, names(torch))
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        result.backward()
    nodes = [event for event in profiler.events() if event.name == "torch::autograd::AccumulateGrad"]
    return [list(nested(node)) for node in nodes]


def nested(event):
    for child in event.cpu_children:
        # ("detach" is a mark of the profiler's own within aten::detach)
        if child.name.startswith("aten::"):
            yield child.name
        yield from nested(child)


@live
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_same_calls(loss, monkeypatch):
    ours = our_calls(loss, monkeypatch)
    assert ours == upstream_calls(loss)
    assert ours and all(ours)


def test_a_gradient_that_is_kept_is_not_copied():
    from annotated_src import torch

    w = torch.ones(3, 2, requires_grad=True)
    arrived = []
    w.register_hook(lambda grad: arrived.append(grad.data_ptr()))
    (w * 2).sum().backward()
    assert arrived == [w.grad.data_ptr()]


def twice(torch):
    x, y = (torch.ones(2, 2, requires_grad=True) for _ in range(2))
    for _ in range(2):
        z = x.view(-1) + y.view(-1)
        (3 * z).sum().backward()
    return x.grad.tolist()


def test_two_leaves_never_share_memory():
    """Both leaves get a view of one gradient."""
    from annotated_src import torch

    assert twice(torch) == [[6.0, 6.0], [6.0, 6.0]]


@live
def test_two_leaves_may_share_memory_upstream():
    """The deviation that accumulate_grad.py tells of. Should this fail, upstream has mended it."""
    import torch

    assert twice(torch) == [[9.0, 9.0], [9.0, 9.0]]


def test_a_gradient_that_two_wait_for_is_not_added_to_in_place(oracle):
    """z's gradient goes to both of its summands; to that of `a`, another is added before it is used."""

    def case(torch):
        w, v = (torch.ones(2, requires_grad=True) for _ in range(2))
        a, b = w * 2, v * 3
        early = a * 5
        z = a + b
        ((z + early) * 2).sum().backward()
        return w.grad, v.grad

    oracle.same(case)


def test_being_watched_changes_nothing():
    """A recorder, which looks at all local variables, is not counted among those who refer to a gradient."""
    import annotated_src
    from annotated_src import torch
    from annotated_src.walkthrough import record

    def main():
        w = torch.ones(3, 2, requires_grad=True)
        (w * 2).sum().backward()

    trace = record(main, roots=[annotated_src], into="all", reraise=True)
    called = {event.qualname for event in trace if event.kind == "call"}
    assert "AccumulateGrad._accumulate" in called
    assert "clone_obey_contract" not in called

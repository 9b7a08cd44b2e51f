"""One training step on the CPU and on a card: the same calls, the same numbers, and what travels between the two."""

import pytest

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.c10.core.dispatch_key import TENSOR_KEYS
from annotated_src.walkthrough import record
from annotated_src.walkthrough.scenario import load

SCENARIO = "step_on_a_card"
# One way for each: the batch and its labels, six parameters; and the loss.
TRAVELLERS = 8


@pytest.fixture
def step(torch, torchvision):
    scenario = load(SCENARIO)
    return lambda device, into="ops": record(
        lambda: scenario.main(torch, torchvision, device),
        roots=scenario.roots(),
        levels=scenario.levels,
        into=into,
        lines=False,
        locals=False,
        reraise=True,
    )


def walk(calls):
    for call in calls:
        yield call
        yield from walk(call.children)


def names(trace):
    return [(call.path, call.label or call.qualname) for call in walk(trace.calls())]


def test_the_same_calls(card, step):
    # (the first run imports torch.nn)
    step("cpu")
    assert names(step("cpu")) == names(step("cuda"))


def test_the_same_kernels(card, step):
    """Below the dispatcher as well: the kernels that were called, in order."""
    kernels = registered_kernels()

    def called(device):
        (main,) = [call for call in walk(step(device, into="kernels").calls()) if call.qualname == "main"]
        parts = [call for call in main.children if call.qualname in ("forward", "Tensor.backward", "update")]
        assert len(parts) == 3
        return [row for row in [(call.path, call.qualname) for call in walk(parts)] if row in kernels]

    cpu, cuda = called("cpu"), called("cuda")
    assert len(cpu) > 30
    assert cpu == cuda


def registered_kernels():
    """{(path, qualified name)} of what is filed under CPU."""
    found = set()
    for overloads in dispatcher.operators.values():
        for entry in overloads.values():
            code = getattr(entry.kernels.get("CPU"), "__code__", None)
            if code is not None:
                found.add((code.co_filename.partition("annotated_src/")[2], code.co_qualname))
    return found


def test_the_same_kernel_under_either_key():
    """Where an operator has a kernel of its own for the CPU, it has one for CUDA, and almost always the same one."""
    different = set()
    for overloads in dispatcher.operators.values():
        for entry in overloads.values():
            if "CPU" in entry.kernels:
                assert "CUDA" in entry.kernels, entry.full_name
                if entry.kernels["CPU"] is not entry.kernels["CUDA"]:
                    different.add(entry.full_name)
    assert different == set()
    assert TENSOR_KEYS["cpu"] != TENSOR_KEYS["cuda"]


def test_the_same_numbers(card, torch, torchvision):
    main = load(SCENARIO).main
    assert main(torch, torchvision, "cuda") == main(torch, torchvision, "cpu")


def test_the_same_numbers_as_upstream(oracle):
    oracle.same(lambda torch, torchvision: load(SCENARIO).main(torch, torchvision))


def test_what_travels(log, torch, torchvision):
    """Up: the batch and the parameters, once. Down: the loss. In between, nothing, and the host never waits."""
    with log.recording() as entries:
        load(SCENARIO).main(torch, torchvision, "cuda")
    up = [entry for entry in entries if entry.kind == "H2D"]
    down = [entry for entry in entries if entry.kind == "D2H"]
    assert len(up) == TRAVELLERS and len(down) == 1
    assert down[0].nbytes == 4 and entries[-1] is down[0]
    first, last = (position for position, entry in enumerate(entries) if entry in (up[-1], down[0]))
    between = entries[first + 2 : last]
    assert len(between) > 50
    assert {entry.kind for entry in between} == {"launch"}
    assert not any(entry.host_waits for entry in between)


WAITS = {
    "x.sum().item()": "D2H",
    "float(x.sum())": "D2H",
    "bool((x > 0).all())": "D2H",
    "x.tolist()": "D2H",
    "repr(x)": "D2H",
    "x.cpu()": "synchronize",
    "x.nonzero()": "D2H",
    "x[x > 0]": "D2H",
    "torch.equal(x, x)": "D2H",
    "torch.cuda.synchronize()": "synchronize",
}


@pytest.mark.parametrize("expression", WAITS)
def test_what_makes_the_host_wait(log, torch, expression):
    x = torch.arange(4.0, device="cpu").cuda()
    with log.recording() as entries:
        eval(expression, {"torch": torch, "x": x})
    assert WAITS[expression] in [entry.kind for entry in entries if entry.host_waits]


DOES_NOT_WAIT = (
    "x + 1",
    "x @ x",
    "x.relu().sum()",
    "x.softmax(0)",
    "torch.where(x > 0, x, -x)",
    "x.argmax()",
    "x.cumsum(0)",
    "torch.cat([x, x])",
    "x.masked_fill(x > 0, 0)",
    "x.mean()",
    "x.reshape(2, 2).t()",
    "torch.zeros(3, device='cuda')",
    "torch.arange(3, device='cuda')",
    "torch.nn.functional.cross_entropy(x[None], torch.zeros(1, dtype=torch.int64, device='cuda'))",
)


@pytest.mark.parametrize("expression", DOES_NOT_WAIT)
def test_what_does_not(log, torch, expression):
    x = torch.arange(4.0, device="cpu").cuda()
    with log.recording() as entries:
        eval(expression, {"torch": torch, "x": x})
    assert not [str(entry) for entry in entries if entry.host_waits]
    assert not [str(entry) for entry in entries if entry.kind in ("H2D", "D2H")]

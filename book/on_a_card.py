"""What the GPU chapter's cells share: a card that is not there, and what was issued to it.

    pretend()                     for the rest of the page, the strict array module stands for CuPy
    issued(function)              what the host issued while `function` ran: a list of log entries
    counts({name: entries})       a table: copies, launches, waits
    operators(cpu, cuda)          the operators of two recordings beside each other, with the key and the kernel
    record_on(device, into)       the recorded step on a device
    records()                     what is on record of a real card
"""

import booklib
from lesson import Source, Table

from annotated_src import torch, torchvision
from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.walkthrough import record, strict
from annotated_src.walkthrough.scenario import load
from annotated_src.walkthrough.strict import cuda

_UP, _DOWN = "H2D", "D2H"


def pretend():
    """Put the strict array module behind the door for the rest of the page."""
    context = strict.installed()
    context.__enter__()
    return context


def issued(function):
    """The entries of the log while `function()` ran."""
    with cuda.log.recording() as entries:
        function()
    return list(entries)


def counts(parts):
    """A row a part: how much travelled, how many launches, how often the host waited."""
    rows = []
    for name, entries in parts.items():
        rows.append([name, _copies(entries, _UP), _copies(entries, _DOWN), _launches(entries), _waits(entries)])
    return Table(["part", "to the card", "to the host", "launches", "the host waits"], rows)


def _copies(entries, kind):
    sizes = [entry.nbytes for entry in entries if entry.kind == kind]
    if not sizes:
        return "nothing"
    return f"{len(sizes)} × {sizes[0]} B" if len(set(sizes)) == 1 else f"{len(sizes)}, {sum(sizes)} B"


def _launches(entries):
    return str(sum(entry.kind == "launch" for entry in entries))


def _waits(entries):
    return str(sum(entry.host_waits for entry in entries) or "never")


def record_on(device, into="ops"):
    """The scenario `step_on_a_card`, recorded with its tensors on a device."""
    scenario = load("step_on_a_card")
    return record(
        lambda: scenario.main(torch, torchvision, device),
        roots=scenario.roots(),
        levels=scenario.levels,
        into=into,
        lines=False,
        reraise=True,
    )


def _walk(calls):
    for call in calls:
        yield call
        yield from _walk(call.children)


def names(trace):
    """(file, function or operator) of every call, in order."""
    return [(call.path, call.label or call.qualname) for call in _walk(trace.calls())]


def operators(trace, part):
    """The operators that a part of the step called, in order: how often, and which kernel is filed under CPU and CUDA."""
    (call,) = [call for call in _walk(trace.calls()) if call.qualname == part]
    labels = [inner.label for inner in _walk([call]) if inner.label]
    rows = []
    for label in dict.fromkeys(labels):
        under = {key: _kernel(label, key) for key in ("CPU", "CUDA")}
        rows.append([label, str(labels.count(label)), under["CPU"], under["CUDA"]])
    return Table(["operator", "times", "kernel under CPU", "kernel under CUDA"], rows)


def _kernel(label, key):
    """The first overload's kernel for a backend, or what it is made of."""
    for entry in dispatcher.operators[label].values():
        if key in entry.kernels:
            code = getattr(entry.kernels[key], "__code__", None)
            if code is None or "<locals>" in code.co_qualname:
                continue
            path = code.co_filename.partition("annotated_src/")[2]
            return Source(path, code.co_qualname)
    return "calls other operators"


def waits(expressions, **names):
    """For each expression: what it makes the host wait for."""
    rows = []
    for text in expressions:
        entries = issued(lambda text=text: eval(text, {"torch": torch, **names}))
        stops = [entry for entry in entries if entry.host_waits]
        rows.append([text, _waits(entries), ", ".join(dict.fromkeys(map(_what, stops))) or "nothing"])
    return Table(["written", "the host waits", "for"], rows)


def _what(entry):
    if entry.kind == _DOWN:
        return f"{entry.nbytes} B from the card"
    return "the stream" if not entry.name else entry.name


def records():
    """The dated records of real cards, by file name; a sentence where there is none."""
    folder = booklib.BOOK / "data" / "gpu"
    found = sorted(path.name for path in folder.glob("*")) if folder.is_dir() else []
    return found or "no record of a real card yet"

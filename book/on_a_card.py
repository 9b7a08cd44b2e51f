"""What the GPU chapter's cells share: a card that is not there, and what was issued to it.

    pretend()                     for the rest of the page, the strict array module stands for CuPy
    issued(function)              what the host issued while `function` ran: a list of log entries
    counts({name: entries})       a table: copies, launches, waits
    kernels(cpu, cuda, part)      the kernels of two recordings beside each other
    waits(expressions)            a table: what each of them makes the host wait for
    record_on(device, into)       the recorded step on a device
    records()                     what is on record of a real card
"""

import functools
import json

import booklib
from lesson import Source, Table

from annotated_src import torch, torchvision
from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.walkthrough import record, strict
from annotated_src.walkthrough.scenario import load
from annotated_src.walkthrough.strict import cuda

_kept = []
_UP, _DOWN = "H2D", "D2H"


def pretend():
    """Put the strict array module behind the door for the rest of the page."""
    # (kept, for a context that nobody holds is left)
    _kept.append(strict.installed())
    _kept[-1].__enter__()


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


def kernels(cpu, cuda, part):
    """The kernels that a part of the step called, in order of their first call, and how often on either device.

    `cpu` and `cuda` are recordings at "kernels"; the key is that under which the dispatcher found the kernel.
    """
    found = {}
    for column, trace in enumerate((cpu, cuda)):
        (call,) = [call for call in _walk(trace.calls()) if call.qualname == part]
        for inner in _walk([call]):
            place = inner.path, inner.qualname
            if place in _registered():
                found.setdefault(place, [0, 0])[column] += 1
    rows = [[Source(*place), place[0], *map(str, times)] for place, times in found.items()]
    return Table(["kernel", "file", "called under CPU", "called under CUDA"], rows)


@functools.cache
def _registered():
    """{(file, qualified name)} of the functions that are filed under both CPU and CUDA."""
    found = set()
    for overloads in dispatcher.operators.values():
        for entry in overloads.values():
            kernel = entry.kernels.get("CPU")
            code = getattr(kernel, "__code__", None)
            if code is not None and kernel is entry.kernels.get("CUDA"):
                found.add((code.co_filename.partition("annotated_src/")[2], code.co_qualname))
    return found


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


def records(folder=booklib.BOOK / "data" / "gpu"):
    """The dated records of real cards (python -m tests.benchmarks --device cuda --record); a sentence for none."""
    rows = []
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
        for row in record["rows"]:
            times = [f"{row[side] * 1e3:.3f} ms" for side in ("ours", "upstream")]
            ratio = f"{row['ours'] / row['upstream']:.2f}"
            rows.append([f"{record['date']}, {record['card']}", versions, row["name"], *times, ratio])
    if not rows:
        return Sentence("On record of real cards: nothing yet. All that is shown here ran over the strict module.")
    return Table(["recorded", "with", "measured", "ours", "upstream", "ratio"], rows)


class Sentence:
    """Text as a cell's result."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

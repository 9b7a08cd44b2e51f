"""Upstream's calls in a scenario: recorded live where the real torch is, else read from an earlier recording.

The earlier recordings lie in tests/<chapter>/recorded/calls/<scenario>.txt: calls only, a line each, indented by depth.
"""

import tomllib
from fnmatch import fnmatchcase

from annotated_src.walkthrough import record
from annotated_src.walkthrough.scenario import load
from annotated_src.walkthrough.trace import Event, Trace
from tests.oracle import TESTS, upstream_is_installed

# Upstream has these in C++.
OURS_ONLY = ("c10/*", "aten/*", "torch/_C/*", "torch/csrc/*")


def left_out_calls(within=None):
    """The rows of the left-out list that excuse a call: (path glob, name glob, reason); those about files `within`."""
    rows = tomllib.loads((TESTS.parent / "book" / "data" / "left_out.toml").read_text())["left_out"]
    calls = [(row["path"], row["name"], row["reason"]) for row in rows if row.get("kind") == "call"]
    return [row for row in calls if within is None or _matches(row[0], within)]


def calls_elsewhere(trace, retold):
    """[(path, qualname)] of the calls into other files than these."""
    calls = [call for _, call in _walk(trace.calls(), 0) if not call.resumed]
    return [(call.path, call.qualname) for call in calls if not _matches(call.path, retold)]


def _matches(path, globs):
    return any(fnmatchcase(path, glob) for glob in globs)


def ours(name, into="ops"):
    """Our recording of a scenario, calls only."""
    scenario = load(name)
    rules = {"levels": scenario.levels, "into": into}
    libraries = scenario.arguments()
    return record(scenario.main, *libraries, roots=scenario.roots(), **rules, lines=False, locals=False, reraise=True)


def upstreams(name, folder, recording):
    """(upstream's recording, "live" or "recorded")."""
    file = folder / "recorded" / "calls" / f"{name}.txt"
    if not upstream_is_installed():
        assert file.exists(), f"no recorded calls of {name}; run `pytest --record` beside torch"
        return read(file), "recorded"
    scenario = load(name)
    # Loading the libraries is no part of the story.
    libraries = scenario.arguments(upstream=True)
    trace = record(
        scenario.main, *libraries, roots=scenario.roots(upstream=True), lines=False, locals=False, reraise=True
    )
    if recording:
        write(trace, file)
    return trace, "live"


def write(trace, file):
    """One line for each call or resumption, indented by its depth."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for level, call in _walk(trace.calls(), 0):
        mark = "~" if call.resumed else ""
        lines.append(f"{' ' * level}{mark}{call.path} {call.qualname}")
    file.write_text("\n".join(lines) + "\n")


def read(file):
    """The Trace that `write` wrote down: its calls, which is all that is compared."""
    events, stack, frames = [], [], {}
    for number, line in enumerate(file.read_text().splitlines()):
        text = line.lstrip(" ")
        level = len(line) - len(text)
        while len(stack) > level:
            events.append(stack.pop())
        resumed = text.startswith("~")
        path, qualname = text.removeprefix("~").split(" ", 1)
        # A generator that goes on is the last of its name that has begun.
        frame = frames.get((path, qualname), number) if resumed else number
        frames[path, qualname] = frame
        kind = "resume" if resumed else "call"
        events.append(Event(kind, "main", level, frame, None, path, 1, qualname))
        stack.append(Event("return", "main", level, frame, None, path, 1, qualname))
    events.extend(reversed(stack))
    return Trace(events, ())


def _walk(calls, level):
    for call in calls:
        yield level, call
        yield from _walk(call.children, level + 1)

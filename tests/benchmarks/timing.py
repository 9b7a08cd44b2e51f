"""How two pieces of work are timed against each other."""

import gc
import statistics
import time


class Row:
    """One comparison: medians in seconds, their ratio, and the limit that we set ourselves."""

    def __init__(self, name, ours, theirs, limit):
        self.name = name
        self.ours = ours
        self.theirs = theirs
        self.limit = limit

    @property
    def ratio(self):
        return self.ours / self.theirs

    @property
    def within(self):
        return self.ratio <= self.limit

    def __str__(self):
        verdict = "ok" if self.within else "OVER"
        return (
            f"{self.name:<52} {_show(self.ours):>10} {_show(self.theirs):>10} "
            f"{self.ratio:8.2f}   limit {self.limit:<5} {verdict}"
        )


class Budget:
    """One figure of ours with a limit of its own, where upstream has nothing to compare."""

    def __init__(self, name, figure, limit, unit):
        self.name = name
        self.figure = figure
        self.limit = limit
        self.unit = unit

    @property
    def within(self):
        return self.figure <= self.limit

    def __str__(self):
        verdict = "ok" if self.within else "OVER"
        return f"{self.name:<52} {self.figure:>7.2f} {self.unit:<13} {'':8}   limit {self.limit:<5} {verdict}"


HEAD = f"{'':<52} {'ours':>10} {'upstream':>10} {'ratio':>8}"


def versus(name, ours, theirs, limit, rounds=7, repeat=1):
    """Run both in turn, `rounds` times; `repeat` calls a time for work of microseconds."""
    samples = ([], [])
    ours(), theirs()
    for _ in range(rounds):
        for function, times in zip((ours, theirs), samples, strict=True):
            times.append(_time(function, repeat))
    return Row(name, statistics.median(samples[0]), statistics.median(samples[1]), limit)


def _time(function, repeat):
    gc.collect()
    gc.disable()
    begin = time.perf_counter()
    for _ in range(repeat):
        function()
    elapsed = time.perf_counter() - begin
    gc.enable()
    return elapsed / repeat


def _show(seconds):
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.1f} ms"

"""How two pieces of work are timed against each other."""

import gc
import statistics
import time


class Row:
    """One comparison, from what both sides took in each turn, in seconds; and the limit that we set ourselves."""

    def __init__(self, name, ours, theirs, limit):
        self.name = name
        self.ours = statistics.median(ours)
        self.theirs = statistics.median(theirs)
        # Turn by turn, because whatever else the machine does weighs on both sides of a turn alike.
        self.ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        self.limit = limit

    @property
    def ratio(self):
        """The median of the turns' ratios."""
        return statistics.median(self.ratios)

    def _middle_half(self):
        """Between which ratios half of the turns lie."""
        low, _, high = statistics.quantiles(self.ratios, n=4, method="inclusive")
        return f"{low:.2f}-{high:.2f}"

    @property
    def within(self):
        return self.ratio <= self.limit

    def __str__(self):
        verdict = "ok" if self.within else "OVER"
        return (
            f"{self.name:<52} {_show(self.ours):>10} {_show(self.theirs):>10} "
            f"{self.ratio:8.2f} {self._middle_half():>12}   limit {self.limit:<5} {verdict}"
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
        return f"{self.name:<52} {self.figure:>7.2f} {self.unit:<13} {'':8} {'':12}   limit {self.limit:<5} {verdict}"


HEAD = f"{'':<52} {'ours':>10} {'upstream':>10} {'ratio':>8} {'half of them':>12}"


def versus(name, ours, theirs, limit, rounds=15, repeat=1):
    """Run both in turn, `rounds` times; `repeat` calls a time for work of microseconds."""
    ours(), theirs()
    turns = [(_time(ours, repeat), _time(theirs, repeat)) for _ in range(rounds)]
    return Row(name, *zip(*turns, strict=True), limit)


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

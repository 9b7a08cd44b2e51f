"""How long a fresh Python takes to import us, and to import torch."""

import subprocess
import sys

from tests.benchmarks.timing import Budget, Row

ROUNDS = 5
MEASURE = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


def run(ours, theirs):
    """Under 0.3 s, and under a quarter of torch's time."""
    turns = [(_seconds("from annotated_src import torch"), _seconds("import torch")) for _ in range(ROUNDS)]
    both = Row("from annotated_src import torch / import torch", *zip(*turns, strict=True), 0.25)
    yield Budget("from annotated_src import torch", both.ours, 0.3, "s")
    yield both


def _seconds(statement):
    command = [sys.executable, "-c", MEASURE.format(statement)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

"""How long a fresh Python takes to import us, and to import torch."""

import statistics
import subprocess
import sys

from tests.benchmarks.timing import Budget, Row

ROUNDS = 5
MEASURE = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


def run(ours, theirs):
    """Under 0.3 s, and under a quarter of torch's time."""
    own = _median("from annotated_src import torch")
    yield Budget("from annotated_src import torch", own, 0.3, "s")
    yield Row("from annotated_src import torch / import torch", own, _median("import torch"), 0.25)


def _median(statement):
    command = [sys.executable, "-c", MEASURE.format(statement)]
    times = [float(subprocess.run(command, capture_output=True, check=True, text=True).stdout) for _ in range(ROUNDS)]
    return statistics.median(times)

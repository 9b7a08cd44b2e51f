"""What a recording costs, and how heavy its page is."""

import gzip
import statistics
import sys
import time
from pathlib import Path

from tests.benchmarks.timing import Budget

BOOK = Path(__file__).resolve().parents[2] / "book"


def run(ours, theirs):
    """The epoch of 24 images, with lines and locals."""
    sys.path.insert(0, str(BOOK))
    from lesson import recording

    times = []
    for _ in range(5):
        begin = time.perf_counter()
        trace = recording("single_process_epoch")
        times.append(time.perf_counter() - begin)
    yield Budget(f"recording a 24-image epoch, {len(trace)} events", statistics.median(times), 2, "s")
    page = BOOK.parent / "_build" / "html" / "sampler_flow.html"
    if page.exists():
        yield Budget("its page with the player, gzip", len(gzip.compress(page.read_bytes())) / 1000, 400, "kB")

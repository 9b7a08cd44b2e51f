"""The dated record of a card: written by the benchmark, shown by the book."""

import sys
from pathlib import Path

import pytest

from tests.benchmarks import on_a_card
from tests.benchmarks.timing import Row

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture
def records(monkeypatch):
    monkeypatch.syspath_prepend(str(BOOK))
    before = set(sys.modules)
    import on_a_card as page

    yield page.records
    for name in set(sys.modules) - before:
        if name in ("on_a_card", "lesson", "booklib"):
            del sys.modules[name]


def test_what_is_written_is_shown(records, tmp_path):
    assert "nothing yet" in repr(records(tmp_path))
    rows = [Row("cuda: x + x", [0.002, 0.002], [0.001, 0.001], 5)]
    path = on_a_card.write_record(rows, "NVIDIA H100 80GB", {"torch": "2.13.0", "cupy": "14.2.0"}, tmp_path)
    assert path.name.endswith("-nvidia-h100-80gb.json")
    shown = repr(records(tmp_path))
    for text in ("NVIDIA H100 80GB", "torch 2.13.0, cupy 14.2.0", "cuda: x + x", "2.000 ms", "1.000 ms", "2.00"):
        assert text in shown


def test_every_work_of_the_benchmark_runs(card, torch):
    """Small ones over the strict module; the large ones differ in size only."""
    for name, (work, _, _) in on_a_card.WORKS.items():
        if not any(size in name for size in ("Mi", "4096")):
            on_a_card._timed(torch, work)()

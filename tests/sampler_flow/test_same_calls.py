"""The functions that upstream calls are called here: in the same order, by the same callers.

Compared are the calls into the files that this chapter retells. What upstream calls elsewhere on the way (its profiler,
its compiler, devices that we do not have) must be explained by a row of the left-out list, and is counted.
"""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from annotated_src.walkthrough.scenario import load
from tests.conftest import TALLY
from tests.upstream_calls import OURS_ONLY, calls_elsewhere, left_out_calls, ours, upstreams

HERE = Path(__file__).parent

RETOLD = (
    "scenarios/*",
    "torch/utils/data/*",
    "torch/distributed/*",
    "torch/random.py",
    "torch/cuda/*",
    "torch/_utils.py",
    "torchvision/*",
)

SCENARIOS = (
    "by_hand",
    "single_process_epoch",
    "shuffled_epochs",
    "drop_last",
    "no_auto_batching",
    "iterable_epoch",
    "custom_sampler",
    "weighted_epoch",
    "distributed_epochs",
)


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_calls(name, request):
    theirs, kind = upstreams(name, HERE, request.config.getoption("--record"))
    elsewhere = calls_elsewhere(theirs, RETOLD)
    comparison = ours(name).compare(theirs, only=RETOLD, ours_only=OURS_ONLY, left_out=left_out_calls(RETOLD))
    TALLY.add_trace("sampler_flow", name, comparison, kind, len(elsewhere))
    assert comparison.share >= 0.95, str(comparison)
    assert comparison.excused_share <= 0.05, [row[:2] for row in comparison.excused]
    assert comparison.extra == [], str(comparison)
    unexplained = [call for call in elsewhere if not any(_explains(row, call) for row in left_out_calls())]
    assert unexplained == []


def _explains(row, call):
    return fnmatchcase(call[0], row[0]) and fnmatchcase(call[1], row[1])


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_result(name, oracle):
    main = load(name).main

    def case(torch):
        return main(torch)

    def case_of_images(torch, torchvision):
        return main(torch, torchvision)

    oracle.same(case_of_images if "torchvision" in load(name).libraries else case)


def test_a_call_that_is_not_made_is_noticed():
    """The comparison is no rubber stamp: an epoch that never asks the sampler is not the same."""
    full, short = ours("single_process_epoch"), ours("no_auto_batching")
    assert short.compare(full, only=RETOLD, ours_only=OURS_ONLY).share < 0.95

"""Fixtures of all tests, the options --device, --record, --require-live and --proof, and the oracle's tally."""

import contextlib

import pytest

from tests import proof
from tests.on_device import constructors_on, why_not_on_a_card
from tests.oracle import Oracle, Record, Tally

TALLY = Tally()


def pytest_addoption(parser):
    parser.addoption(
        "--device",
        default="cpu",
        choices=("cpu", "cuda", "strict"),
        help="where the tests put their tensors; strict is cuda without a card, on the strict array module",
    )
    parser.addoption("--record", action="store_true", help="write upstream's results to tests/*/recorded")
    parser.addoption("--require-live", default="", help="chapters (a,b) that must have asked a live upstream")
    parser.addoption("--proof", action="store_true", help="write what was compared to book/data/proof")


def pytest_configure(config):
    if config.getoption("--device") == "cuda":
        why_not = _why_not_cuda()
        if why_not is not None:
            raise pytest.UsageError(f"--device cuda cannot run here: {why_not}")


def _why_not_cuda():
    """What keeps CUDA from being started, in one line; None where nothing does."""
    from annotated_src import torch

    try:
        torch.cuda.init()
    except (AssertionError, RuntimeError) as error:
        return str(error)
    return None


def pytest_collection_modifyitems(config, items):
    if config.getoption("--device") == "cpu":
        return
    for item in items:
        reason = why_not_on_a_card(item.nodeid)
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=f"not asked of a card: {reason}"))


@pytest.fixture
def torch():
    from annotated_src import torch

    return torch


@pytest.fixture
def torchvision():
    from annotated_src import torchvision

    return torchvision


@pytest.fixture
def device(request):
    return "cpu" if request.config.getoption("--device") == "cpu" else "cuda"


@pytest.fixture(scope="session", autouse=True)
def everything_on_the_device(request):
    """With --device cuda or strict, what the tests make lies there; strict: the strict array module stands for CuPy."""
    option = request.config.getoption("--device")
    if option == "cpu":
        yield
        return
    from annotated_src import torch
    from annotated_src.walkthrough import strict

    with strict.installed() if option == "strict" else contextlib.nullcontext(), constructors_on(torch, "cuda"):
        yield


@pytest.fixture
def oracle(request, device):
    return Oracle(request.node.nodeid, request.node.path, device, request.config.getoption("--record"), TALLY)


def pytest_sessionfinish(session, exitstatus):
    config = session.config
    if config.getoption("--record"):
        Record.save_all()
    if config.getoption("--proof"):
        proof.write(TALLY)
    for chapter in filter(None, config.getoption("--require-live").split(",")):
        if not TALLY.total(chapter, "live"):
            print(f"\nchapter {chapter} asked no live upstream")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    for chapter in sorted(TALLY.rows):
        live, recorded = TALLY.total(chapter, "live"), TALLY.total(chapter, "recorded")
        terminalreporter.write_line(f"upstream asked in {chapter}: {live} live, {recorded} recorded")

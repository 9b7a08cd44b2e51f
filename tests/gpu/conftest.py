"""`card`: a card to run on, the strict array module where there is none; `log`: what was issued to the strict one."""

import pytest

from annotated_src.walkthrough import strict
from annotated_src.walkthrough.strict import cuda, missing
from tests.on_device import CONSTRUCTORS


@pytest.fixture(autouse=True)
def as_written():
    """These tests say themselves where their tensors lie, with every --device."""
    from annotated_src import torch

    before = {name: vars(torch).get(name) for name in CONSTRUCTORS}
    placed = {name: function for name, function in before.items() if hasattr(function, "__wrapped__")}
    for name, function in placed.items():
        setattr(torch, name, function.__wrapped__)
    yield
    for name, function in placed.items():
        setattr(torch, name, function)


@pytest.fixture
def card(request):
    """The array module behind the door: CuPy with --device cuda, else the strict one."""
    if request.config.getoption("--device") == "cuda":
        from annotated_src.c10.array_module import cuda_module

        yield cuda_module()
        return
    with strict.installed() as module:
        yield module
        cuda.set_device_count(1)


@pytest.fixture
def log(request, card):
    """The strict card's log."""
    if request.config.getoption("--device") == "cuda":
        pytest.skip("a real card keeps no log")
    return cuda.log


@pytest.fixture
def without_cupy():
    """As if CuPy were not installed."""
    with missing.without_cupy():
        yield


@pytest.fixture
def without_a_card():
    """As if CuPy were installed, on a machine without a card."""
    with missing.without_a_card():
        yield

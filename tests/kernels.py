"""What tests of CUDA kernels share: they need a C++ compiler.

Without one they are skipped, with the reason; with KERNELS_REQUIRED set, as the CI stage `kernels` has it, they fail.
"""

import os

import pytest

from annotated_src.walkthrough.cuda_on_cpu import nvrtc, run

# One kernel without races gives the same bits in each.
ORDERS = [("ascending", 0), ("descending", 0), ("shuffled", 1), ("shuffled", 2)]


def need_compiler():
    """Skip, or fail, where there is no C++ compiler."""
    try:
        run.compiler()
    except run.NoCompiler as missing:
        _missing(missing)


def need_cuda_compiler():
    """Skip, or fail, where there is neither NVRTC nor nvcc."""
    if nvrtc.compiler_name() == "none":
        _missing("neither NVRTC nor nvcc is here: pip install -e '.[kernels]'")


def _missing(what):
    if os.environ.get("KERNELS_REQUIRED"):
        pytest.fail(str(what))
    pytest.skip(str(what))


def in_all_orders(compute):
    """`compute(launch)` in each order; demands equal bits and returns the result."""
    results = [compute(run.Launcher(order, seed)) for order, seed in ORDERS]
    for result, (order, seed) in zip(results[1:], ORDERS[1:], strict=True):
        for ours, first in zip(_arrays(result), _arrays(results[0]), strict=True):
            assert ours.tobytes() == first.tobytes(), f"other results in the order {order} {seed}: {ours} / {first}"
    return results[0]


def _arrays(result):
    return result if isinstance(result, list) else [result]

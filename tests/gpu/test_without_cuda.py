"""What is said where CUDA is missing: upstream's errors, and which of the two is missing, CuPy or the card."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.oracle import upstream_is_installed

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif("config.getoption('--device') != 'cpu'", reason="there is a card")

NOT_COMPILED = "Torch not compiled with CUDA enabled"
NO_ACCELERATOR = "Cannot access accelerator device when none is available."

NEED_A_CARD = {
    "torch.zeros(2, device='cuda')": NOT_COMPILED,
    "torch.tensor(3, device='cuda')": NOT_COMPILED,
    "torch.rand(3, device='cuda')": NOT_COMPILED,
    "torch.arange(3, device='cuda:1')": NOT_COMPILED,
    "torch.zeros(2).new_ones(3, device='cuda')": NOT_COMPILED,
    "torch.zeros(2).cuda()": NOT_COMPILED,
    "torch.zeros(2).to('cuda')": NOT_COMPILED,
    "torch.zeros(2).to('cuda', non_blocking=True)": NOT_COMPILED,
    "torch.cuda.init()": NOT_COMPILED,
    "torch.cuda.current_device()": NOT_COMPILED,
    "torch.cuda.synchronize()": NOT_COMPILED,
    "torch.cuda.get_device_name()": NOT_COMPILED,
    "torch.cuda.get_device_capability()": NOT_COMPILED,
    "torch.cuda.get_device_properties(0)": NOT_COMPILED,
    "torch.cuda.can_device_access_peer(0, 1)": NOT_COMPILED,
    "torch.cuda.mem_get_info()": NOT_COMPILED,
    "torch.cuda.current_stream()": NOT_COMPILED,
    "torch.cuda.default_stream()": NOT_COMPILED,
    "torch.cuda.get_rng_state()": NOT_COMPILED,
    "torch.cuda.initial_seed()": NOT_COMPILED,
    "torch.cuda.Stream()": "torch.cuda.Stream requires CUDA support",
    "torch.cuda.Event()": "Tried to instantiate dummy base class Event",
    "torch.cuda.CUDAGraph()": "Tried to instantiate dummy base class CUDAGraph",
    "torch.cuda.graph(None)": "torch.cuda.Stream requires CUDA support",
    "torch.cuda.graph_pool_handle()": "Tried to instantiate dummy base class _graph_pool_handle",
    "torch.cuda.is_current_stream_capturing()": "dummy base class _cuda_isCurrentStreamCapturing",
    "torch.cuda.device(0).__enter__()": "PyTorch was compiled without CUDA support",
    "torch.cuda.device('cuda:0').__enter__()": "PyTorch was compiled without CUDA support",
    "torch.Generator('cuda')": "Cannot get CUDA generator without ATen_cuda library",
    "torch.zeros(2).pin_memory()": NO_ACCELERATOR,
    "torch.zeros(2).cuda(0)": NO_ACCELERATOR,
    "torch.zeros(2).to(0)": NO_ACCELERATOR,
    "torch.device(0)": NO_ACCELERATOR,
    "torch.zeros(2, pin_memory=True)": "pin_memory=True requires a CUDA or other accelerator backend",
    # Wrong on any machine.
    "torch.zeros(2).cuda('cpu')": "Invalid device, must be cuda device",
    "torch.cuda.device('cpu')": "Expected a cuda device, but got: cpu",
    "torch.cuda.set_device('cpu')": "Expected a cuda device, but got: cpu",
    "torch.cuda.set_device('cuda')": "Expected a torch.device with a specified index or an integer, but got:cuda",
}

NEED_NONE = (
    "torch.cuda.is_available()",
    "torch.cuda.device_count()",
    "torch.cuda.is_initialized()",
    "torch.cuda.is_bf16_supported()",
    "torch.cuda.memory_allocated()",
    "torch.cuda.max_memory_allocated()",
    "torch.cuda.memory_reserved()",
    "torch.cuda.max_memory_reserved()",
    "dict(torch.cuda.memory_stats())",
    "torch.cuda.memory_stats_as_nested_dict()",
    "torch.cuda.empty_cache()",
    "torch.cuda.get_rng_state_all()",
    "torch.cuda.set_rng_state_all([])",
    "torch.cuda.manual_seed(3)",
    "torch.cuda.manual_seed_all(3)",
    "torch.cuda.set_stream(None)",
    "torch.cuda.stream(None).__enter__()",
    "torch.cuda.set_device(-1)",
    "torch.cuda.device(-1).__enter__()",
    "torch.cuda.device_of(torch.zeros(2)).__enter__()",
    "torch.cuda._lazy_call(lambda: 1)",
    "torch.zeros(2).is_pinned()",
    "torch.zeros(2).is_cuda",
    "torch.zeros(2).get_device()",
    "torch.zeros(2).cpu().tolist()",
    "torch.accelerator.is_available()",
    "torch.accelerator.current_accelerator()",
)


def evaluate(expression):
    return lambda torch: eval(expression, {"torch": torch})


@pytest.mark.parametrize("expression", NEED_A_CARD)
def test_without_cupy(oracle, without_cupy, expression):
    oracle.same_error(evaluate(expression), NEED_A_CARD[expression])


@pytest.mark.parametrize("expression", NEED_NONE)
def test_what_needs_no_card(oracle, without_cupy, expression):
    oracle.same(evaluate(expression))


def test_it_says_that_cupy_is_missing(torch, without_cupy):
    for expression in ("torch.zeros(2, device='cuda')", "torch.cuda.init()", "torch.cuda.Stream()"):
        with pytest.raises((AssertionError, RuntimeError), match="CuPy.*not installed.*pip install") as caught:
            eval(expression)
        assert "driver" not in str(caught.value)


def test_it_says_that_the_card_is_missing(torch, without_a_card):
    # Upstream's own message of a CUDA build on such a machine begins with these words (c10/cuda/CUDAFunctions.cpp).
    for expression in ("torch.zeros(2, device='cuda')", "torch.cuda.init()", "torch.cuda.Stream()"):
        with pytest.raises(RuntimeError, match="Found no NVIDIA driver on your system") as caught:
            eval(expression)
        assert "CuPy is installed" in str(caught.value)
        assert "pip install" not in str(caught.value)


def test_no_card_is_no_accelerator(torch, without_a_card):
    assert not torch.cuda.is_available()
    assert torch.cuda.device_count() == 0
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    assert torch.accelerator.current_accelerator(check_available=True) is None
    assert not torch.zeros(2, device="cpu").is_pinned()


def test_the_deprecated_argument_warns(oracle, torch, without_cupy):
    oracle.same_warnings(
        lambda torch: torch.zeros(2).is_pinned("cuda"), "The argument 'device' of Tensor.is_pinned() is deprecated."
    )
    # (upstream, without CUDA, fails before it comes to pinning)
    with pytest.warns(DeprecationWarning, match=r"The argument 'device' of Tensor.pin_memory\(\) is deprecated."):
        with pytest.raises(RuntimeError):
            torch.zeros(2).pin_memory("cuda")


def test_the_suite_asked_for_a_card_says_so_in_one_line(tmp_path):
    if importlib.util.find_spec("cupy") is not None:
        pytest.skip("CuPy is installed")
    command = [sys.executable, "-m", "pytest", "--device", "cuda", "tests"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    said = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert len(said) == 1 and said[0].startswith("ERROR: --device cuda cannot run here:"), said


def test_the_benchmark_asked_for_a_card_says_so_in_one_line():
    if not upstream_is_installed() or importlib.util.find_spec("cupy") is not None:
        pytest.skip("needs upstream, and no CuPy")
    command = [sys.executable, "-m", "tests.benchmarks", "--device", "cuda"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--device cuda cannot run here:" in done.stderr and "Traceback" not in done.stderr

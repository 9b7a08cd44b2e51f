"""On a CUDA card, beside torch.cuda: what a launch costs, how fast large kernels and copies are, a training step.

Each measured call ends with `synchronize`, or it would measure no more than the launches. Not part of the default set:
`python -m tests.benchmarks --device cuda`, and with `--record` the figures are written to book/data/gpu, which the book
shows: to be committed.
"""

import datetime
import json
import platform
import re
import subprocess
from pathlib import Path

from tests.benchmarks.timing import versus

ROUNDS = 7
RECORDS = Path(__file__).resolve().parents[2] / "book" / "data" / "gpu"


def why_not(ours, theirs):
    """What keeps these from running, in one line; None where nothing does."""
    try:
        ours.cuda.init()
    except (AssertionError, RuntimeError) as error:
        return str(error)
    if not theirs.cuda.is_available():
        return f"the torch beside it, {theirs.__version__}, is a build without CUDA, or sees no card"
    return None


def run(ours, theirs):
    """Ratios to upstream on the same card."""
    for name, (work, limit, repeat) in WORKS.items():
        yield versus(
            f"cuda: {name}", _timed(ours, work), _timed(theirs, work), limit, rounds=ROUNDS, repeat=repeat
        )


def write_record(rows, card, versions, folder=RECORDS):
    """A dated file: the card, the versions, the commit, and each row's figures in seconds; returns its path."""
    today = datetime.date.today().isoformat()
    record = {
        "date": today,
        "card": card,
        "python": platform.python_version(),
        "versions": versions,
        "commit": _commit(),
        "rows": [{"name": row.name, "ours": row.ours, "upstream": row.theirs, "limit": row.limit} for row in rows],
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{today}-{re.sub('[^a-z0-9]+', '-', card.lower()).strip('-')}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path


def _commit():
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def _timed(torch, work):
    torch.manual_seed(0)
    function = work(torch)

    def timed():
        function()
        torch.cuda.synchronize()

    return timed


def _add(torch):
    x = torch.ones(16, device="cuda")
    return lambda: x + x


def _fifty_launches(torch):
    x = torch.ones(16, device="cuda")

    def launches():
        y = x
        for _ in range(50):
            y = y + x
        return y

    return launches


def _add_large(torch):
    x = torch.ones(64 * 2**20, device="cuda")
    return lambda: x + x


def _sum_large(torch):
    x = torch.ones(64 * 2**20, device="cuda")
    return lambda: x.sum()


def _softmax(torch):
    x = torch.ones(4096, 4096, device="cuda")
    return lambda: x.softmax(1)


def _matmul(torch):
    x = torch.ones(4096, 4096, device="cuda")
    return lambda: x @ x


def _host_to_device(torch):
    x = torch.ones(16 * 2**20)
    return lambda: x.to("cuda")


def _pinned_host_to_device(torch):
    x = torch.ones(16 * 2**20).pin_memory()
    return lambda: x.to("cuda", non_blocking=True)


def _device_to_host(torch):
    x = torch.ones(16 * 2**20, device="cuda")
    return lambda: x.cpu()


def _mlp_step(torch):
    sizes = [784, 256, 128, 10]
    layers = [
        (torch.randn(n, m).mul(n**-0.5).to("cuda").requires_grad_(), torch.zeros(m, device="cuda", requires_grad=True))
        for n, m in zip(sizes, sizes[1:], strict=False)
    ]
    x, labels = torch.randn(128, 784).to("cuda"), torch.arange(128).remainder(10).to("cuda")

    def step():
        hidden = x
        for w, b in layers[:-1]:
            hidden = (hidden @ w + b).relu()
        w, b = layers[-1]
        torch.nn.functional.cross_entropy(hidden @ w + b, labels).backward()
        with torch.no_grad():
            for pair in layers:
                for tensor in pair:
                    tensor -= 0.1 * tensor.grad
                    tensor.grad = None

    return step


# name: (what makes the work, the limit of the ratio, calls a round)
WORKS = {
    "x + x, 16 elements, and wait": (_add, 5, 200),
    "50 launches, and wait": (_fifty_launches, 5, 20),
    "x + x, 64 Mi elements": (_add_large, 1.5, 5),
    "sum, 64 Mi elements": (_sum_large, 1.5, 5),
    "softmax, 4096 x 4096": (_softmax, 3, 5),
    "matmul, 4096 x 4096": (_matmul, 1.2, 3),
    "64 MiB to the card": (_host_to_device, 1.5, 3),
    "64 MiB to the card, pinned": (_pinned_host_to_device, 1.2, 3),
    "64 MiB to the host": (_device_to_host, 1.5, 3),
    "MLP 784-256-128-10, batch 128, a step": (_mlp_step, 5, 10),
}

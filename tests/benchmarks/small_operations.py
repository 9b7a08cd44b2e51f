"""What one operation on a small tensor costs: almost all of it is the way to the kernel."""

from tests.benchmarks.timing import versus

LIMIT = 4


def run(ours, theirs):
    """Operations on float32 tensors of 16 elements."""
    for name, work in OPERATIONS.items():
        yield versus(f"small tensor: {name}", work(ours), work(theirs), LIMIT, repeat=3000)


def _operands(torch):
    return torch.ones(4, 4), torch.ones(4, 4)


def _add(torch):
    x, y = _operands(torch)
    return lambda: x + y


def _add_number(torch):
    x, _ = _operands(torch)
    return lambda: x + 2


def _multiply_in_place(torch):
    x, y = _operands(torch)
    return lambda: x.mul_(y)


def _compare(torch):
    x, y = _operands(torch)
    return lambda: x == y


def _sum(torch):
    x, _ = _operands(torch)
    return lambda: x.sum()


def _mean_of_rows(torch):
    x, _ = _operands(torch)
    return lambda: x.mean(1)


def _matmul(torch):
    x, y = _operands(torch)
    return lambda: x @ y


def _select(torch):
    x, _ = _operands(torch)
    return lambda: x[1]


def _view(torch):
    x, _ = _operands(torch)
    return lambda: x.view(2, 8)


def _stack(torch):
    x, y = _operands(torch)
    return lambda: torch.stack([x, y])


OPERATIONS = {
    "x + y": _add,
    "x + 2": _add_number,
    "x.mul_(y)": _multiply_in_place,
    "x == y": _compare,
    "x.sum()": _sum,
    "x.mean(1)": _mean_of_rows,
    "x @ y": _matmul,
    "x[1]": _select,
    "x.view(2, 8)": _view,
    "torch.stack([x, y])": _stack,
}

"""What the page gpu_kernels.md shows: kernels run on the CPU when the book is built.

Where the machine has no C++ compiler (or no gdb, or no NVRTC), the same is taken from a record, book/data/kernels.json,
and each picture says so, with the date. The record is written by

    python book/kernel_runs.py

and a test compares it with fresh runs.
"""

import datetime
import html
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import numpy

BOOK = pathlib.Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(BOOK.parent))

from annotated_src.aten.native.cuda import fused_adam_impl, launch, reduce, soft_max  # noqa: E402
from annotated_src.walkthrough.cuda_on_cpu import nvrtc, run, stepping  # noqa: E402
from annotated_src.walkthrough.transcript import Step, Transcript  # noqa: E402

RECORD = BOOK / "data" / "kernels.json"
EXAMPLES = BOOK / "kernels" / "examples.cu"
ORDERS = (("ascending", 0), ("descending", 0), ("shuffled", 1), ("shuffled", 2))


# -- what is run; each gives data that JSON can hold


def owners():
    """Which thread each of 11 elements belongs to, in a grid of 2 blocks of 4 threads."""
    out = numpy.full(11, -1, numpy.int32)
    run.Launcher()(EXAMPLES, "who", (2,), (4,), (out, numpy.int64(out.size)))
    return out.tolist()


def lanes():
    """A sum of 64 numbers by two warps: what each lane held before each shuffle, and what the shared memory held."""
    numbers, out = numpy.arange(64, dtype=numpy.float32), numpy.zeros(1, numpy.float32)
    traced = run.Launcher(traced=True)
    reduce.sum_kernel_cuda(numbers.reshape(1, 64), out, None, traced)
    rows = traced.trace.rows
    shuffles = rows[rows["thread"] >= 0]
    held = {}
    for warp in (0, 1):
        # Five rounds of shuffles; the first warp has five more.
        of_warp = shuffles[shuffles["thread"] // 32 == warp]
        rounds = [of_warp[of_warp["step"] == step] for step in sorted(set(of_warp["step"]))]
        values = [one["gave"].tolist() for one in rounds]
        after = [(one["gave"] + one["got"]).tolist() for one in (rounds[4], rounds[-1])]
        held[f"warp {warp}"] = [*values[:5], after[0]]
        if warp == 0:
            held["across"] = [*values[5:], after[1]]
    memory = [snapshot["shared"].view(numpy.float32)[:2].tolist() for snapshot in traced.trace.memory if snapshot]
    return {"held": held, "shared": memory, "sum": out.tolist()[0]}


WAITS = """  // Warps do not run in step: without this the first warp reads what others have yet to write.
  __syncthreads();
"""


def orders():
    """The sum of 128 numbers with the barrier and without it, in each order."""
    with tempfile.TemporaryDirectory() as folder:
        without = pathlib.Path(folder)
        for path in launch.HERE.glob("*.cu*"):
            text = path.read_text(encoding="utf-8")
            (without / path.name).write_text(text.replace(WAITS, ""), encoding="utf-8")
        assert WAITS in (launch.HERE / "block_reduce.cuh").read_text(encoding="utf-8")
        return [[_called(*one), _sum(launch.HERE, *one), _sum(without, *one, without)] for one in ORDERS]


def _called(order, seed):
    return f"shuffled, seed {seed}" if order == "shuffled" else order


def _sum(folder, order, seed, libraries=None):
    numbers, out = numpy.arange(128, dtype=numpy.float32), numpy.zeros(1, numpy.float32)
    on_cpu = run.Launcher(order, seed, folder=libraries)
    on_cpu(folder / "ReduceSumProdKernel.cu", "sum_kernel", (1,), (128,), (numbers, out, numpy.int64(128)))
    return out.tolist()[0]


def softmax():
    """The softmax of two rows of 1500 numbers: how far the kernel is from the operator on the CPU, and the launch."""
    from annotated_src import torch

    rows = torch.arange(3000).reshape(2, 1500).sin() * 5
    output, noted = numpy.zeros((2, 1500), numpy.float32), []
    on_cpu = run.Launcher("shuffled", 1)

    def launched(path, name, grid, block, args, shared_mem=0):
        noted.append([path.name, name, list(grid), list(block), shared_mem])
        on_cpu(path, name, grid, block, args, shared_mem)

    soft_max.host_softmax(rows.numpy(), output, False, launched)
    difference = numpy.abs(output - torch.softmax(rows, 1).numpy()).max()
    return {"difference": float(difference), "launch": noted[0]}


def chunks():
    """A step of Adam on tensors of these sizes: [(block, tensor, chunk, elements)] of the one launch."""
    sizes = [10, 150_000, 300]
    params, grads = [[numpy.ones(size, numpy.float32) for size in sizes] for _ in range(2)]
    averages = [[numpy.zeros(size, numpy.float32) for size in sizes] for _ in range(2)]
    rows = []

    def launched(path, name, grid, block, args, shared_mem=0):
        tl = args[0]
        for number in range(grid[0]):
            tensor, chunk = int(tl["block_to_tensor"][0, number]), int(tl["block_to_chunk"][0, number])
            left = int(tl["numel_for_tensor"][0, tensor]) - chunk * 65536
            rows.append([number, tensor, chunk, min(left, 65536)])
        run.Launcher()(path, name, grid, block, args, shared_mem)

    steps = [numpy.ones((), numpy.float32) for _ in sizes]
    numbers = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "weight_decay": 0.0, "eps": 1e-8, "maximize": False}
    fused_adam_impl._fused_adam_cuda_impl_(params, grads, *averages, steps, launch=launched, **numbers)
    # A first step goes by lr against the gradient's sign.
    return {"rows": rows, "stepped": all(bool(numpy.allclose(param, 0.9)) for param in params)}


def faults():
    """What a launch says of a barrier that not all reach, and of an index out of range."""
    values = numpy.zeros(64, numpy.float32)
    launches = [("half_a_barrier", (values,)), ("neighbour", (values, values.copy()))]
    return [_message(name, args) for name, args in launches]


def _message(name, args):
    try:
        run.Launcher()(EXAMPLES, name, (1,), (64,), args)
    except run.NoCompiler:
        raise
    except run.KernelError as error:
        return str(error)
    raise AssertionError(f"{name} should have failed")


SCRIPT = """\
import numpy
from annotated_src.aten.native.cuda import reduce
from annotated_src.walkthrough.cuda_on_cpu.run import Launcher

numbers = numpy.arange(64, dtype=numpy.float32).reshape(1, 64)
out = numpy.zeros(1, numpy.float32)
reduce.sum_kernel_cuda(numbers, out, None, Launcher(debug=True))
print(out)
"""
COMMANDS = [
    "break WarpReduceSum if threadIdx.x == 32",
    "run",
    "print threadIdx",
    "next",
    "next",
    "print val",
    "finish",
    "next",
    "next",
    "next",
    "print *shared@2",
    "continue",
]


def gdb():
    """The session in gdb: [(command, answer)]."""
    run.compiler()
    return [[step.command, step.output] for step in stepping.session(SCRIPT, COMMANDS).steps]


def ptx():
    """The kernels as the compiler for the card makes them: [(file, target, kernels, shuffles, barriers)]."""
    rows = []
    for path in sorted(launch.HERE.glob("*.cu")):
        for arch in nvrtc.ARCHITECTURES:
            text = nvrtc.ptx(path, arch)
            kernels = [name for name in run.kernels_of(path) if f".entry {name}(" in text]
            rows.append([path.name, arch, ", ".join(kernels), text.count("shfl.sync"), text.count("bar.sync")])
    return rows


# -- live or recorded

RUNS = {one.__name__: one for one in (owners, lanes, orders, softmax, chunks, faults, gdb, ptx)}


class Shown:
    """The data of a run, and `note`, which says where it comes from if it is not from this build."""

    def __init__(self, name):
        try:
            self.data = json.loads(json.dumps(RUNS[name]()))
            self.note = ""
        except (run.NoCompiler, stepping.NoDebugger, nvrtc.NoCudaCompiler) as missing:
            record = json.loads(RECORD.read_text(encoding="utf-8"))
            self.data = record["runs"][name]
            lacking = str(missing).partition(":")[0].partition(",")[0]
            self.note = f"Recorded on {record['date']} ({record['made with']}); at this build, {lacking}."

    def note_html(self):
        return f'<p class="recorded">{html.escape(self.note)}</p>' if self.note else ""


def main():
    runs = {name: one() for name, one in RUNS.items()}
    made_with = [_first_line([run.compiler(), "--version"]), _first_line(["gdb", "--version"]), nvrtc.compiler_name()]
    record = {
        "date": datetime.date.today().isoformat(),
        "made with": ", ".join([*made_with, f"{platform.system()} {platform.machine()}"]),
        "runs": runs,
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _first_line(command):
    if shutil.which(command[0]) is None:
        raise SystemExit(f"the record needs {command[0]}")
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


# -- pictures


class Picture:
    """HTML of a run with its note, and the same as text."""

    def __init__(self, shown, markup, text):
        self.markup = markup + shown.note_html()
        self.text = "\n".join(filter(None, [text, shown.note]))

    def _repr_html_(self):
        return self.markup

    def __repr__(self):
        return self.text


def _grid(corner, head, rows, label, kind=""):
    """A table of small cells; rows are (name, [(text, class)])."""
    columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = ""
    for name, cells in rows:
        tds = "".join(f'<td class="{kind}">{html.escape(text)}</td>' for text, kind in cells)
        body += f'<tr><th scope="row">{html.escape(name)}</th>{tds}</tr>'
    return (
        f'<div class="table-wrapper lanes {kind}" tabindex="0" role="group" aria-label="{html.escape(label)}">'
        f'<table><thead><tr><th scope="col">{html.escape(corner)}</th>{columns}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def owners_picture(shown, block=4):
    """The elements in a row, each with its thread; the blocks in two tints."""
    cells = [(str(thread), f"block{thread // block}") for thread in shown.data]
    markup = _grid("element", range(len(cells)), [("thread", cells)], "Which thread writes which element", "large")
    return Picture(shown, markup, f"element: thread  {dict(enumerate(shown.data))}")


# How far each shuffle reaches, and the line of the picture that follows it.
OFFSETS = (16, 8, 4, 2, 1)


def lanes_picture(shown, which):
    """A warp's lanes, before the first shuffle and after each; what still counts is marked."""
    held = shown.data["held"][which]
    first = 32 if which == "warp 1" else 0
    names = ["at first", *[f"+ {offset} further" for offset in OFFSETS]]
    counts = [32, *OFFSETS]
    # The first warp is shown whole, the others where it matters.
    rows = [
        (name, [_cell(value, lane < count, which == "warp 0") for lane, value in enumerate(values)])
        for name, count, values in zip(names, counts, held, strict=True)
    ]
    label = f"{which}: what each lane holds"
    lines = [" ".join(f"{value:g}" for value in values) for values in held]
    text = "\n".join(f"{name:12}{line}" for name, line in zip(names, lines, strict=True))
    return Picture(shown, _grid("thread", range(first, first + 32), rows, label), text)


def _cell(value, counts, whole):
    if counts:
        return f"{value:g}", "counts"
    return f"{value:g}" if whole else "·", "spent"


def table(shown, head, rows):
    """A table of text under its note."""
    from lesson import Table

    made = Table(head, rows)
    return Picture(shown, made._repr_html_(), repr(made))


def transcript(shown):
    """The session as it stands on a screen."""
    made = Transcript([Step(command, output) for command, output in shown.data], stepping.PROMPT)
    return Picture(shown, made._repr_html_(), made.text)


if __name__ == "__main__":
    main()

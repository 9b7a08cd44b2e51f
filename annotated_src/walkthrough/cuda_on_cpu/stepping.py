"""A session in gdb inside a CUDA kernel, without a card: typed by a program, shown as it went.

    session(script, ["break sum_kernel if threadIdx.x == 33", "run", "next", "print value"])

`script` is Python that launches a kernel with `Launcher(debug=True)`. gdb runs it, and the kernel is C++ with its
symbols: breakpoints by the kernel's name, conditions on `threadIdx`, `next`, `step`, `print`. `next` stays with its
thread: what the others do meanwhile is done when it comes back.

In a terminal the same is:

    gdb -q --args python SCRIPT.py
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from annotated_src.walkthrough.cuda_on_cpu.run import KernelError
from annotated_src.walkthrough.scenario import CHECKOUT
from annotated_src.walkthrough.transcript import Step, Transcript

PROMPT = "(gdb) "

_SETTINGS = (
    "set pagination off",
    "set confirm off",
    "set breakpoint pending on",
    "set print thread-events off",
    "set print inferior-events off",
    "set width 100",
    # Python itself keeps its signals.
    "handle SIGSEGV nostop noprint pass",
)
# What gdb says of itself and of the process.
_NOISE = re.compile(
    r"\[Thread debugging|Using host libthread_db|warning:|To enable execution|To completely disable|\tadd-auto-load"
    r'|\tset auto-load|line to your configuration|For more information about this|"Auto-loading safe path"|\tinfo "'
    r"|Function \"\w+\" not defined|\[New Thread|\[Detaching"
)
_CHANGING = ((re.compile(r"0x[0-9a-f]{6,}"), "0x…"), (re.compile(r"\(process \d+\)"), "(process …)"))


class NoDebugger(KernelError):
    """There is no gdb on this machine, or it may not look into a process."""


def session(script, commands, timeout=120):
    """Run the script in gdb, type the commands, and return the session as a Transcript."""
    gdb = shutil.which("gdb")
    if gdb is None:
        raise NoDebugger("no gdb was found: install it to step through a kernel (Debian, Ubuntu: apt-get install gdb)")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "script.py"
        path.write_text(script, encoding="utf-8")
        arguments = [gdb, "-nx", "-q", "-batch"]
        for setting in _SETTINGS:
            arguments += ["-ex", setting]
        for number, command in enumerate(commands):
            arguments += ["-ex", f"echo \\n{_mark(number)}\\n", "-ex", command]
        arguments += ["--args", sys.executable, str(path)]
        # One stream, so that what is printed stays in order.
        done = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_environment(),
            text=True,
            timeout=timeout,
        )
    if "ptrace: Operation not permitted" in done.stdout or "Could not trace the inferior" in done.stdout:
        raise NoDebugger("no process may be traced here, which gdb needs (in a container: --cap-add=SYS_PTRACE)")
    return _transcript(done.stdout, commands)


def _environment():
    """One thread, the package of this checkout, and no colours."""
    search = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": search, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TERM": "dumb"}


def _mark(number):
    return f"<<command {number}>>"


def _transcript(output, commands):
    steps = []
    for number, command in enumerate(commands):
        _, found, rest = output.partition(_mark(number) + "\n")
        if not found:
            raise KernelError(f"gdb ended before {command!r}:\n{output[-2000:]}")
        answer = rest.partition(_mark(number + 1))[0]
        steps.append(Step(command, _clean(answer)))
    return Transcript(steps, PROMPT)


def _clean(text):
    """Without what differs between machines, and without empty lines."""
    text = text.replace(f"{CHECKOUT}{os.sep}", "")
    for pattern, stands in _CHANGING:
        text = pattern.sub(stands, text)
    lines = [line for line in text.splitlines() if line.strip() and not _NOISE.match(line)]
    return "".join(f"{line}\n" for line in lines)

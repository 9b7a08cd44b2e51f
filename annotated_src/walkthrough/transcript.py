"""Transcripts: a debugger session, replayed, with its exact text.

    transcript("single_process_epoch", at="DataLoader.__iter__", commands=["n", "p self.num_workers", "s"])

runs the scenario under the debugger of debugger.py, types the commands at its prompt, and returns what stood on the
screen: prompts, commands, output. A page that shows a session shows this object, so the session is as true
as the page's last build.

What differs from machine to machine is left out of the text: folders above the sources, addresses. When the
commands are used up the session ends quietly; a command left over, because the program ended first, is an error, as is
a function that was never reached.
"""

import bdb
import contextlib
import html
import io
import pathlib
import re

from annotated_src.walkthrough import scenario as scenarios
from annotated_src.walkthrough.debugger import Debugger

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class TranscriptError(Exception):
    """A session that did not go as its page says."""


class Step:
    """One exchange: the command that was typed (None before the first prompt) and what came back."""

    __slots__ = ("command", "output")

    def __init__(self, command, output):
        self.command = command
        self.output = output

    def __repr__(self):
        return f"Step({self.command!r}, {self.output!r})"


class Transcript:
    """A finished session: `steps`, and its `text` as it stood on the screen."""

    def __init__(self, steps, prompt="(Pdb) "):
        self.steps = steps
        self.prompt = prompt

    @property
    def text(self):
        parts = []
        for step in self.steps:
            if step.command is not None:
                parts.append(self.prompt + step.command + "\n")
            parts.append(step.output)
        return "".join(parts)

    def output_of(self, command, occurrence=1):
        """What the command of this text answered, so that a page can check what it says about it."""
        found = [step.output for step in self.steps if step.command == command]
        if len(found) < occurrence:
            raise TranscriptError(f"{command!r} was typed {len(found)} times in this session, not {occurrence}")
        return found[occurrence - 1]

    def __str__(self):
        return self.text

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        # The classes are Pygments' for a console: prompt (gp), input (kn), output (go).
        parts = []
        for step in self.steps:
            if step.command is not None:
                prompt, command = html.escape(self.prompt), html.escape(step.command)
                parts.append(f'<span class="gp">{prompt}</span><kbd class="kn">{command}</kbd>\n')
            if step.output:
                parts.append(f'<span class="go">{html.escape(step.output)}</span>')
        body = "".join(parts)
        attributes = 'tabindex="0" role="group" aria-label="debugger session"'
        return f'<div class="highlight transcript"><pre {attributes}>{body}</pre></div>'


def transcript(scenario, at=None, commands=(), into="ops", roots=None, levels=None, arguments=(), upstream=False):
    """Replay a debugger session and return it as a Transcript.

    `scenario` is a scenario's name or path, or a function that is called with `arguments`. `at` names the
    function to stop at; without it the session starts at the scenario's first line.
    """
    function, arguments, roots, levels = _resolve(scenario, arguments, roots, levels, upstream)
    screen = io.StringIO()
    typist = Typist(commands, screen)
    with _own_breakpoints(), contextlib.redirect_stdout(screen):
        debugger = Debugger(
            roots, at=at, into=into, levels=levels, stdin=typist, stdout=screen, readrc=False, nosigint=True
        )
        try:
            debugger.runcall(function, *arguments)
        except Exception as error:
            # The end of the program is part of the session, as it is on a screen.
            screen.write(f"{type(error).__name__}: {error}\n")
    steps = _steps(screen.getvalue(), typist.typed, debugger.prompt, debugger.places)
    session = Transcript(steps, debugger.prompt)
    if at is not None and not debugger.arrived:
        raise TranscriptError(f"{at} was never called. The program's output:\n{screen.getvalue()}")
    if typist.commands:
        unread = ", ".join(typist.commands)
        raise TranscriptError(f"the program ended before it read: {unread}. The session so far:\n{session}")
    return session


def _resolve(scenario, arguments, roots, levels, upstream):
    if callable(scenario):
        own_file = scenario.__code__.co_filename
        return scenario, arguments, [*(roots or scenarios.layers()), own_file], levels
    loaded = scenarios.load(scenario)
    return loaded.main, loaded.arguments(upstream), roots or loaded.roots(upstream), levels or loaded.levels


class Typist:
    """The keyboard of a session: gives the debugger a command whenever it asks, and shows it on the screen.

    An end of the commands is a `quit` that nobody sees.
    """

    def __init__(self, commands, screen):
        self.commands = [command.strip() for command in commands]
        self.screen = screen
        # (where on the screen a command was typed, the command)
        self.typed = []

    def readline(self):
        place = self.screen.tell() if self.screen.seekable() else None
        if not self.commands:
            self.typed.append((place, None))
            self.screen.write("\n")
            return "quit\n"
        command = self.commands.pop(0)
        self.screen.write(command + "\n")
        self.typed.append((place, command))
        return command + "\n"


def _steps(written, typed, prompt, places):
    """Cut what stands on a screen into one Step a command; neither prompts nor commands are part of an output."""
    steps = []
    command, start = None, 0
    for end, next_command in typed:
        steps.append(Step(command, _clean(written[start:end].removesuffix(prompt), places)))
        command, start = next_command, end + len(f"{next_command}\n")
    if command is not None:
        steps.append(Step(command, _clean(written[start:], places)))
    return steps


def _clean(text, places):
    return _ADDRESS.sub("", places.shorten(text))


@contextlib.contextmanager
def _own_breakpoints():
    """bdb keeps breakpoints for all debuggers of a process; a session starts with none, from number 1."""
    kept = bdb.Breakpoint.next, bdb.Breakpoint.bplist, bdb.Breakpoint.bpbynumber
    bdb.Breakpoint.clearBreakpoints()
    try:
        yield
    finally:
        bdb.Breakpoint.next, bdb.Breakpoint.bplist, bdb.Breakpoint.bpbynumber = kept


def read_commands(path):
    """The commands of a file: one a line, empty lines and lines that begin with # left out."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]

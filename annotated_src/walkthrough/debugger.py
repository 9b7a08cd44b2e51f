"""A debugger that stops at a function by upstream's own name, and steps only through what is worth reading.

`Debugger` is pdb.Pdb with three changes:

    where it starts     it runs on until a function of the given name is called, and stops at its first line;
                        `c` then runs on to the next call of it
    where it steps      a frame is *shown*, *skipped* (the debugger does not stop in it, but does in what it calls),
                        *folded* (one step: it stops neither there nor below) or *outside* the roots (as skipped)
    how a place reads   torch/utils/data/dataloader.py(123)DataLoader.__iter__(), on every machine alike

Which frames are folded and skipped is the stepping level: "ops" folds an operator into one step, "kernels" skips only
the plumbing between an operator's name and its kernel, "all" shows every frame of the roots. `into LEVEL`, typed
at the prompt, changes it. Breakpoints set by hand work everywhere, inside a fold as well.

Invariant: while the program runs under the debugger the trace function stays installed, so that a later call of the
function is found; bdb takes it off at `continue` when there is no breakpoint.
"""

import ast
import difflib
import linecache
import os
import pathlib
import pdb
import sys

from annotated_src.walkthrough.recorder import Levels
from annotated_src.walkthrough.summary import summary

# What a frame is to the debugger.
SHOWN = "shown"
SKIPPED = "skipped"
FOLDED = "folded"
OUTSIDE = "outside"

# On Python 3.11 a comprehension is a frame of its own, from 3.12 on it is part of its function.
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")

# In a notebook, pdb.Pdb is IPython's own class, which prints a place in another form; the standard one is its base.
StandardPdb = next(base for base in pdb.Pdb.__mro__ if base.__module__ == "pdb")


class FunctionNotFound(LookupError):
    """No function under the roots has the name that was asked for."""


class Function:
    """Where a function stands: `path` as shown, `qualname`, the file's full name, the line of its first statement."""

    __slots__ = ("path", "qualname", "filename", "line")

    def __init__(self, path, qualname, filename, line):
        self.path = path
        self.qualname = qualname
        self.filename = filename
        self.line = line

    def __repr__(self):
        return f"{self.path}::{self.qualname}"


class Places:
    """Names files as a reader knows them: relative to the parent of the root folder that holds them."""

    def __init__(self, roots):
        self.roots = [pathlib.Path(os.path.realpath(root)) for root in roots]
        self._known = {}

    def name(self, filename):
        """The shown name of a file, or None where it is under no root."""
        if filename not in self._known:
            self._known[filename] = self._name(filename)
        return self._known[filename]

    def _name(self, filename):
        if filename.startswith("<"):
            return None
        path = pathlib.Path(os.path.realpath(filename))
        for root in self.roots:
            # A root is a folder, or one file (a notebook's cell, a test).
            if path == root or path.is_relative_to(root):
                return path.relative_to(root.parent).as_posix()
        return None

    def shorten(self, text):
        """Cut the folders above the roots out of a message."""
        for root in self.roots:
            text = text.replace(str(root.parent) + os.sep, "")
        return text

    def files(self):
        """Every Python file under the roots, sorted."""
        for root in self.roots:
            if root.is_file():
                yield root
            else:
                yield from sorted(root.rglob("*.py"))


def find_functions(name, places):
    """All functions under the roots of that name: `_next_index`, `DataLoader.__iter__`, or `path::qualname`.

    Raises FunctionNotFound, with what comes close, where there is none.
    """
    wanted_path, _, qualname = name.rpartition("::")
    last = qualname.rpartition(".")[2]
    found = []
    for file in places.files():
        source = file.read_text(encoding="utf-8")
        # Parsing takes time: only what can hold it is parsed.
        if f"def {last}" not in source:
            continue
        shown = places.name(str(file))
        if wanted_path and not ("/" + shown).endswith("/" + wanted_path):
            continue
        for line, candidate in sorted(_functions_of(source)):
            if ("." + candidate).endswith("." + qualname):
                found.append(Function(shown, candidate, str(file), line))
    if not found:
        raise FunctionNotFound(not_found(name, places.files()))
    return found


def not_found(name, files):
    """The message for a name that no function has, with what comes close in these files."""
    seen = set()
    for file in files:
        seen.update(_names_in(pathlib.Path(file).read_text(encoding="utf-8")))
    last = name.rpartition("::")[2].rpartition(".")[2]
    close = difflib.get_close_matches(last, sorted(seen), n=3)
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return (
        f"no function {name!r} under the roots.{hint} "
        "Write a name as upstream does: _next_index, DataLoader.__iter__, path::name."
    )


def _names_in(source):
    for line in source.splitlines():
        head, _, rest = line.strip().partition("def ")
        if head in ("", "async ") and rest:
            yield rest.partition("(")[0]


def _functions_of(source):
    """(line of the first statement, qualified name) of every function in a file."""
    pending = [("", ast.parse(source))]
    while pending:
        prefix, parent = pending.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield _first_statement(node), prefix + node.name
                pending.append((prefix + node.name + ".<locals>.", node))
            elif isinstance(node, ast.ClassDef):
                pending.append((prefix + node.name + ".", node))
            else:
                pending.append((prefix, node))


def _first_statement(function):
    body = function.body
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    if has_docstring and len(body) > 1:
        return body[1].lineno
    return body[0].lineno


class Debugger(StandardPdb):
    """pdb that stops at functions by name and steps by level.

    `levels` is what the recorder takes (recorder.py: Levels, Fold, Skip).
    """

    def __init__(self, roots, at=None, into="ops", levels=None, **options):
        super().__init__(**options)
        self.prompt = "(Pdb) "
        self.places = Places(roots)
        self.levels = levels or Levels()
        self.targets = set()
        self.arrived = False
        self._arriving = None
        self._fold = None
        self._comprehension = {}
        self._comprehension_lines = {}
        self._choose_level(into)
        if at is not None:
            self.stop_at(at)
        # Until the function is reached the program runs freely.
        self._waiting = at is not None

    # -- what the user asks for ------------------------------------------------------------------------------------

    def stop_at(self, name):
        """Stop whenever a function of this name is called; returns the functions that fit."""
        functions = find_functions(name, self.places)
        self.targets.update((function.path, function.qualname) for function in functions)
        self._kinds.clear()
        return functions

    def do_into(self, arg):
        """into [ops | kernels | all]

        Choose how deep `step` goes: an operator is one step, only
        the plumbing is skipped, or nothing is. Without argument:
        say which level it is.
        """
        if not arg:
            self.message(f"into {self.into}")
        elif arg in ("ops", "kernels", "all"):
            self._choose_level(arg)
        else:
            self.error(f"no level {arg!r}: choose ops, kernels or all")

    def do_break(self, arg, temporary=0):
        place, comma, condition = arg.partition(",")
        try:
            line = self._line_of(place.strip())
        except FunctionNotFound as error:
            self.error(str(error))
            return None
        return super().do_break((line or place) + comma + condition, temporary)

    do_break.__doc__ = StandardPdb.do_break.__doc__
    do_b = do_break

    def _line_of(self, place):
        """file:line of a function's first statement; None for what pdb understands by itself, such as a line."""
        if not place or place.isdigit() or (":" in place and "::" not in place):
            return None
        name = place
        code = self._code_of(place)
        if code is not None:
            shown = self.places.name(code.co_filename)
            if shown is None:
                return None
            name = f"{shown}::{code.co_qualname}"
        functions = find_functions(name, self.places)
        if len(functions) > 1:
            raise FunctionNotFound(f"{place!r} can be any of: {', '.join(map(repr, functions))}")
        return f"{functions[0].filename}:{functions[0].line}"

    def _code_of(self, expression):
        """The code of the function that an expression names in the current frame, if it names one."""
        try:
            found = eval(expression, self.curframe.f_globals, self.curframe_locals)
        except Exception:
            return None
        found = getattr(found, "__func__", found)
        return getattr(found, "__code__", None)

    # -- running ---------------------------------------------------------------------------------------------------

    def runcall(self, function, /, *args, **kwargs):
        """Call a function under the debugger; returns its result, or None where the user quit."""
        # bdb takes off whatever traces, at the end: a measurement of coverage, say.
        before = sys.gettrace()
        try:
            return super().runcall(function, *args, **kwargs)
        finally:
            sys.settrace(before)
            self._comprehension.clear()
            self._fold = None

    def set_continue(self):
        """Run on to the next call of the function, the next breakpoint, or the end."""
        self._set_stopinfo(self.botframe, None, -1)

    # -- which frames ----------------------------------------------------------------------------------------------

    def _choose_level(self, into):
        self.into = into
        self.folds, self.skips, _ = self.levels.rules(into)
        self._kinds = {}

    def _kind(self, code):
        """What a frame of this code is, whether it is a function to stop at, and the code, which keeps its id taken."""
        # By id: Python takes two code objects of different files for equal when they read the same.
        known = self._kinds.get(id(code))
        if known is None:
            kind, is_target = self._classify(code)
            known = self._kinds[id(code)] = (kind, is_target, code)
        return known

    def _classify(self, code):
        path = self.places.name(code.co_filename)
        if path is None:
            return OUTSIDE, False
        if (path, code.co_qualname) in self.targets:
            return SHOWN, True
        if code.co_name in COMPREHENSIONS or _matches(self.skips, path, code.co_qualname):
            return SKIPPED, False
        # Importing a file is one step, too.
        if code.co_name == "<module>" or _matches(self.folds, path, code.co_qualname):
            return FOLDED, False
        return SHOWN, False

    def dispatch_call(self, frame, arg):
        kind, is_target, _ = self._kind(frame.f_code)
        if is_target and not _is_resumed(frame):
            self._arriving = frame
        if self.botframe is None:
            # The first frame: bdb notes where the stack begins.
            return super().dispatch_call(frame, arg)
        if frame is self._arriving:
            return self.trace_dispatch
        if self._fold is not None:
            return super().dispatch_call(frame, arg) if self.break_anywhere(frame) else None
        if kind is FOLDED and not self.break_anywhere(frame):
            self._fold = frame
            frame.f_trace_lines = False
            return self._trace_fold
        return super().dispatch_call(frame, arg)

    def _trace_fold(self, frame, event, arg):
        # A frame that is left by an exception has a return event, too.
        if event == "return" and frame is self._fold:
            self._fold = None
        return self._trace_fold

    def stop_here(self, frame):
        if self._waiting or self._fold is not None:
            return False
        kind = self._kind(frame.f_code)[0]
        if kind is SKIPPED or kind is OUTSIDE:
            return False
        return super().stop_here(frame)

    def break_here(self, frame):
        if frame is self._arriving:
            self._arriving = None
            return True
        return super().break_here(frame)

    def dispatch_line(self, frame):
        if self._repeats_comprehension(frame) and not self.break_anywhere(frame):
            return self.trace_dispatch
        return super().dispatch_line(frame)

    def _repeats_comprehension(self, frame):
        """From Python 3.12 on each turn of a comprehension is a line event of its function: one is enough."""
        before = self._comprehension.get(frame)
        now = self._lines_of_comprehensions(frame.f_code.co_filename).get(frame.f_lineno)
        if now != before:
            self._comprehension[frame] = now
        return now is not None and now == before

    def _lines_of_comprehensions(self, filename):
        """{line: first line of the comprehension it belongs to} of a file."""
        if filename not in self._comprehension_lines:
            self._comprehension_lines[filename] = _comprehension_lines(filename)
        return self._comprehension_lines[filename]

    def dispatch_return(self, frame, arg):
        self._comprehension.pop(frame, None)
        return super().dispatch_return(frame, arg)

    # -- stopping --------------------------------------------------------------------------------------------------

    def interaction(self, frame, *traceback):
        if self._waiting and len(self.targets) > 1:
            self._say_which(frame)
        self._waiting = False
        self._arriving = None
        self.arrived = True
        self._open(frame)
        self._trace_callers(frame)
        super().interaction(frame, *traceback)

    def _say_which(self, frame):
        if frame is None or not self._kind(frame.f_code)[1]:
            return
        self.message(
            f"Stopped at {frame.f_code.co_qualname}, the first to be called of {len(self.targets)} functions of that "
            "name; c goes on to the next call of any of them. For one alone, write more of its name."
        )

    def _open(self, frame):
        """A breakpoint has stopped inside a fold, or in a skipped function: from now on it is shown."""
        self._fold = None
        if frame is not None:
            _, is_target, code = self._kind(frame.f_code)
            self._kinds[id(code)] = (SHOWN, is_target, code)

    def _trace_callers(self, frame):
        """Trace every caller, so that stepping out passes skipped frames and stops in the next shown one."""
        while frame is not None and frame is not self.botframe:
            if frame.f_trace is None:
                frame.f_trace = self.trace_dispatch
                # In the middle of a comprehension: its next turns are repetitions.
                self._repeats_comprehension(frame)
            frame = frame.f_back

    def get_stack(self, frame, traceback):
        """bdb's stack without the frames that are not shown; the current frame always is."""
        stack, index = super().get_stack(frame, traceback)
        current = stack[index][0]
        shown = [entry for entry in stack if entry[0] is current or self._kind(entry[0].f_code)[0] is SHOWN]
        for position, entry in enumerate(shown):
            if entry[0] is current:
                index = position
        return shown, index

    # -- how it reads ----------------------------------------------------------------------------------------------

    def format_stack_entry(self, frame_lineno, lprefix=": "):
        frame, line = frame_lineno
        filename = self.canonic(frame.f_code.co_filename)
        shown = self.places.name(filename) or os.path.basename(filename)
        text = f"{shown}({line}){frame.f_code.co_qualname}()"
        if "__return__" in frame.f_locals:
            text += "->" + summary(frame.f_locals["__return__"])
        source = linecache.getline(filename, line, frame.f_globals)
        if source:
            text += lprefix + source.strip()
        return text

    def message(self, msg, *args, **kwargs):
        super().message(self.places.shorten(str(msg)), *args, **kwargs)

    def error(self, msg):
        super().error(self.places.shorten(str(msg)))


def _matches(rules, path, qualname):
    return any(rule.matches(path, qualname) for rule in rules)


def _is_resumed(frame):
    """Whether a call event is a generator going on after a yield, not a new call."""
    generator = frame.f_code.co_flags & 0x20
    return bool(generator) and frame.f_lineno != frame.f_code.co_firstlineno


def _comprehension_lines(filename):
    lines = {}
    source = "".join(linecache.getlines(filename))
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return lines
    for node in ast.walk(tree):
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            for line in range(node.lineno, node.end_lineno + 1):
                lines.setdefault(line, node.lineno)
    return lines

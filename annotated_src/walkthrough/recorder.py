"""recorder: run a function and write down what happens in the files one cares about.

    record(fn, *args, roots=[...]) -> Trace

    Fold(path, qualname, label)    a call of that function becomes one "op" event; its inside is not recorded
    Skip(path, qualname)           these frames vanish; what they call stays, and hangs from the nearest frame left
    Levels(ops, kernels, all)      which of these rules hold at which stepping level (into="ops", ...)

How it works: Python tells a callback about each call, line, return, ... Two mechanisms do that, and each has its
module: `_monitoring` (sys.monitoring, Python 3.12 and later) and `_settrace` (sys.settrace, 3.11). Both
translate what Python says into the same few calls of a Recorder:

    look      what is this code to us? Asked once for every function, then remembered
    enter     a frame begins, or a generator goes on
    step      a line is about to run
    raised    an exception passes through a frame
    leave     a frame returns, yields, or is left by an exception

Invariant: a lane's stack holds the recorded frames that are active in its thread, innermost last. Frames outside the
roots, and skipped ones, are never on it; so "the caller" is simply the top of the stack.

Left out: worker processes. They will be lanes of the same Trace.
"""

import gc
import itertools
import opcode
import os
import sys
import threading
from fnmatch import fnmatchcase

from annotated_src.walkthrough._memory import restore, write_new_memory
from annotated_src.walkthrough.summary import exception_summary, show_relative_to, summary
from annotated_src.walkthrough.trace import Event, Trace

# What a code object is to a recording.
OUTSIDE, SKIPPED, RECORDED, FOLDED, HIDDEN, COMPREHENSION = (
    "outside", "skipped", "recorded", "folded", "hidden", "comprehension",
)  # fmt: skip

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>")
_LOOPS = {opcode.opmap[name] for name in ("FOR_ITER", "SEND", "END_SEND") if name in opcode.opmap}
_running = threading.Lock()


class Fold:
    """Calls of these functions become one event, named `label`.

    `path` and `qualname` are globs. `label` is a str, or a function of the frame's locals that returns one
    (an operator's name is often known only when it is called); with None the function's own name is shown.
    """

    def __init__(self, path, qualname, label=None):
        self.path = path
        self.qualname = qualname
        self.label = label

    def matches(self, path, qualname):
        return fnmatchcase(path, self.path) and fnmatchcase(qualname, self.qualname)

    def name_of(self, local_values):
        if callable(self.label):
            return self.label(local_values)
        return self.label


class Skip:
    """Frames of these functions (globs) are not recorded; the calls that they make are."""

    def __init__(self, path, qualname="*"):
        self.path = path
        self.qualname = qualname

    def matches(self, path, qualname):
        return fnmatchcase(path, self.path) and fnmatchcase(qualname, self.qualname)


class Levels:
    """The rules (Folds and Skips) of each stepping level.

    ops       an operator is one step
    kernels   only the plumbing between an operator and its kernel is passed over
    all       nothing is passed over
    """

    def __init__(self, ops=(), kernels=(), all=()):
        self.ops = tuple(ops)
        self.kernels = tuple(kernels)
        self.all = tuple(all)

    def rules(self, into):
        """(folds, skips, labels) of level `into`; `labels` are Folds that name a call here but keep its inside."""
        if into not in ("ops", "kernels", "all"):
            raise ValueError(f"into must be 'ops', 'kernels' or 'all', got {into!r}")
        rules = getattr(self, into)
        folds = [rule for rule in rules if isinstance(rule, Fold)]
        skips = [rule for rule in rules if isinstance(rule, Skip)]
        labels = [rule for rule in self.ops if isinstance(rule, Fold) and rule not in folds]
        return folds, skips, labels


def record(
    function, *args, roots, lines=True, locals=True, into="ops", levels=None, folds=(), skips=(), only=None,
    depth=None, reraise=False, backend=None, **kwargs,
):  # fmt: skip
    """Call `function(*args, **kwargs)` and return the Trace of what happened in the files under `roots`.

    roots           folders, files or imported packages
    lines, locals   whether to record each line, and the locals
    into, levels    the stepping level and the rules of the levels
    folds, skips    rules that hold at any level
    only            a glob or several: of files ("torch/utils/data/*") or functions ("*.py::DataLoader.*")
    depth           record only this many frames deep
    reraise         let an exception of `function` out; otherwise it is kept as `trace.error`
    backend         "monitoring" or "settrace"; by default the best that this Python has

    So that two recordings are equal, the garbage collector rests meanwhile, and new memory is zeros (_memory.py).
    RuntimeError when a recording is running already.

    >>> from annotated_src.walkthrough import record
    >>> import textwrap
    >>> trace = record(textwrap.dedent, "  text", roots=[textwrap])
    >>> trace[0].kind, trace[0].qualname, trace[-1].value
    ('call', 'dedent', "'text'")
    """
    recorder = Recorder(roots, lines, locals, *_rules(into, levels, folds, skips), only, depth)
    mechanism = _mechanism(backend)
    if not _running.acquire(blocking=False):
        raise RuntimeError(
            "a recording is running already, and there can be only one at a time: "
            "call record() outside of the function that is being recorded"
        )
    # The collector runs whenever enough objects were made, and what it destroys may run code:
    # the same program would be recorded differently from one time to the next.
    collecting = gc.isenabled()
    gc.disable()
    replaced = write_new_memory()
    show_relative_to(recorder.folders)
    result = error = None

    def call():
        nonlocal result, error
        try:
            result = function(*args, **kwargs)
        except Exception as raised:
            error = raised

    try:
        mechanism.run(recorder, call)
    finally:
        restore(replaced)
        if collecting:
            gc.enable()
        _running.release()
    if recorder.fault is not None:
        raise RuntimeError("the recorder itself failed, and stopped recording") from recorder.fault
    if error is not None and reraise:
        raise error
    return Trace(merge(recorder.events), recorder.roots, result, error)


def merge(events):
    """The events of all lanes in one order: as they arrived, without those that were taken back."""
    # Worker processes, later: their events join here, ordered by cause (a get follows its put), ties by lane.
    return [event for event in events if event.kind is not None]


class Look:
    """What a code object is to this recording; see `Recorder.look`."""

    __slots__ = ("code", "action", "path", "fold", "lines", "switched_on")

    def __init__(self, code, action, path=None, fold=None, lines=False):
        self.code = code
        self.action = action
        self.path = path
        self.fold = fold
        self.lines = lines
        self.switched_on = False  # for _monitoring


class Activation:
    """A recorded frame that is on a lane's stack, or a generator's frame between two steps."""

    __slots__ = ("number", "look", "frame", "caller", "depth", "line", "known", "raised", "in_flight", "closing")

    def __init__(self, number, look, frame):
        self.number = number
        self.look = look
        self.frame = frame
        self.caller = None
        self.depth = 0
        self.line = look.code.co_firstlineno
        self.known = {}  # the text last shown for each local
        self.raised = None  # the text of the exception last seen in it since it was entered
        self.in_flight = False  # no line has run since
        self.closing = False  # a generator that is being closed, and has not done anything about it yet


class Lane:
    """What is going on in one thread."""

    __slots__ = ("name", "stack", "fold", "fold_event", "fold_error", "last")

    def __init__(self, name):
        self.name = name
        self.stack = []
        self.fold = None  # the Python frame of the call that is being folded: nothing is recorded until it ends
        self.fold_event = None
        self.fold_error = None  # the exception last seen in it, for _settrace
        self.last = None  # the lane's last event


class _OfThread(threading.local):
    lane = None


class Recorder:
    """Turns what a mechanism reports into Events."""

    def __init__(self, roots, lines, locals, folds, skips, labels, only, depth):
        self.roots = [_folder(root) for root in roots]
        self.folders = sorted({os.path.dirname(root) for root in self.roots})
        self.lines = lines
        self.locals = locals
        self.folds = folds
        self.skips = skips
        self.labels = labels
        self.only = [only] if isinstance(only, str) else only
        self.depth = depth
        self.events = []
        self.fault = None
        self._looks = {}
        self._suspended = {}  # id of a generator's frame -> its Activation
        self._numbers = itertools.count()
        self._of_thread = _OfThread()
        self._lane_names = {}
        self._main = threading.get_ident()

    # What is this code to us?

    def look(self, code):
        """The Look of `code`."""
        # By id, not by the code itself: two functions of different files are equal to Python when they read the
        # same. The Look holds on to the code, so that no other code can get its id.
        look = self._looks.get(id(code))
        if look is None:
            look = self._looks[id(code)] = self._look(code)
        return look

    def _look(self, code):
        path = self._path(code.co_filename)
        if path is None:
            return Look(code, OUTSIDE)
        name = code.co_name
        qualname = code.co_qualname
        if name == "<module>":
            # A file is imported once in a process: whoever records second would not see it.
            return Look(code, HIDDEN, path)
        if name in _COMPREHENSIONS:
            return Look(code, COMPREHENSION, path)
        fold = _first(self.folds, path, qualname)
        if fold is not None:
            return Look(code, FOLDED, path, fold)
        label = _first(self.labels, path, qualname)
        skip = _first(self.skips, path, qualname)
        # An operator's entry often is plumbing as well: then its call is kept, for its name, without its lines.
        if label is None and (skip is not None or not self._wanted(path, qualname)):
            return Look(code, SKIPPED, path)
        return Look(code, RECORDED, path, label, lines=self.lines and skip is None)

    def _path(self, filename):
        """`filename` relative to the parent of its root, or None if it is in no root."""
        if filename.startswith(_OWN_FOLDER):
            return None
        for root in self.roots:
            if filename == root or filename.startswith(root + os.sep):
                return os.path.relpath(filename, os.path.dirname(root)).replace(os.sep, "/")
        return None

    def _wanted(self, path, qualname):
        if self.only is None:
            return True
        for pattern in self.only:
            path_pattern, _, qualname_pattern = pattern.partition("::")
            if fnmatchcase(path, path_pattern) and fnmatchcase(qualname, qualname_pattern or "*"):
                return True
        return False

    def lane(self):
        """The Lane of the running thread."""
        lane = self._of_thread.lane
        if lane is None:
            lane = self._of_thread.lane = Lane(self._lane_name())
        return lane

    def _lane_name(self):
        if threading.get_ident() == self._main:
            return "main"
        # An unnamed thread is called "Thread-7 (target)", where 7 depends on what else ran in this process.
        name = threading.current_thread().name
        if name.startswith(("Thread-", "Dummy-")):
            name = name.partition("(")[2].rstrip(")") or "thread"
        count = self._lane_names[name] = self._lane_names.get(name, 0) + 1
        return name if count == 1 else f"{name} {count}"

    # What happens. `lane` is the running thread's, `frame` the Python frame it happens in.

    def enter(self, lane, look, frame, resumed=False, closing=False):
        """A frame begins, or (`resumed`) a generator goes on; `closing`: because it is being closed."""
        if look.action == FOLDED or look.action == HIDDEN:
            self._fold(lane, look, frame)
            return
        if self.depth is not None and len(lane.stack) >= self.depth:
            lane.fold = frame
            return
        activation = self._suspended.pop(id(frame), None) if resumed else None
        # A generator that was begun before the recording is met in the middle.
        if activation is None or activation.look is not look:
            activation = Activation(next(self._numbers), look, frame)
        self._flush_closing(lane)
        activation.frame = frame
        activation.caller = lane.stack[-1].number if lane.stack else None
        activation.depth = len(lane.stack)
        activation.raised = None
        activation.in_flight = False
        activation.closing = closing
        lane.stack.append(activation)
        if closing:
            return
        if resumed:
            activation.line = frame.f_lineno
        self._emit(lane, "resume" if resumed else "call", activation)
        if look.fold is not None:
            lane.last.label = look.fold.name_of(frame.f_locals)

    def step(self, lane, frame, line):
        """Line `line` is about to run."""
        if not self._is_on_top(lane, frame):
            return
        activation = lane.stack[-1]
        # Some versions say "line" once more for the yield at which a generator is closed.
        if activation.closing and line == activation.line:
            return
        self._flush_closing(lane)
        activation.line = line
        activation.in_flight = False
        if activation.look.lines:
            self._emit(lane, "line", activation)

    def raised(self, lane, frame, error, offset):
        """`error` was raised in `frame`, by the instruction at `offset`, or came to it from a call."""
        if not self._is_on_top(lane, frame):
            return
        # This is how a loop ends, and no exception to the one who reads the loop.
        if isinstance(error, StopIteration) and frame.f_code.co_code[offset] in _LOOPS:
            return
        activation = lane.stack[-1]
        text = exception_summary(error)
        activation.raised = text
        activation.in_flight = True
        if isinstance(error, GeneratorExit) and self._take_back_resume(lane, activation):
            return
        # It came from a recorded call: that it left that frame has been said.
        if lane.last is not None and lane.last.kind == "unwind" and lane.last.value == text:
            return
        activation.line = frame.f_lineno
        self._emit(lane, "exception", activation, text)

    def leave(self, lane, frame, kind, value):
        """`frame` ends: `kind` is "return" or "yield" with a value, or "unwind" with an exception."""
        if not self._is_on_top(lane, frame):
            return
        activation = lane.stack[-1]
        if activation.closing and kind == "unwind":
            lane.stack.pop()
            return
        self._flush_closing(lane)
        if kind == "unwind":
            text = activation.raised if value is None else exception_summary(value)
        else:
            text = summary(value)
            activation.line = frame.f_lineno
        self._emit(lane, kind, activation, text)
        lane.stack.pop()
        activation.frame = None
        if kind == "yield":
            self._suspended[id(frame)] = activation

    def leave_fold(self, lane, frame, kind, value):
        """The call that was being folded ended."""
        event = lane.fold_event
        lane.fold = None
        lane.fold_event = None
        if event is None:
            return
        if kind == "unwind":
            event.value = "an exception" if value is None else exception_summary(value)
        else:
            event.value = summary(value)

    # Helpers.

    def _fold(self, lane, look, frame):
        lane.fold = frame
        if look.action == HIDDEN:
            return
        self._flush_closing(lane)
        activation = Activation(next(self._numbers), look, frame)
        activation.caller = lane.stack[-1].number if lane.stack else None
        activation.depth = len(lane.stack)
        self._emit(lane, "op", activation)
        lane.last.label = look.fold.name_of(frame.f_locals) or look.code.co_qualname
        lane.fold_event = lane.last

    def _emit(self, lane, kind, activation, value=None):
        look = activation.look
        changed = self._changed(activation) if self.locals else {}
        event = Event(
            kind, lane.name, activation.depth, activation.number, activation.caller, look.path, activation.line,
            look.code.co_qualname, changed, value,
        )  # fmt: skip
        self.events.append(event)
        lane.last = event

    def _changed(self, activation):
        """The locals whose text differs from the one last shown."""
        known = activation.known
        local_values = activation.frame.f_locals
        changed = {}
        for name, value in local_values.items():
            if name[0] == "." or name[:2] == "__":
                continue  # Python's own: a comprehension's iterator, a class body's __qualname__
            text = summary(value)
            if known.get(name) != text:
                changed[name] = known[name] = text
        for name in [name for name in known if name not in local_values]:
            changed[name] = None
            del known[name]
        return changed

    @staticmethod
    def _is_on_top(lane, frame):
        # False for a frame that was running before the recording began.
        return bool(lane.stack) and lane.stack[-1].frame is frame

    # A generator that nobody wants any more is closed: GeneratorExit is thrown into it. Most do nothing about it,
    # and when it happens, or whether Python skips it, differs by version: such a closing is not recorded.
    # One that does something (a `finally` has lines to run) is.

    def _take_back_resume(self, lane, activation):
        if activation.closing:
            return True
        if lane.last is None or lane.last.kind != "resume" or lane.last.frame != activation.number:
            return False
        lane.last.kind = None
        lane.last = None
        activation.closing = True
        return True

    def _flush_closing(self, lane):
        if lane.stack and lane.stack[-1].closing:
            activation = lane.stack[-1]
            activation.closing = False
            self._emit(lane, "resume", activation, "GeneratorExit")


def _rules(into, levels, folds, skips):
    level_folds, level_skips, labels = (levels or Levels()).rules(into)
    return [*folds, *level_folds], [*skips, *level_skips], labels


def _mechanism(backend):
    if backend is None:
        backend = "monitoring" if sys.version_info >= (3, 12) else "settrace"
    if backend == "monitoring":
        from annotated_src.walkthrough._monitoring import Monitoring

        return Monitoring()
    if backend == "settrace":
        from annotated_src.walkthrough._settrace import SetTrace

        return SetTrace()
    raise ValueError(f"backend must be 'monitoring' or 'settrace', got {backend!r}")


def _folder(root):
    """The absolute path of a root: a folder, a file, or the folder (file) of an imported package (module)."""
    filename = getattr(root, "__file__", None)
    if filename is not None:
        root = os.path.dirname(filename) if hasattr(root, "__path__") else filename
    path = os.path.abspath(root)
    if not os.path.exists(path):
        raise ValueError(f"roots must be existing folders, files or imported packages, got {root!r}")
    return path


def _first(rules, path, qualname):
    for rule in rules:
        if rule.matches(path, qualname):
            return rule
    return None

"""_settrace: how Python 3.11 reports to a Recorder: sys.settrace.

A thread has one *global* trace function, told of each call; what it returns for a call becomes that frame's *local*
trace function, told of the frame's lines, exceptions and return. Returning None leaves the frame in peace, which
is how files outside the roots and the inside of folded calls stay cheap.

Python says less here than sys.monitoring does, so three things are worked out from the byte code that was
run last: whether a "call" is a generator going on, whether a "return" is a yield, or an exception leaving.
List, dict and set comprehensions are frames of their own on 3.11 and are not on 3.12: their lines are given to
the frame around them.

Threads that run before the recording starts are not heard.
"""

import opcode
import sys
import threading

from annotated_src.walkthrough.recorder import COMPREHENSION, OUTSIDE, SKIPPED
from annotated_src.walkthrough.summary import exception_summary

_RESUME = opcode.opmap["RESUME"]
_YIELD_VALUE = opcode.opmap["YIELD_VALUE"]
_RAISE_VARARGS = opcode.opmap["RAISE_VARARGS"]
# RETURN_CONST is in 3.12 and 3.13 only.
_RETURNS = {opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap}
_GENERATOR_FLAGS = 0x20 | 0x80 | 0x200  # generator, coroutine, asynchronous generator


class SetTrace:
    def __init__(self):
        self.recorder = None
        self.running = False
        self.line_starts = {}  # id of a code object -> offsets
        self.raised_again = False  # the last frame to end was left by a bare `raise`

    def run(self, recorder, call):
        """Call `call()`; the recorder hears of what happens in this thread and in those that it starts."""
        self.recorder = recorder
        previous = sys.gettrace()
        previous_of_threads = threading.gettrace()
        self.running = True
        threading.settrace(self._on_call)
        sys.settrace(self._on_call)
        try:
            call()
        finally:
            self.running = False
            # Back to whoever was here: a debugger, coverage, ... coverage takes over again at the next call of a
            # Python function, which is threading.settrace, and counts calls and returns: both times in this
            # function, not in two helpers, or it would hear one of them be called and never return.
            sys.settrace(previous)
            threading.settrace(previous_of_threads)

    def _fail(self, fault):
        """A fault here ends the recording, not the recorded program."""
        self.recorder.fault = fault
        self.running = False

    def _on_call(self, frame, event, arg):
        """The global trace function: a frame begins or goes on."""
        if not self.running:
            # A thread that outlives the recording.
            sys.settrace(None)
            return None
        try:
            return self._local_function(frame)
        except Exception as fault:
            self._fail(fault)
            return None

    def _local_function(self, frame):
        recorder = self.recorder
        lane = recorder.lane()
        if lane.fold is not None:
            return None
        code = frame.f_code
        look = recorder.look(code)
        if look.action == OUTSIDE or look.action == SKIPPED:
            return None
        if look.action == COMPREHENSION:
            return self._on_event_in_comprehension if recorder.lines else None
        recorder.enter(lane, look, frame, resumed=_is_resumed(frame))
        # A generator's lines are listened to in any case: _how_it_left needs them.
        frame.f_trace_lines = lane.fold is None and (look.lines or bool(code.co_flags & _GENERATOR_FLAGS))
        return self._on_event

    def _on_event(self, frame, event, arg):
        """The local trace function of recorded and of folded frames."""
        if not self.running:
            return None
        try:
            self._tell(frame, event, arg)
        except Exception as fault:
            self._fail(fault)
        return self._on_event

    def _tell(self, frame, event, arg):
        recorder = self.recorder
        lane = recorder.lane()
        if lane.fold is not None:
            self._tell_fold(lane, frame, event, arg)
        elif not lane.stack or lane.stack[-1].frame is not frame:
            return
        elif event == "line":
            if self._is_new_line(lane, frame):
                recorder.step(lane, frame, frame.f_lineno)
        elif event == "exception":
            self._correct_unwind(lane, arg[1])
            recorder.raised(lane, frame, arg[1], frame.f_lasti)
        else:
            kind = _how_it_left(frame, arg, lane.stack[-1])
            recorder.leave(lane, frame, kind, None if kind == "unwind" else arg)
            self.raised_again = kind == "unwind" and _raises_again(frame)

    def _is_new_line(self, lane, frame):
        # A loop within one line is told at every turn here, and sys.monitoring tells a line when it begins.
        if lane.stack[-1].line != frame.f_lineno:
            return True
        code = frame.f_code
        starts = self.line_starts.get(id(code))
        if starts is None:
            starts = self.line_starts[id(code)] = _line_starts(code)
        return frame.f_lasti in starts

    def _correct_unwind(self, lane, error):
        """Say which exception left the frame before, if that could not be told there.

        A bare `raise` is not reported, so what was last reported in its frame may be another exception.
        """
        if self.raised_again and lane.last is not None and lane.last.kind == "unwind":
            lane.last.value = exception_summary(error)
        self.raised_again = False

    def _tell_fold(self, lane, frame, event, arg):
        # A generator that was recorded before may go on inside a fold: then this is not the folded frame.
        if frame is not lane.fold:
            return
        if event == "exception":
            lane.fold_error = arg[1]
        elif event == "return":
            error = lane.fold_error
            lane.fold_error = None
            kind = "return" if error is None or arg is not None else "unwind"
            self.recorder.leave_fold(lane, frame, kind, error if kind == "unwind" else arg)

    def _on_event_in_comprehension(self, frame, event, arg):
        """A line of a comprehension is a line of the frame around it, unless that stands there already."""
        if not self.running:
            return None
        lane = self.recorder.lane()
        if event == "line" and lane.fold is None and lane.stack:
            around = lane.stack[-1]
            if around.frame is frame.f_back and around.line != frame.f_lineno:
                self.recorder.step(lane, around.frame, frame.f_lineno)
        return self._on_event_in_comprehension


def _is_resumed(frame):
    """Whether a generator goes on; else it begins."""
    code = frame.f_code
    if not code.co_flags & _GENERATOR_FLAGS:
        return False
    instruction, argument = code.co_code[frame.f_lasti : frame.f_lasti + 2]
    # RESUME's argument: 0 at a function's start, more behind a yield. Where an exception is thrown in, no RESUME ran.
    return instruction != _RESUME or argument & 3 != 0


def _how_it_left(frame, value, activation):
    """"return", "yield" or "unwind", told by the instruction that ran last."""
    instruction = frame.f_code.co_code[frame.f_lasti]
    if instruction in _RETURNS:
        return "return"
    if instruction != _YIELD_VALUE:
        return "unwind"
    if value is not None or activation.raised is None:
        return "yield"
    # It stands at a yield, and has seen an exception since it went on. Either the exception was thrown in at this
    # yield, and leaves it now; or it was caught, and the generator came to a yield by way of that yield's line.
    if activation.in_flight:
        return "unwind"
    return "yield" if activation.line == frame.f_lineno else "unwind"


def _raises_again(frame):
    """Whether a frame is left by a bare `raise`, which is not reported as an exception."""
    instruction, argument = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
    return instruction == _RAISE_VARARGS and argument == 0


def _line_starts(code):
    """The offsets at which a line begins."""
    # RESUME belongs to the `def`; the body's first line begins behind it, be it the same line.
    instructions = code.co_code[::2]
    first = 2 * instructions.index(_RESUME) + 2 if _RESUME in instructions else 0
    starts = {first}
    line_before = None
    for offset, _, line in code.co_lines():
        if line is not None and line != line_before and offset > first:
            starts.add(offset)
        line_before = line
    return starts

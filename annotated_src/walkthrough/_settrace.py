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

_RESUME = opcode.opmap["RESUME"]
_YIELD_VALUE = opcode.opmap["YIELD_VALUE"]
# RETURN_CONST is in 3.12 and 3.13 only.
_RETURNS = {opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap}
_GENERATOR_FLAGS = 0x20 | 0x80 | 0x200  # generator, coroutine, asynchronous generator


class SetTrace:
    def __init__(self):
        self.recorder = None
        self.running = False

    def install(self, recorder):
        """From here on the recorder hears of what happens in this thread and in those that it starts."""
        self.recorder = recorder
        self.previous = sys.gettrace()
        self.previous_of_threads = threading.gettrace()
        self.running = True
        threading.settrace(self._on_call)
        sys.settrace(self._on_call)

    def uninstall(self):
        """Give the place back to whoever had it: a debugger, coverage, ..."""
        self.running = False
        sys.settrace(self.previous)
        threading.settrace(self.previous_of_threads)

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
        frame.f_trace_lines = look.lines and lane.fold is None
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
        elif event == "line":
            recorder.step(lane, frame, frame.f_lineno)
        elif event == "exception":
            recorder.raised(lane, frame, arg[1])
        else:
            raised = lane.stack[-1].raised if lane.stack else None
            recorder.leave(lane, frame, _how_it_left(frame, raised), arg)

    def _tell_fold(self, lane, frame, event, arg):
        # A generator that was recorded before may go on inside a fold: then this is not the folded frame.
        if frame is not lane.fold:
            return
        if event == "exception":
            lane.fold_error = arg[1]
        elif event == "return":
            error = lane.fold_error
            lane.fold_error = None
            kind = _how_it_left(frame, error)
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


def _how_it_left(frame, raised):
    """"return", "yield" or "unwind", told by the instruction that ran last."""
    instruction = frame.f_code.co_code[frame.f_lasti]
    if instruction in _RETURNS:
        return "return"
    # An exception that was thrown into a generator finds it standing at its yield.
    if instruction == _YIELD_VALUE and raised is None:
        return "yield"
    return "unwind"

"""_monitoring: how Python 3.12 and later report to a Recorder: sys.monitoring (PEP 669).

A tool registers a callback for each kind of event. A debugger, coverage and this recorder may do so side by side.

What makes it cheap: a callback that returns DISABLE is not called again *for that place in that code*, until
restart_events(). So a function outside the roots costs one callback in its life. Lines are not reported for
everything: they are switched on for each code object when it is first recorded, and so never for what only runs
inside folded calls.

Beware: DISABLE does not exist for exceptions (RAISE, PY_UNWIND, PY_THROW), which are reported for all code.
"""

import sys

from annotated_src.walkthrough.recorder import COMPREHENSION, OUTSIDE, RECORDED, SKIPPED

_NAME = "annotated_src.walkthrough"
# 0, 1, 2 and 5 are meant for debuggers, coverage, profilers and optimizers.
_TOOL_IDS = (4, 3, 5, 2, 1, 0)
_IGNORED = (OUTSIDE, SKIPPED, COMPREHENSION)


class Monitoring:
    def __init__(self):
        self.recorder = None
        self.tool = None
        self.with_lines = []

    def run(self, recorder, call):
        """Call `call()`; the recorder hears of what happens, in all threads."""
        self.recorder = recorder
        self._install()
        try:
            call()
        finally:
            self._uninstall()

    def _install(self):
        monitoring = sys.monitoring
        self.tool = _free_tool_id()
        monitoring.use_tool_id(self.tool, _NAME)
        events = 0
        for event, callback in self._callbacks().items():
            monitoring.register_callback(self.tool, event, self._guarded(callback))
            # LINE is switched on code by code.
            if event != monitoring.events.LINE:
                events |= event
        monitoring.set_events(self.tool, events)

    def _uninstall(self):
        """Leave nothing behind."""
        if self.tool is None:
            return
        monitoring = sys.monitoring
        tool, self.tool = self.tool, None
        monitoring.set_events(tool, 0)
        for code in self.with_lines:
            monitoring.set_local_events(tool, code, 0)
        for event in self._callbacks():
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
        # What was disabled would stay so for whoever gets this tool id next.
        monitoring.restart_events()

    def _callbacks(self):
        events = sys.monitoring.events
        return {
            events.PY_START: self._on_start,
            events.PY_RESUME: self._on_resume,
            events.PY_THROW: self._on_throw,
            events.LINE: self._on_line,
            events.PY_RETURN: self._on_return,
            events.PY_YIELD: self._on_yield,
            events.RAISE: self._on_raise,
            events.PY_UNWIND: self._on_unwind,
        }

    def _guarded(self, callback):
        """`callback`, but a fault in it ends the recording, not the recorded program."""

        def guarded(code, *args):
            try:
                return callback(code, *args)
            except Exception as fault:
                self.recorder.fault = fault
                self._uninstall()

        return guarded

    # The callbacks. The frame that an event is about stands two above: callback <- guarded <- frame.

    def _on_start(self, code, offset):
        look = self.recorder.look(code)
        if look.action in _IGNORED:
            return sys.monitoring.DISABLE
        lane = self.recorder.lane()
        if lane.fold is not None:
            return None
        if look.lines and not look.switched_on:
            look.switched_on = True
            self.with_lines.append(code)
            sys.monitoring.set_local_events(self.tool, code, sys.monitoring.events.LINE)
        self.recorder.enter(lane, look, sys._getframe(2))

    def _on_resume(self, code, offset):
        look = self.recorder.look(code)
        if look.action in _IGNORED:
            return sys.monitoring.DISABLE
        lane = self.recorder.lane()
        if lane.fold is None:
            self.recorder.enter(lane, look, sys._getframe(2), resumed=True)

    def _on_throw(self, code, offset, error):
        look = self.recorder.look(code)
        if look.action in _IGNORED:
            return
        lane = self.recorder.lane()
        if lane.fold is None:
            closing = isinstance(error, GeneratorExit)
            self.recorder.enter(lane, look, sys._getframe(2), resumed=True, closing=closing)

    def _on_line(self, code, line):
        lane = self.recorder.lane()
        if lane.fold is None:
            self.recorder.step(lane, sys._getframe(2), line)

    def _on_return(self, code, offset, value):
        return self._leave(code, "return", value)

    def _on_yield(self, code, offset, value):
        return self._leave(code, "yield", value)

    def _on_unwind(self, code, offset, error):
        self._leave(code, "unwind", error)

    def _on_raise(self, code, offset, error):
        look = self.recorder.look(code)
        if look.action != RECORDED:
            return
        lane = self.recorder.lane()
        if lane.fold is None:
            self.recorder.raised(lane, sys._getframe(2), error, offset)

    def _leave(self, code, kind, value):
        look = self.recorder.look(code)
        if look.action in _IGNORED:
            return sys.monitoring.DISABLE
        lane = self.recorder.lane()
        if lane.fold is None:
            self.recorder.leave(lane, sys._getframe(3), kind, value)
        elif lane.fold.f_code is code and lane.fold is sys._getframe(3):
            self.recorder.leave_fold(lane, lane.fold, kind, value)


def _free_tool_id():
    for tool in _TOOL_IDS:
        if sys.monitoring.get_tool(tool) is None:
            return tool
    raise RuntimeError("all of sys.monitoring's tool ids are taken: stop a debugger, profiler or coverage first")

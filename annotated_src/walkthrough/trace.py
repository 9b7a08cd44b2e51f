"""trace: what a recording holds, and the questions one asks of it.

    Trace       the events in order, and how the recording ended (result or error)
    Event       one thing that happened: a call, a line about to run, a return, ...
    Call        a node of the call tree, made from events
    trace.find("DataLoader.__iter__", 2)    where something happened: pages name steps this way, never by number
    trace.stack(i), trace.locals(i)         what a debugger would show at event i
    trace.calls()                           the nested calls
    trace.to_json(), Trace.from_json()      a line of JSON an event

Invariant: an event holds text and numbers only, so a Trace keeps no object of the recorded program alive
(but its result and its error), can be written down, and is equal at every build.
"""

import bisect
import hashlib
import json
import os
from fnmatch import fnmatchcase

# In the order of a frame's life. "op" is a whole call in one event: see Fold in recorder.py.
KINDS = ("call", "line", "return", "yield", "resume", "exception", "unwind", "op")
ENTERS = ("call", "resume", "op")
LEAVES = ("return", "yield", "unwind")


class Event:
    """One thing that happened.

    kind      one of KINDS
    lane      whose thread or process: "main", "pin_memory", "worker 0", ...
    depth     how many recorded frames stand below this one on its lane's stack
    frame     the frame's number in this trace; a generator keeps its number over its yields
    caller    the number of the recorded frame that called or resumed this one, or None
    path      the file, beginning with the name of its root folder: "torch/utils/data/dataloader.py"
    line      counted from 1
    qualname  the function: "DataLoader.__iter__"
    changed   {name of a local: short text}, only what differs from the frame's previous event; deleted -> None
    value     short text of what was returned or yielded, or of the exception; of an op: its result
    label     an operator's name, "aten::stack"; else None
    """

    __slots__ = ("kind", "lane", "depth", "frame", "caller", "path", "line", "qualname", "changed", "value", "label")

    def __init__(
        self, kind, lane, depth, frame, caller, path, line, qualname, changed=None, value=None, label=None
    ):
        self.kind = kind
        self.lane = lane
        self.depth = depth
        self.frame = frame
        self.caller = caller
        self.path = path
        self.line = line
        self.qualname = qualname
        self.changed = {} if changed is None else changed
        self.value = value
        self.label = label

    @property
    def name(self):
        """What the reader calls it: the operator's name, or else the function's."""
        return self.label or self.qualname

    def fields(self):
        """The fields in the order of `__slots__`, as a list."""
        return [getattr(self, name) for name in self.__slots__]

    def __eq__(self, other):
        return isinstance(other, Event) and self.fields() == other.fields()

    __hash__ = None

    def __repr__(self):
        value = "" if self.value is None else f" {self.value}"
        return f"<{self.lane} {'  ' * self.depth}{self.kind} {self.name} {self.path}:{self.line}{value}>"


class StackFrame:
    """A frame of the stack at some event: its number, file, function and the line where it stands."""

    __slots__ = ("frame", "path", "line", "qualname")

    def __init__(self, frame, path, line, qualname):
        self.frame = frame
        self.path = path
        self.line = line
        self.qualname = qualname

    def __repr__(self):
        return f"<frame {self.frame}: {self.qualname} {self.path}:{self.line}>"


class Call:
    """A call (or the resumption of a generator, or an op) with what it called, in order.

    start, end   indices of its first and last event; `end` is None when the recording stopped inside
    children     the calls that it made
    ended        "return", "yield", "unwind" or None
    value        what it returned or yielded, or the exception that left it
    """

    __slots__ = ("event", "start", "end", "children", "ended", "value")

    def __init__(self, event, start):
        self.event = event
        self.start = start
        self.end = None
        self.children = []
        self.ended = None
        self.value = None

    @property
    def path(self):
        return self.event.path

    @property
    def qualname(self):
        return self.event.qualname

    @property
    def label(self):
        return self.event.label

    @property
    def lane(self):
        return self.event.lane

    @property
    def name(self):
        return self.event.name

    @property
    def resumed(self):
        """Whether this is a generator going on after a yield."""
        return self.event.kind == "resume"

    def walk(self):
        """This call and all below it, in the order in which they were called."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __repr__(self):
        return f"<{self.name} {self.path}, {len(self.children)} calls>"


class Trace:
    """A recording: a sequence of Events.

    result   what the recorded function returned; None in a trace that was read from a file
    error    the exception that ended the recording, or None; its text in a trace that was read from a file
    roots    the folders whose files were recorded, absolute; only their names are ever shown or written
    """

    def __init__(self, events, roots=(), result=None, error=None):
        self.events = list(events)
        self.roots = tuple(str(root) for root in roots)
        self.result = result
        self.error = error
        self._events_of_frame = None

    # A Trace reads like a list of its events.

    def __len__(self):
        return len(self.events)

    def __iter__(self):
        return iter(self.events)

    def __getitem__(self, index):
        return self.events[index]

    def __repr__(self):
        ending = f", ended by {self.error_text}" if self.error is not None else ""
        return f"<Trace of {len(self.events)} events in {len(self.files())} files{ending}>"

    @property
    def error_text(self):
        """`error` as text, or None."""
        if self.error is None or isinstance(self.error, str):
            return self.error
        from annotated_src.walkthrough.summary import exception_summary

        return exception_summary(self.error)

    def files(self):
        """The recorded files, each once, in the order in which they were entered."""
        return list(dict.fromkeys(event.path for event in self.events))

    def lanes(self):
        """The names of the lanes, in the order in which they appeared."""
        return list(dict.fromkeys(event.lane for event in self.events))

    def file(self, path):
        """Where the file that events call `path` lies on this machine; LookupError if no root has it."""
        first = path.partition("/")[0]
        for root in self.roots:
            if os.path.basename(root) == first:
                return os.path.join(os.path.dirname(root), *path.split("/"))
        raise LookupError(
            f"{path} lies under none of the recorded roots ({', '.join(map(os.path.basename, self.roots)) or 'none'});"
            f" give Trace.from_json the folders as roots=[...]"
        )

    # Where is it?

    def find(self, qualname, occurrence=1, kind=None):
        """The index of the event in which `qualname` was called for the `occurrence`-th time.

        `qualname` may leave out what stands in front ("_next_index" for "_BaseDataLoaderIter._next_index"), may
        begin with the file ("sampler.py::BatchSampler.__iter__"), and may be an op's label. Another `kind` of
        event can be asked for: kind="return". LookupError where there is none.
        """
        seen = 0
        for index, event in enumerate(self.events):
            if not (event.kind == kind if kind else event.kind in ("call", "op")):
                continue
            if not names(qualname, event):
                continue
            seen += 1
            if seen == occurrence:
                return index
        what = f"a {kind} event" if kind else "a call"
        raise LookupError(f"occurrence {occurrence} of {what} of {qualname!r} is not in this trace: it has {seen}")

    def find_all(self, qualname, kind=None):
        """The indices of all events that `find` would count."""
        kinds = (kind,) if kind else ("call", "op")
        return [i for i, event in enumerate(self.events) if event.kind in kinds and names(qualname, event)]

    # What would a debugger show?

    def stack(self, index):
        """The recorded frames at event `index`, outermost first, as StackFrames with the lines where they stand."""
        event = self.events[index]
        frames = [StackFrame(event.frame, event.path, event.line, event.qualname)]
        while event.caller is not None:
            event = self._last_event(event.caller, index)
            frames.append(StackFrame(event.frame, event.path, event.line, event.qualname))
        return frames[::-1]

    def locals(self, index):
        """{name: short text} of all locals of the frame that event `index` belongs to."""
        known = {}
        for i in self._indices(self.events[index].frame):
            if i > index:
                break
            for name, text in self.events[i].changed.items():
                if text is None:
                    known.pop(name, None)
                else:
                    known[name] = text
        return known

    def calls(self):
        """The outermost calls of every lane, with what they called, as Call nodes."""
        roots = []
        stacks = {}
        for index, event in enumerate(self.events):
            stack = stacks.setdefault(event.lane, [])
            if event.kind in ENTERS:
                node = Call(event, index)
                (stack[-1].children if stack else roots).append(node)
                if event.kind == "op":
                    node.end, node.ended, node.value = index, "return", event.value
                else:
                    stack.append(node)
            elif event.kind in LEAVES and stack and stack[-1].event.frame == event.frame:
                node = stack.pop()
                node.end, node.ended, node.value = index, event.kind, event.value
        return roots

    def filter(self, path="*", qualname="*", depth=None):
        """A Trace with the events of some frames only: files and functions by glob, frames nearer than `depth`.

        What the frames that vanish called stays, and its caller becomes the nearest frame that stays.
        """
        kept = []
        stacks = {}  # lane -> [(frame, its new depth or None if it vanishes)]
        for event in self.events:
            stack = stacks.setdefault(event.lane, [])
            if event.kind in ENTERS:
                standing = [frame for frame, new_depth in stack if new_depth is not None]
                stays = fnmatchcase(event.path, path) and fnmatchcase(event.qualname, qualname)
                stays = stays and (depth is None or len(standing) < depth)
                stack.append((event.frame, len(standing) if stays else None))
            if stack and stack[-1][0] == event.frame and stack[-1][1] is not None:
                standing = [frame for frame, new_depth in stack[:-1] if new_depth is not None]
                fields = event.fields()
                moved = Event(*fields)
                moved.depth = len(standing)
                moved.caller = standing[-1] if standing else None
                kept.append(moved)
            if (event.kind in LEAVES or event.kind == "op") and stack and stack[-1][0] == event.frame:
                stack.pop()
        return Trace(kept, self.roots, self.result, self.error)

    # What is drawn from it. Each module is loaded when its drawing is asked for.

    def tree(self, **options):
        """The call tree as text; see tree.py."""
        from annotated_src.walkthrough.tree import Tree

        return Tree(self, **options)

    def digraph(self, **options):
        """Who called whom, as a graph; see digraph.py."""
        from annotated_src.walkthrough.digraph import call_graph

        return call_graph(self, **options)

    def player(self, **options):
        """The recording as a film to step through; see player.py."""
        from annotated_src.walkthrough.player import Player

        return Player(self, **options)

    def compare(self, theirs, **options):
        """This recording's calls beside those of `theirs`; see compare.py."""
        from annotated_src.walkthrough.compare import Comparison

        return Comparison(self, theirs, **options)

    # Written down.

    def to_json(self):
        """The trace as text: a line for the recording, then a line an event."""
        head = {
            "trace": 1,
            "roots": [os.path.basename(root) for root in self.roots],
            "error": self.error_text,
            "fields": Event.__slots__,
        }
        lines = [json.dumps(head)]
        lines += [json.dumps(event.fields(), ensure_ascii=False, separators=(",", ":")) for event in self.events]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_json(cls, text, roots=()):
        """The trace that `to_json` wrote; `roots` are the folders of the sources on this machine."""
        head, *lines = text.rstrip("\n").split("\n")
        head = json.loads(head)
        if head.get("trace") != 1:
            raise ValueError("this is no trace: its first line must be the one that Trace.to_json writes")
        events = [Event(*json.loads(line)) for line in lines]
        return cls(events, roots or head["roots"], error=head["error"])

    def digest(self):
        """Twelve letters and figures that are equal for equal recordings."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]

    # The events of each frame, found once.

    def _indices(self, frame):
        if self._events_of_frame is None:
            self._events_of_frame = {}
            for index, event in enumerate(self.events):
                self._events_of_frame.setdefault(event.frame, []).append(index)
        return self._events_of_frame[frame]

    def _last_event(self, frame, index):
        """The last event of `frame` that is not after event `index`."""
        indices = self._indices(frame)
        return self.events[indices[bisect.bisect_right(indices, index) - 1]]


def names(pattern, event):
    """Whether `pattern` names the event's function: "f", "C.f", "file.py::C.f", a glob of these, or an op's label."""
    path, separator, qualname = pattern.rpartition("::")
    if event.label is not None and fnmatchcase(event.label, pattern):
        return True
    if separator and not fnmatchcase("/" + event.path, "*/" + path):
        return False
    return fnmatchcase(event.qualname, qualname) or fnmatchcase(event.qualname, "*." + qualname)

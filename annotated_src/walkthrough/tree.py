"""tree: the nested calls of a recording as text, a line a call.

    DataLoader.__iter__  torch/utils/data/dataloader.py
      DataLoader._get_iterator  torch/utils/data/dataloader.py
        aten::empty

An op is a leaf; where its inside was recorded it opens on a click. Runs of equal siblings are written once: `x3`.
The files are left out where they are the caller's.
"""

from html import escape

from annotated_src.walkthrough.trace import names
from annotated_src.walkthrough.words import word


class Line:
    """A line of the tree, and the lines below it."""

    __slots__ = ("call", "text", "path", "children", "times", "key")

    def __init__(self, call, text, children):
        self.call = call
        self.text = text
        self.path = call.path
        self.children = children
        self.times = 1
        # Two lines are equal when all that is written on and below them is.
        self.key = (text, self.path, tuple((child.key, child.times) for child in children))


class Tree:
    """The call tree of a Trace. `str()` is its text.

    depth      how many levels are shown
    only       a glob or several of files ("torch/utils/data/*") or functions: other calls vanish, their calls stay
    hide       a glob or several of calls that vanish, their calls stay; `hidden` counts them
    values     show what each call returned
    collapse   write a run of equal siblings once
    """

    def __init__(self, trace, depth=None, only=None, values=False, collapse=True, hide=()):
        self.only = [only] if isinstance(only, str) else only
        self.hide = [hide] if isinstance(hide, str) else hide
        self.hidden = 0
        self.depth = depth
        self.values = values
        self.collapse = collapse
        self.lanes = {}
        for call in trace.calls():
            self.lanes.setdefault(call.lane, []).append(call)
        self.lanes = {lane: self._lines(calls, 0) for lane, calls in self.lanes.items()}

    def _lines(self, calls, level):
        if self.depth is not None and level >= self.depth:
            return []
        lines = []
        for call in calls:
            if _fits(self.hide, call):
                self.hidden += 1
                lines.extend(self._lines(call.children, level))
            elif self.only is None or _fits(self.only, call):
                lines.append(Line(call, self._text(call), self._lines(call.children, level + 1)))
            else:
                lines.extend(self._lines(call.children, level))
        return _collapsed(lines) if self.collapse else lines

    def _text(self, call):
        text = call.name
        if call.resumed:
            text += f" ({word('goes on')})"
            if call.ended == "return" and not self.values:
                text += f" {word('returns')}"
        if call.ended == "unwind":
            text += f" {word('raises')} {call.value}"
        elif self.values and call.value is not None:
            arrow = "=>" if call.ended == "yield" else "->"
            text += f" {arrow} {call.value}"
        return text

    def legend(self):
        """The marks that this tree has, explained: a line each."""
        lines = []
        if any(_has_runs(written) for written in self.lanes.values()):
            lines.append(word("x3: three such calls in a row, each with the same calls below"))
        if f"({word('goes on')})" in str(self):
            lines.append(word("(goes on): no new call; a generator runs on from its last yield"))
        if self.hidden:
            lines.append(f"{word('not shown')}: {', '.join(self.hide)} ({self.hidden})")
        return lines

    # As text.

    def __str__(self):
        written = []
        for lane, lines in self.lanes.items():
            if len(self.lanes) > 1:
                written.append(f"[{lane}]")
            _write(lines, 0, None, written)
        return "\n".join(written)

    def __repr__(self):
        return str(self)

    # As a page's element.

    def _repr_html_(self):
        parts = []
        for lane, lines in self.lanes.items():
            if len(self.lanes) > 1:
                parts.append(f'<div class="call-tree-lane">[{escape(lane)}]</div>')
            _write_html(lines, 0, None, parts)
        style = "font-family: monospace; white-space: pre; overflow-x: auto"
        return f'<div class="call-tree" tabindex="0" style="{style}">{"".join(parts)}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def _fits(globs, call):
    """Whether a glob names the call's function or its file."""
    return any(names(glob, call.event) or names(f"{glob}::*", call.event) for glob in globs)


def _has_runs(lines):
    return any(line.times > 1 or _has_runs(line.children) for line in lines)


def _collapsed(lines):
    """Runs of equal lines as one line each."""
    runs = []
    for line in lines:
        if runs and runs[-1].key == line.key:
            runs[-1].times += 1
        else:
            runs.append(line)
    return runs


def _times(line):
    return f" x{line.times}" if line.times > 1 else ""


def _file(line, path_above):
    """The file, where it is not the caller's; an op is known by its name."""
    if line.call.label is not None or line.path == path_above:
        return ""
    return line.path


def _write(lines, level, path_above, written):
    for line in lines:
        file = _file(line, path_above)
        written.append(f"{'  ' * level}{line.text}{_times(line)}{'  ' + file if file else ''}")
        _write(line.children, level + 1, line.path, written)


def _write_html(lines, level, path_above, parts):
    for line in lines:
        file = _file(line, path_above)
        is_op = line.call.label is not None
        text = f'<span class="call-tree-{"op" if is_op else "call"}">{escape(line.text)}</span>{_times(line)}'
        if file:
            text += f'  <small class="call-tree-file">{escape(file)}</small>'
        indent = "  " * level
        opens = is_op and line.children
        if not opens:
            parts.append(f"<div>{indent}{text}</div>")
            _write_html(line.children, level + 1, line.path, parts)
            continue
        # The inside of an operator opens on a click.
        sign = '<span class="call-tree-sign" aria-hidden="true">...</span>'
        parts.append(f'<details><summary style="list-style: none">{indent}{text} {sign}</summary>')
        _write_html(line.children, level + 1, line.path, parts)
        parts.append("</details>")

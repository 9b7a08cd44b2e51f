"""player: a recording as a film that a reader steps through, forwards and backwards, in a page.

    trace.player()                                   the whole recording
    trace.player(start=("BatchSampler.__iter__", 2)) opened where that was called for the second time
    trace.player(steps=("DataLoader.__iter__", 1))   only what happened during that call
    trace.player(name="epoch")                       a name, so that links can say #step=epoch/BatchSampler.__iter__:2
    trace.player(link=link)                          link(path, qualname) -> URL of a function's page, or None

It shows the current line, the locals (what the line before changed is marked), the stack and the call tree around the
current call. What is written into the page is data, the functions passed through (not whole files) and a plain table
of the calls; `static/player.js` turns that into the film. Without scripts the table is what a reader sees.

Invariant: equal recordings give equal pages; ids come from the content.
"""

import hashlib
import html
import json
import os
import pathlib

from annotated_src.walkthrough.listing import definitions, enclosing, highlighted
from annotated_src.walkthrough.trace import ENTERS, LEAVES
from annotated_src.walkthrough.words import word

STATIC = pathlib.Path(__file__).parent / "static"

# The page's data names each kind of event by a letter.
LETTERS = {
    "call": "c",
    "line": "l",
    "return": "r",
    "yield": "y",
    "resume": "s",
    "exception": "x",
    "unwind": "u",
    "op": "o",
}

# The table is for a page without scripts: it tells the story, and need not tell all of it.
MOST_ROWS = 250


class Player:
    """A part of a Trace, ready for a page or a notebook."""

    def __init__(self, trace, start=None, steps=None, link=None, name=None):
        self.trace = trace
        self.link = link or (lambda path, qualname: None)
        self.first, self.last = extent(trace, steps)
        self.start = 0 if start is None else find(trace, start) - self.first
        if not 0 <= self.start <= self.last - self.first:
            raise ValueError(f"the player cannot open at {start!r}: that step is outside of steps={steps!r}")
        self.film = Film(self)
        self.id = name or "player-" + self.film.digest()

    def __repr__(self):
        return f"<Player of {self.last - self.first + 1} steps>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _repr_html_(self):
        return (
            f'<div class="trace-player" id="{html.escape(self.id)}" data-lm-suppress-shortcuts="true">'
            f'<script type="application/json">{self.film.json}</script>'
            f"{self._live()}{self._table()}</div>{assets()}"
        )

    # The live part, hidden until the script has run.

    def _live(self):
        body = f'<div class="tp-body">{self._panes()}{self._panels()}</div>'
        return f'<div class="tp-live" hidden>{self._bar()}{body}</div>'

    def _bar(self):
        buttons = [
            ("first", word("First"), word("to the first step"), "Home"),
            ("back", word("Back"), word("one step back"), "←"),
            ("next", word("Next"), word("one step on"), "→"),
            ("over", word("Over"), word("over what this line calls"), "o"),
            ("out", word("Out"), word("out of this function"), "u"),
        ]
        markup = "".join(
            f'<button type="button" data-do="{action}" title="{hint} ({word("key")}: {key})">{label}</button>'
            for action, label, hint, key in buttons
        )
        count = len(self.film.steps)
        label = word("Step through the recording")
        return (
            f'<div class="tp-bar"><div class="tp-buttons" role="toolbar" aria-label="{label}">'
            f'{markup}</div><input type="range" min="1" max="{count}" value="1" aria-label="{word("Step")}">'
            f'<span class="tp-count"></span></div><p class="tp-status" role="status"></p>'
        )

    def _panes(self):
        # The longest function decides the height, so that nothing jumps while one steps.
        longest = max((pane.last - pane.first + 1 for pane in self.film.panes), default=1)
        panes = "".join(map(self._pane, self.film.panes))
        return f'<div class="tp-panes" style="--tp-lines: {longest}">{panes}</div>'

    def _pane(self, pane):
        title = html.escape(pane.title)
        if pane.url:
            title = f'<a href="{html.escape(pane.url)}">{title}</a>'
        lines = "".join(
            f'<span class="tp-line" data-line="{number}">{markup or " "}</span>' for number, markup in pane.lines()
        )
        label = html.escape(f"{word('Source of')} {pane.title}")
        head = f'<p class="tp-head"><code>{title}</code> <span>{html.escape(pane.path)}</span></p>'
        return (
            f'<div class="tp-pane" hidden>{head}<div class="tp-scroll" tabindex="0" role="group" aria-label="{label}">'
            f'<pre class="highlight">{lines}</pre></div></div>'
        )

    def _panels(self):
        panels = [("locals", word("Locals")), ("stack", word("Call stack")), ("tree", word("Calls around here"))]
        boxes = "".join(
            f'<div class="tp-panel"><p class="tp-head">{title}</p>'
            f'<div class="tp-scroll tp-{name}" tabindex="0" role="group" aria-label="{title}"></div></div>'
            for name, title in panels
        )
        return f'<div class="tp-panels">{boxes}</div>'

    # The table, for a page without scripts.

    def _table(self):
        calls = self.film.calls()
        shown = calls[:MOST_ROWS]
        heads = "".join(
            f'<th scope="col">{head}</th>' for head in (word("step"), word("call"), word("line"), word("gives"))
        )
        rows = "".join(map(self._row, shown))
        rest = len(calls) - len(shown)
        more = f"<p>{rest} {word('more calls are in the player')}.</p>" if rest else ""
        return (
            f'<details class="tp-table" open><summary>{word("The calls as a table")}</summary>'
            f'<div class="tp-scroll" tabindex="0" role="group" aria-label="{word("The calls as a table")}">'
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}</div></details>"
        )

    def _row(self, call):
        step, depth, event, outcome = call
        name = f"<code>{html.escape(event.name)}</code>"
        url = None if event.label else self.link(event.path, event.qualname)
        if url:
            name = f'<a href="{html.escape(url)}">{name}</a>'
        resumed = f" ({word('goes on')})" if event.kind == "resume" else ""
        return (
            f'<tr><td>{step + 1}</td><td style="padding-left:{0.5 + depth * 0.7:.1f}em">'
            f"{name}{resumed}</td><td>{event.line}</td>"
            f"<td>{html.escape(outcome)}</td></tr>"
        )


def find(trace, where):
    """The event that `where` means: an index, or (qualified name, occurrence)."""
    return where if isinstance(where, int) else trace.find(*where)


def extent(trace, steps):
    """The first and the last event of `steps`: None, a range of indices, or a call's (qualified name, occurrence)."""
    if steps is None:
        first, last = 0, len(trace) - 1
    elif isinstance(steps, range):
        first, last = steps.start, min(steps.stop, len(trace)) - 1
    else:
        first = trace.find(*steps)
        last = end_of_call(trace, first)
    if first > last:
        raise ValueError(f"a player needs at least one step, and steps={steps!r} of {trace!r} has none")
    return first, last


def end_of_call(trace, first):
    """The last event of the call that begins at event `first`; a generator's call ends where it is exhausted."""
    frame = trace[first].frame
    for index in range(first, len(trace)):
        if trace[index].frame == frame and trace[index].kind in ("return", "unwind", "op"):
            return index
    return len(trace) - 1


class Pane:
    """The source of one function that the recording passes through, with its true line numbers."""

    def __init__(self, trace, path, qualname, line, link):
        with open(trace.file(path), encoding="utf-8") as file:
            self.text = file.read()
        self.path = path
        self.title = enclosing(qualname) or path
        self.first, self.last = self._extent(line)
        self.url = link(path, qualname)

    def _extent(self, line):
        for first, last in definitions(self.text).get(self.title, []):
            if first <= line <= last:
                return first, last
        return 1, len(self.text.splitlines())

    def lines(self):
        return list(enumerate(highlighted(self.text)[self.first - 1 : self.last], self.first))


class Film:
    """The events of a player as the data that goes into the page.

    functions   [name, number of the pane or -1]
    frames      [number of the function, number of the lane]
    events      rows of whole numbers: letter's code, frame, line, caller, value, then pairs of name and value;
                -1 is "none". The first ones are not steps: they place the frames that stood before the first step.
    strings     what names and values point to
    """

    def __init__(self, player):
        self.trace, self.link = player.trace, player.link
        self.first = player.first
        self.start = player.start
        self.steps = player.trace.events[player.first : player.last + 1]
        self.strings, self.functions, self.frames, self.lanes, self.panes = {}, {}, {}, {}, []
        self.function_rows, self.frame_rows = [], []
        self.before, self.rows = [], []
        self._fill()
        self.json = self._json()

    def _fill(self):
        for index, event in enumerate(self.steps, self.first):
            if event.lane not in self.lanes:
                self.lanes[event.lane] = len(self.lanes)
                self._place_frames_below(index)
            # A frame that was entered before the first step starts with all its locals.
            entered_before = event.frame not in self.frames and event.kind not in ("call", "op")
            changed = self.trace.locals(index) if entered_before else event.changed
            self.rows.append(self._row(event, changed))

    def _place_frames_below(self, index):
        for frame in self.trace.stack(index)[:-1]:
            at = max(i for i in range(index) if self.trace[i].frame == frame.frame)
            self.before.append(self._row(self.trace[at], self.trace.locals(at)))

    def _row(self, event, changed):
        row = [
            ord(LETTERS[event.kind]),
            self._frame(event),
            event.line,
            self.frames.get(event.caller, -1),
            self._string(event.value),
        ]
        for name, text in changed.items():
            row += [self._string(name), self._string(text)]
        return row

    def _string(self, text):
        return -1 if text is None else self.strings.setdefault(text, len(self.strings))

    def _frame(self, event):
        if event.frame not in self.frames:
            self.frames[event.frame] = len(self.frames)
            self.frame_rows.append([self._function(event), self.lanes[event.lane]])
        return self.frames[event.frame]

    def _function(self, event):
        key = (event.path, event.qualname, event.label)
        if key not in self.functions:
            self.functions[key] = len(self.functions)
            # The inside of an op was not recorded: while it runs, its caller's line is what there is to see.
            pane = -1 if event.kind == "op" else self._pane(event)
            self.function_rows.append([event.name, pane])
        return self.functions[key]

    def _pane(self, event):
        new = Pane(self.trace, event.path, event.qualname, event.line, self.link)
        for number, pane in enumerate(self.panes):
            if (pane.path, pane.title, pane.first) == (new.path, new.title, new.first):
                return number
        self.panes.append(new)
        return len(self.panes) - 1

    def _json(self):
        data = {
            "start": self.start,
            "before": len(self.before),
            "functions": self.function_rows,
            "frames": self.frame_rows,
            "lanes": list(self.lanes),
            "strings": list(self.strings),
            "events": self.before + self.rows,
            "words": page_words(),
        }
        # "<" would let a value end the script element.
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")

    def digest(self):
        return hashlib.sha256(self.json.encode()).hexdigest()[:8]

    def calls(self):
        """[(step, depth, event, what it gave)] of each call, resumption and op."""
        calls, open_calls = [], {}
        shallowest = min(event.depth for event in self.steps)
        for step, event in enumerate(self.steps):
            if event.kind in ENTERS:
                open_calls[event.frame] = len(calls)
                calls.append((step, event.depth - shallowest, event, event.value or ""))
            elif event.kind in LEAVES and event.frame in open_calls:
                call = open_calls.pop(event.frame)
                calls[call] = (*calls[call][:3], event.value or "")
        return calls


def page_words():
    """The words that the script puts into the page."""
    return {
        "call": word("is called"),
        "line": word("is about to run line"),
        "return": word("returns"),
        "yield": word("yields"),
        "resume": word("goes on after its yield"),
        "exception": word("raises"),
        "unwind": word("is left by"),
        "op": word("is done as one step, and gives"),
        "changed": word("changed by the step before"),
        "none": word("no locals yet"),
        "more": word("more"),
        "name": word("name"),
        "value": word("value"),
        "step": word("Step"),
        "of": word("of"),
        "resumed": word("goes on"),
    }


def has_step(film, step):
    """Whether a film's data, read back from a page, has the step that `#step=QUALNAME:OCCURRENCE` names."""
    name, _, occurrence = step.rpartition(":")
    wanted = int(occurrence)
    for row in film["events"][film["before"] :]:
        function = film["functions"][film["frames"][row[1]][0]][0]
        is_call = chr(row[0]) in (LETTERS["call"], LETTERS["op"])
        if is_call and (function == name or function.endswith("." + name)):
            wanted -= 1
            if wanted == 0:
                return True
    return False


def assets():
    """The script and the style, for a page that does not bring them: a notebook in JupyterLab.

    Every output carries them, since each may be cleared or run again by itself; the script starts only once.
    """
    if os.environ.get("WALKTHROUGH_PAGE_HAS_PLAYER"):
        return ""
    style = (STATIC / "player.css").read_text(encoding="utf-8")
    script = (STATIC / "player.js").read_text(encoding="utf-8")
    return f"<style>{style}{highlight_style()}</style><script>{script}</script>"


def highlight_style():
    """Colours for the source in JupyterLab, in its light and its dark theme."""
    try:
        from pygments.formatters import HtmlFormatter
    except ImportError:
        return ""
    light = HtmlFormatter(style="default").get_style_defs(".trace-player .highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs('[data-jp-theme-light="false"] .trace-player .highlight')
    return light + dark

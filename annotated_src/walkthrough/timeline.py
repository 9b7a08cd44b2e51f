"""Timeline: a log of launches and transfers, drawn as lanes: the host, and each stream of the card.

    with strict.cuda.log.recording() as entries:
        ...
    timeline(entries)           shown by Jupyter and by the book as inline SVG

What is drawn is order, not time: the host issues one thing a step; a launch or a copy takes the card two steps, and
begins when it has been issued, when its stream is free, and when the events that the stream waits for have passed.
Where the host waits, it stands still until then. So the picture shows what may overlap, and what cannot.
"""

import hashlib
from dataclasses import dataclass
from html import escape

from annotated_src.walkthrough.drawing import FONTS_ON_THE_PAGE
from annotated_src.walkthrough.words import word

_INK = "currentColor"
_FAINT = "var(--pst-color-text-muted, #767676)"
_ACCENT = "var(--pst-color-primary, #0a7d91)"
_FILL = "var(--pst-color-surface, rgba(127, 127, 127, 0.1))"

# The kinds of entries (walkthrough/strict/cuda.py).
H2D, D2H, LAUNCH, RECORD, WAIT, SYNCHRONIZE = "H2D", "D2H", "launch", "record", "wait", "synchronize"
STEPS_ON_THE_CARD = 2
# In pixels.
_STEP = 15
_LANE = 104
_LEFT = 86
_TOP = 26
_BOX = 84


@dataclass
class Block:
    """Something that a lane does from one step to another."""

    lane: int
    begin: int
    end: int
    kind: str
    text: str


class Schedule:
    """When each entry is issued, and when the card does it."""

    def __init__(self, entries):
        self.streams = sorted({entry.stream for entry in entries})
        self.blocks = []
        # (from lane, from step, to lane, to step): who waits for whom.
        self.arrows = []
        self._now = 0
        self._free = {stream: 0 for stream in self.streams}
        self._events = {}
        for entry in entries:
            self._add(entry)
        self.end = max([self._now, *self._free.values()])

    def _lane(self, stream):
        return 1 + self.streams.index(stream)

    def _add(self, entry):
        lane = self._lane(entry.stream)
        issued = self._now
        self._now += 1
        if entry.kind in (LAUNCH, H2D, D2H):
            self._work(entry, lane, issued)
        elif entry.kind == RECORD:
            self._events[entry.event] = (lane, max(issued + 1, self._free[entry.stream]))
            self.blocks.append(Block(0, issued, issued + 1, RECORD, f"{word('record event')} {entry.event}"))
        elif entry.kind == WAIT:
            self.blocks.append(Block(0, issued, issued + 1, WAIT, f"{word('wait event')} {entry.event}"))
            self._wait(entry, lane)
        elif entry.kind == SYNCHRONIZE:
            self._stand_still(entry, lane, issued)

    def _work(self, entry, lane, issued):
        begin = max(issued + 1, self._free[entry.stream])
        end = begin + STEPS_ON_THE_CARD
        text = entry.name if entry.kind == LAUNCH else f"{entry.kind} {entry.nbytes} B"
        self.blocks.append(Block(0, issued, issued + 1, entry.kind, text))
        self.blocks.append(Block(lane, begin, end, entry.kind, text))
        self._free[entry.stream] = end
        if entry.host_waits:
            self._wait_until(end, lane, self._now)

    def _wait(self, entry, lane):
        if entry.event not in self._events:
            return
        other, step = self._events[entry.event]
        begin = max(self._free[entry.stream], step)
        if other != lane:
            self.arrows.append((other, step, lane, begin))
        self._free[entry.stream] = begin

    def _stand_still(self, entry, lane, issued):
        if entry.event is not None:
            lane, until = self._events.get(entry.event, (lane, issued))
        elif entry.name:
            until = max(self._free.values())
        else:
            until = self._free[entry.stream]
        self._wait_until(until, lane, issued)

    def _wait_until(self, step, lane, begin):
        """Stand still from `begin` on; where there is nothing to wait for, that is the one step of asking."""
        self.blocks.append(Block(0, begin, max(step, self._now), SYNCHRONIZE, word("waits")))
        if step <= self._now:
            return
        self.arrows.append((lane, step, 0, step))
        self._now = step


class Timeline:
    """The picture of a Schedule."""

    def __init__(self, entries, title=None, names=None):
        self.entries = list(entries)
        self.title = title or word("What the host issued, and when the card does it")
        # What the streams are called; without it, by their number.
        self.names = names or {}
        self.schedule = Schedule(self.entries)

    def __repr__(self):
        return "\n".join(str(entry) for entry in self.entries)

    def _repr_html_(self):
        svg = self.svg
        hint = ""
        if self._width > 360:
            hint = f'<p class="drawing-hint" style="display: none">{escape(word("The picture scrolls sideways."))}</p>'
        return f'<div class="drawing" tabindex="0" style="overflow-x: auto">{hint}{svg}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    @property
    def _width(self):
        return _LEFT + self.schedule.end * _STEP + 12

    @property
    def svg(self):
        """The picture as an <svg> element."""
        lanes = 1 + len(self.schedule.streams)
        height = _TOP + lanes * _LANE
        key = "t" + hashlib.sha256((repr(self) + self.title).encode()).hexdigest()[:8]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self._width}" height="{height}" '
            f'viewBox="0 0 {self._width} {height}" role="img" aria-labelledby="{key}-title" '
            f'font-family="{FONTS_ON_THE_PAGE}" font-size="11" style="min-width: {self._width}px">',
            f'<title id="{key}-title">{escape(self.title)}</title>',
            f'<defs><marker id="{key}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{_ACCENT}"/></marker></defs>',
        ]
        names = [word("host (CPU)"), *[self._stream_name(stream) for stream in self.schedule.streams]]
        for lane, name in enumerate(names):
            parts.append(_lane(lane, name, self._width))
        parts += [_block(block) for block in self.schedule.blocks]
        parts += [_arrow(*arrow, key) for arrow in self.schedule.arrows]
        return "".join([*parts, "</svg>"])

    def _stream_name(self, stream):
        default = word("default stream") if stream == 0 else f"{word('stream')} {stream}"
        return self.names.get(stream, default)


def timeline(entries, title=None, names=None):
    """The Timeline of log entries; `names` calls streams by name, {number: name}."""
    return Timeline(entries, title, names)


def _y(lane):
    return _TOP + lane * _LANE


def _x(step):
    return _LEFT + step * _STEP


def _lane(lane, name, width):
    middle = _y(lane) + _BOX / 2
    return (
        f'<text x="2" y="{middle + 4}" fill="{_INK}">{escape(name)}</text>'
        f'<line x1="{_LEFT - 6}" x2="{width - 4}" y1="{_y(lane) + _BOX + 8}" y2="{_y(lane) + _BOX + 8}" '
        f'stroke="{_FAINT}" stroke-dasharray="1 4"/>'
    )


def _block(block):
    x, width = _x(block.begin) + 1, (block.end - block.begin) * _STEP - 2
    y = _y(block.lane)
    moves = block.kind in (H2D, D2H)
    stands = block.kind == SYNCHRONIZE
    fill = _ACCENT if moves else "none" if stands else _FILL
    ink = "var(--pst-color-background, #fff)" if moves else _FAINT if stands else _INK
    stroke = _ACCENT if moves else _FAINT
    dashes = ' stroke-dasharray="3 3"' if stands else ""
    center = x + width / 2
    return (
        f'<g><title>{escape(block.text)}</title>'
        f'<rect x="{x}" y="{y}" width="{width}" height="{_BOX}" rx="3" fill="{fill}" stroke="{stroke}"{dashes}/>'
        f'<text transform="translate({center + 4},{y + _BOX - 5}) rotate(-90)" fill="{ink}">'
        f"{escape(_short(block.text))}</text></g>"
    )


def _short(text):
    return text if len(text) <= 14 else text[:13] + "…"


def _arrow(from_lane, from_step, to_lane, to_step, key):
    x1, x2 = _x(from_step), _x(to_step)
    down = to_lane > from_lane
    y1 = _y(from_lane) + (_BOX if down else 0)
    y2 = _y(to_lane) + (0 if down else _BOX)
    return (
        f'<circle cx="{x1}" cy="{y1}" r="3" fill="{_ACCENT}"/>'
        f'<path d="M{x1},{y1} L{x2},{y2}" fill="none" stroke="{_ACCENT}" stroke-width="1.5" '
        f'marker-end="url(#{key}-tip)"/>'
    )

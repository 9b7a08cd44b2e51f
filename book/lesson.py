"""What the chapters' cells share: recordings of scenarios, tables, pictures of images.

    recording(name)              a scenario recorded on annotated_src
    Table(head, rows)            rows of text; a cell may be a (path, qualname) pair, which becomes a link to its source
    contact_sheet(images, ...)   a batch of images as one picture
    error_of(function)           the error that a call raises, as text
    one_turn(trace, turn)        the calls of one turn of the loop
    draws(trace)                 who drew random numbers, in order

In a notebook, an error that a cell raises is shown as what it says and where it was raised, without a path of this
machine.
"""

import builtins
import html
import os
import textwrap

import booklib

from annotated_src.walkthrough import record
from annotated_src.walkthrough.scenario import load
from annotated_src.walkthrough.trace import names


def recording(name, into="ops", **options):
    """A scenario's Trace, at one of the stepping levels."""
    scenario = load(name)
    return record(scenario.call, roots=scenario.roots(), levels=scenario.levels, into=into, **options)


class Source:
    """A function, shown by its name and linked to its annotated source."""

    def __init__(self, path, qualname, label=None):
        self.path = path
        self.qualname = qualname
        self.label = label or qualname

    def __str__(self):
        return self.label

    def _repr_html_(self):
        name = f"<code>{html.escape(self.label)}</code>"
        url = booklib.link(self.path, self.qualname)
        return name if url is None else f'<a href="{html.escape(url)}">{name}</a>'


class Table:
    """Rows under a head, as HTML in a page and as text in a terminal."""

    def __init__(self, head, rows):
        self.head = head
        self.rows = [list(row) for row in rows]

    def _repr_html_(self):
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.head)
        body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        return (
            '<div class="table-wrapper" tabindex="0" role="group" aria-label="Table">'
            f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        )

    def __repr__(self):
        rows = [self.head, *[[str(cell) for cell in row] for row in self.rows]]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.head))]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _cell(cell):
    if hasattr(cell, "_repr_html_"):
        return cell._repr_html_()
    return html.escape(str(cell))


def contact_sheet(images, columns=None, scale=7, gap=6):
    """A batch of images, float32 (N, C, H, W) in [0, 1], as one PIL picture, enlarged `scale` times."""
    from PIL import Image

    count, _, height, width = images.shape
    columns = columns or count
    rows = -(-count // columns)
    step_x, step_y = width * scale + gap, height * scale + gap
    sheet = Image.new("RGBA", (columns * step_x - gap, rows * step_y - gap), (0, 0, 0, 0))
    for position in range(count):
        pixels = (images[position] * 255 + 0.5).to(_uint8()).permute(1, 2, 0).numpy()
        tile = Image.fromarray(pixels).convert("RGBA").resize((width * scale, height * scale), Image.NEAREST)
        sheet.paste(tile, (position % columns * step_x, position // columns * step_y))
    return sheet


def _uint8():
    from annotated_src import torch

    return torch.uint8


def error_of(function):
    """`ValueError: ...`, the error that the call raises."""
    try:
        function()
    except Exception as error:
        return "\n    ".join(textwrap.wrap(f"{type(error).__name__}: {error}", 96, break_on_hyphens=False))
    return "no error"


RANDOM = ("aten::random_", "aten::randperm", "aten::randint", "aten::multinomial", "aten::rand")


def draws(trace):
    """Who drew random numbers, in order: the function, its file, the operator and what it drew."""
    rows = []
    for index, event in enumerate(trace):
        if event.kind == "op" and event.label in RANDOM:
            caller = trace.stack(index)[-2]
            rows.append([Source(caller.path, caller.qualname), caller.path, event.label, event.value])
    return Table(["drawn by", "file", "operator", "result"], rows)


def one_turn(trace, turn, only=("*",)):
    """The calls of one turn of the loop, in order; equal neighbours are one row with a count."""
    starts = [call for call in _walk(trace.calls()) if call.qualname == "_BaseDataLoaderIter.__next__"]
    rows = []
    for call in _walk([starts[turn - 1]]):
        if any(names(glob, call.event) for glob in only):
            path = "" if call.label else call.path
            rows.append([Source(call.path, call.qualname, call.label), path, call.value or ""])
    return Table(["step", "function", "times", "file", "gives"], _numbered(_collapse(rows)))


def _walk(calls):
    for call in calls:
        yield call
        yield from _walk(call.children)


def _collapse(rows):
    """Runs of equal groups of rows as one group, with how often it came."""
    collapsed, position = [], 0
    while position < len(rows):
        length, times = _best_run(rows, position)
        for row in rows[position : position + length]:
            collapsed.append([row[0], times, row[1], row[2]])
        position += length * times
    return collapsed


def _best_run(rows, position):
    names = [(str(row[0]), row[1]) for row in rows]
    for length in range(1, (len(rows) - position) // 2 + 1):
        group = names[position : position + length]
        times = 1
        while names[position + times * length : position + (times + 1) * length] == group:
            times += 1
        if times > 2:
            return length, times
    return 1, 1


def _numbered(rows):
    return [[str(number), *row] for number, row in enumerate(rows, 1)]


def _short_error(shell, kind, error, traceback, tb_offset=None):
    """The error as the last line of a traceback, and the function of ours that raised it."""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    message = f"{kind.__name__}: {error}"
    lines = textwrap.wrap(message, 96, subsequent_indent="    ", break_on_hyphens=False)
    if code.co_filename.startswith(f"{booklib.PACKAGE}{os.sep}"):
        path = os.path.relpath(code.co_filename, booklib.PACKAGE)
        lines.append(f"raised by {code.co_qualname} in {path}")
    shell._showtraceback(kind, error, lines)
    return lines


if hasattr(builtins, "get_ipython"):
    builtins.get_ipython().set_custom_exc((Exception,), _short_error)

"""drawing: a graphviz graph as a picture in a page.

    Drawing(dot, title="who calls whom", outline="a -> b")    shown by Jupyter and by the book as inline SVG

Inline, because links inside an <img> are dead, and because the page's style sheet then reaches in: the colours INK,
FAINT, ACCENT and FILL follow the page from light to dark.

The layout is made by `dot`, or else by `graphviz-pure` (a pip package). Where neither is found, the page says so
and shows the outline: a missing program never breaks a page.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
from html import escape

from annotated_src.walkthrough.words import word

# Colours to use in dot source. Each stands for one that the page decides; the last one counts where it does not.
INK = "#000001"
FAINT = "#000002"
ACCENT = "#000003"
FILL = "#000004"
_ON_THE_PAGE = {
    INK: "currentColor",
    FAINT: "var(--pst-color-text-muted, #767676)",
    ACCENT: "var(--pst-color-primary, #0a7d91)",
    FILL: "var(--pst-color-surface, rgba(127, 127, 127, 0.1))",
}

# The one font whose widths Graphviz knows by heart (of a list of fonts it knows none, and takes Times); in a page it
# may be any font of the same widths.
FONT = "Arial"
FONTS_ON_THE_PAGE = "Arial, Arimo, 'Liberation Sans', Helvetica, sans-serif"

GRAPH = {
    "bgcolor": "transparent", "fontname": FONT, "fontsize": "11", "fontcolor": FAINT, "color": FAINT,
    "nodesep": "0.35", "ranksep": "0.5",
}  # fmt: skip
NODE = {
    "shape": "box", "style": "rounded,filled", "margin": "0.2,0.08", "height": "0.3",
    "fontname": FONT, "fontsize": "12", "fontcolor": INK, "color": FAINT, "fillcolor": FILL,
}  # fmt: skip
EDGE = {"fontname": FONT, "fontsize": "10", "fontcolor": INK, "color": FAINT, "arrowsize": "0.7"}


# In points, as Graphviz measures.
SMALLEST_WIDTH = 540
PHONE_WIDTH = 270


class Drawing:
    """A graph in graphviz's dot language, as a picture.

    dot       the source: a str, or an object of the graphviz package
    title     what the picture shows, for people who cannot see it
    outline   the same in plain text, for places without pictures
    """

    def __init__(self, dot, title, outline=""):
        self.dot = getattr(dot, "source", dot)
        self.title = title
        self.outline = outline
        self._svg = None

    @property
    def svg(self):
        """The picture as an <svg> element, or None where there is no program to lay it out."""
        if self._svg is None:
            program = find_program()
            if program is None:
                return None
            self._svg = self._for_a_page(_lay_out(program, self.dot))
        return self._svg

    def _for_a_page(self, svg):
        svg = svg[svg.index("<svg") :].strip()
        # Comments, and titles such as "n0" that would pop up under the mouse.
        svg = re.sub(r"<!--.*?-->\s*|<title>.*?</title>\s*", "", svg, flags=re.DOTALL)
        # Graphviz calls its elements node1, edge1, ... in every picture, and a page holds several.
        prefix = "d" + hashlib.sha256(self.dot.encode()).hexdigest()[:8]
        svg = re.sub(r'\bid="([^"]*)"', rf'id="{prefix}-\1"', svg)
        svg = re.sub(r'(url\(|href=")#', rf"\1#{prefix}-", svg)
        for color, on_the_page in _ON_THE_PAGE.items():
            svg = svg.replace(f'"{color}"', f'"{on_the_page}"')
        svg = svg.replace(f'font-family="{FONT}"', f'font-family="{FONTS_ON_THE_PAGE}"')
        # What is inside an image cannot be reached by a screen reader's user, and links must be.
        role = "group" if "<a " in svg else "img"
        title = f'<title id="{prefix}-title">{escape(self.title)}</title>'
        opening, rest = svg.split(">", 1)
        return f'{opening} role="{role}" aria-labelledby="{prefix}-title" style="{_fit(opening)}">{title}{rest}'

    def __repr__(self):
        return self.outline or f"<Drawing: {self.title}>"

    def _repr_html_(self):
        svg = self.svg
        if svg is None:
            missing = word("This picture needs Graphviz: pip install graphviz-pure. In words:")
            return (
                f'<div class="drawing drawing-missing"><p>{escape(self.title)}. {escape(missing)}</p>'
                f'<pre tabindex="0">{escape(self.outline)}</pre></div>'
            )
        # A wide picture scrolls by itself, and not the page with it; a keyboard must be able to scroll it too.
        # Whether the screen is narrow is for the page to know, so the page unhides the hint.
        hint = ""
        if _smallest_width(svg) > PHONE_WIDTH:
            hint = f'<p class="drawing-hint" style="display: none">{escape(word("The picture scrolls sideways."))}</p>'
        return f'<div class="drawing" tabindex="0" style="overflow-x: auto">{hint}{svg}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}


def _fit(opening):
    """A picture shrinks to the page's width, but not below what can be read; from there on it scrolls."""
    return f"max-width: 100%; min-width: {_smallest_width(opening):.0f}pt; height: auto"


def _smallest_width(svg):
    return min(float(re.search(r'width="([\d.]+)pt"', svg)[1]), SMALLEST_WIDTH)


def find_program():
    """The path of a program that lays graphs out, or None."""
    # A virtual environment's programs are not on PATH where it was not activated.
    scripts = sysconfig.get_path("scripts")
    for name in ("dot", "graphviz-pure"):
        path = shutil.which(name) or shutil.which(name, path=scripts)
        if path is not None:
            return path
    return None


def _lay_out(program, dot):
    done = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        complaint = done.stderr.decode(errors="replace").strip()
        raise ValueError(f"{os.path.basename(program)} could not lay out this graph: {complaint}\n{dot}")
    return done.stdout.decode()

"""Math as MathML, written at build: every browser shows it, and no script or font is fetched for it.

docutils brings the translation from TeX; what it cannot read is a warning, so that -W stops the build.
"""

import html
import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

log = logging.getLogger(__name__)

# docutils knows one environment for lines of formulas.
ENVIRONMENTS = re.compile(r"\\(begin|end)\{(?:align|gather|gathered|split)\*?\}")


def visit_inline(writer, node):
    writer.body.append(f'<span class="math">{translate(node, as_block=False)}</span>')
    raise nodes.SkipNode


def visit_block(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math", tabindex="0"))
    if node.get("number"):
        writer.body.append(f'<span class="eqno">({node["number"]})</span>')
    writer.body.append(f"{translate(node, as_block=True)}</div>\n")
    raise nodes.SkipNode


def translate(node, as_block):
    tex = node.astext()
    try:
        return tex2mathml(ENVIRONMENTS.sub(r"\\\1{aligned}", tex), as_block=as_block)
    except MathError as error:
        log.warning("math: %s in %r", error, tex, location=node)
        return f"<code>{html.escape(tex)}</code>"


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

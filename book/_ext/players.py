"""Players on pages: their script and style, and references to a step.

    {step}`title <BatchSampler.__iter__:2>`             the second call of it in the page's first player
    {step}`title <epoch/BatchSampler.__iter__:2>`       ... in the player made with name="epoch"

A reference to a step that the player does not have is a warning, so that -W stops the build.
"""

import html
import json
import pathlib
import re

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole

from annotated_src.walkthrough import player

log = logging.getLogger(__name__)

PAYLOAD = re.compile(r'<div class="trace-player" id="([^"]+)"[^>]*><script type="application/json">(.*?)</script>')


class StepRole(ReferenceRole):
    def run(self):
        name, _, step = self.target.rpartition("/")
        title = self.title if self.has_explicit_title else step.partition(":")[0]
        link = f'<a class="step" href="{html.escape(f"#step={self.target}")}">{html.escape(title)}</a>'
        reference = nodes.raw("", link, format="html", player=name, step=step)
        reference.source, reference.line = self.get_source_info()
        return [reference], []


def check_steps(app, doctree, docname):
    """Ask the page's players whether they have the steps that the page refers to."""
    references = [node for node in doctree.findall(nodes.raw) if "step" in node]
    if not references:
        return
    page = "\n".join(node.astext() for node in doctree.findall(nodes.raw))
    payloads = {name: json.loads(payload) for name, payload in PAYLOAD.findall(page)}
    for reference in references:
        name = reference["player"] or next(iter(payloads), None)
        if name not in payloads:
            log.warning("step: the page has no player %r", name, location=reference, type="players")
        elif not player.has_step(payloads[name], reference["step"]):
            message = "step: %r is not in the player %r"
            log.warning(message, reference["step"], name, location=reference, type="players")


def serve_player(app):
    app.config.html_static_path.append(str(pathlib.Path(player.__file__).parent / "static"))


def setup(app):
    app.add_role("step", StepRole())
    app.connect("builder-inited", serve_player)
    app.connect("doctree-resolved", check_steps)
    app.add_css_file("player.css")
    app.add_js_file("player.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

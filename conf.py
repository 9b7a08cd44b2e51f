"""Sphinx configuration: the book in `book/` becomes the pages in `_build/html`.

    sphinx-build -W -n -j auto -c . book _build/html

Chapters are text notebooks, executed at build. Their outputs are cached in a folder named by everything that they may
depend on, because the cache itself looks at a notebook's own code only. Nothing is fetched from another host, neither
by the build nor by a reader's browser.
"""

import os
import pathlib
import sys

from jupyter_client import KernelManager

ROOT = pathlib.Path(__file__).resolve().parent
BOOK = ROOT / "book"
sys.path[:0] = [str(ROOT), str(BOOK), str(BOOK / "_ext")]

import booklib  # noqa: E402  (it stands in book/, which is on the path only now)

project = "annotated_src"
author = "the annotated_src authors"
copyright = f"2026, {author}; retells PyTorch {booklib.TORCH_VERSION} and torchvision {booklib.TORCHVISION_VERSION}"
language = "en"

extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "annotated_source",
    "evidence",
    "mathml",
    "players",
]
exclude_patterns = [
    "_build",
    "_ext",
    "_static",
    "_templates",
    "data",
    "scenarios",
    "jupyter_execute",
    "**/.ipynb_checkpoints",
]
gettext_compact = False

# Markdown.
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False

# Notebooks. A failing cell is a warning (so that one build shows all of them), and -W makes it an error.
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "_build" / "notebooks" / booklib.execution_digest())
nb_execution_raise_on_error = False
nb_execution_show_tb = True
nb_execution_timeout = 300
nb_merge_streams = True
# An error is a sentence, not Python.
nb_render_error_lexer = "none"
nb_code_prompt_show = "How this was made"
nb_code_prompt_hide = "Hide"
# Kernels know conf.py's path only through the environment. A player leaves out its script where the page has it.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(BOOK), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
os.environ["WALKTHROUGH_PAGE_HAS_PLAYER"] = "1"
# ipykernel warns at every start that it talks to this machine without encryption.
KernelManager.transport_encryption.default_value = "auto"

# Pages.
html_theme = "pydata_sphinx_theme"
html_title = "annotated_src"
html_static_path = ["book/_static"]
templates_path = ["book/_templates"]
html_context = {"default_mode": "auto"}
html_css_files = ["book.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
# Chapters have one sidebar: all chapters, then this one's sections. Source pages need its width for their notes.
html_sidebars = {"*": ["contents"], "source/**": [], "index": [], "search": [], "genindex": []}
html_theme_options = {
    "logo": {"text": "annotated_src"},
    "navbar_align": "left",
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": [],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "back_to_top_button": False,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ |\(Pdb\) "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

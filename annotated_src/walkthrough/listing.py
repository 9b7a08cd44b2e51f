"""listing: source text as a page shows it. Finds definitions by name and highlights lines.

    definitions(text)   {qualified name: [(first line, last line), ...]}; names as `co_qualname` spells them
    highlighted(text)   a list of lines as HTML, each complete in itself

A name may be defined more than once: a property and its setter, or the two branches of an `if`.
Pygments is needed only to draw, so it is imported when something is drawn.
"""

import ast
import functools
import html


@functools.cache
def definitions(text):
    """The classes, functions and plain names that a file defines, decorators included."""
    found = {}
    _collect(ast.parse(text).body, "", found)
    return found


def _collect(body, prefix, found):
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.setdefault(prefix + node.name, []).append((first, node.end_lineno))
            inside = f"{node.name}." if isinstance(node, ast.ClassDef) else f"{node.name}.<locals>."
            _collect(node.body, prefix + inside, found)
            continue
        if "<locals>" not in prefix:
            for name in assigned(node):
                found.setdefault(prefix + name, []).append((node.lineno, node.end_lineno))
        for branch in ("body", "handlers", "orelse", "finalbody"):
            _collect(getattr(node, branch, []), prefix, found)


def assigned(node):
    """The plain names that a statement assigns to."""
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    elif isinstance(node, ast.Assign):
        targets = node.targets
    else:
        return []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def enclosing(qualname):
    """The named function around a lambda, a comprehension or a generator expression; "" for a module."""
    while qualname.endswith(">"):
        qualname = qualname.rpartition(".")[0].removesuffix(".<locals>")
    return qualname


@functools.cache
def highlighted(text):
    """The lines of a Python file as HTML. The file is highlighted whole, so a cut inside a docstring does no harm."""
    try:
        import pygments
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return [html.escape(line) for line in text.split("\n")]
    return pygments.highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).split("\n")

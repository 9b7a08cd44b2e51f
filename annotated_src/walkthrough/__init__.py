"""walkthrough: record a program while it runs, and draw from the recording.

    from annotated_src.walkthrough import record
    trace = record(main, torch, roots=[folder])
    trace.tree()

    recorder.py     runs a function and makes a Trace          (_monitoring.py, _settrace.py: how Python reports)
    trace.py        the Trace: events, and questions about them
    summary.py      a value in one short line
    tree.py, digraph.py, player.py, compare.py     what is drawn from a Trace
    drawing.py      a graphviz graph as a picture in a page
    claim.py        a checked sentence
    words.py        the words inside drawings, for translators

It knows nothing of torch, and imports nothing of the rest of annotated_src.
"""

# Not lazily: the function has the name of its module, which would take its place as soon as it is imported.
from annotated_src.walkthrough.claim import claim

_HOME = {
    "record": "recorder",
    "Fold": "recorder",
    "Skip": "recorder",
    "Levels": "recorder",
    "Trace": "trace",
    "Event": "trace",
    "register_summary": "summary",
    "Drawing": "drawing",
    "LeftOut": "compare",
    "word": "words",
}

__all__ = ["claim", *sorted(_HOME)]


def __getattr__(name):
    # Loaded when first used, so that importing the package costs nothing.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})

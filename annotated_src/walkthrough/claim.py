"""claim: a sentence of the book that is checked when the book is built.

    claim("a batch sampler asks its sampler for one index at a time", trace.find("SequentialSampler.__iter__") == 7)

A true claim is shown with a check mark; a false one raises, and the build stops. So no page says what did not happen.
"""

from html import escape

from annotated_src.walkthrough.words import word


class Claim:
    """A sentence that was checked and holds."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return f"✓ {self.text}"

    def _repr_html_(self):
        mark = f'<span class="claim-mark" role="img" aria-label="{escape(word("checked"))}">✓</span>'
        return f'<p class="claim">{mark} {escape(self.text)}</p>'


def claim(text, condition):
    """Return a Claim of `text` if `condition` is true; AssertionError with the text otherwise.

    >>> claim("two and two make four", 2 + 2 == 4)
    ✓ two and two make four
    """
    if not condition:
        raise AssertionError(f"this claim does not hold: {text}")
    return Claim(text)

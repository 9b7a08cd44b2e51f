"""A claim holds, or the build stops."""

import subprocess
import sys

import pytest

from annotated_src.walkthrough import claim
from annotated_src.walkthrough.words import use_words


def test_a_true_claim_is_shown_as_checked():
    checked = claim("a < b", 1 < 2)
    assert repr(checked) == "✓ a < b"
    html = checked._repr_html_()
    assert html.startswith('<p class="claim">') and "a &lt; b" in html and 'aria-label="checked"' in html


@pytest.mark.parametrize("condition", [False, 0, None, []])
def test_a_false_claim_raises_with_its_text(condition):
    with pytest.raises(AssertionError, match="pigs can fly"):
        claim("pigs can fly", condition)


def test_it_raises_without_assertions_too():
    # `python -O` drops assert statements; a false page must not be built by it.
    code = "from annotated_src.walkthrough import claim; claim('pigs can fly', False)"
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and "pigs can fly" in done.stderr


def test_the_mark_is_translated():
    use_words({"checked": "geprüft"})
    try:
        assert 'aria-label="geprüft"' in claim("x", True)._repr_html_()
    finally:
        use_words({})


def test_it_is_the_function_whatever_is_imported_first():
    code = "import annotated_src.walkthrough.claim; from annotated_src.walkthrough import claim; claim('x', 1)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0

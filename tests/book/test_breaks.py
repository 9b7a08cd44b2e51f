"""Each claim of a chapter has a break that refutes it, and each break's claim stands in a chapter."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parent.parent.parent / "book"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
CHAPTERS = sorted(page.stem for page in BOOK.glob("*.md") if CELL.search(page.read_text(encoding="utf-8")))
ROWS = tomllib.loads((BOOK / "data" / "breaks.toml").read_text(encoding="utf-8"))["break"]
REFUTED = [row["claim"] for row in ROWS if "claim" in row]


def claims(text):
    """A pattern for each claim that the cells of a page make; what an f-string puts in may be anything."""
    for cell in CELL.findall(text):
        code = "\n".join(line for line in cell.splitlines() if not line.startswith((":", "%")))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claim":
                yield pattern(node.args[0])


def pattern(said):
    if isinstance(said, ast.Constant):
        return re.escape(said.value)
    return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in said.values)


def claims_of(chapter):
    return list(claims((BOOK / f"{chapter}.md").read_text(encoding="utf-8")))


def test_claims_are_found():
    page = "```{code-cell} ipython3\n:tags: [x]\nfor n in y:\n    claim(f'{n} is odd.', n % 2)\n```\n`claim('no', 1)`\n"
    assert list(claims(page)) == [r".+\ is\ odd\."]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_has_a_break(chapter):
    unbroken = [said for said in claims_of(chapter) if not any(re.fullmatch(said, claim) for claim in REFUTED)]
    assert unbroken == []


def test_every_claim_of_a_break_is_made():
    made = [said for chapter in CHAPTERS for said in claims_of(chapter)]
    assert made
    assert [claim for claim in REFUTED if not any(re.fullmatch(said, claim) for said in made)] == []

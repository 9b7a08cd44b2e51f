"""Named mutations: applied to a copy, proven by tests that turn red, refused when they prove nothing."""

import pytest

from annotated_src.walkthrough import breaks
from annotated_src.walkthrough.breaks import Break, BreakError

SOURCE = "def halve(number):\n    return number / 2\n\n\ndef double(number):\n    return number * 2\n"
TESTS = """\
import pytest
from annotated_src.maths import double, halve

@pytest.mark.parametrize("number", [2, 4])
def test_halve(number):
    assert halve(number) * 2 == number

def test_double():
    assert double(3) == 6

def test_red():
    assert False

@pytest.mark.skip
def test_skipped():
    pass
"""
ROW = """\
[[break]]
name = "halve-badly"
file = "annotated_src/maths.py"
old = "number / 2"
new = "number / 3"
tests = ["tests/test_maths.py::test_halve"]
shows = "Half of a number is one line."
"""


@pytest.fixture
def checkout(tmp_path):
    for path, text in {
        "annotated_src/__init__.py": "",
        "annotated_src/maths.py": SOURCE,
        "tests/test_maths.py": TESTS,
        # With a conftest below the top, pytest looks its plugins over.
        "tests/more/conftest.py": "",
        "tests/more/test_more.py": "def test_more(): ...",
        "pyproject.toml": "",
        "book/data/breaks.toml": ROW,
    }.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def mutation(new="number / 3", old="number / 2", tests=("test_halve",)):
    ids = [f"tests/test_maths.py::{test}" for test in tests]
    return Break("a name", "annotated_src/maths.py", old, new, ids, "x")


def apply(checkout, *arguments, **named):
    return breaks.run_all([mutation(*arguments, **named)], checkout)[0]


def test_what_it_breaks_turns_red_and_the_working_copy_stays(checkout):
    outcome = breaks.run("halve-badly", checkout)
    assert outcome.ok
    assert outcome.red == ["tests/test_maths.py::test_halve[2]", "tests/test_maths.py::test_halve[4]"]
    assert outcome.green == []
    assert "-    return number / 2\n+    return number / 3" in str(outcome)
    assert str(outcome).endswith("\n\n2 red, 0 green")
    assert "Half of a number is one line." in outcome._repr_html_()
    assert (checkout / "annotated_src/maths.py").read_text() == SOURCE
    assert not list(checkout.rglob("__pycache__"))


def test_what_stays_green_is_counted_and_named_on_demand(checkout):
    outcome = apply(checkout, new="2 if number == 4 else 0", tests=["test_halve"])
    assert outcome.green == ["tests/test_maths.py::test_halve[4]"]
    assert "green  " not in str(outcome) and str(outcome).endswith("1 red, 1 green")
    assert "green  tests/test_maths.py::test_halve[4]" in outcome.text(verbose=True)


def test_the_sentence_that_a_break_refutes(checkout):
    (checkout / "book/data/breaks.toml").write_text(ROW + 'claim = "Half of two is one."\n')
    named = breaks.get("halve-badly", checkout)
    assert named.claim == "Half of two is one."
    assert "\nRefutes: Half of two is one.\n" in breaks.Outcome(named, "", [], [], []).text()


def test_mutations_do_not_add_up(checkout):
    first = mutation("number / 3")
    second = Break("b", "annotated_src/maths.py", "number * 2", "number * 3", ["tests/test_maths.py::test_double"], "y")
    outcomes = breaks.run_all([first, second], checkout)
    assert [outcome.ok for outcome in outcomes] == [True, True]
    third = mutation("number / 3", tests=["test_double"])
    assert not breaks.run_all([second, third], checkout)[1].ok


def test_one_case_of_a_parametrized_test_can_be_named(checkout):
    outcome = apply(checkout, new="2 if number == 4 else 0", tests=["test_halve[2]"])
    assert outcome.ok and outcome.red == ["tests/test_maths.py::test_halve[2]"]


def test_a_test_that_stays_green_is_unproven(checkout):
    outcome = apply(checkout, tests=["test_halve", "test_double"])
    assert not outcome.ok
    assert outcome.unproven == ["tests/test_maths.py::test_double"]
    assert "NOT RED, but it should be: tests/test_maths.py::test_double" in str(outcome)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"old": "number", "new": "x"}, "occurs 4 times in annotated_src/maths.py, not once"),
        ({"old": "nothing", "new": "x"}, "occurs 0 times"),
        ({"new": "number / 2"}, "changes nothing"),
        ({"new": "number / ("}, "could not run at all"),
        ({"tests": ["test_red"]}, "is red before the change|does not pass before the change, it is failed"),
        ({"tests": ["test_skipped"]}, "does not pass before the change, it is skipped"),
        ({"tests": ["test_gone"]}, "could not be run|not there"),
    ],
)
def test_a_mutation_that_proves_nothing_is_refused(checkout, changes, message):
    with pytest.raises(BreakError, match=message):
        apply(checkout, **changes)


def test_an_installed_package_is_not_taken_for_the_copy(checkout, tmp_path_factory, monkeypatch):
    # Whoever imports annotated_src first, from elsewhere, would test the wrong sources.
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "annotated_src").mkdir()
    (elsewhere / "annotated_src" / "__init__.py").touch()
    text = f"import sys; sys.path.insert(0, {str(elsewhere)!r}); import annotated_src"
    (elsewhere / "sitecustomize.py").write_text(text)
    monkeypatch.setattr(breaks, "COPIED", (*breaks.COPIED, "sitecustomize.py"))
    (checkout / "sitecustomize.py").write_text(text)
    with pytest.raises(BreakError, match="not from the scratch copy"):
        breaks.run("halve-badly", checkout)


def test_tests_beside_a_conftest_are_run(checkout):
    named = mutation()
    named.tests.append("tests/more/test_more.py")
    assert breaks.run_all([named], checkout)[0].unproven == ["tests/more/test_more.py"]


def test_names_are_listed_and_looked_up(checkout):
    assert list(breaks.load(checkout)) == ["halve-badly"]
    with pytest.raises(BreakError, match="no break 'halve-bad'. Did you mean halve-badly?"):
        breaks.get("halve-bad", checkout)


@pytest.mark.parametrize(
    "text, message",
    [
        (ROW + ROW, "two breaks are named 'halve-badly'"),
        (ROW.replace("shows", "show"), "shows must be a str, got None"),
        (ROW + 'more = "x"\n', "unknown fields more"),
        (ROW + "claim = 1\n", "claim must be a str, got 1"),
        (ROW.replace('["tests/test_maths.py::test_halve"]', "[]"), "names no test"),
    ],
)
def test_ill_formed_data_is_refused(checkout, text, message):
    (checkout / "book/data/breaks.toml").write_text(text)
    with pytest.raises(BreakError, match=message):
        breaks.load(checkout)


def test_without_data_it_says_so(tmp_path):
    with pytest.raises(BreakError, match="no book/data/breaks.toml"):
        breaks.load(tmp_path)


def test_every_named_mutation_of_the_book_still_fits():
    # That they turn their tests red is run by: python -m annotated_src.walkthrough break --all
    for named in breaks.load().values():
        assert named.diff()

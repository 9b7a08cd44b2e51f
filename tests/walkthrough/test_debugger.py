"""The debugger: where it starts, what it passes over, how it names a place.

All sessions are replayed by `transcript`, so this is its test, too; the text must be the same on every Python.
"""

import bdb
import io
import sys
import textwrap

import pytest

from annotated_src.walkthrough.debugger import Debugger, FunctionNotFound, Places, find_functions
from annotated_src.walkthrough.transcript import transcript
from tests.walkthrough import toy


@pytest.fixture
def package(tmp_path):
    package, folder = toy.write(tmp_path)
    yield package
    toy.forget()


@pytest.fixture
def session(package, tmp_path):
    def main():
        total = 0
        for batch in package.samplers.Loader(2):
            total += sum(batch)
        return total

    def replay(*commands, at=None, into="ops", function=main):
        roots = [tmp_path / "toy_package"]
        return transcript(function, at=at, commands=commands, into=into, roots=roots, levels=toy.LEVELS)

    return replay


def stops(session):
    """Where the debugger stood after each command: (function, line of code)."""
    found = []
    for step in session.steps:
        lines = [line for line in step.output.splitlines() if line.startswith("> ")]
        found.append(lines[-1].rpartition(")")[0].rpartition(")")[2].removesuffix("(") if lines else None)
    return found


def text(what):
    return textwrap.dedent(what).lstrip("\n")


# -- where it starts


def test_it_stops_at_the_first_line_of_a_function_by_name(session):
    expected = """
        > toy_package/samplers.py(27)fetch()
        -> squares = [square(index) for index in indices]
        (Pdb) p indices
        [0, 1]
        (Pdb) c
        > toy_package/samplers.py(27)fetch()
        -> squares = [square(index) for index in indices]
        (Pdb) p indices
        [1, 2]
    """
    assert session("p indices", "c", "p indices", at="fetch").text == text(expected)


@pytest.mark.parametrize("file", ["", "samplers.py::", "toy_package/samplers.py::"])
def test_a_generator_is_met_when_it_begins_and_only_then(session, file):
    met = session("p self.size", "b fetch", "c", at=file + "Sampler.__iter__")
    assert met.output_of("p self.size") == "2\n"
    assert stops(met)[0] == "Sampler.__iter__"
    # Its second turn is no new call: what comes next is the breakpoint.
    assert stops(met)[-1] == "fetch"


def test_a_decorated_generator_is_met_when_it_begins(session):
    def same(function):
        return function

    @same
    def decorated():
        yield 1
        yield 2

    def main():
        list(decorated())
        return None

    met = session("c", at="decorated", function=main)
    assert met.steps[0].output.endswith("-> yield 1\n")
    assert met.output_of("c") == ""


def test_a_method_without_its_class_is_enough(session):
    assert stops(session(at="__iter__"))[0] == "Loader.__iter__"


def test_without_a_name_it_starts_at_the_first_line(session):
    assert stops(session("n", "n")) == ["session.<locals>.main"] * 3


def test_an_unknown_name_is_refused_with_what_comes_close(session):
    with pytest.raises(FunctionNotFound, match="no function 'fetsh' under the roots. Did you mean fetch?"):
        session(at="fetsh")


def test_functions_are_found_with_their_first_statement(package, tmp_path):
    places = Places([tmp_path / "toy_package"])
    assert [repr(found) for found in find_functions("__iter__", places)] == [
        "toy_package/samplers.py::Sampler.__iter__",
        "toy_package/samplers.py::Loader.__iter__",
    ]
    # After the docstring.
    assert find_functions("Sampler.__iter__", places)[0].line == 10


# -- where it steps


def test_into_ops_an_operator_is_one_step(session):
    expected = """
        > toy_package/samplers.py(32)square()
        -> result = multiply(number, number)
        (Pdb) s
        > toy_package/samplers.py(33)square()
        -> return result
        (Pdb) s
        --Return--
        > toy_package/samplers.py(33)square()->0
        -> return result
    """
    assert session("s", "s", at="square").text == text(expected)


def test_into_kernels_only_the_plumbing_is_passed_over(session):
    met = session("s", "s", "s", "s", at="square", into="kernels")
    assert stops(met) == ["square", "multiply", "multiply", "kernel", "kernel"]


def test_into_all_nothing_is_passed_over(session):
    met = session("s", "s", "s", "s", at="square", into="all")
    assert stops(met) == ["square", "multiply", "multiply", "dispatch", "dispatch"]


def test_stepping_out_of_a_kernel_passes_over_the_plumbing(session):
    met = session("n", "s", "s", "s", at="kernel", into="kernels")
    assert stops(met) == ["kernel", "kernel", "kernel", "multiply", "square"]


def test_the_level_can_be_changed_at_the_prompt(session):
    met = session("into", "into all", "s", "s", "s", "into nowhere", at="square")
    assert met.output_of("into") == "into ops\n"
    assert stops(met)[3:] == ["multiply", "multiply", "dispatch", None]
    assert met.output_of("into nowhere") == "*** no level 'nowhere': choose ops, kernels or all\n"


def test_a_function_inside_a_fold_can_be_met_and_stepped_through(session):
    met = session("n", "n", "s", at="kernel", into="ops")
    assert stops(met) == ["kernel", "kernel", "kernel", "square"]


def test_a_breakpoint_inside_a_fold_works(session):
    met = session("b kernel", "c", "n", "n", at="fetch")
    assert met.output_of("b kernel") == "Breakpoint 1 at toy_package/operators.py:10\n"
    assert stops(met)[2:] == ["kernel"] * 3


def test_a_comprehension_is_one_stop_on_every_python(session):
    assert stops(session("n", "n", at="fetch")) == ["fetch"] * 3
    assert "-> return squares" in session("n", at="fetch").text
    assert stops(session("s", at="fetch"))[-1] == "square"


def test_what_is_outside_the_roots_is_passed_over(package, session):
    import json

    def main():
        json.dumps([1])
        return package.operators.kernel(2, 3)

    main_is = "test_what_is_outside_the_roots_is_passed_over.<locals>.main"
    assert stops(session("s", "s", into="all", function=main)) == [main_is, main_is, "kernel"]


# -- how it reads


def test_the_stack_shows_only_what_is_shown(session):
    met = session("s", "s", "s", "w", "up", "up", at="square", into="kernels")
    stack = met.output_of("w")
    assert "toy_package/samplers.py(20)Loader.__iter__()" in stack
    assert "dispatch()" not in stack and "bdb.py" not in stack
    assert stops(met)[-2:] == ["multiply", "square"]


def test_a_return_shows_its_value(session):
    assert "toy_package/samplers.py(28)fetch()->[0, 1]" in session("r", at="fetch").text


def test_breakpoints_are_set_by_upstreams_names(session):
    met = session("b Loader.fail", "b __iter__", "b nope", "tbreak square, number == 1", "c", "p number", at="fetch")
    assert met.output_of("b Loader.fail") == "Breakpoint 1 at toy_package/samplers.py:23\n"
    assert met.output_of("b __iter__").startswith("*** '__iter__' can be any of: toy_package/samplers.py::Sampler")
    assert met.output_of("b nope").startswith("*** no function 'nope' under the roots.")
    assert met.output_of("p number") == "1\n"


def test_an_exception_that_ends_the_program_ends_the_session(package, session):
    def main():
        package.samplers.Loader(1).fail()

    met = session("c", at="fail", function=main)
    assert met.output_of("c") == "KeyError: 'no such thing'\n"


def test_an_exception_is_met_while_stepping(package, session):
    def main():
        package.samplers.Loader(1).fail()

    met = session("n", at="fail", function=main)
    assert met.output_of("n").startswith("KeyError: 'no such thing'\n> toy_package/samplers.py(23)Loader.fail()")


# -- what it leaves behind


def test_nothing_stays_installed(session):
    def tracer(frame, event, arg):
        return None

    before, numbers = sys.gettrace(), bdb.Breakpoint.next
    sys.settrace(tracer)
    try:
        session("b kernel", "c", at="fetch")
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
    assert bdb.Breakpoint.next == numbers


def test_the_program_runs_to_its_result(package, tmp_path):
    screen = io.StringIO()
    keyboard = io.StringIO("c\nc\n")
    debugger = Debugger([tmp_path / "toy_package"], at="fetch", stdin=keyboard, stdout=screen, readrc=False)
    assert debugger.runcall(lambda: sum(map(sum, package.samplers.Loader(2)))) == 6
    assert debugger.arrived


# -- with the book's scenarios and levels

MULTIPLY = """\
def main(torch):
    w = torch.ones(3)
    x = torch.arange(3.0)
    product = w * x
    return product
"""


def step_at_the_product(tmp_path, into, steps):
    """Step `steps` times from the line that multiplies; (function, path) of each stop."""
    from annotated_src.walkthrough import scenario

    (tmp_path / "multiply.py").write_text(MULTIPLY)
    levels = scenario.load("single_process_epoch").levels
    commands = ["n", "n"] + ["s"] * steps
    met = transcript(str(tmp_path / "multiply.py"), at="main", commands=commands, into=into, levels=levels)
    heads = [step.output.splitlines()[-2] for step in met.steps[3:]]
    return [(head.rpartition(")")[0].rpartition(")")[2].removesuffix("("), head) for head in heads]


def test_an_operator_is_one_step_by_default(tmp_path):
    (stop,) = step_at_the_product(tmp_path, "ops", 1)
    assert stop[1].endswith("multiply.py(5)main()")


def test_the_kernel_is_at_most_four_stops_away(tmp_path):
    found = step_at_the_product(tmp_path, "kernels", 4)
    assert any(name == "mul" and "aten/native/" in head for name, head in found), found


def test_into_all_passes_through_the_plumbing(tmp_path):
    found = step_at_the_product(tmp_path, "all", 4)
    assert any("aten/native/" not in head and name != "main" for name, head in found), found
    assert not any("aten/native/" in head for name, head in found), found


def test_the_story_of_a_batch_can_be_stepped_through():
    commands = ["n", "p index", "s", "n", "n", "r", "s"]
    met = transcript("single_process_epoch", at="_SingleProcessDataLoaderIter._next_data", commands=commands)
    assert met.output_of("p index") == "[0, 1, 2, 3, 4, 5, 6, 7]\n"
    assert "torch/utils/data/_utils/fetch.py" in met.output_of("s")
    assert all(not line.startswith("> /") for line in met.text.splitlines())

"""Transcripts: the exact text of a session, the errors of one that did not go as said, and how it looks in a page."""

import html
import pathlib
import re
import subprocess
import sys

import pytest

from annotated_src.walkthrough.transcript import Transcript, TranscriptError, read_commands, transcript
from tests.walkthrough import toy


@pytest.fixture
def replay(tmp_path):
    package, folder = toy.write(tmp_path)

    def main():
        print("starting <now>")
        return [batch for batch in package.samplers.Loader(2)]

    def session(*commands, **options):
        return transcript(main, commands=commands, roots=[folder], levels=toy.LEVELS, **options)

    yield session
    toy.forget()


def test_the_text_is_what_stands_on_the_screen(replay):
    session = replay("p indices", "p self", at="fetch")
    assert session.text == (
        "starting <now>\n"
        "> toy_package/samplers.py(27)fetch()\n"
        "-> squares = [square(index) for index in indices]\n"
        "(Pdb) p indices\n"
        "[0, 1]\n"
        "(Pdb) p self\n"
        "*** NameError: name 'self' is not defined\n"
    )
    assert str(session) == repr(session) == session.text


# What a notebook's kernel does before any cell runs: it puts a class of its own into pdb's place.
IN_A_NOTEBOOK = """
import pdb

class NotebookPdb(pdb.Pdb):
    def print_stack_entry(self, *arguments):
        print("elsewhere", file=self.stdout)

    def format_stack_entry(self, *arguments):
        return "elsewhere"

pdb.Pdb = NotebookPdb
"""

SESSION = """
from annotated_src.walkthrough.transcript import transcript

def main():
    value = 1
    return value

print(transcript(main, commands=["n", "p value", "w", "b main"], roots=[]))
"""


def test_a_notebook_shows_what_a_terminal_shows(tmp_path):
    story = tmp_path / "story.py"
    shown = []
    for before in ("", IN_A_NOTEBOOK):
        # The session comes first, so that its lines have the same numbers.
        story.write_text(f"import sys; exec(sys.argv[1])\n{SESSION}")
        root = str(pathlib.Path(__file__).resolve().parent.parent.parent)
        command = [sys.executable, str(story), before]
        done = subprocess.run(command, cwd=root, env={"PYTHONPATH": root}, capture_output=True, text=True, check=True)
        shown.append(done.stdout)
    assert shown[0] == shown[1]
    assert "> story.py(" in shown[0] and "\n-> return value\n" in shown[0]


def test_the_text_is_cut_into_steps(replay):
    session = replay("p 1", "p 2", "p 1", at="fetch")
    assert [step.command for step in session.steps] == [None, "p 1", "p 2", "p 1"]
    assert [step.output for step in session.steps[1:]] == ["1\n", "2\n", "1\n"]
    assert session.output_of("p 1", occurrence=2) == "1\n"
    with pytest.raises(TranscriptError, match="'p 3' was typed 0 times"):
        session.output_of("p 3")


def test_what_the_program_prints_and_what_prompts_look_like_do_not_confuse_it(replay):
    session = replay("!print('(Pdb) p 7')", "p 8", at="fetch")
    assert session.output_of("!print('(Pdb) p 7')") == "(Pdb) p 7\n"
    assert session.output_of("p 8") == "8\n"


def test_addresses_and_folders_are_left_out(replay, tmp_path):
    session = replay("p object()", "p open", "p __file__", "b 28", at="fetch")
    assert session.output_of("p object()") == "<object object>\n"
    assert session.output_of("p __file__") == "'toy_package/samplers.py'\n"
    assert session.output_of("b 28") == "Breakpoint 1 at toy_package/samplers.py:28\n"
    assert str(tmp_path) not in session.text
    assert not re.search(r"0x[0-9a-f]{6}", session.text)


def test_two_replays_are_equal(replay):
    commands = ["b kernel", "b", "c", "p locals()", "w", "into all", "s", "s"]
    assert replay(*commands, at="fetch").text == replay(*commands, at="fetch").text


def test_a_function_that_is_never_called_is_an_error(replay):
    with pytest.raises(TranscriptError, match="Loader.fail was never called") as caught:
        replay("p 1", at="Loader.fail")
    assert "starting <now>" in str(caught.value)


def test_a_command_that_is_never_read_is_an_error_that_shows_the_session(replay):
    with pytest.raises(TranscriptError, match="before it read: p 1, p 2") as caught:
        replay("c", "c", "p 1", "p 2", at="fetch")
    assert "(Pdb) c\n" in str(caught.value)


def test_a_scenario_is_replayed_by_its_path(tmp_path):
    path = tmp_path / "story.py"
    path.write_text("def main(walkthrough):\n    name = walkthrough.__name__\n    return name\n")
    session = transcript(str(path), at="main", commands=["n", "p name"], roots=[tmp_path])
    assert session.output_of("p name") == "'annotated_src.walkthrough'\n"


def test_in_a_page_it_is_a_console(replay):
    page = replay("p '<b>'", at="fetch")._repr_html_()
    assert '<span class="gp">(Pdb) </span><kbd class="kn">p &#x27;&lt;b&gt;&#x27;</kbd>' in page
    assert "<b>" not in page
    assert 'tabindex="0"' in page and "aria-label" in page
    shown = html.unescape(re.sub(r"<[^>]*>", "", page))
    assert shown == replay("p '<b>'", at="fetch").text


def test_an_empty_session_is_empty():
    assert Transcript([]).text == ""


def test_commands_are_read_from_a_file(tmp_path):
    path = tmp_path / "commands"
    path.write_text("# how an epoch begins\nn\n\n  p self\n")
    assert read_commands(path) == ["n", "  p self"]


def test_a_returned_object_has_no_address(replay):
    class Sample:
        def __init__(self):
            self.values = [0] * 100

    def main():
        return Sample()

    session = transcript(main, at="main", commands=["r"], roots=[])
    assert "main()->" in session.text and "Sample" in session.text
    assert not re.search(r"[xX][0-9a-fA-F]{6}", session.text)

"""The commands in a terminal: what they print, and how they exit."""

import subprocess
import sys

import pytest

from annotated_src.walkthrough import breaks
from annotated_src.walkthrough import scenario as scenarios
from annotated_src.walkthrough.__main__ import main

SCENARIO = """\
def helper(value):
    return value + 1

def main(walkthrough, first=1):
    print("in", walkthrough.__name__)
    return helper(first)
"""


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "stories" / "story.py"
    path.parent.mkdir()
    path.write_text(SCENARIO)
    return str(path)


def test_run_shows_what_a_scenario_prints_and_returns(scenario, capsys):
    assert main(["run", scenario]) == 0
    assert capsys.readouterr().out == "in annotated_src.walkthrough\n2\n"


def test_tree_shows_its_calls(scenario, capsys):
    assert main(["tree", scenario]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "in annotated_src.walkthrough"
    assert "main" in lines[1] and "stories/story.py" in lines[1]
    assert "helper" in lines[2] and lines[2].index("helper") > lines[1].index("main")


def test_tree_can_be_cut(scenario, capsys):
    assert main(["tree", scenario, "--depth", "1"]) == 0
    assert "helper" not in capsys.readouterr().out


def test_tree_shows_what_was_recorded_before_an_error(tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text("def main(walkthrough):\n    raise KeyError('k')\n")
    assert main(["tree", str(path)]) == 1
    out = capsys.readouterr().out
    assert "main" in out and "the scenario ended with KeyError: 'k'" in out


def test_tree_hides_setattr_and_explains_its_marks(tmp_path, capsys):
    path = tmp_path / "guarded.py"
    path.write_text(
        "class Guarded:\n"
        "    def __setattr__(self, name, value):\n        super().__setattr__(name, note(value))\n\n"
        "def note(value):\n    return value\n\n"
        "def main(walkthrough):\n    guarded = Guarded()\n    guarded.a = 1\n    guarded.b = 2\n"
    )
    assert main(["tree", str(path)]) == 0
    out = capsys.readouterr().out
    assert "  note x2\n" in out and "Guarded.__setattr__" not in out
    assert "x3: three such calls in a row" in out
    assert "not shown: *.__setattr__ (2); --all shows them" in out
    assert main(["tree", str(path), "--all"]) == 0
    assert "Guarded.__setattr__ x2" in capsys.readouterr().out


def test_step_suggests_what_the_scenario_passes_through(tmp_path, capsys):
    path = tmp_path / "stories" / "short.py"
    path.parent.mkdir()
    # A name that annotated_src has, but this story never comes near.
    path.write_text("def main(walkthrough):\n    print('noise')\n\ndef next_indices():\n    pass\n")
    assert main(["step", str(path), "--at", "next_inde"]) == 2
    shown = capsys.readouterr()
    assert "Did you mean next_indices? " in shown.err and "noise" not in shown.out


def test_step_says_which_of_several_functions_it_stops_at(tmp_path, capsys):
    path, commands = tmp_path / "stories" / "two.py", tmp_path / "commands"
    path.parent.mkdir()
    path.write_text(
        "class A:\n    def work_of_two(self):\n        pass\n\n"
        "class B:\n    def work_of_two(self):\n        pass\n\n"
        "def main(walkthrough):\n    B().work_of_two()\n    A().work_of_two()\n"
    )
    commands.write_text("c\n")
    assert main(["step", str(path), "--at", "work_of_two", "--commands", str(commands)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Stopped at B.work_of_two, the first to be called of 2 functions of that name")
    assert out.count("Stopped at") == 1 and "A.work_of_two()" in out
    assert main(["step", str(path), "--at", "A.work_of_two", "--commands", str(commands)]) == 0
    assert "Stopped at" not in capsys.readouterr().out


def test_step_types_the_commands_of_a_file(scenario, tmp_path, capsys):
    commands = tmp_path / "commands"
    commands.write_text("p value\nr\n")
    assert main(["step", scenario, "--at", "helper", "--commands", str(commands)]) == 0
    assert capsys.readouterr().out == (
        "in annotated_src.walkthrough\n"
        "> stories/story.py(2)helper()\n"
        "-> return value + 1\n"
        "(Pdb) p value\n"
        "1\n"
        "(Pdb) r\n"
        "--Return--\n"
        "> stories/story.py(2)helper()->2\n"
        "-> return value + 1\n"
        "(Pdb) \n"
    )


def test_step_by_hand(scenario):
    """As from a terminal: commands on standard input, in a process of its own."""
    command = [sys.executable, "-m", "annotated_src.walkthrough", "step", scenario, "--at", "helper"]
    done = subprocess.run(command, input="p value + 40\nq\n", capture_output=True, text=True, timeout=60)
    assert "stories/story.py(2)helper()" in done.stdout
    assert "(Pdb) 41\n" in done.stdout
    assert done.stderr == ""
    assert done.returncode == 0


def test_step_ends_with_the_scenarios_error(tmp_path, capsys):
    path, commands = tmp_path / "bad.py", tmp_path / "commands"
    path.write_text("def main(walkthrough):\n    raise KeyError('k')\n")
    commands.write_text("c\n")
    assert main(["step", str(path), "--at", "main", "--commands", str(commands)]) == 1
    assert capsys.readouterr().out.endswith("the scenario ended with KeyError: 'k'\n")


def test_step_says_when_a_function_is_never_called(tmp_path, capsys):
    path = tmp_path / "idle.py"
    path.write_text("def other():\n    pass\n\ndef main(walkthrough):\n    pass\n")
    assert main(["step", str(path), "--at", "other"]) == 1
    assert "other was never called in idle" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["step", "SCENARIO", "--at", "helpr"], "no function 'helpr' under the roots. Did you mean helper"),
        (["step", "SCENARIO", "--commands", "n;n"], "--commands takes a file, a line each: no file 'n;n'"),
        (["run", "no_such_story"], "no scenario 'no_such_story'"),
        (["run", "TMP/empty.py"], "empty.py is no scenario: it has no main()"),
        (["run", "TMP/wrong.py"], "main() asks for 'tensorflow', but annotated_src has no library of that name"),
        (["run", "TMP/wrong.py", "--upstream"], "--upstream needs the real tensorflow"),
        (["break", "no-such-break"], "no break"),
        (["drift", "--against", "TMP"], "holds no torch/version.py"),
    ],
)
def test_what_cannot_be_done_is_said_in_words(scenario, tmp_path, capsys, arguments, message):
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "wrong.py").write_text("def main(tensorflow):\n    pass\n")
    replaced = [part.replace("SCENARIO", scenario).replace("TMP", str(tmp_path)) for part in arguments]
    assert main(replaced) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("walkthrough: ") and message in shown


def test_break_exits_by_what_turned_red(monkeypatch, capsys):
    class Outcome:
        def __init__(self, ok):
            self.ok = ok

        def text(self, verbose):
            return f"ok {self.ok}, verbose {verbose}"

    mutation = breaks.Break("one", "f.py", "a", "b", ["t"], "Something.")
    monkeypatch.setattr(breaks, "load", lambda: {"one": mutation})
    monkeypatch.setattr(breaks, "run_all", lambda chosen: [Outcome(True), Outcome(len(chosen) == 2)])
    monkeypatch.setattr(breaks, "get", lambda name: mutation)
    assert main(["break", "--list"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("one\n    f.py\n    Something.\n\n") and "walkthrough break NAME" in listed
    assert main(["break", "one"]) == 1
    monkeypatch.setattr(breaks, "run_all", lambda chosen: [Outcome(True)])
    assert main(["break", "--all", "--verbose"]) == 0
    assert capsys.readouterr().out.endswith("ok True, verbose True\n")


def test_breaks_are_chosen_by_a_pattern(monkeypatch, capsys):
    mutations = {name: breaks.Break(name, "f.py", "a", "b", ["t"], "Something.") for name in ("one", "other", "two")}
    chosen = []
    monkeypatch.setattr(breaks, "load", lambda: mutations)
    monkeypatch.setattr(breaks, "run_all", lambda some: chosen.extend(one.name for one in some) or [])
    assert main(["break", "--matching", "o*"]) == 0
    assert chosen == ["one", "other"]
    assert main(["break", "--matching", "x*"]) == 2
    assert "no break fits 'x*'; list them with --list" in capsys.readouterr().err


def test_a_wrong_command_is_refused():
    with pytest.raises(SystemExit) as caught:
        main(["walk"])
    assert caught.value.code == 2


def test_upstream_is_imported_by_the_help_of_levels(tmp_path):
    (tmp_path / "levels.py").write_text(
        "from annotated_src.walkthrough import Levels\n"
        "levels = Levels()\n"
        "def import_upstream(name):\n    return 'the real ' + name\n"
    )
    (tmp_path / "story.py").write_text("def main(anything):\n    return anything\n")
    story = scenarios.load(str(tmp_path / "story.py"))
    assert story.call(upstream=True) == "the real anything"
    assert story.levels.rules("ops") == ([], [], [])


def test_levels_without_levels_are_refused(tmp_path):
    (tmp_path / "levels.py").write_text("")
    (tmp_path / "story.py").write_text("def main():\n    return 1\n")
    story = scenarios.load(str(tmp_path / "story.py"))
    with pytest.raises(scenarios.ScenarioError, match="defines no levels"):
        print(story.levels)


def test_every_scenario_of_the_book_can_be_loaded():
    found = scenarios.names()
    assert "levels" not in found
    for name in found:
        assert scenarios.load(name).libraries

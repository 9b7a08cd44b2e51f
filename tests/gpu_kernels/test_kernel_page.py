"""What the page gpu_kernels.md shows: fresh runs give what the record holds; without a compiler the record is shown."""

import importlib.util
import json
import pathlib
import shutil
import sys

import pytest

from annotated_src.walkthrough.cuda_on_cpu import nvrtc, run, stepping
from tests.kernels import need_compiler

BOOK = pathlib.Path(__file__).resolve().parent.parent.parent / "book"
# PTX depends on the compiler's version, gdb's words on gdb's.
SAME_EVERYWHERE = ["owners", "lanes", "orders", "softmax", "chunks", "faults"]


@pytest.fixture(scope="module")
def page():
    if not (BOOK / "kernel_runs.py").is_file():
        pytest.skip("the book is not part of this copy")
    specification = importlib.util.spec_from_file_location("kernel_runs", BOOK / "kernel_runs.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def nothing_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(nvrtc, "nvrtc", lambda: None)


@pytest.mark.parametrize("name", SAME_EVERYWHERE)
def test_the_record_is_what_a_run_gives(page, name):
    need_compiler()
    recorded = json.loads(page.RECORD.read_text(encoding="utf-8"))["runs"][name]
    # (NaN as text, so that it equals itself)
    assert json.dumps(page.Shown(name).data) == json.dumps(recorded), "record it again: python book/kernel_runs.py"
    assert page.Shown(name).note == ""


def test_without_a_compiler_the_record_is_shown_and_dated(page, nothing_installed):
    record = json.loads(page.RECORD.read_text(encoding="utf-8"))
    assert record["runs"].keys() == page.RUNS.keys()
    for name in page.RUNS:
        shown = page.Shown(name)
        assert json.dumps(shown.data) == json.dumps(record["runs"][name])
        assert shown.note.startswith(f"Recorded on {record['date']} (")
        assert "at this build, n" in shown.note


def test_gdb_stops_in_a_thread(page):
    need_compiler()
    if sys.platform != "linux" or shutil.which("gdb") is None:
        pytest.skip("no gdb here")
    answers = dict(page.gdb())
    assert "WarpReduceSum<float> (val=32)" in answers["run"]
    assert "{x = 32, y = 0, z = 0}" in answers["print threadIdx"]
    assert answers["print val"].strip().endswith("= 80")
    assert "1520" in answers["finish"]
    assert "{496, -nan" in answers["print *shared@2"]
    assert answers["continue"].startswith("[2016.]")


def test_a_session_without_gdb_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(stepping.NoDebugger, match="apt-get install gdb"):
        stepping.session("", [])
    with pytest.raises(run.NoCompiler):
        run.compiler()

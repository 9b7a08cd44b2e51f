"""The book's directives and roles: what they show, and that what is stale stops the build."""

import json

from tests.book.pages import Page

# What is wrong on a page, and what the build says of it.
FAULTS = {
    "```{source} c10/core/device.py::Device.wheels\n```": "defines 'Device.wheels' 0 times",
    "```{source} c10/core/wheel.py\n```": "no file 'c10/core/wheel.py'",
    "```{annotated-source} c10/core/device.py\n```": "the page of c10/core/device.py is source/c10/core/device.md",
    "```{annotated-source} c10/core/device.py::Device\n@ no such words\nNote.\n```": "found 0 times",
    "```{annotated-source} c10/core/device.py::Device\n@ self\nNote.\n```": "'self' is found",
    "```{annotated-source} c10/core/device.py::Device\n@ Device.__eq__\nA.\n@ Device.__init__\nB.\n```": "stands above",
    "```{annotated-source} c10/core/device.py::Device\n@ Device.wheels :: def\nA.\n```": "defines no 'Device.wheels'",
    "{src}`c10/core/device.py::Device.wheels`": "defines no 'Device.wheels'",
    "{src}`c10/core/storage.py`": "has no annotated page",
    "{step}`total:1`": "the page has no player",
    "$\\wheels$": "math:",
    "```{proof} wheels\n```": "pytest tests/wheels --proof",
    "```{left-out} torch/wheels.py\n```": "no row of left_out.toml",
    "```{breaks} wheels\n```": "no break",
    "```{upstream-tests} wheels\n```": "says nothing of 'wheels'",
    "{py:class}`annotated_src.Wheel`": "reference target not found",
}

LEFT_OUT = """
[[left_out]]
path = "c10/core/device.py"
name = "DeviceGuard"
reason = "one device at a time"
until = "the_gpu"

[[left_out]]
path = "c10/core/storage.py"
name = "*"
reason = "another file"
"""

BREAKS = """
[[break]]
name = "forget-the-index"
file = "annotated_src/c10/core/device.py"
old = "self.type, self.index"
new = "self.type"
tests = ["tests/demo/test_device.py::test_index"]
shows = "The index is part of the value."
claim = "Two devices of one type differ."
"""

UPSTREAM_TESTS = """
[[demo]]
path = "test/test_torch.py"
what = "devices among much else"
"""

PROOF = {
    "date": "2026-12-01",
    "python": "3.11.7",
    "torch": "2.13.0",
    "live": 7,
    "recorded": 2,
    "rows": [
        {"test": "tests/demo/test_device.py::test_equal[cpu]", "live": 3, "recorded": 1},
        {"test": "tests/demo/test_device.py::test_equal[cuda]", "live": 4, "recorded": 1},
    ],
    "traces": [
        {
            "scenario": "epoch",
            "found": 96,
            "total": 100,
            "share": 0.96,
            "excused": ["Wheel.turn"],
            "extra": 1,
            "elsewhere": 17,
        }
    ],
    "source_map": {"files": [{"path": "torch/x.py", "names": 12, "here": 11, "left_out": 1}]},
}

EVIDENCE = """# Evidence

```{left-out} demo
```

```{breaks} demo
```

```{upstream-tests} demo
```

```{proof} demo
```
"""


def add_page(project, name, text):
    (project.root / "book" / f"{name}.md").write_text(text)
    index = project.root / "book" / "index.md"
    index.write_text(index.read_text().replace("chapter\n", f"chapter\n{name}\n", 1))


def add_data(project):
    data = project.root / "book" / "data"
    (data / "proof").mkdir(parents=True)
    (data / "left_out.toml").write_text(LEFT_OUT)
    (data / "breaks.toml").write_text(BREAKS)
    (data / "upstream_tests.toml").write_text(UPSTREAM_TESTS)
    (data / "proof" / "demo.json").write_text(json.dumps(PROOF))


def test_annotated_page(demo):
    page = demo.page("source/c10/core/device.html")
    ids = Page(page).ids
    assert {"Device", "Device.__init__", "TYPES"} <= set(ids)
    assert "https://github.com/pytorch/pytorch/blob/v2.13.0/c10/core/Device.h" in page
    assert "tests/demo/test_device.py" in page
    assert 'href="../../../chapter.html"' in page
    # The note stands in front of the code that it quotes.
    assert page.index("A device is a") < page.index('id="Device"')


def test_source_role_leads_to_the_definition(demo):
    assert "source/c10/core/device.html#Device.__init__" in Page(demo.page("chapter.html")).links


def test_math_is_markup(demo):
    page = demo.page("chapter.html")
    assert page.count("<math") == 3
    assert "mathjax" not in page.lower()


def test_stale_things_stop_the_build(scratch):
    add_data(scratch)
    for number, fault in enumerate(FAULTS):
        add_page(scratch, f"fault{number}", f"# Fault {number}\n\n{fault}\n")
    built = scratch.build()
    assert built.returncode != 0
    for number, said in enumerate(FAULTS.values()):
        lines = [line for line in built.stdout.splitlines() if f"fault{number}.md" in line]
        assert any(said in line for line in lines), (said, lines, built.stdout)


def test_stale_note_stops_the_build(scratch):
    """The code under a note changes, and a build that has read the page before notices."""
    source = scratch.root / "annotated_src" / "c10" / "core" / "device.py"
    source.write_text(source.read_text().replace("class Device:", "class Machine:"))
    built = scratch.build()
    assert built.returncode != 0
    assert "'class Device' is found 0 times in c10/core/device.py" in built.stdout


def test_evidence(scratch):
    add_data(scratch)
    add_page(scratch, "evidence", EVIDENCE)
    built = scratch.build()
    assert built.returncode == 0, built.stdout
    page = scratch.page("evidence.html")
    assert "DeviceGuard" in page and "another file" not in page
    assert "forget-the-index" in page and "The index is part of the value." in page
    assert "https://github.com/pytorch/pytorch/blob/v2.13.0/test/test_torch.py" in page
    assert "Compared with PyTorch 2.13.0 on Python 3.11.7, 2026-12-01: 7 live, 2 recorded." in page
    # The cases of one test are added up.
    assert page.count("tests/demo/test_device.py::test_equal") == 1
    assert "0.960" in page and "torch/x.py" in page
    assert "Wheel.turn" in page and ">17<" in page and "its profiler" in page
    assert "1 row, 1 of them for a chapter to come" in page
    assert "Two devices of one type differ." in page
    assert "tests/demo/test_device.py::test_index</span>" in page


def test_chapter_is_executed_again_when_the_package_changes(scratch):
    add_page(
        scratch,
        "answer",
        "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n# Answer\n\n"
        "```{code-cell} ipython3\nfrom annotated_src import answer\nprint(answer.ANSWER)\n```\n",
    )
    module = scratch.root / "annotated_src" / "answer.py"
    for answer in ("first answer", "second answer"):
        module.write_text(f'ANSWER = "{answer}"\n')
        built = scratch.build()
        assert built.returncode == 0, built.stdout
        assert answer in scratch.page("answer.html")


def test_failing_cell_stops_the_build(scratch):
    chapter = scratch.root / "book" / "chapter.md"
    chapter.write_text(chapter.read_text().replace("trace.result", "trace.outcome"))
    built = scratch.build()
    assert built.returncode != 0
    assert "no attribute 'outcome'" in built.stdout

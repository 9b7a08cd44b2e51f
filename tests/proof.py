"""What a run of the tests compared with upstream, written down for the book's proof sections."""

import ast
import datetime
import importlib.metadata
import json
import platform

from tests import source_map
from tests.oracle import TESTS, upstream_is_installed

FOLDER = TESTS.parent / "book" / "data" / "proof"


def write(tally):
    """One file a chapter: who asked upstream how often, and how."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for chapter, tests in tally.rows.items():
        page = _page(tests) | {"traces": tally.traces.get(chapter, []), "source_map": _source_map(chapter)}
        (FOLDER / f"{chapter}.json").write_text(json.dumps(page, indent=1) + "\n")


def _source_map(chapter):
    """The counts of the files that the chapter's tests say they cover."""
    covered = covered_files(chapter)
    rows = [row for row in source_map.report()["files"] if row["path"] in covered]
    return {"files": rows}


def covered_files(chapter):
    """The upstream files that a chapter's test files name in COVERS."""
    covered = set()
    for file in (TESTS / chapter).glob("test_*.py"):
        for statement in ast.parse(file.read_text()).body:
            if isinstance(statement, ast.Assign) and statement.targets[0].id == "COVERS":
                covered.update(ast.literal_eval(statement.value))
    return covered


def _page(tests):
    return {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch") if upstream_is_installed() else None,
        "live": sum(row["live"] for row in tests.values()),
        "recorded": sum(row["recorded"] for row in tests.values()),
        "rows": [{"test": nodeid, **row} for nodeid, row in tests.items()],
    }

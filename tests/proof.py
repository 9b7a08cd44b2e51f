"""What a run of the tests compared with upstream, written down for the book's proof sections."""

import datetime
import importlib.metadata
import json
import platform

from tests.oracle import TESTS, upstream_is_installed

FOLDER = TESTS.parent / "book" / "data" / "proof"


def write(tally):
    """One file a chapter: who asked upstream how often, and how."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for chapter, tests in tally.rows.items():
        (FOLDER / f"{chapter}.json").write_text(json.dumps(_page(tests), indent=1) + "\n")


def _page(tests):
    return {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch") if upstream_is_installed() else None,
        "live": sum(row["live"] for row in tests.values()),
        "recorded": sum(row["recorded"] for row in tests.values()),
        "rows": [{"test": nodeid, **row} for nodeid, row in tests.items()],
    }

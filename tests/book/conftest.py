"""Two books to look at: the real one, and a small one that is built in a copy, where faults may be planted."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEMO = pathlib.Path(__file__).resolve().parent / "demo"


class Project:
    """A checkout with a book in it."""

    def __init__(self, root):
        self.root = root
        self.html = root / "_build" / "html"

    def build(self, html=None):
        """README's command; the finished process, its output in `stdout`."""
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "-c", ".", "book", str(html or self.html)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment["NO_COLOR"] = "1"
        return subprocess.run(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def page(self, name):
        return (self.html / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def real_book(tmp_path_factory):
    """The folder of the book's pages: BOOK_HTML, where a build is at hand, or one made now."""
    if "BOOK_HTML" in os.environ:
        return pathlib.Path(os.environ["BOOK_HTML"]).resolve()
    pytest.importorskip("myst_nb", reason="the book's tools are not installed: pip install -e '.[book]'")
    folder = tmp_path_factory.mktemp("book") / "html"
    built = Project(ROOT).build(folder)
    assert built.returncode == 0, built.stdout
    return folder


def make_demo(root):
    """The machinery of this checkout around the pages in tests/book/demo."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("annotated_src", "book/_ext", "book/_static", "book/_templates"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copytree(DEMO, root / "book", ignore=ignored, dirs_exist_ok=True)
    for name in ("conf.py", "book/booklib.py"):
        shutil.copy(ROOT / name, root / name)
    (root / "tests" / "demo").mkdir(parents=True)
    (root / "tests" / "demo" / "test_device.py").write_text('COVERS = ["c10/core/device.py"]\n')
    return Project(root)


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The small book, built, to be looked at."""
    pytest.importorskip("myst_nb", reason="the book's tools are not installed: pip install -e '.[book]'")
    project = make_demo(tmp_path_factory.mktemp("demo"))
    built = project.build()
    assert built.returncode == 0, built.stdout
    return project


@pytest.fixture
def scratch(demo, tmp_path):
    """A copy of the small book and of what was built, to plant faults in."""
    shutil.copytree(demo.root, tmp_path / "demo", symlinks=True)
    return Project(tmp_path / "demo")

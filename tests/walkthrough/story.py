"""A small package that the tests of the recorder write to disk and record."""

import importlib
import sys
import textwrap

import pytest

# sys.settrace is meant for 3.11; it tells the same on 3.12, which lets the two be compared. On 3.13 it does not.
BACKENDS = []
if sys.version_info >= (3, 12):
    BACKENDS.append("monitoring")
if sys.version_info < (3, 13):
    BACKENDS.append("settrace")


def write_package(folder, name, files):
    """Write {file name: source} as package `name` below `folder`."""
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    for file, source in files.items():
        (package / file).write_text(textwrap.dedent(source).lstrip("\n"))
    return package


def import_package(folder, name, monkeypatch):
    """Import all of a package that `write_package` wrote, and not one of that name from elsewhere."""
    for module in [loaded for loaded in sys.modules if loaded == name or loaded.startswith(f"{name}.")]:
        del sys.modules[module]
    monkeypatch.syspath_prepend(str(folder))
    # Files that are younger than the finder's last look at their folder would not be found.
    importlib.invalidate_caches()
    for path in sorted((folder / name).glob("*.py")):
        module = name if path.stem == "__init__" else f"{name}.{path.stem}"
        importlib.import_module(module)
    return sys.modules[name]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """package(**{"shop.py": source}) writes, imports and returns a package called `story`."""

    def make(**files):
        named = {f"{name}.py": source for name, source in files.items()}
        write_package(tmp_path, "story", named)
        return import_package(tmp_path, "story", monkeypatch)

    yield make
    for module in [name for name in sys.modules if name == "story" or name.startswith("story.")]:
        del sys.modules[module]


def lines_of(trace, qualname=None):
    """[(kind, line)] of a trace's events, of one function or of all."""
    return [(event.kind, event.line) for event in trace if qualname in (None, event.qualname)]


def kinds_of(trace, qualname):
    return [event.kind for event in trace if event.qualname == qualname]


def line_of(module, fragment):
    """The number of the one line of `module` in which `fragment` stands."""
    with open(module.__file__) as file:
        numbers = [number for number, line in enumerate(file, start=1) if fragment in line]
    assert len(numbers) == 1, f"{fragment!r} stands in {len(numbers)} lines"
    return numbers[0]

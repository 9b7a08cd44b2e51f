"""Scenarios: small scripts that are recorded, stepped through, tested and compared.

A scenario is a file with a `main` whose parameters are libraries, asked for by name:

    def main(torch): ...
    def main(torch, torchvision): ...

Interface: `load(name)` reads one, `scenario.call()` runs it on annotated_src's libraries,
`scenario.call(upstream=True)` on the installed ones. This is the only place of walkthrough where a library is
imported, and it is imported by the name that the script asks for: walkthrough itself knows none.

`levels.py` beside the scenarios says what the stepping levels fold and skip; it may also define
`import_upstream(name)` for a library that needs help to be imported.
"""

import importlib
import importlib.util
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent

LEVELS = ("ops", "kernels", "all")


class ScenarioError(Exception):
    """A scenario that cannot be found or cannot be run, said in words for the reader of a terminal."""


class Scenario:
    """One loaded script: its `main`, its `path`, and the names of the libraries that it asks for."""

    def __init__(self, path, main):
        self.path = path
        self.main = main
        self.name = path.stem
        code = main.__code__
        required = code.co_argcount - len(main.__defaults__ or ())
        self.libraries = list(code.co_varnames[:required])

    def call(self, upstream=False):
        """Run the scenario and return what its `main` returns."""
        return self.main(*self.arguments(upstream))

    def arguments(self, upstream=False):
        """The libraries that `main` asks for, imported."""
        if upstream:
            return [self._import_upstream(name) for name in self.libraries]
        return [self._import_ours(name) for name in self.libraries]

    def roots(self, upstream=False):
        """The folders whose files are shown: the scenario's own, and the layers of annotated_src or the libraries."""
        if not upstream:
            return [*layers(), self.path.parent]
        packages = [_folder_of(name) for name in self.libraries]
        return [*packages, self.path.parent]

    @property
    def levels(self):
        """The `Levels` of `levels.py` beside the scenario; None where there is no such file."""
        configuration = self._configuration()
        return None if configuration is None else _find_levels(configuration)

    def _configuration(self):
        path = self.path.parent / "levels.py"
        return _execute(path) if path.is_file() else None

    def _import_ours(self, name):
        try:
            return importlib.import_module("annotated_src." + name)
        except ModuleNotFoundError as error:
            if error.name != "annotated_src." + name:
                raise
            raise ScenarioError(
                f"{self.path.name}: main() asks for {name!r}, but annotated_src has no library of that name. "
                "Its parameters must be libraries, such as torch; give any other parameter a default."
            ) from None

    def _import_upstream(self, name):
        importer = getattr(self._configuration(), "import_upstream", importlib.import_module)
        try:
            return importer(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            raise _no_upstream(name) from None


def load(name):
    """Load a scenario by its name under book/scenarios, or by the path of its file."""
    path = find(name)
    module = _execute(path)
    main = getattr(module, "main", None)
    if main is None:
        raise ScenarioError(f"{path.name} is no scenario: it has no main(). Write: def main(torch): ...")
    return Scenario(path, main)


def find(name):
    """The file of a scenario."""
    path = pathlib.Path(name)
    if path.suffix == ".py" and path.is_file():
        return path.resolve()
    for folder in folders():
        candidate = folder / (path.stem + ".py")
        if candidate.is_file():
            return candidate
    known = ", ".join(names()) or "none here"
    raise ScenarioError(
        f"no scenario {str(name)!r}. Scenarios under book/scenarios: {known}. A path to a .py file works too."
    )


def names():
    """The names of all scenarios, sorted."""
    found = set()
    for folder in folders():
        for path in folder.glob("*.py"):
            if not path.stem.startswith("_") and path.stem != "levels":
                found.add(path.stem)
    return sorted(found)


def folders():
    """Where scenarios lie: in the current checkout first, then in the one that holds this package."""
    places = [pathlib.Path.cwd() / "book" / "scenarios", CHECKOUT / "book" / "scenarios"]
    return [place for place in dict.fromkeys(places) if place.is_dir()]


def layers():
    """The folders of annotated_src that retell upstream: all but walkthrough."""
    here = pathlib.Path(__file__).resolve().parent
    return [
        folder
        for folder in sorted(PACKAGE.iterdir())
        if folder.is_dir() and folder != here and (folder / "__init__.py").is_file()
    ]


def _find_levels(configuration):
    for value in vars(configuration).values():
        if hasattr(value, "rules") and not isinstance(value, type):
            return value
    raise ScenarioError("levels.py defines no levels. Write: levels = Levels(ops=[...], kernels=[...], all=[])")


def _execute(path):
    """Run a file as a module of its own; it is not put into sys.modules."""
    specification = importlib.util.spec_from_file_location("scenario_" + path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _folder_of(name):
    specification = importlib.util.find_spec(name)
    if specification is None or not specification.submodule_search_locations:
        raise _no_upstream(name)
    return pathlib.Path(specification.submodule_search_locations[0])


def _no_upstream(name):
    return ScenarioError(
        f"--upstream needs the real {name}, and this Python has none. Install it with: pip install {name}"
    )

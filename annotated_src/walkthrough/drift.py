"""Drift: what upstream has changed since it was retold.

Every function and class of a covered file has a fingerprint: a hash of its syntax tree without docstrings, so that
comments, layout and prose do not count. `pin` writes the fingerprints of the pinned version to
book/data/upstream_hashes.json; `compare` takes those of an installed upstream and lists, by path and qualified name,

    changed   what is retold here and reads differently there
    added     what upstream has put into a covered file
    dropped   what it has taken out of one, or the whole file

Upstream is read as text, never imported. The fingerprints are the same on Python 3.11 to 3.13.
"""

import ast
import hashlib
import importlib.util
import json
import pathlib
import re

from annotated_src.walkthrough.scenario import CHECKOUT

DATA = pathlib.Path("book/data/upstream_hashes.json")
PACKAGES = ("torch", "torchvision")

# What stands in a file outside of its functions and classes.
MODULE = "<module>"

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Fields that say nothing, or that not every Python fills.
_SILENT = {"type_comment", "type_ignores", "type_params", "kind", "ctx"}


class DriftError(Exception):
    """No upstream to compare with, or nothing pinned."""


class Drift:
    """The differences between the pinned upstream and another one: lists of (path, qualified name)."""

    def __init__(self, pinned, installed):
        self.pinned = pinned
        self.installed = installed
        self.compared = 0
        self.changed = []
        self.added = []
        self.dropped = []
        self.changed_elsewhere = 0

    def __bool__(self):
        return bool(self.changed or self.added or self.dropped)

    def __str__(self):
        lines = [f"pinned {_versions(self.pinned)}, compared with {_versions(self.installed)}"]
        for title in ("changed", "added", "dropped"):
            lines += [f"{title:8} {path}::{name}" for path, name in getattr(self, title)]
        lines.append(
            f"{self.compared} retold functions and classes compared: {len(self.changed)} changed, "
            f"{len(self.added)} added, {len(self.dropped)} dropped"
        )
        if self.changed_elsewhere:
            lines.append(f"{self.changed_elsewhere} more changed in covered files that are not retold here")
        return "\n".join(lines)

    __repr__ = __str__


def compare(site=None, checkout=CHECKOUT):
    """Compare the pinned fingerprints with those of the upstream in `site` (a folder that holds torch/)."""
    site = find_site(site)
    pinned = load(checkout)
    drift = Drift(pinned["versions"], versions(site))
    for path, before in pinned["files"].items():
        file = site / path
        if path.partition("/")[0] not in drift.installed:
            continue
        if not file.is_file():
            drift.dropped.append((path, "the whole file"))
            continue
        _compare_file(drift, path, before, fingerprints(_read(file)), retold_names(path, checkout))
    return drift


def _compare_file(drift, path, before, after, retold):
    for name, fingerprint in before.items():
        drift.compared += name in retold
        if name not in after:
            _add(drift.dropped, path, name, after)
        elif after[name] != fingerprint and name in retold:
            drift.changed.append((path, name))
        elif after[name] != fingerprint:
            drift.changed_elsewhere += 1
    for name in after:
        if name not in before:
            _add(drift.added, path, name, before)


def _add(names, path, name, other):
    """Note a name that the other side lacks; a class that is lacking stands for all that is in it."""
    owner = name.rpartition(".")[0]
    if not owner or owner in other:
        names.append((path, name))


def pin(site=None, checkout=CHECKOUT):
    """Write the fingerprints of every covered file; returns their number."""
    site = find_site(site)
    files = {path: fingerprints(_read(site / path)) for path in covered_files(site, checkout)}
    data = {"versions": versions(site), "files": files}
    target = pathlib.Path(checkout) / DATA
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(as_lines(data), encoding="utf-8")
    return sum(len(names) for names in files.values())


def load(checkout=CHECKOUT):
    """What `pin` wrote."""
    path = pathlib.Path(checkout) / DATA
    if not path.is_file():
        raise DriftError(f"nothing is pinned: {DATA} is missing. Write it with: walkthrough drift --pin")
    return json.loads(path.read_text(encoding="utf-8"))


def as_lines(data):
    """JSON with a line a file, so that a change of one file is a change of one line."""
    head = json.dumps(data["versions"], sort_keys=True)
    rows = [f"  {json.dumps(path)}: {json.dumps(names)}" for path, names in sorted(data["files"].items())]
    return '{"versions": ' + head + ', "files": {\n' + ",\n".join(rows) + "\n}}\n"


# -- where upstream is ------------------------------------------------------------------------------------------------


def find_site(site=None):
    """The folder that holds torch/: the one given, else the one of the torch that this Python would import."""
    if site is not None:
        folder = pathlib.Path(site)
        if not (folder / "torch" / "version.py").is_file():
            raise DriftError(f"{folder} holds no torch/version.py. Give the folder that torch is installed in.")
        return folder
    # find_spec looks, and does not import.
    specification = importlib.util.find_spec("torch")
    if specification is None or specification.origin is None:
        raise DriftError("this Python has no torch. Install one, or give a folder that holds one: --against SITE")
    return pathlib.Path(specification.origin).parent.parent


def versions(site):
    """{package: version} of the upstream packages in a folder."""
    found = {}
    for package in PACKAGES:
        file = site / package / "version.py"
        if file.is_file():
            match = re.search(r"^__version__\s*=\s*['\"]([^'\"+]+)", _read(file), re.MULTILINE)
            found[package] = match[1] if match else "unknown"
    return found


def covered_files(site, checkout=CHECKOUT):
    """Paths that exist on both sides, such as torch/utils/data/sampler.py, sorted."""
    ours = pathlib.Path(checkout) / "annotated_src"
    found = []
    for package in PACKAGES:
        for file in sorted((ours / package).rglob("*.py")):
            path = file.relative_to(ours).as_posix()
            if (site / path).is_file():
                found.append(path)
    return found


def retold_names(path, checkout=CHECKOUT):
    """The qualified names that our file of this path defines; none where it is gone."""
    file = pathlib.Path(checkout) / "annotated_src" / path
    return set(fingerprints(_read(file))) if file.is_file() else set()


def _read(file):
    return file.read_text(encoding="utf-8")


def _versions(found):
    return " + ".join(f"{package} {version}" for package, version in found.items())


# -- fingerprints -----------------------------------------------------------------------------------------------------


def fingerprints(source):
    """{qualified name: hash} of the functions and classes of a file, and of what stands outside of them."""
    trees = {}
    _collect("", MODULE, ast.parse(source), trees)
    found = {}
    for name, texts in trees.items():
        # A name may be defined several times: overloads, or one definition a platform.
        digest = hashlib.sha256("\n".join(texts).encode("utf-8"))
        found[name] = digest.hexdigest()[:12]
    return found


def _collect(prefix, name, node, trees):
    """Note the text of a module or class without its functions, then go into those."""
    inner = []
    trees.setdefault(name, []).append(_text(node, inner))
    for definition in inner:
        qualname = prefix + definition.name
        if isinstance(definition, ast.ClassDef):
            _collect(qualname + ".", qualname, definition, trees)
        else:
            trees.setdefault(qualname, []).append(_text(definition, None))


def _text(node, inner):
    """A syntax tree as text.

    With `inner` a list, functions and classes below the node are put there and not written out.
    """
    fields = []
    for field, value in ast.iter_fields(node):
        if field in _SILENT or value is None or value == []:
            continue
        if field == "body" and isinstance(node, (*_DEFINITIONS, ast.Module)):
            value = _without_docstring(value)
        fields.append(f"{field}={_value(value, inner)}")
    return f"{type(node).__name__}({', '.join(fields)})"


def _value(value, inner):
    if isinstance(value, list):
        items = [_value(item, inner) for item in value]
        return "[" + ", ".join(filter(None, items)) + "]"
    if inner is not None and isinstance(value, _DEFINITIONS):
        # It has a fingerprint of its own; not even its name counts here.
        inner.append(value)
        return ""
    if isinstance(value, ast.AST):
        return _text(value, inner)
    return repr(value)


def _without_docstring(body):
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body

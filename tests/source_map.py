"""The source map: is every name of a covered upstream file here, with upstream's parameters?

A covered file is one of annotated_src/torch or annotated_src/torchvision whose path upstream has, too. Of upstream's
file the text is read: each class, function and method (private ones as well), each public name that is assigned at
its top or listed in its `__all__`. Here each of them must be found in the module of the same path, and a function must
take parameters of the same names, kinds and defaults-or-none, in the same order; what is not so must stand in
book/data/left_out.toml:

    [[left_out]]
    path = "torch/_tensor.py"
    name = "Tensor.share_memory_"         # a glob
    reason = "needs shared memory between processes"
    until = "worker_processes"            # the chapter that brings it; leave it out where nothing will
    kind = "call"                         # only for a call that a trace leaves out: no name of a covered file

A row that excuses nothing is stale, and an error. Where no upstream is installed, its names come from
book/data/upstream_names.json, written by `python -m tests.source_map --pin`.

    python -m tests.source_map              a line a file, and what is wrong
    python -m tests.source_map --missing    rows for what is missing, to be given their reasons
"""

import argparse
import ast
import fnmatch
import importlib
import inspect
import json
import sys
import tomllib
from pathlib import Path

from annotated_src.walkthrough import drift

CHECKOUT = Path(__file__).resolve().parent.parent
NAMES = CHECKOUT / "book" / "data" / "upstream_names.json"
LEFT_OUT = CHECKOUT / "book" / "data" / "left_out.toml"
UPSTREAM_VERSIONS = {"torch": "2.13.0", "torchvision": "0.28.0"}

CLASS = "class"
NAME = "name"

_TYPING = ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType")


# -- upstream's names -------------------------------------------------------------------------------------------------


def names_of(source):
    """{qualified name: [what it may be]} of a file: "class", "name", or a signature such as "(self, x, *, dim=)"."""
    tree = ast.parse(source)
    found = {}
    for statement in _statements(tree.body):
        _note(statement, "", found)
        for name in _assigned(statement):
            if not name.startswith("_"):
                found.setdefault(name, []).append(NAME)
    return {name: _kinds(kinds) for name, kinds in found.items()}


def _kinds(kinds):
    # A class or function that `__all__` lists is still to be looked at as one.
    defined = sorted(set(kinds) - {NAME})
    return defined or [NAME]


def _statements(body):
    """The statements of a body, those under `if`, `try` and `with` as well; not what only type checkers see."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            yield from _statements(statement.orelse)
            continue
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _note(statement, prefix, found):
    if isinstance(statement, ast.ClassDef):
        found.setdefault(prefix + statement.name, []).append(CLASS)
        for inner in _statements(statement.body):
            _note(inner, prefix + statement.name + ".", found)
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        decorators = [ast.unparse(decorator) for decorator in statement.decorator_list]
        if not any(decorator.endswith("overload") for decorator in decorators) and not _is_setter(decorators):
            found.setdefault(prefix + statement.name, []).append(_signature_of_tree(statement, decorators))


def _is_setter(decorators):
    return any(decorator.endswith((".setter", ".deleter")) for decorator in decorators)


def _assigned(statement):
    """Names that a statement assigns at the top of a file, and those that it lists in `__all__`."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    else:
        return
    value = statement.value
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _TYPING:
        return
    for target in targets:
        for node in ast.walk(target):
            # A subscript or an attribute is assigned into something else.
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if node.id == "__all__":
                    yield from _strings(value)
                else:
                    yield node.id


def _strings(node):
    for element in ast.walk(node):
        if isinstance(element, ast.Constant) and isinstance(element.value, str):
            yield element.value


def _signature_of_tree(function, decorators):
    given = function.args
    optional = len(given.defaults)
    positional = [*given.posonlyargs, *given.args]
    parts = []
    for index, argument in enumerate(positional):
        has_default = index >= len(positional) - optional
        parts.append(argument.arg + ("=" if has_default else ""))
        if index + 1 == len(given.posonlyargs):
            parts.append("/")
    if given.vararg:
        parts.append("*" + given.vararg.arg)
    elif given.kwonlyargs:
        parts.append("*")
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        parts.append(argument.arg + ("" if default is None else "="))
    if given.kwarg:
        parts.append("**" + given.kwarg.arg)
    return _binding_of_tree(decorators) + "(" + ", ".join(parts) + ")"


def _binding_of_tree(decorators):
    for decorator in decorators:
        last = decorator.rpartition(".")[2]
        if last in ("staticmethod", "classmethod"):
            return "@" + last
        if last in ("property", "cached_property"):
            return "@property"
    return ""


def upstream_is_installed():
    """Whether upstream's files, of the pinned versions, are at hand."""
    try:
        return drift.versions(drift.find_site()) == UPSTREAM_VERSIONS
    except drift.DriftError:
        return False


def read_upstream(site=None, checkout=CHECKOUT):
    """{path: names} of every covered file, from an installed upstream."""
    site = drift.find_site(site)
    return {path: names_of((site / path).read_text("utf-8")) for path in drift.covered_files(site, checkout)}


def read_recorded():
    """The same, as it was recorded."""
    files = json.loads(NAMES.read_text("utf-8"))["files"]
    return {path: {name: kinds.split(" | ") for name, kinds in names.items()} for path, names in files.items()}


def upstream_names():
    """{path: names} of upstream, live where it is installed, else as recorded."""
    return read_upstream() if upstream_is_installed() else read_recorded()


def pin(site=None):
    """Record upstream's names."""
    files = {
        path: {name: " | ".join(kinds) for name, kinds in names.items()} for path, names in read_upstream(site).items()
    }
    NAMES.write_text(drift.as_lines({"versions": drift.versions(drift.find_site(site)), "files": files}), "utf-8")


# -- our names --------------------------------------------------------------------------------------------------------


def what_is_wrong(module, name, kinds):
    """None where `name` is in our module as upstream has it; else what is wrong, in a few words."""
    found = _look_up(module, name)
    if found is None:
        return "is missing"
    if kinds == [NAME]:
        return None
    if CLASS in kinds:
        return None if inspect.isclass(found) else "is no class"
    ours = _signature_of_object(found)
    if ours in kinds:
        return None
    return f"takes {ours}, upstream {' or '.join(kinds)}"


def _look_up(module, name):
    """The object of a qualified name, as it stands in its class: a staticmethod, a property; None where it is not."""
    found = module
    owner = ""
    for part in name.split("."):
        if part.startswith("__") and not part.endswith("__") and owner:
            part = "_" + owner.lstrip("_") + part
        try:
            found = inspect.getattr_static(found, part)
        except AttributeError:
            return None
        # What every object has says nothing about this class.
        if part in vars(object) and vars(object)[part] is found:
            return None
        owner = part
    return found if found is not None else NAME


def _signature_of_object(found):
    binding = ""
    if isinstance(found, (staticmethod, classmethod)):
        # (Python makes __new__ one without being told)
        binding = "" if found.__func__.__name__ == "__new__" else "@" + type(found).__name__
        found = found.__func__
    elif isinstance(found, property) or type(found).__name__ == "cached_property":
        binding = "@property"
        found = found.fget if isinstance(found, property) else found.func
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return f"what has no signature ({type(found).__name__})"
    return binding + "(" + ", ".join(_parameters(signature)) + ")"


def _parameters(signature):
    previous = None
    parameters = list(signature.parameters.values())
    for parameter in parameters:
        if previous == parameter.POSITIONAL_ONLY and parameter.kind != parameter.POSITIONAL_ONLY:
            yield "/"
        star_is_due = previous not in (parameter.VAR_POSITIONAL, parameter.KEYWORD_ONLY)
        if parameter.kind == parameter.KEYWORD_ONLY and star_is_due:
            yield "*"
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        yield stars + parameter.name + ("" if parameter.default is parameter.empty else "=")
        previous = parameter.kind
    if previous is not None and previous == inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


# -- the left-out list ------------------------------------------------------------------------------------------------


def read_left_out(path=LEFT_OUT):
    """The rows of the left-out list; an ill-formed row is a ValueError."""
    rows = tomllib.loads(Path(path).read_text("utf-8"))["left_out"] if Path(path).is_file() else []
    for row in rows:
        unknown = set(row) - {"path", "name", "reason", "until", "kind"}
        if unknown or not all(isinstance(row.get(field), str) and row[field] for field in ("path", "name", "reason")):
            raise ValueError(f"left_out.toml: a row needs path, name and reason, and may have until and kind: {row}")
        if row.get("kind", "name") not in ("name", "call"):
            raise ValueError(f"left_out.toml: kind is \"name\" or \"call\": {row}")
    return rows


def _excuse(rows, path, name):
    """The index of the first row that excuses a name; None where there is none."""
    for index, row in enumerate(rows):
        if row.get("kind") != "call" and row["path"] == path and fnmatch.fnmatchcase(name, row["name"]):
            return index
    return None


# -- the answer -------------------------------------------------------------------------------------------------------


def report(upstream=None, rows=None, load=None):
    """Compare all covered files.

    Returns {"files": [{"path", "names", "here", "left_out", "not_yet"}], "wrong": [(path, name, what)],
    "stale": [row]}.
    `left_out` counts what the list excuses, `not_yet` the part of it that a later chapter brings.
    """
    upstream = upstream_names() if upstream is None else upstream
    rows = read_left_out() if rows is None else rows
    load = load or _load_ours
    files, wrong, used = [], [], set()
    for path, names in sorted(upstream.items()):
        module = load(path)
        counts = {"path": path, "names": len(names), "here": 0, "left_out": 0, "not_yet": 0}
        for name, kinds in names.items():
            what = what_is_wrong(module, name, kinds)
            index = None if what is None else _excuse(rows, path, name)
            if what is None:
                counts["here"] += 1
            elif index is None:
                wrong.append((path, name, what))
            else:
                used.add(index)
                counts["left_out"] += 1
                counts["not_yet"] += "until" in rows[index]
        files.append(counts)
    stale = [row for index, row in enumerate(rows) if index not in used and row.get("kind") != "call"]
    return {"files": files, "wrong": wrong, "stale": stale}


def _load_ours(path):
    dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return importlib.import_module("annotated_src." + dotted)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.source_map")
    parser.add_argument("--missing", action="store_true", help="print rows for what is missing")
    parser.add_argument("--pin", action="store_true", help="record upstream's names")
    parser.add_argument("--against", metavar="SITE", help="with --pin: folder that holds torch/")
    options = parser.parse_args(arguments)
    if options.pin:
        pin(options.against)
    answer = report()
    if options.missing:
        for path, name, what in answer["wrong"]:
            print(f'[[left_out]]\npath = "{path}"\nname = "{name}"\nreason = ""  # {what}\n')
        return 0
    for row in answer["files"]:
        print("{names:4} names {here:4} here {left_out:4} left out ({not_yet} not yet)  {path}".format(**row))
    for path, name, what in answer["wrong"]:
        print(f"WRONG {path}::{name} {what}")
    for row in answer["stale"]:
        print(f"STALE {row['path']} {row['name']} excuses nothing")
    return 1 if answer["wrong"] or answer["stale"] else 0


if __name__ == "__main__":
    sys.exit(main())

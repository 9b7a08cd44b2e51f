"""What chapters and Sphinx extensions both need to know: where a file's page is, and what stands in a file.

    link(path, qualname)   URL of the annotated source, seen from a chapter; None where there is none
    upstream(path)         the upstream files that a file retells: [(their path, URL at the pinned tag)]
    tests_of(path)         the test files that say that they cover it
    definitions(path)      {qualified name: [(first line, last line), ...]} of a file of annotated_src

Paths are those that recordings use: `torch/utils/data/sampler.py`, relative to annotated_src.
"""

import ast
import functools
import hashlib
import pathlib
import platform
import re
import shutil
import urllib.parse

from annotated_src.walkthrough import listing

BOOK = pathlib.Path(__file__).resolve().parent
ROOT = BOOK.parent
PACKAGE = ROOT / "annotated_src"

TORCH_VERSION = "2.13.0"
TORCHVISION_VERSION = "0.28.0"


def execution_digest():
    """A name for everything that a chapter's outputs depend on beside its own text."""
    import numpy

    # Kernels are run where there is a compiler, else their record is shown.
    programs = [shutil.which(name) for name in ("g++", "clang++", "gdb", "nvcc")]
    digest = hashlib.sha256(f"{platform.python_version()} {numpy.__version__} {programs}".encode())
    files = [file for kind in ("py", "cu", "cuh", "h") for file in PACKAGE.rglob(f"*.{kind}")]
    files += [
        *BOOK.glob("*.py"),
        *(file for name in ("scenarios", "kernels", "data") for file in (BOOK / name).rglob("*")),
    ]
    for file in sorted(files):
        # What the tests found is shown by a directive, never read by a notebook.
        if not file.is_file() or "__pycache__" in file.parts or BOOK / "data" / "proof" in file.parents:
            continue
        digest.update(f"\0{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    # Whether a drawing may link to a page depends on which pages there are, not on what they say.
    digest.update("\n".join(sorted(str(page.relative_to(BOOK)) for page in (BOOK / "source").rglob("*.md"))).encode())
    return digest.hexdigest()[:16]


def link(path, qualname=""):
    """URL of a function's place on its annotated page, or None where the page does not show it."""
    path = path.removeprefix("annotated_src/")
    docname = page_name(path)
    if not (BOOK / f"{docname}.md").exists():
        return None
    return f"{docname}.html{anchor(path, qualname)}"


def page_name(path):
    """`torch/utils/data/sampler.py` -> `source/torch/utils/data/sampler`."""
    return "source/" + path.removesuffix(".py")


def anchor(path, qualname):
    """`#` and the name of the innermost definition around `qualname` that the page has an id for, or nothing."""
    known = definitions(path)
    while qualname and qualname not in known:
        # f.<locals>.<lambda> -> f
        qualname = qualname.rpartition(".")[0].removesuffix(".<locals>")
    return "#" + urllib.parse.quote(qualname) if qualname else ""


def source_file(path):
    return PACKAGE / path


def definitions(path):
    return listing.definitions(source_file(path).read_text(encoding="utf-8"))


def top_level(path):
    """The names of the classes and functions that stand by themselves, in the file's order."""
    body = ast.parse(source_file(path).read_text(encoding="utf-8")).body
    return list(dict.fromkeys(node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)))


def job(path):
    """What a file is for: the first sentence of its docstring, without the file's own name."""
    docstring = ast.get_docstring(ast.parse(source_file(path).read_text(encoding="utf-8"))) or ""
    first = docstring.partition("\n\n")[0].replace("\n", " ")
    first = re.split(r"\.(?=\s|$)", first)[0]
    return first.partition(": ")[2] or first


@functools.cache
def upstream(path):
    """The upstream files that a file says it retells, with their URLs at the pinned tags."""
    docstring = ast.get_docstring(ast.parse(source_file(path).read_text(encoding="utf-8"))) or ""
    said = re.search(r"\bRetells\s(.*?)\.(?=\s|$)", docstring, re.DOTALL)
    names = re.findall(r"[\w./-]+/[\w-]+\.(?:py|cpp|cc|h|cu|cuh|mm|c|yaml)\b", said[1]) if said else []
    return [(name, upstream_url(name)) for name in names]


def upstream_url(path, project=None):
    """The file in the pinned release of "pytorch" or of "vision"; which one, `path` says where `project` does not."""
    if project is None:
        project = "vision" if path.startswith("torchvision/") else "pytorch"
    tag = {"pytorch": TORCH_VERSION, "vision": TORCHVISION_VERSION}[project]
    return f"https://github.com/pytorch/{project}/blob/v{tag}/{path}"


@functools.cache
def tests_by_file():
    """{path: [test files whose COVERS names it]}; read with `ast`, so no test is imported."""
    found = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for path in _covers(file):
            found.setdefault(path, []).append(file.relative_to(ROOT).as_posix())
    return found


def tests_of(path):
    return tests_by_file().get(path, [])


@functools.cache
def chapters_by_file():
    """{path: [chapters whose tests cover the file, or in whose scenarios upstream calls something in it]}"""
    found = {}
    for path, tests in tests_by_file().items():
        found.setdefault(path, set()).update(test.split("/")[1] for test in tests)
    for calls in sorted((ROOT / "tests").glob("*/recorded/calls/*.txt")):
        for line in calls.read_text(encoding="utf-8").splitlines():
            path = line.lstrip(" ~").partition(" ")[0]
            found.setdefault(path, set()).add(calls.parts[-4])
    return {path: sorted(chapters) for path, chapters in found.items()}


def chapters_of(path):
    """The chapters that pass through a file, by their folders' names under tests; not all of them have a page."""
    return chapters_by_file().get(path, [])


def covered_by(chapter):
    """The upstream files that a chapter's tests cover; [] where there is no such chapter."""
    return [path for path, tests in tests_by_file().items() if any(t.startswith(f"tests/{chapter}/") for t in tests)]


def _covers(file):
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and listing.assigned(node) == ["COVERS"]:
            return ast.literal_eval(node.value)
    return []

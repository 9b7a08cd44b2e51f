"""The import rule: c10 <- aten <- the core of torch <- the rest of torch <- torchvision, and walkthrough apart.

Imports are read from the syntax trees, those inside functions as well; what stands under `if TYPE_CHECKING` is not
run and does not count. `torch/__init__.py` is the front of torch: it gathers all of torch, and what lies above the core
imports it as upstream does (`import torch`). That is a circle, upstream's own, and a harmless one as long as the
front takes the upper part last: this is checked in its place.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "annotated_src"

# From the ground up. A file belongs to the first entry that its path begins with.
LAYERS = (
    ("c10", ("c10/",)),
    ("aten", ("aten/",)),
    ("front of torch", ("torch/__init__.py",)),
    # (of torch/utils only what the core itself stands on)
    ("core of torch", ("torch/utils/hooks.py", "torch/utils/_contextlib.py")),
    ("upper torch", ("torch/nn/", "torch/optim/", "torch/utils/", "torch/serialization.py")),
    ("core of torch", ("torch/",)),
    ("torchvision", ("torchvision/",)),
    # (the stand-in for CuPy is put behind c10's door)
    ("strict", ("walkthrough/strict/",)),
    ("walkthrough", ("walkthrough/",)),
    ("package", ("__init__.py",)),
)
MAY_IMPORT = {
    "c10": {"c10"},
    "aten": {"c10", "aten"},
    "core of torch": {"c10", "aten", "core of torch"},
    "front of torch": {"c10", "aten", "core of torch", "upper torch"},
    "upper torch": {"c10", "aten", "core of torch", "front of torch", "upper torch"},
    "torchvision": {"c10", "aten", "core of torch", "front of torch", "upper torch", "torchvision"},
    "strict": {"strict", "walkthrough", "c10"},
    "walkthrough": {"walkthrough"},
    "package": set(),
}
CUPY_MODULE = "c10/array_module.py"
# The real libraries, and what is not shipped.
FOREIGN = ("torch", "torchvision", "tests", "book")


def layer_of(path):
    for layer, beginnings in LAYERS:
        if path.startswith(beginnings):
            return layer
    raise AssertionError(f"{path} is in no layer: give it one in LAYERS")


class Import:
    """`path` imports `target` (a path too, or the name of a foreign module), at `line`; `lazy` inside a function."""

    def __init__(self, path, target, line, lazy):
        self.path = path
        self.target = target
        self.line = line
        self.lazy = lazy

    def __repr__(self):
        return f"{self.path}:{self.line} imports {self.target}"


def imports_of(root):
    """Every import of every file under a root."""
    found = []
    for file in sorted(root.rglob("*.py")):
        path = file.relative_to(root).as_posix()
        visit(ast.parse(file.read_text("utf-8")), root, path, False, found)
    return found


def visit(node, root, path, lazy, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        for name in imported_names(child, path):
            found.append(Import(path, resolve(root, name), child.lineno, lazy))
        inside = lazy or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        visit(child, root, path, inside, found)


def imported_names(node, path):
    """Full dotted names; of `from a import b`, a.b."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = ["annotated_src", *path.split("/")[:-1]]
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
        return [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith(("import_module", "__import__")):
        name = node.args[0]
        return [name.value] if isinstance(name, ast.Constant) else []
    return []


def resolve(root, name):
    """The file under the root that an imported name comes from, or the name itself."""
    parts = name.split(".")
    if parts[0] != "annotated_src":
        return name
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[1:length])
        for candidate in (f"{stem}.py", f"{stem}/__init__.py".lstrip("/")):
            if (root / candidate).is_file():
                return candidate
    return name


def is_ours(found):
    return found.target.endswith(".py")


def upward_imports(imports):
    return [found for found in imports if is_ours(found) and not is_allowed(found)]


def is_allowed(found):
    target = layer_of(found.target)
    return target == "package" or target in MAY_IMPORT[layer_of(found.path)]


def cupy_imports(imports):
    return [found for found in imports if found.target.partition(".")[0] == "cupy" and found.path != CUPY_MODULE]


def foreign_imports(imports):
    return [found for found in imports if not is_ours(found) and found.target.partition(".")[0] in FOREIGN]


def circles(imports):
    """Circles of files that import one another while they are loaded, each as the list of its files."""
    edges = {}
    for found in imports:
        to_front = layer_of(found.path) == "upper torch" and is_ours(found) and found.target == "torch/__init__.py"
        if is_ours(found) and not found.lazy and found.target != found.path and not to_front:
            edges.setdefault(found.path, set()).add(found.target)
    done, circles_found = set(), []
    for start in sorted(edges):
        follow(start, [], edges, done, circles_found)
    return circles_found


def follow(path, trail, edges, done, circles_found):
    if path in trail:
        circles_found.append([*trail[trail.index(path) :], path])
    elif path not in done:
        for target in sorted(edges.get(path, ())):
            follow(target, [*trail, path], edges, done, circles_found)
        done.add(path)


def late_imports_of_the_front(imports):
    """What torch/__init__.py still imports from the core after it began with the upper part."""
    own = [found for found in imports if found.path == "torch/__init__.py" and is_ours(found) and not found.lazy]
    own.sort(key=lambda found: found.line)
    upper = [found.line for found in own if layer_of(found.target) == "upper torch"]
    return [found for found in own if upper and found.line > upper[0] and layer_of(found.target) != "upper torch"]


@pytest.fixture(scope="module")
def imports():
    return imports_of(ROOT)


def test_nothing_imports_upwards(imports):
    assert upward_imports(imports) == []


def test_there_are_no_circles(imports):
    assert circles(imports) == []


def test_the_front_of_torch_takes_the_upper_part_last(imports):
    assert late_imports_of_the_front(imports) == []


def test_cupy_is_imported_in_one_module(imports):
    assert cupy_imports(imports) == []
    assert any(found.path == CUPY_MODULE and found.target.partition(".")[0] == "cupy" for found in imports)


def test_the_real_libraries_are_not_imported(imports):
    assert foreign_imports(imports) == []


def test_all_layers_are_there(imports):
    # An empty tree would keep every rule.
    assert {layer_of(found.path) for found in imports} >= set(MAY_IMPORT) - {"package"}


# The checker itself, on trees in which something was planted.


def plant(folder, files):
    """Write {path: text}, with an __init__.py in each folder, and read the imports."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for inner in [folder, *folder.rglob("*")]:
        if inner.is_dir():
            (inner / "__init__.py").touch()
    return imports_of(folder)


@pytest.mark.parametrize(
    "files",
    [
        {"c10/storage.py": "from annotated_src.aten import ops", "aten/ops.py": ""},
        {"aten/ops.py": "import annotated_src.torch.nn.linear", "torch/nn/linear.py": ""},
        {"torch/autograd/engine.py": "from annotated_src import torch"},
        {"torch/_tensor.py": "def f():\n    from annotated_src.torch.nn import linear", "torch/nn/linear.py": ""},
        {"torch/utils/x.py": "import annotated_src.torchvision.ops.boxes", "torchvision/ops/boxes.py": ""},
        {"walkthrough/tree.py": "from annotated_src.c10 import storage", "c10/storage.py": ""},
        {"c10/storage.py": "from ..walkthrough import tree", "walkthrough/tree.py": ""},
        {"c10/storage.py": "import importlib\nimportlib.import_module('annotated_src.aten.ops')", "aten/ops.py": ""},
    ],
)
def test_an_upward_import_is_found(tmp_path, files):
    assert len(upward_imports(plant(tmp_path, files))) == 1


def test_a_downward_import_is_none(tmp_path):
    found = plant(
        tmp_path,
        {
            "c10/storage.py": "import numpy",
            "aten/ops.py": "from annotated_src.c10 import storage\nfrom annotated_src.c10.storage import Storage",
            "torch/nn/linear.py": "from annotated_src import torch\nfrom annotated_src.aten import ops",
            "torch/nn/other.py": "from . import linear",
            "torchvision/x.py": "from annotated_src import torch",
        },
    )
    assert len(found) == 7
    assert upward_imports(found) == circles(found) == cupy_imports(found) == foreign_imports(found) == []


def test_what_only_type_checkers_see_does_not_count(tmp_path):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from annotated_src.aten import ops"
    assert upward_imports(plant(tmp_path, {"c10/storage.py": text, "aten/ops.py": ""})) == []


def test_a_circle_is_found(tmp_path):
    found = plant(
        tmp_path,
        {
            "c10/a.py": "from annotated_src.c10 import b",
            "c10/b.py": "import annotated_src.c10.c",
            "c10/c.py": "from .a import name",
        },
    )
    assert circles(found) == [["c10/a.py", "c10/b.py", "c10/c.py", "c10/a.py"]]


def test_an_import_inside_a_function_makes_no_circle(tmp_path):
    found = plant(tmp_path, {"c10/a.py": "from . import b", "c10/b.py": "def f():\n    from . import a"})
    assert circles(found) == []


@pytest.mark.parametrize("text", ["import cupy", "from cupy.cuda import Stream", "import importlib as i, cupy as cp"])
def test_a_second_door_to_cupy_is_found(tmp_path, text):
    found = plant(tmp_path, {"c10/array_module.py": "import cupy", "c10/storage.py": text})
    assert [one.path for one in cupy_imports(found)] == ["c10/storage.py"]


@pytest.mark.parametrize("text", ["import torch", "from torchvision.ops import nms", "from tests import oracle"])
def test_a_foreign_import_is_found(tmp_path, text):
    assert len(foreign_imports(plant(tmp_path, {"torch/nn/linear.py": text}))) == 1


def test_a_late_import_of_the_front_is_found(tmp_path):
    text = "from annotated_src.torch.nn import linear\nfrom annotated_src.torch import _tensor\n"
    found = plant(tmp_path, {"torch/__init__.py": text, "torch/nn/linear.py": "", "torch/_tensor.py": ""})
    assert [late.target for late in late_imports_of_the_front(found)] == ["torch/_tensor.py"]

"""The oracle: what upstream gives for the same few lines.

    def test_randperm(oracle):
        def case(torch):
            torch.manual_seed(3)
            return torch.randperm(10)
        oracle.same(case)

`case` runs on our torch and is compared with upstream: live where the real torch is installed, else with the result
recorded from it (tests/<chapter>/recorded/<file>.json, written by `pytest --record`). The two are counted apart.
"""

import importlib.util
import inspect
import json
import math
import re
import warnings
from pathlib import Path

import annotated_src

TESTS = Path(__file__).resolve().parent
UPSTREAM_VERSION = "2.13.0"

# (rtol, atol) by dtype; what is not here is compared exactly.
TOLERANCES = {
    "torch.float64": (1e-9, 1e-12),
    "torch.complex128": (1e-9, 1e-12),
    "torch.float32": (1e-5, 1e-6),
    "torch.complex64": (1e-5, 1e-6),
    "torch.float16": (1e-3, 1e-4),
    "torch.bfloat16": (8e-3, 1e-3),
}


def upstream_is_installed():
    """Whether the real torch, of the pinned version, can be imported."""
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.__version__.partition("+")[0] == UPSTREAM_VERSION


_WORDS_OF_DEVICES = (
    (r",\s*device='cuda:0'", ""),
    ("cuda:0", "cpu"),
    (r"torch\.cuda\.", "torch."),
    ("SparseCUDA", "SparseCPU"),
    (r"DispatchKeySet\(CUDA", "DispatchKeySet(CPU"),
    ("from the 'CUDA' backend", "from the 'CPU' backend"),
)


class Ours:
    """The packages of this project, by the name a case asks for."""

    def __init__(self, device):
        self.device = device

    def get(self, name):
        if name == "device":
            return self.device
        return importlib.import_module(f"annotated_src.{name}")

    def as_on_the_cpu(self, value):
        """The value with the card's names in its texts replaced: upstream was asked on the CPU."""
        if self.device == "cpu":
            return value
        if isinstance(value, str):
            for on_the_card, on_the_cpu in _WORDS_OF_DEVICES:
                value = re.sub(on_the_card, on_the_cpu, value)
            return value
        if isinstance(value, list):
            return [self.as_on_the_cpu(item) for item in value]
        if isinstance(value, dict):
            return {key: self.as_on_the_cpu(item) for key, item in value.items()}
        return value


class Upstream:
    """The real packages."""

    def get(self, name):
        if name == "device":
            return "cpu"
        if name == "torchvision":
            from tests import upstream_torchvision

            return upstream_torchvision.load()
        return importlib.import_module(name)


def call(case, packages):
    """Run the case with the packages it names as parameters."""
    return case(*[packages.get(name) for name in inspect.signature(case).parameters])


def plain(value):
    """A value as JSON can hold it, with everything that has to be equal."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    kind = type(value).__name__
    if is_tensor(value):
        return {"tensor": str(value.dtype), "shape": list(value.shape), "data": [plain(x) for x in flat(value)]}
    if kind in ("ndarray", "float32", "float64", "int64", "uint8", "int32", "bool_") and hasattr(value, "tobytes"):
        data = [plain(x) for x in value.ravel().tolist()]
        return {"numpy": str(value.dtype), "shape": list(value.shape), "data": data}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return {kind: [plain(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {kind: sorted(map(repr, value))}
    if isinstance(value, BaseException):
        return {"error": kind}
    if isinstance(value, type):
        return {"type": value.__name__}
    return {"object": kind, "repr": repr(value)}


def is_tensor(value):
    return hasattr(value, "dtype") and hasattr(value, "storage_offset")


def flat(tensor):
    return tensor.detach().reshape(-1).tolist() if hasattr(tensor, "detach") else tensor.reshape(-1).tolist()


def difference(ours, theirs, rtol=None, atol=None, path="result"):
    """Where two plain values differ, in words; None where they are equal."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        for key in ours:
            if key == "data":
                return _data_difference(ours, theirs, rtol, atol, path)
            found = difference(ours[key], theirs[key], rtol, atol, f"{path}.{key}" if key in ("shape",) else path)
            if found:
                return found
        return None
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            return f"{path}: {len(ours)} elements here, {len(theirs)} upstream: {ours!r:.300} / {theirs!r:.300}"
        for position, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            found = difference(a, b, rtol, atol, f"{path}[{position}]")
            if found:
                return found
        return None
    if ours != theirs:
        return f"{path}: here {ours!r}, upstream {theirs!r}"
    return None


def _data_difference(ours, theirs, rtol, atol, path):
    dtype = theirs.get("tensor") or f"torch.{theirs['numpy']}"
    default_rtol, default_atol = TOLERANCES.get(dtype, (0.0, 0.0))
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    for position, (a, b) in enumerate(zip(ours["data"], theirs["data"], strict=True)):
        if not _close(_number(a), _number(b), rtol, atol):
            return f"{path}, element {position}: here {_number(a)!r}, upstream {_number(b)!r} ({dtype})"
    return None


def _number(value):
    if isinstance(value, dict):
        if "float" in value:
            return float(value["float"])
        return complex(*map(float, value["complex"]))
    return value


def _close(a, b, rtol, atol):
    if a == b:
        return True
    if type(a) is not type(b) or not isinstance(a, (float, complex)):
        return False
    if a != a or b != b:
        return a != a and b != b
    if isinstance(a, float) and (math.isinf(a) or math.isinf(b)):
        return False
    return abs(a - b) <= atol + rtol * abs(b)


class Record:
    """The recorded results of one test file."""

    _open = {}

    def __init__(self, path):
        self.path = path
        self.rows = json.loads(path.read_text()) if path.exists() else {}
        self.changed = False

    @classmethod
    def of(cls, test_file):
        path = test_file.parent / "recorded" / f"{test_file.stem}.json"
        if path not in cls._open:
            cls._open[path] = cls(path)
        return cls._open[path]

    @classmethod
    def save_all(cls):
        for record in cls._open.values():
            if record.changed:
                record.path.parent.mkdir(exist_ok=True)
                rows = [f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(record.rows.items())]
                record.path.write_text("{\n" + ",\n".join(rows) + "\n}\n")


class Tally:
    """How many comparisons were made in each chapter, and against what."""

    def __init__(self):
        self.rows = {}
        self.traces = {}

    def add_trace(self, chapter, scenario, comparison, kind, elsewhere):
        """Note how many of upstream's calls in a scenario were found here."""
        self.traces.setdefault(chapter, []).append(
            {
                "scenario": scenario,
                "kind": kind,
                "total": comparison.total,
                "found": comparison.found,
                "share": round(comparison.share, 4),
                "excused": [qualname for _, qualname, _ in comparison.excused],
                "extra": len(comparison.extra),
                "elsewhere": elsewhere,
            }
        )

    def add(self, chapter, nodeid, kind):
        row = self.rows.setdefault(chapter, {}).setdefault(nodeid, {"live": 0, "recorded": 0})
        row[kind] += 1

    def total(self, chapter, kind):
        return sum(row[kind] for row in self.rows.get(chapter, {}).values())


class Oracle:
    """Asks upstream, or the record of it, what a case gives."""

    def __init__(self, nodeid, test_file, device, record, tally):
        self.nodeid = nodeid
        self.chapter = test_file.parent.name
        self.live = upstream_is_installed()
        self.record = Record.of(test_file)
        self.recording = record
        self.tally = tally
        self.ours = Ours(device)
        self.count = 0

    def same(self, case, *, rtol=None, atol=None):
        """The case gives equal results on both sides; returns ours."""
        theirs = self._ask(lambda: plain(_quietly(case, Upstream())))
        result = _quietly(case, self.ours)
        ours = json.loads(json.dumps(plain(result)))
        found = difference(self.ours.as_on_the_cpu(ours), theirs, rtol, atol)
        assert found is None, found
        return result

    def same_error(self, case, phrase=""):
        """The case raises the same type on both sides, and both messages contain the phrase; returns ours."""
        theirs = self._ask(lambda: _error_row(case, Upstream()))
        assert theirs is not None, "upstream raises nothing"
        error = _error_of(case, self.ours)
        assert error is not None, f"upstream raises {theirs['type']}: {theirs['message']}; ours raises nothing"
        assert type(error).__name__ == theirs["type"], f"here {type(error).__name__}: {error}; upstream {theirs}"
        assert phrase in theirs["message"], f"not upstream's phrase: {theirs['message']}"
        assert phrase in self.ours.as_on_the_cpu(str(error)), f"phrase missing here: {error}"
        return error

    def same_warnings(self, case, phrase=""):
        """The case warns with the same categories in the same order on both sides; the phrase is in one of each."""
        theirs = self._ask(lambda: _warning_rows(case, Upstream()))
        ours = _warning_rows(case, self.ours)
        assert [row[0] for row in ours] == [row[0] for row in theirs], f"here {ours}, upstream {theirs}"
        assert any(phrase in row[1] for row in theirs), f"not upstream's phrase: {theirs}"
        assert any(phrase in row[1] for row in ours), f"phrase missing here: {ours}"

    def outcome_difference(self, case, *, rtol=None, atol=None, words=True):
        """Where the outcomes differ, as a text: the results, or what is raised; None where they are equal.

        Errors are equal if their types are and, with `words`, our message holds the first words of upstream's.
        """
        theirs = _unpacked(self._ask(lambda: _packed(_outcome(case, Upstream()))))
        ours = self.ours.as_on_the_cpu(json.loads(json.dumps(_outcome(case, self.ours, whole=True))))
        if "raises" not in ours or "raises" not in theirs:
            return difference(ours, theirs, rtol, atol)
        if ours["raises"] != theirs["raises"]:
            return f"here {ours}, upstream {theirs}"
        if words and theirs["words"] not in _words(ours["words"]):
            return f"phrase missing here: {ours}, upstream {theirs}"
        return None

    def _ask(self, question):
        """Upstream's answer, live or from the record."""
        key = f"{self.nodeid.partition('::')[2]}#{self.count}"
        self.count += 1
        if not self.live:
            assert key in self.record.rows, f"no recorded result for {key}; run `pytest --record` beside torch"
            self.tally.add(self.chapter, self.nodeid, "recorded")
            return self.record.rows[key]
        answer = json.loads(json.dumps(question()))
        self.tally.add(self.chapter, self.nodeid, "live")
        if self.recording and (key not in self.record.rows or self.record.rows[key] != answer):
            self.record.rows[key] = answer
            self.record.changed = True
        return answer


def _quietly(case, packages):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(case, packages)


def _error_of(case, packages):
    try:
        _quietly(case, packages)
    except Exception as error:
        return error
    return None


def _error_row(case, packages):
    error = _error_of(case, packages)
    return error if error is None else {"type": type(error).__name__, "message": str(error)[:400]}


def _outcome(case, packages, whole=False):
    """The result as JSON can hold it, or the error's type and the first words (or the whole) of its message."""
    try:
        return {"gives": plain(_quietly(case, packages))}
    except Exception as error:
        message = str(error)
        return {"raises": type(error).__name__, "words": message if whole else _words(message, WORDS)}


def _packed(value):
    """The same with the numbers of floating tensors in one text, of eight digits each: a third of the room."""
    if isinstance(value, dict):
        if value.get("tensor", "").startswith("torch.float"):
            return {**value, "data": " ".join(f"{_number(number):.8g}" for number in value["data"])}
        return {key: _packed(item) for key, item in value.items()}
    return [_packed(item) for item in value] if isinstance(value, list) else value


def _unpacked(value):
    if isinstance(value, dict):
        if value.get("tensor", "").startswith("torch.float"):
            return {**value, "data": [float(number) for number in value["data"].split()]}
        return {key: _unpacked(item) for key, item in value.items()}
    return [_unpacked(item) for item in value] if isinstance(value, list) else value


# How many of them say what kind of refusal it is; what follows is often a number or a shape.
WORDS = 4


def _words(message, most=None):
    """The words of a message, in small letters, without numbers and signs."""
    return " ".join(re.findall(r"[a-z_]+", message.lower())[:most])


def _warning_rows(case, packages):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(case, packages)
    return [[row.category.__name__, str(row.message)[:400]] for row in caught]


PRODUCT = Path(annotated_src.__file__).resolve().parent

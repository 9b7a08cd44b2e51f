"""Run a CUDA kernel on the CPU.

    launch = Launcher(order="descending")
    launch("block_sum.cu", "block_sum", grid=(4,), block=(128,), args=(x, out, numpy.int64(n)), shared_mem=16)

The file is compiled as C++ with cuda_on_cpu.h in front; nothing in it is changed, and no glue is written by hand: the
names of the kernels are read from the source (`extern "C" __global__ void NAME(...)`), their parameters from the
compiled types. The library is kept in a cache folder, by a digest of everything that it was made from.

Arrays are NumPy's, contiguous, of the parameter's dtype. The kernel works on copies of them that stand between
forbidden pages, so that an index out of range is an error that names the array and the thread. Where a kernel takes a
struct, an array of one element is passed by value, as CuPy does.
"""

import contextlib
import ctypes
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import numpy

HEADER = pathlib.Path(__file__).with_name("cuda_on_cpu.h")
ORDERS = ("ascending", "descending", "shuffled")

# What a card grants a block without being asked for more.
MAX_THREADS = 1024
MAX_SHARED = 48 * 1024

_KERNEL = re.compile(r'extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(([^)]*)\)')
_DYNAMIC = re.compile(r"extern\s+__shared__\s+([\w\s]+?)\s+(\w+)\s*\[\s*\]")
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

_FLAGS = ("-std=c++20", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-Wno-unknown-pragmas")

# Libraries that the cache folder keeps: those used last.
_KEPT = 100

# Fibers and the shared memory are the library's; one launch at a time.
_LOCK = threading.Lock()


class KernelError(Exception):
    """A kernel that cannot be compiled or launched, or that did what a card would leave undefined."""


class NoCompiler(KernelError):
    """There is no C++ compiler on this machine, or none for which the header is made."""


# -- compiling


def compiler():
    """The C++ compiler: $CXX, g++ or clang++."""
    if sys.platform != "linux":
        raise NoCompiler(f"no kernel is run on the CPU of a {sys.platform} machine: the header is made for Linux")
    for name in (os.environ.get("CXX"), "g++", "clang++"):
        found = name and shutil.which(name)
        if found:
            return found
    raise NoCompiler(
        "no C++ compiler was found, and a kernel is run on the CPU by compiling it: install g++ or clang++ "
        "(Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++), or name one in $CXX"
    )


def kernels_of(path):
    """{name: [parameter names]} of the kernels in a file."""
    text = _COMMENT.sub("", pathlib.Path(path).read_text(encoding="utf-8"))
    return {name: [_name(one) for one in _split(parameters)] for name, parameters in _KERNEL.findall(text)}


def _split(parameters):
    """At the commas that are not inside <>."""
    parts = re.split(r",(?![^<]*>)", parameters)
    return [part for part in parts if part.strip()]


def _name(parameter):
    return re.search(r"(\w+)\s*$", parameter)[1]


def sources_of(path):
    """The file, and every file that it includes in quotes, in the order of their first mention."""
    path = pathlib.Path(path)
    found = [path]
    for source in found:
        for name in _INCLUDE.findall(source.read_text(encoding="utf-8")):
            included = source.parent / name
            if included.is_file() and included not in found:
                found.append(included)
    return found


def _cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = pathlib.Path(base) / "annotated_src" / "cuda_on_cpu"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return _private_folder()
    return folder if os.access(folder, os.W_OK) else _private_folder()


@functools.cache
def _private_folder():
    return pathlib.Path(tempfile.mkdtemp(prefix="cuda_on_cpu-"))


def _prune(folder):
    """Leave the libraries that were used last."""
    with os.scandir(folder) as entries:
        by_age = sorted((entry.stat().st_mtime, entry.path) for entry in entries if entry.name.endswith(".so"))
    for _, library in by_age[:-_KEPT]:
        # (another process may have been here)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(library)


def build(path, debug=False, folder=None):
    """Compile a `.cu` file and return the library's path; `debug` keeps every variable for a debugger to see.

    The library is kept in `folder`, by default the user's cache, and made once.
    """
    path = pathlib.Path(path).resolve()
    kernels = kernels_of(path)
    if not kernels:
        raise KernelError(f'{path.name} has no kernel: one is declared as extern "C" __global__ void name(...)')
    command = [compiler(), *_FLAGS, "-O0" if debug else "-O1"]
    launcher = _launcher(path, kernels)
    digest = hashlib.sha256(repr((command, launcher)).encode())
    for source in [HEADER, *sources_of(path)]:
        digest.update(source.read_bytes())
    library = (folder or _cache_folder()) / f"{path.stem}-{digest.hexdigest()[:16]}.so"
    if library.exists():
        library.touch()
        return library
    _compile(command, launcher, library, path)
    if folder is None:
        _prune(library.parent)
    return library


def _compile(command, launcher, library, path):
    with tempfile.TemporaryDirectory(prefix="cuda_on_cpu-") as folder:
        source = pathlib.Path(folder) / "launcher.cpp"
        source.write_text(launcher, encoding="utf-8")
        made = pathlib.Path(folder) / library.name
        done = subprocess.run([*command, str(source), "-o", str(made)], capture_output=True, text=True)
        if done.returncode:
            raise KernelError(f"{path.name} does not compile as C++:\n{done.stderr.strip()[:4000]}")
        # Whole or not at all, should two processes build the same.
        partial = library.with_suffix(f".{os.getpid()}")
        shutil.copy2(made, partial)
        os.replace(partial, library)


_EXPORTED = 'extern "C" __attribute__((visibility("default")))'


def _launcher(path, kernels):
    """The source that is compiled: the header, the file as it is, and a way in for each kernel."""
    lines = [f'#include "{HEADER}"', f'#include "{path}"', *_dynamic_memory(path)]
    for name in kernels:
        lines += [
            f"{_EXPORTED} const char* describe_{name}() {{",
            f"  static const std::string types = cuda_on_cpu::describe_all({name});",
            "  return types.c_str();",
            "}",
            f"{_EXPORTED} int launch_{name}(const void* how, void** values, const void* arrays) {{",
            f'  return cuda_on_cpu::launch("{name}", {name}, how, values, arrays);',
            "}",
        ]
    lines += [
        f"{_EXPORTED} const char* last_error() {{ return cuda_on_cpu::error.c_str(); }}",
        f"{_EXPORTED} const void* traced_rows(size_t* count) {{",
        "  *count = cuda_on_cpu::trace.size();",
        "  return cuda_on_cpu::trace.data();",
        "}",
        f"{_EXPORTED} const void* traced_memory(size_t* count, size_t* each) {{",
        "  *count = cuda_on_cpu::snapshots.size();",
        "  *each = cuda_on_cpu::machine.shared_bytes;",
        "  return cuda_on_cpu::snapshots.data();",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _dynamic_memory(path):
    """The definition of what the file declares as `extern __shared__ type name[]`."""
    texts = [_COMMENT.sub("", source.read_text(encoding="utf-8")) for source in sources_of(path)]
    declared = sorted({found for text in texts for found in _DYNAMIC.findall(text)})
    if not declared:
        return []
    if len(declared) > 1:
        names = ", ".join(name for _, name in declared)
        raise KernelError(
            f"{path.name} declares dynamic shared memory more than once ({names}), which is one and the same memory on "
            "a card: give it one name and one type, and cast"
        )
    kind, name = declared[0]
    # A little more than any launch may ask for: what is written behind it shows.
    capacity = MAX_SHARED + 1024
    return [
        f"alignas(16) constinit thread_local {kind} {name}[{capacity} / sizeof({kind})];",
        # g++ calls this at each use of a thread_local array that it has only seen declared.
        f'extern "C" void _ZTH{len(name)}{name}() {{}}',
        f"static unsigned char* start_of_{name}() {{ return reinterpret_cast<unsigned char*>({name}); }}",
        f"static const int dynamic_is_known = (cuda_on_cpu::dynamic = {{start_of_{name}, {capacity}}}, 0);",
    ]


# -- launching


class _Launch(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("order", ctypes.c_int),
        ("seed", ctypes.c_uint),
        ("traced", ctypes.c_int),
    ]


class _Array(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("written", ctypes.c_int),
    ]


_ROW = numpy.dtype(
    [("block", "i4"), ("step", "i4"), ("thread", "i4"), ("line", "i4"), ("gave", "f8"), ("got", "f8")], align=True
)


class Launcher:
    """Launches kernels on the CPU, in one order of the threads.

    `order` is "ascending", "descending" or "shuffled" (then by `seed`). With `traced`, `trace` holds what the last
    launch exchanged. `debug` compiles without optimisation. Libraries are kept in `folder`, or the user's cache.
    """

    def __init__(self, order="ascending", seed=0, traced=False, debug=False, folder=None):
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}, got {order!r}")
        self.order = order
        self.seed = seed
        self.traced = traced
        self.debug = debug
        self.folder = folder
        self.trace = None

    def __call__(self, path, name, grid, block, args, shared_mem=0):
        """Run the kernel `name` of the file `path`; arrays among `args` that it writes to are changed."""
        library, kernels = _load(build(path, self.debug, self.folder)), kernels_of(path)
        if name not in kernels:
            raise KernelError(f"{pathlib.Path(path).name} has no kernel {name!r}; it has {', '.join(kernels)}")
        how = self._configuration(name, grid, block, shared_mem)
        types = _described(library, name)
        values, pointers, kept = _arguments(name, kernels[name], types, args)
        with _LOCK:
            status = getattr(library, f"launch_{name}")(ctypes.byref(how), values, pointers)
            if status:
                raise KernelError(library.last_error().decode())
            self.trace = Trace(library) if self.traced else None
        del kept

    def _configuration(self, name, grid, block, shared_mem):
        grid = _three(grid)
        block = _three(block)
        threads = block[0] * block[1] * block[2]
        if min(grid) < 1 or min(block) < 1:
            raise KernelError(
                f"{name}: invalid configuration: grid {grid} and block {block} must be 1 or more each way"
            )
        if threads > MAX_THREADS:
            raise KernelError(f"{name}: invalid configuration: {threads} threads a block, and a card has {MAX_THREADS}")
        if not 0 <= shared_mem <= MAX_SHARED:
            raise KernelError(
                f"{name}: invalid configuration: shared_mem is {shared_mem}, a block has {MAX_SHARED} bytes"
            )
        order = ORDERS.index(self.order)
        return _Launch(
            (ctypes.c_uint * 3)(*grid), (ctypes.c_uint * 3)(*block), shared_mem, order, self.seed, self.traced
        )


def _three(shape):
    shape = tuple(int(size) for size in shape)
    if not 1 <= len(shape) <= 3:
        raise KernelError(f"a grid or a block has one to three sizes, got {shape}")
    return (shape + (1, 1))[:3]


@functools.cache
def _load(path):
    library = ctypes.CDLL(str(path))
    library.last_error.restype = ctypes.c_char_p
    library.traced_rows.restype = ctypes.c_void_p
    library.traced_memory.restype = ctypes.c_void_p
    library.path = path
    return library


def _described(library, name):
    describe = getattr(library, f"describe_{name}")
    describe.restype = ctypes.c_char_p
    return describe().decode().split()


def _arguments(kernel, names, types, args):
    """What the library wants: pointers to the values, and the arrays beside them."""
    if len(args) != len(types):
        raise KernelError(f"{kernel} takes {len(types)} arguments ({', '.join(names)}), got {len(args)}")
    values = (ctypes.c_void_p * len(types))()
    pointers = (_Array * len(types))()
    kept = []
    for i, (name, kind, value) in enumerate(zip(names, types, args, strict=True)):
        if "*" in kind:
            pointers[i] = _array(kernel, name, kind, value)
        else:
            held = _value(kernel, name, kind, value)
            kept.append(held)
            values[i] = held.ctypes.data
    _check_overlap(kernel, names, [value for kind, value in zip(types, args, strict=True) if "*" in kind])
    _agree_on_written(pointers)
    return values, pointers, kept


def _array(kernel, name, kind, value):
    if value is None:
        return _Array(None, 0, name.encode(), 0)
    const, _, element = kind.rpartition("*")
    if not isinstance(value, numpy.ndarray):
        raise KernelError(f"{kernel}: {name} is a pointer, so it takes a NumPy array or None, got {value!r}")
    if not value.flags.c_contiguous:
        raise KernelError(f"{kernel}: {name} is not contiguous; pass numpy.ascontiguousarray(...)")
    if element != "V" and element != _kind(value.dtype):
        raise KernelError(f"{kernel}: {name} points to {_word(element)}, got an array of {value.dtype}")
    written = const != "c"
    if written and not value.flags.writeable:
        raise KernelError(f"{kernel}: {name} is written to, and the array is read-only")
    return _Array(value.ctypes.data, value.nbytes, name.encode(), written)


def _value(kernel, name, kind, value):
    """The value as an array of one element, which ctypes can point to."""
    held = numpy.array(value).reshape(-1)
    if held.size != 1:
        raise KernelError(f"{kernel}: {name} is passed by value, got an array of {held.size} elements")
    if _kind(held.dtype) != kind:
        raise KernelError(f"{kernel}: {name} is {_word(kind)}, got {held.dtype}; say so, as in numpy.int32(n)")
    return held


def _kind(dtype):
    return f"{dtype.kind}{dtype.itemsize}"


def _word(kind):
    if kind[0] == "V":
        return f"a struct of {kind[1:]} bytes"
    return str(numpy.dtype("?" if kind == "b1" else kind))


def _check_overlap(kernel, names, arrays):
    arrays = [array for array in arrays if array is not None]
    for i, one in enumerate(arrays):
        for other in arrays[:i]:
            same = one.ctypes.data == other.ctypes.data and one.nbytes == other.nbytes
            if not same and numpy.may_share_memory(one, other):
                raise KernelError(f"{kernel}: two of its arrays overlap without being the same; pass copies")


def _agree_on_written(pointers):
    """An array that is passed twice goes back if either may be written to."""
    written = {pointer.data for pointer in pointers if pointer.written}
    for pointer in pointers:
        pointer.written = pointer.data in written


# -- what was exchanged


class Trace:
    """What the threads of a launch exchanged.

    `rows`: a row for each lane of each shuffle (block, step, thread, line, what it gave, what it got; NaN where nothing
    came), and one for each barrier, with thread -1. `memory[i]` is the shared memory at the i-th barrier:
    {variable: bytes as a uint8 array}.
    """

    def __init__(self, library):
        count, each = ctypes.c_size_t(), ctypes.c_size_t()
        start = library.traced_rows(ctypes.byref(count))
        self.rows = numpy.frombuffer(_copy(start, count.value * _ROW.itemsize), _ROW)
        start = library.traced_memory(ctypes.byref(count), ctypes.byref(each))
        memory = numpy.frombuffer(_copy(start, count.value), numpy.uint8)
        variables = _shared_variables(library.path)
        self.memory = [
            {name: snapshot[at : at + size] for name, (at, size) in variables.items()}
            for snapshot in memory.reshape(-1, max(each.value, 1))
        ]


def _copy(start, count):
    return ctypes.string_at(start, count) if count else b""


@functools.cache
def _shared_variables(library):
    """{name: (place, size)} of the library's shared memory, as its symbol table has them; {} without `nm`."""
    nm = shutil.which("nm")
    if nm is None:
        return {}
    listed = subprocess.run([nm, "--print-size", "--demangle", str(library)], capture_output=True, text=True).stdout
    variables = {}
    for line in listed.splitlines():
        found = re.match(r"([0-9a-f]+) ([0-9a-f]+) [bBdDuV] (.+)$", line)
        if found:
            variables[found[3].rpartition("::")[2]] = (int(found[1], 16), int(found[2], 16))
    return {name: place for name, place in variables.items() if name in _thread_local_names(library)}


@functools.cache
def _thread_local_names(library):
    """What `readelf` calls TLS."""
    readelf = shutil.which("readelf")
    if readelf is None:
        return frozenset()
    listed = subprocess.run([readelf, "-sW", "-C", str(library)], capture_output=True, text=True).stdout
    rows = [line.split(None, 7) for line in listed.splitlines() if " TLS " in line]
    return frozenset(row[7].rpartition("::")[2] for row in rows if len(row) == 8)

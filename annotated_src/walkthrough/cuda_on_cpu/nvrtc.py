"""Compile a `.cu` file for real, without a card: to PTX, the assembler language of NVIDIA's cards.

    ptx("block_sum.cu", arch="sm_90")        the text; its `.entry` lines are the kernels

The compiler is NVRTC, a library that comes by pip (nvidia-cuda-nvrtc-cu12, or nvidia-cuda-nvrtc for CUDA 13) and with
CuPy's packages, or else `nvcc` where the CUDA toolkit is installed. Neither needs a card or a driver.
"""

import ctypes
import functools
import importlib.util
import pathlib
import shutil
import subprocess
import tempfile

from annotated_src.walkthrough.cuda_on_cpu.run import KernelError

ARCHITECTURES = ("sm_80", "sm_90")

_INSIDE_NVIDIA = ("cuda_nvrtc/lib/libnvrtc.so.12", "cu13/lib/libnvrtc.so.13")


class NoCudaCompiler(KernelError):
    """There is neither NVRTC nor nvcc on this machine."""


def ptx(path, arch="sm_90"):
    """The file as PTX for the cards of this architecture; KernelError with the compiler's words where it refuses."""
    path = pathlib.Path(path).resolve()
    library = nvrtc()
    if library is not None:
        return _compile_by_nvrtc(library, path, arch)
    if shutil.which("nvcc"):
        return _compile_by_nvcc(path, arch)
    raise NoCudaCompiler(
        "neither NVRTC nor nvcc was found; both compile for a card without having one: "
        "pip install nvidia-cuda-nvrtc-cu12"
    )


def compiler_name():
    """Which compiler `ptx` uses, with its version."""
    library = nvrtc()
    if library is None:
        return "nvcc" if shutil.which("nvcc") else "none"
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"NVRTC {major.value}.{minor.value}"


@functools.cache
def nvrtc():
    """The library, or None."""
    package = importlib.util.find_spec("nvidia")
    folders = package.submodule_search_locations if package else []
    for folder in folders:
        for inside in _INSIDE_NVIDIA:
            path = pathlib.Path(folder) / inside
            if path.is_file():
                return _declared(ctypes.CDLL(str(path)))
    return None


def _declared(library):
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _compile_by_nvrtc(library, path, arch):
    program = ctypes.c_void_p()
    source = path.read_bytes()
    _check(library, library.nvrtcCreateProgram(ctypes.byref(program), source, path.name.encode(), 0, None, None))
    try:
        options = [f"--gpu-architecture={arch.replace('sm_', 'compute_')}", "--std=c++17", f"-I{path.parent}"]
        array = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        status = library.nvrtcCompileProgram(program, len(options), array)
        if status:
            log = _text(library, program, "ProgramLog")
            raise KernelError(f"{path.name} does not compile for {arch}:\n{log.strip()}")
        return _text(library, program, "PTX")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _text(library, program, what):
    size = ctypes.c_size_t()
    _check(library, getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(library, getattr(library, f"nvrtcGet{what}")(program, buffer))
    return buffer.value.decode()


def _check(library, status):
    if status:
        raise KernelError(f"NVRTC: {library.nvrtcGetErrorString(status).decode()}")


def _compile_by_nvcc(path, arch):
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "made.ptx"
        command = [
            "nvcc",
            "--ptx",
            f"-arch={arch.replace('sm_', 'compute_')}",
            "-std=c++17",
            str(path),
            "-o",
            str(made),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise KernelError(f"{path.name} does not compile for {arch}:\n{(done.stdout + done.stderr).strip()}")
        return made.read_text(encoding="utf-8")

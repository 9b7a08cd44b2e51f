"""CUDA kernels on a machine without a card: compiled by its C++ compiler, run by fibers, or compiled to PTX.

    cuda_on_cpu.h    what the source of a kernel needs: threadIdx, barriers, shuffles, shared memory
    run.py           compiles a `.cu` file with it and launches its kernels on NumPy arrays
    nvrtc.py         compiles a `.cu` file for real, to PTX, with NVIDIA's compiler; it needs no card
    stepping.py      a session in gdb inside a kernel, replayed

Knows nothing of torch. A kernel is found by the path of its file and its name.
"""

"""CUDA kernels and their host sides.

A `.cu` or `.cuh` file has upstream's name; the host code that upstream keeps in the same file stands beside it in
Python: block and grid sizes, bytes of shared memory, and the launch.
"""

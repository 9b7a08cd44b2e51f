"""CUDA kernels, run on the CPU and compiled for cards."""

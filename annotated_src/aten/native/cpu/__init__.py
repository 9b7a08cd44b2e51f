"""Loops and kernels of the CPU. Retells aten/src/ATen/native/cpu/."""

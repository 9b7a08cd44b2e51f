"""Kernels of CUDA tensors. Retells aten/src/ATen/native/cuda/."""

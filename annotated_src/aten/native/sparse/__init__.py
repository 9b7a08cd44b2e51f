"""Kernels of sparse tensors. Retells aten/src/ATen/native/sparse/."""

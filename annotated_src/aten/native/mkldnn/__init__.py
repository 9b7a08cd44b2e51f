"""Kernels that upstream takes from oneDNN. Retells aten/src/ATen/native/mkldnn/."""

"""Retells torch/csrc/tensor/."""

"""Retells torch/csrc/autograd/utils/."""

"""Retells torch/csrc/utils/."""

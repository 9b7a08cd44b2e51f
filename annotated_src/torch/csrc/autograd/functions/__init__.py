"""Nodes that are not an operator's formula. Retells torch/csrc/autograd/functions/."""

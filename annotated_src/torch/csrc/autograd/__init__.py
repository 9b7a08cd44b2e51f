"""The C++ half of autograd and of the tensor's Python face. Retells torch/csrc/autograd/."""

"""What upstream has in torch/csrc/, in Python."""

"""The C++ half of torch.cuda: devices, streams, events, graphs. Retells torch/csrc/cuda/."""

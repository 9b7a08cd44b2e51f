"""What the operators' layer knows of CUDA: events, graphs, pinned memory. Retells aten/src/ATen/cuda/."""

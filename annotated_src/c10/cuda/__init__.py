"""What the lowest layer knows of CUDA: devices, streams, the memory pool. Retells c10/cuda/, over `cupy.cuda`."""

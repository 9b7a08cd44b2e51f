"""The host side of add.cu. Retells aten/src/ATen/cuda/detail/KernelUtils.h (how many blocks an array takes)."""

import numpy

from annotated_src.aten.native.cuda.launch import HERE, ceil_div, launch_on_card

CUDA_NUM_THREADS = 1024
# Upstream has as many as are needed. Here the threads stride, and a card is full with fewer.
MAX_BLOCKS = 4096


def GET_BLOCKS(N, max_threads_per_block=CUDA_NUM_THREADS):
    """Blocks for N elements.

    >>> GET_BLOCKS(1025)
    2
    """
    return min(ceil_div(N, max_threads_per_block), MAX_BLOCKS)


def add_kernel(self, other, alpha, out, launch=launch_on_card):
    """out = self + alpha * other; float32, contiguous, of one shape."""
    if self.size == 0:
        return
    grid = (GET_BLOCKS(self.size),)
    args = (self, other, numpy.float32(alpha), out, numpy.int64(self.size))
    launch(HERE / "add.cu", "add_kernel", grid, (CUDA_NUM_THREADS,), args)

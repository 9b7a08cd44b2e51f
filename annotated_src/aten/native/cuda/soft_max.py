"""The host side of SoftMax.cu. Retells aten/src/ATen/native/cuda/SoftMax.cu."""

import numpy

from annotated_src.aten.native.cuda.launch import HERE, ceil_div, compiles_source, launch_on_card

C10_WARP_SIZE = 32
MAX_THREADS = 1024


def SoftMaxForward_getBlockSize(dim_size):
    """Threads for a row: one a number, rounded up to whole warps, at most 1024.

    >>> [SoftMaxForward_getBlockSize(size) for size in (1, 33, 5000)]
    [32, 64, 1024]
    """
    warps = ceil_div(min(dim_size, MAX_THREADS), C10_WARP_SIZE)
    return warps * C10_WARP_SIZE


def host_softmax(input, output, is_log_softmax, launch=launch_on_card):
    """output (N, C) = softmax of input (N, C) along C; float32, contiguous."""
    outer_size, dim_size = input.shape
    if input.size == 0:
        return
    block = SoftMaxForward_getBlockSize(dim_size)
    # A float for each warp.
    smem_reduction_sz = block // C10_WARP_SIZE * input.itemsize
    name = "log_softmax_forward" if is_log_softmax else "softmax_forward"
    args = (output, input, numpy.int32(dim_size))
    launch(HERE / "SoftMax.cu", name, (outer_size,), (block,), args, shared_mem=smem_reduction_sz)


def takes(xp, array, dim):
    """Whether the kernels are for this array: float32, contiguous, along the last dimension, on a card."""
    if xp is numpy or array.dtype != numpy.float32 or dim != array.ndim - 1:
        return False
    return compiles_source(xp) and array.flags.c_contiguous


def softmax_of_rows(xp, array, is_log_softmax):
    """A new array with the softmax of `array` (..., C) along C."""
    rows = array.reshape(-1, array.shape[-1])
    output = xp.empty_like(rows)
    host_softmax(rows, output, is_log_softmax)
    return output.reshape(array.shape)

"""The host side of ReduceSumProdKernel.cu. Retells aten/src/ATen/native/cuda/Reduce.cuh (the layout of a reduction)."""

import numpy

from annotated_src.aten.native.cuda.launch import HERE, ceil_div, launch_on_card

WARP_SIZE = 32
MAX_NUM_THREADS = 512
# What a thread should have to add before another block is worth its start.
MIN_VALUES_PER_THREAD = 16
MAX_CTAS_PER_OUTPUT = 1024


class ReduceConfig:
    """How many threads and blocks work on `num_outputs` sums of `inputs_per_output` numbers each.

    >>> ReduceConfig(7, 100).grid(), ReduceConfig(7, 100).block()
    ((7, 1), (128,))
    >>> ReduceConfig(1, 100_000).grid()
    (1, 13)
    """

    def __init__(self, num_outputs, inputs_per_output):
        self.num_outputs = num_outputs
        self.inputs_per_output = inputs_per_output
        warps = ceil_div(max(inputs_per_output, 1), WARP_SIZE)
        self.num_threads = min(warps * WARP_SIZE, MAX_NUM_THREADS)
        wanted = ceil_div(max(inputs_per_output, 1), self.num_threads * MIN_VALUES_PER_THREAD)
        self.ctas_per_output = min(wanted, MAX_CTAS_PER_OUTPUT)

    def grid(self):
        """Blocks, (outputs, blocks for each)."""
        return (self.num_outputs, self.ctas_per_output)

    def block(self):
        """Threads of a block; a multiple of 32."""
        return (self.num_threads,)


def sum_kernel_cuda(input, output, empty, launch=launch_on_card):
    """output (N,) = the sums of input (N, M) along M; float32, contiguous. `empty(shape)` makes room for the parts."""
    num_outputs, inputs_per_output = input.shape
    if num_outputs == 0:
        return
    config = ReduceConfig(num_outputs, inputs_per_output)
    if config.ctas_per_output == 1:
        _launch(launch, config, input, output)
        return
    parts = empty((num_outputs, config.ctas_per_output))
    _launch(launch, config, input, parts)
    _launch(launch, ReduceConfig(num_outputs, config.ctas_per_output), parts, output)


def _launch(launch, config, input, output):
    args = (input, output, numpy.int64(config.inputs_per_output))
    launch(HERE / "ReduceSumProdKernel.cu", "sum_kernel", config.grid(), config.block(), args)

"""Which block gets which chunk of which tensor. Retells aten/src/ATen/native/cuda/MultiTensorApply.cuh (the host side).

The struct that a launch gets is written as a NumPy structured array of one element; its fields are those of
MultiTensorApply.cuh, with C's alignment.

Invariant: chunks go out in order, each exactly once; a launch is made when the table of blocks is full, when the
table of tensors is full and its last tensor has no chunk left, and at the end.
"""

import numpy

from annotated_src.aten.native.cuda.launch import ceil_div, data_ptr

kChunkSize = 65536
kBlockSize = 512
# depth_to_max_tensors[3] and depth_to_max_blocks[3]: four lists of tensors in 4 KB.
MAX_TENSORS = 36
MAX_BLOCKS = 320


def FusedOptimizerTensorListMetadata(depth):
    """The struct's dtype for `depth` lists of tensors.

    >>> FusedOptimizerTensorListMetadata(4).itemsize <= 4096
    True
    """
    fields = [
        ("addresses", numpy.uint64, (depth, MAX_TENSORS)),
        ("numel_for_tensor", numpy.int64, (MAX_TENSORS,)),
        ("state_steps_addresses", numpy.uint64, (MAX_TENSORS,)),
        ("block_to_tensor", numpy.uint8, (MAX_BLOCKS,)),
        ("block_to_chunk", numpy.int32, (MAX_BLOCKS,)),
        ("start_tensor_this_launch", numpy.int32),
    ]
    return numpy.dtype(fields, align=True)


def multi_tensor_apply_for_fused_optimizer(tensor_lists, state_steps, launch):
    """Call `launch(tl, blocks)` as often as the tables fill; each list of tensors is as long as `state_steps`.

    `tl` is the struct of one launch, valid until the next.
    """
    depth = len(tensor_lists)
    tl = numpy.zeros(1, FusedOptimizerTensorListMetadata(depth))
    loc_block_info = 0
    loc_tensor_info = 0
    for tensors, step in zip(zip(*tensor_lists, strict=True), state_steps, strict=True):
        numel = tensors[0].size
        if numel == 0:
            continue
        _enter(tl, loc_tensor_info, tensors, step)
        loc_tensor_info += 1
        chunks = ceil_div(numel, kChunkSize)
        for chunk in range(chunks):
            tl["block_to_tensor"][0, loc_block_info] = loc_tensor_info - 1
            tl["block_to_chunk"][0, loc_block_info] = chunk
            loc_block_info += 1
            last_chunk = chunk == chunks - 1
            tensors_full = loc_tensor_info == MAX_TENSORS and last_chunk
            blocks_full = loc_block_info == MAX_BLOCKS
            if tensors_full or blocks_full:
                launch(tl, loc_block_info)
                loc_block_info = 0
                loc_tensor_info = 0
                if not last_chunk:
                    # The rest of this tensor goes first in the next launch.
                    _enter(tl, 0, tensors, step)
                    loc_tensor_info = 1
    if loc_block_info:
        launch(tl, loc_block_info)


def _enter(tl, place, tensors, step):
    tl["addresses"][0, :, place] = [data_ptr(tensor) for tensor in tensors]
    tl["numel_for_tensor"][0, place] = tensors[0].size
    tl["state_steps_addresses"][0, place] = data_ptr(step)

"""_CUDAGraph and the handles of its memory pools. Retells torch/csrc/cuda/Graph.cpp."""

import itertools

from annotated_src.aten.cuda.cuda_graph import CUDAGraph as _CUDAGraph  # noqa: F401

_next_handle = itertools.count(1)


def _graph_pool_handle():
    """A handle that no other pool has."""
    return (0, next(_next_handle))

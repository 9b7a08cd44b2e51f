"""_CUDAGraph and the handles of its memory pools. Retells torch/csrc/cuda/Graph.cpp."""

from annotated_src.aten.cuda.cuda_graph import CUDAGraph as _CUDAGraph
from annotated_src.aten.cuda.cuda_graph import graph_pool_handle as _graph_pool_handle

__all__ = ["_CUDAGraph", "_graph_pool_handle"]

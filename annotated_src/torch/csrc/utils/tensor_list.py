"""tolist: a tensor as nested Python lists. Retells torch/csrc/utils/tensor_list.cpp."""

import numpy

from annotated_src.aten import ops
from annotated_src.c10.core.device import Device


def tensor_to_list(tensor):
    """Nested lists of Python numbers; of a 0-d tensor, the number."""
    # Deviation: upstream's recursion over the dimensions is the array's own tolist here.
    if not isinstance(tensor.array, numpy.ndarray):
        tensor = ops.to.dtype_layout(tensor, device=Device("cpu"))
    return tensor.array.tolist()

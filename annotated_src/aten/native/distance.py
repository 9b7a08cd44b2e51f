"""How far apart, how alike. Retells aten/src/ATen/native/Distance.cpp.

Left out: pdist and cdist.
"""

from annotated_src.aten import ops
from annotated_src.aten.expand_utils import infer_size
from annotated_src.c10.core.scalar_type import FLOATING
from annotated_src.c10.util.exception import TorchError


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of x1 - x2 + eps over the last dimension: (N, D), (N, D) -> (N)."""
    # Either could be broadcast.
    innermost_dim = max(x1.array.ndim, x2.array.ndim) - 1
    difference = ops.add.Scalar(ops.sub.Tensor(x1, x2), eps)
    return ops.norm.ScalarOpt_dim(difference, p, (innermost_dim,), keepdim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between x1 and x2 along `dim`; neither norm counts as less than eps."""
    dtype = ops.result_type.Tensor(x1, x2)
    if dtype.category != FLOATING:
        raise TorchError(f"expected common dtype to be floating point, yet common dtype is {dtype.cpp_name}")
    shape = infer_size(x1.array.shape, x2.array.shape)
    x1, x2 = _expanded(x1, shape), _expanded(x2, shape)
    # Each is divided by its own norm first: the product of two norms could overflow.
    x1_norm = ops.clone.default(ops.linalg_vector_norm.default(x1, 2, (dim,), True))
    x2_norm = ops.clone.default(ops.linalg_vector_norm.default(x2, 2, (dim,), True))
    least = ops.scalar_tensor.default(eps, dtype=dtype, device=x1.device)
    # Deviation: upstream clamps under no_grad; a detached view does the same without asking who records.
    ops.clamp_min_.Tensor(ops.detach.default(x1_norm), least)
    ops.clamp_min_.Tensor(ops.detach.default(x2_norm), least)
    product = ops.mul.Tensor(ops.div.Tensor(x1, x1_norm), ops.div.Tensor(x2, x2_norm))
    return ops.sum.dim_IntList(product, (dim,))


def _expanded(tensor, shape):
    return tensor if tensor.array.shape == shape else ops.expand.default(tensor, shape)

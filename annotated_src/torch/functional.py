"""Functions of torch that need Python: any number of tensors, or results that depend on a flag.

Retells torch/functional.py.

Left out: stft, lu, cdist, chain_matmul, cartesian_prod, block_diag, unravel_index.
"""

from annotated_src.aten.expand_utils import infer_size
from annotated_src.torch import linalg
from annotated_src.torch._C import Size, TensorBase
from annotated_src.torch._C import _VariableFunctions as _VF

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_shapes",
    "broadcast_tensors",
    "einsum",
    "meshgrid",
    "norm",
    "split",
    "tensordot",
    "unique",
    "unique_consecutive",
]


def broadcast_tensors(*tensors):
    """The tensors, each expanded (not copied) to the shape that they have in common.

    RuntimeError if there is none. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> [list(x.shape) for x in torch.broadcast_tensors(torch.ones(3, 1), torch.ones(2))]
    [[3, 2], [3, 2]]
    """
    return _VF.broadcast_tensors(tensors)


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes have in common; an int stands for a shape of one dimension.

    RuntimeError if there is none. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.broadcast_shapes((3, 1), (2,))
    torch.Size([3, 2])
    """
    common = ()
    for shape in shapes:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        try:
            common = infer_size(common, shape)
        except RuntimeError as error:
            raise RuntimeError(
                "Shape mismatch: objects cannot be broadcast to a single shape: "
                f"{', '.join(str(list(s)) if not isinstance(s, int) else str(s) for s in shapes)}. {error}"
            ) from None
    return Size(common)


def split(tensor, split_size_or_sections, dim=0):
    """Views of the tensor's pieces along `dim`: of one size (the last may be shorter), or of the sizes in a list.

    RuntimeError for sizes that do not add up. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tensor.split(split_size_or_sections, dim)


def meshgrid(*tensors, indexing=None):
    """Coordinate grids of vectors: result k holds, at each place of the grid, the k-th coordinate.

    `indexing` "ij" (the default) has a dimension for each vector, in their order; "xy" swaps the first two.
    Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")[1]
    tensor([[0, 1, 2],
            [0, 1, 2]])
    """
    return _meshgrid(*tensors, indexing=indexing)


def _meshgrid(*tensors, indexing):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    kwargs = {} if indexing is None else {"indexing": indexing}
    return _VF.meshgrid(tensors, **kwargs)


def _unique_impl(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        return _VF.unique_dim(input, dim, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)
    return _VF._unique2(input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)


def _unique_consecutive_impl(input, return_inverse=False, return_counts=False, dim=None):
    return _VF.unique_consecutive(input, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different values of a tensor, in order, or its different slices along `dim`.

    With the flags a tuple: also, for each element, where its value is; and how often each value was there.
    Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.unique(torch.tensor([2, 1, 2]), return_counts=True)
    (tensor([1, 2]), tensor([1, 2]))
    """
    # Deviation: upstream goes through a table of functions, one for each combination of flags, for TorchScript's sake.
    return _asked_for(_unique_impl(input, sorted, return_inverse, return_counts, dim), return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The tensor's values without those that equal their predecessor; flags as `unique` has them.

    Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    results = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return _asked_for(results, return_inverse, return_counts)


def _asked_for(results, return_inverse, return_counts):
    output, inverse_indices, counts = results
    if return_inverse and return_counts:
        return output, inverse_indices, counts
    if return_inverse:
        return output, inverse_indices
    return (output, counts) if return_counts else output


def atleast_1d(*tensors):
    """The tensor, or a tuple of several, where a 0-d one has got a dimension. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.atleast_1d(torch.tensor(3))
    tensor([3])
    """
    if len(tensors) == 1:
        tensors = tensors[0]
    return _VF.atleast_1d(tensors)


def atleast_2d(*tensors):
    """The tensor, or a tuple of several, with dimensions of size 1 in front up to two. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.atleast_2d(torch.tensor([1, 2]))
    tensor([[1, 2]])
    """
    if len(tensors) == 1:
        tensors = tensors[0]
    return _VF.atleast_2d(tensors)


def atleast_3d(*tensors):
    """The tensor, or a tuple of several, with dimensions of size 1 around it up to three.

    Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.atleast_3d(torch.tensor([1, 2])).shape
    torch.Size([1, 2, 1])
    """
    if len(tensors) == 1:
        tensors = tensors[0]
    return _VF.atleast_3d(tensors)


def einsum(*args):
    """Sums of products, written with a letter for each dimension: `torch.einsum("ij,jk->ik", a, b)`.

    Operands may stand in a list; or each with its list of dimension numbers, `torch.einsum(a, [0, 1], b, [1, 2])`.
    RuntimeError where the equation does not fit the operands. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.einsum("ij->ji", torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]])
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, "
            "or at least one operand and its subscripts list"
        )
    if isinstance(args[0], TensorBase):
        equation, operands = _equation_of_sublists(args)
    else:
        equation, operands = args[0], args[1:]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return einsum(equation, *operands[0])
    # Deviation: with three operands and more upstream asks opt_einsum, where that is installed, for a cheaper order.
    return _VF.einsum(equation, operands)


def _equation_of_sublists(args):
    """("ab,bc->ac", [a, b]) of (a, [0, 1], b, [1, 2], [0, 2])."""
    pairs = len(args) // 2
    operands, sublists = args[: 2 * pairs : 2], args[1 : 2 * pairs : 2]
    equation = ",".join("".join(_subscript(number) for number in sublist) for sublist in sublists)
    if len(args) % 2 == 1:
        equation += "->" + "".join(_subscript(number) for number in args[-1])
    return equation, operands


def _subscript(number):
    if number is Ellipsis:
        return "..."
    if 0 <= number < 26:
        return chr(ord("A") + number)
    if 26 <= number < 52:
        return chr(ord("a") + number - 26)
    raise ValueError(f"einsum(): subscript in subscript list is not within the valid range [0, 52), but got {number}")


def tensordot(a, b, dims=2, out=None):
    """Sums of products over pairs of dimensions.

    `dims` is a number n (the last n of `a` with the first n of `b`), or two lists. RuntimeError where the sizes of a
    pair differ. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.tensordot(torch.ones(2, 3), torch.ones(4, 3), dims=([1], [1])).shape
    torch.Size([2, 4])
    """
    if not isinstance(dims, (tuple, list, TensorBase, int)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, "
            f"but got dims={dims}"
        )
    dims_a, dims_b = _pairs_of_dims(a, b, dims)
    if out is None:
        return _VF.tensordot(a, b, dims_a, dims_b)
    return _VF.tensordot(a, b, dims_a, dims_b, out=out)


def _pairs_of_dims(a, b, dims):
    if isinstance(dims, (tuple, list)):
        return dims
    if isinstance(dims, TensorBase) and dims.numel() > 1:
        return dims[0].tolist(), dims[1].tolist()
    dims = int(dims)
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(a.dim(), b.dim()):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-dims, 0)), list(range(dims))


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The p-norm of the elements over `dim`, (sum |x|**p)**(1/p); "fro" is 2, an infinite p the largest |x|.

    Superseded by torch.linalg.vector_norm, which it calls. RuntimeError for integers. Upstream: torch/functional.py.

    >>> from annotated_src import torch
    >>> torch.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    _dim = [dim] if isinstance(dim, int) else dim
    if p == "fro" and (dim is None or len(_dim) <= 2):
        p = 2
    if isinstance(p, str):
        # Left out: "nuc", which needs singular values.
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}; 'nuc' is not built here")
    p = 2.0 if p is None else p
    if out is None:
        return linalg.vector_norm(input, p, _dim, keepdim, dtype=dtype)
    return linalg.vector_norm(input, p, _dim, keepdim, dtype=dtype, out=out)

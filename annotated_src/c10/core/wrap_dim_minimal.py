"""Which dimension does -1 mean? Retells c10/core/WrapDimMinimal.h and aten/src/ATen/WrapDimUtils.h.

    maybe_wrap_dim(-1, 3)      2: negative dimensions count from the end
    maybe_wrap_dims((0, -1), 3)
    size_along(array, -1)     the size of that dimension

A 0-d tensor passes for one of one dimension: `x.sum(0)` and `x.sum(-1)` are fine there, unless the caller sets
`wrap_scalar=False`.
"""


def maybe_wrap_dim(dim, dim_post_expr, wrap_scalar=True):
    """`dim` as a number from 0 to `dim_post_expr - 1`; IndexError if it is out of range."""
    if 0 <= dim < dim_post_expr:
        return dim
    if -dim_post_expr <= dim < 0:
        return dim + dim_post_expr
    return _wrap_dim_of_scalar(dim, dim_post_expr, wrap_scalar)


def _wrap_dim_of_scalar(dim, dim_post_expr, wrap_scalar):
    if dim_post_expr == 0 and wrap_scalar:
        return maybe_wrap_dim(dim, 1)
    if dim_post_expr == 0:
        raise IndexError(
            f"Dimension specified as {dim} but tensor has no dimensions: a 0-d tensor cannot be taken apart along one"
        )
    raise IndexError(
        f"Dimension out of range (expected to be in range of [{-dim_post_expr}, {dim_post_expr - 1}], but got {dim})"
    )


def size_along(array, dim):
    """The size of dimension `dim`; IndexError for an array of no dimensions, which has none."""
    return array.shape[maybe_wrap_dim(dim, array.ndim, wrap_scalar=False)]


def maybe_wrap_dims(dims, dim_post_expr, wrap_scalar=True):
    """Each of `dims` wrapped, as a tuple; repeats are let through."""
    return tuple([maybe_wrap_dim(dim, dim_post_expr, wrap_scalar) for dim in dims])


def dim_list_to_bitset(dims, dim_post_expr, wrap_scalar=True):
    """The set of `dims`, wrapped; RuntimeError if one is there twice."""
    seen = set()
    for dim in maybe_wrap_dims(dims, dim_post_expr, wrap_scalar):
        if dim in seen:
            raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
        seen.add(dim)
    return seen

"""What does -1 in a shape stand for? Retells aten/src/ATen/InferSize.h."""


def infer_size(shape, numel):
    """`shape` with its -1 replaced, so that it holds `numel` elements; RuntimeError if it cannot."""
    known, infer_dim = 1, None
    for dim, size in enumerate(shape):
        if size >= 0:
            known *= size
        elif size != -1:
            raise RuntimeError(f"invalid shape dimension {size} at index {dim} of shape {list(shape)}")
        elif infer_dim is not None:
            raise RuntimeError(f"only one dimension can be inferred, and shape {list(shape)} has more than one -1")
        else:
            infer_dim = dim
    if infer_dim is None and known == numel:
        return tuple(shape)
    if infer_dim is None or known and numel % known or not known and numel:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
    if not known:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    return (*shape[:infer_dim], numel // known, *shape[infer_dim + 1 :])

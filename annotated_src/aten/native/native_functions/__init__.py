"""The list of operators: schemas and their kernels. Retells aten/src/ATen/native/native_functions.yaml.

One module a family; registry.py says what an entry means.
"""

from annotated_src.aten.native.native_functions import (
    activation,
    backward,
    convolution,
    factory,
    indexing,
    linear_algebra,
    loss,
    padding,
    pointwise,
    pooling,
    random,
    reduction,
    shape,
    sparse,
    upsample,
)


def register_all():
    """Define every operator of the list."""
    factory.register()
    pointwise.register()
    reduction.register()
    linear_algebra.register()
    shape.register()
    indexing.register()
    random.register()
    activation.register()
    loss.register()
    convolution.register()
    padding.register()
    pooling.register()
    upsample.register()
    sparse.register()
    backward.register()

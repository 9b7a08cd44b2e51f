"""Between tensors and NumPy arrays, sharing memory. Retells torch/csrc/utils/tensor_numpy.cpp.

    tensor_to_numpy(tensor)     an array over the tensor's memory
    tensor_from_numpy(array)    a tensor over the array's memory

Either side sees what the other writes.
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.tensor_impl import make_tensor

_warned_not_writeable = False


def tensor_to_numpy(tensor, force=False):
    """The tensor as an array that shares its memory; with `force`, a copy where that is not possible."""
    if not force:
        _check_convertible(tensor)
    tensor = ops.detach.default(tensor)
    if not isinstance(tensor.array, numpy.ndarray):
        tensor = ops.to.dtype_layout(tensor, device=_CPU)
    if tensor.dtype is scalar_type.bfloat16:
        raise TypeError(
            "Got unsupported ScalarType BFloat16: NumPy has no such type; convert first, with x.float().numpy()"
        )
    return tensor.array.view()


_CPU = Device("cpu")


def _check_convertible(tensor):
    if not isinstance(tensor.array, numpy.ndarray):
        raise TypeError(
            f"can't convert {tensor.device} device type tensor to numpy. "
            "Use Tensor.cpu() to copy the tensor to host memory first."
        )
    if tensor.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def tensor_from_numpy(array, warn_if_not_writeable=True):
    """The array as a tensor that shares its memory; TypeError or ValueError for arrays that no tensor can look at."""
    return ops.lift_fresh.default(wrap_array(array, warn_if_not_writeable))


def wrap_array(array, warn_if_not_writeable=True):
    """tensor_from_numpy without aten::lift_fresh, in which only functorch ever does anything."""
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {_type_name(array)})")
    if warn_if_not_writeable and not array.flags.writeable:
        _warn_not_writeable()
    if not (array.flags.c_contiguous and array.dtype.isnative):
        _check_memory(array)
    numpy_dtype_to_aten(array.dtype)
    # A view, because a tensor's array may never change its shape under it.
    return make_tensor(array.view(numpy.ndarray))


def numpy_dtype_to_aten(numpy_dtype):
    """The dtype of a tensor over such an array; TypeError if there is none."""
    dtype = scalar_type._FROM_NUMPY.get(numpy_dtype)
    if dtype is None or dtype is scalar_type.bfloat16:
        kind = numpy_dtype.type
        raise TypeError(
            f"can't convert np.ndarray of type {kind.__module__}.{kind.__name__}. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool."
        )
    return dtype


def _check_memory(array):
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(
            "given numpy array strides not a multiple of the element byte size. "
            "Copy the numpy array to reallocate the memory."
        )
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )


def _warn_not_writeable():
    global _warned_not_writeable
    if _warned_not_writeable:
        return
    _warned_not_writeable = True
    # Deviation: a write to such a tensor raises NumPy's ValueError here; upstream writes.
    warnings.warn(
        "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
        "Writing to this tensor fails; copy the array first if you want to write. "
        "This type of warning will be suppressed for the rest of this program.",
        UserWarning,
        stacklevel=3,
    )


def _type_name(value):
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"

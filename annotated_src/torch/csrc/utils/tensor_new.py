"""torch.tensor and its relatives: tensors from Python data. Retells torch/csrc/utils/tensor_new.cpp.

    tensor_ctor(data, ...)          torch.tensor         always a copy
    as_tensor(data, ...)            torch.as_tensor      shares memory where it can
    new_tensor(tensor, data, ...)   x.new_tensor         a copy, with x's dtype and device
    legacy_tensor_ctor(...)         torch.Tensor(2, 3), torch.Tensor([1, 2]), torch.FloatTensor(...)

All of them end in `internal_new_from_data`, which asks three questions of nested lists:

    1. what shape?    compute_sizes: the lengths along the first elements
    2. what dtype?    infer_scalar_type: the smallest one in which all leaves meet
    3. what values?   recursive_store: are the other lists as long as the first? then put down the leaves
"""

import operator
import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.native.cpu.copy_kernel import cast
from annotated_src.aten.sparse_tensor_impl import is_sparse
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.scalar import convert, overflows
from annotated_src.c10.core.scalar_type import BOOL, COMPLEX, FLOATING, ScalarType, promote_types
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.autograd.variable import set_requires_grad_of_new
from annotated_src.torch.csrc.size import Size
from annotated_src.torch.csrc.utils.tensor_numpy import numpy_dtype_to_aten, tensor_from_numpy, wrap_array

_MAX_DIMS = 128
_PYTHON_NUMBERS = frozenset((bool, int, float, complex))
_DTYPE_OF_PYTHON_TYPE = {
    bool: lambda: scalar_type.bool_,
    int: lambda: scalar_type.int64,
    float: scalar_type.get_default_dtype,
    complex: lambda: scalar_type.get_default_dtype().to_complex(),
}

_warned_list_of_arrays = False


# -- 1. what shape?


def is_sequence(value):
    """Whether `value` has elements in an order; a tensor counts as a single value here."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (dict, TensorImpl, numpy.generic)):
        return False
    return hasattr(type(value), "__getitem__")


def compute_sizes(data):
    """The lengths of the nested sequences, along the first element of each."""
    sizes = []
    while is_sequence(data):
        length = len(data)
        sizes.append(length)
        if len(sizes) > _MAX_DIMS:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if length == 0:
            break
        data = data[0]
    return sizes


# -- 2. what dtype?


def infer_scalar_type(data):
    """The dtype in which all leaves of `data` meet; the default dtype if there are none."""
    by_type = _DTYPE_OF_PYTHON_TYPE.get(type(data))
    if by_type is not None:
        return by_type()
    if isinstance(data, TensorImpl):
        return data.dtype
    if isinstance(data, (numpy.ndarray, numpy.generic)):
        return numpy_dtype_to_aten(data.dtype)
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    for kind in (bool, int, float, complex):
        if isinstance(data, kind):
            return _DTYPE_OF_PYTHON_TYPE[kind]()
    if not is_sequence(data):
        raise RuntimeError(
            f"Could not infer dtype of {type(data).__name__}: "
            "a tensor is made of numbers, of (nested) sequences of numbers, or of NumPy arrays"
        )
    return _infer_scalar_type_of_sequence(data)


def _infer_scalar_type_of_sequence(data):
    if len(data) == 0:
        return scalar_type.get_default_dtype()
    types = set(map(type, data))
    if types <= _PYTHON_NUMBERS:
        found = [_DTYPE_OF_PYTHON_TYPE[kind]() for kind in types]
    else:
        found = [_infer_scalar_type_of_item(item, data) for item in data]
    common = found[0]
    for dtype in found[1:]:
        common = promote_types(common, dtype)
    return common


def _infer_scalar_type_of_item(item, data):
    if item is data:
        raise TypeError("new(): self-referential lists are incompatible")
    return infer_scalar_type(item)


# -- 3. what values?


def recursive_store(leaves, sizes, dim, data):
    """Append the leaves of `data` in order; ValueError where a sequence is not as long as the first was."""
    if dim == len(sizes):
        leaves.append(data)
        return
    if not is_sequence(data):
        raise TypeError(f"not a sequence: {type(data).__name__}, where the first element at dim {dim} is one")
    if len(data) != sizes[dim]:
        raise ValueError(f"expected sequence of length {sizes[dim]} at dim {dim} (got {len(data)})")
    if dim == 0 and len(data) and isinstance(data[0], numpy.ndarray):
        _warn_list_of_arrays()
    if dim == len(sizes) - 1:
        leaves.extend(data)
        return
    for item in data:
        recursive_store(leaves, sizes, dim + 1, item)


def _warn_list_of_arrays():
    global _warned_list_of_arrays
    if _warned_list_of_arrays:
        return
    _warned_list_of_arrays = True
    warnings.warn(
        "Creating a tensor from a list of numpy.ndarrays is extremely slow. "
        "Make one array of the list first, with numpy.array().",
        UserWarning,
        stacklevel=5,
    )


def store_scalars(leaves, dtype):
    """The leaves as a one-dimensional array of `dtype`."""
    if dtype.category == BOOL:
        return numpy.array([bool(leaf) for leaf in leaves], dtype=bool)
    if dtype.category == FLOATING:
        # By way of float64, in which Python's floats come.
        return _narrow(_unpack_doubles(leaves), scalar_type.float64, dtype)
    if dtype.category == COMPLEX:
        return _narrow([complex(leaf) for leaf in leaves], scalar_type.complex128, dtype)
    if dtype is scalar_type.int64 and set(map(type, leaves)) == {int}:
        return _pack_longs(leaves)
    return numpy.array([_unpack_integer(leaf, dtype) for leaf in leaves], dtype=dtype.numpy)


def _pack_longs(leaves):
    try:
        return numpy.array(leaves, dtype=numpy.int64)
    except OverflowError:
        wrong = next(leaf for leaf in leaves if not -(1 << 63) <= leaf < 1 << 63)
        raise ValueError(_TOO_LONG.format(wrong)) from None


def _unpack_doubles(leaves):
    try:
        return [float(leaf) for leaf in leaves]
    except TypeError:
        wrong = next(leaf for leaf in leaves if not hasattr(leaf, "__float__") and not hasattr(leaf, "__index__"))
        raise TypeError(f"must be real number, not {type(wrong).__name__}") from None


def _narrow(numbers, wide, dtype):
    return cast(numpy.array(numbers, dtype=wide.numpy), dtype.numpy)


def _unpack_integer(leaf, dtype):
    """A leaf as an integer in `dtype`'s range."""
    if not isinstance(leaf, (int, float)):
        leaf = operator.index(leaf)
    if isinstance(leaf, int) and not -(1 << 63) <= leaf < 1 << 63:
        _check_wide_integer(leaf, dtype)
    if overflows(leaf, dtype) or (isinstance(leaf, float) and leaf < 0 and not dtype.is_signed):
        raise RuntimeError(f"value cannot be converted to type {dtype.name} without overflow: {leaf!r}")
    return convert(leaf, dtype)


_TOO_LONG = "Overflow when unpacking long long: {} does not fit into int64"


def _check_wide_integer(value, dtype):
    if dtype is not scalar_type.uint64:
        raise ValueError(_TOO_LONG.format(value))
    if not 0 <= value < 1 << 64:
        raise OverflowError(f"int too big to convert: {value} does not fit into uint64")


# -- all of it


def internal_new_from_data(dtype, device, data, copy_variables, copy_numpy, type_inference, pin_memory=False):
    """A tensor of `data`: of `dtype`, or with `type_inference` of the dtype that the data suggests."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if isinstance(data, TensorImpl):
        return _new_from_tensor(dtype, device, data, copy_variables, type_inference, pin_memory)
    if isinstance(data, numpy.ndarray):
        return _new_from_array(dtype, device, data, copy_numpy, type_inference, pin_memory)
    sizes = compute_sizes(data)
    dtype = infer_scalar_type(data) if type_inference else dtype
    tensor = ops.empty.memory_format(sizes, dtype=dtype, pin_memory=pin_memory)
    if tensor.numel():
        leaves = []
        recursive_store(leaves, sizes, 0, data)
        tensor.array[...] = store_scalars(leaves, dtype).reshape(sizes)
    tensor = ops.to.device(tensor, device or _CPU, dtype)
    return ops.lift_fresh.default(tensor)


_CPU = Device("cpu")


def _new_from_tensor(dtype, device, data, copy_variables, type_inference, pin_memory):
    if copy_variables:
        data = ops.detach.default(data)
    dtype = data.dtype if type_inference else dtype
    return ops.to.device(data, device or data.device, dtype, False, copy_variables)


def _new_from_array(dtype, device, data, copy_numpy, type_inference, pin_memory):
    if type_inference and not copy_numpy and device is None:
        # Deviation: upstream calls aten::lift_fresh and aten::to here as well, and both find nothing to do.
        # A DataLoader over arrays comes by for each sample.
        return wrap_array(data)
    tensor = tensor_from_numpy(data, warn_if_not_writeable=not copy_numpy)
    dtype = tensor.dtype if type_inference else dtype
    return ops.to.device(tensor, device or _CPU, dtype, False, copy_numpy)


# -- the constructors


def tensor_ctor(data, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new tensor with a copy of `data`; see torch.tensor."""
    if isinstance(data, TensorImpl):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
            "or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=3,
        )
    dtype, device = _parse_dtype("tensor", dtype), _parse_device("tensor", device)
    tensor = internal_new_from_data(
        dtype, device, data, copy_variables=True, copy_numpy=True, type_inference=dtype is None, pin_memory=pin_memory
    )
    ops.detach_.default(tensor)
    return set_requires_grad_of_new(tensor, requires_grad)


def as_tensor(data, dtype=None, device=None):
    """`data` as a tensor that shares its memory where it can; see torch.as_tensor."""
    dtype, device = _parse_dtype("as_tensor", dtype), _parse_device("as_tensor", device)
    return internal_new_from_data(
        dtype, device, data, copy_variables=False, copy_numpy=False, type_inference=dtype is None
    )


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A copy of `data` with `self`'s dtype and device."""
    if isinstance(data, TensorImpl):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() "
            "or sourceTensor.detach().clone().requires_grad_(True), rather than tensor.new_tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    dtype, device = _parse_dtype("new_tensor", dtype), _parse_device("new_tensor", device)
    tensor = internal_new_from_data(
        dtype or self.dtype, device or self.device, data, copy_variables=True, copy_numpy=True, type_inference=False
    )
    ops.detach_.default(tensor)
    return set_requires_grad_of_new(tensor, requires_grad)


def _parse_dtype(name, dtype):
    if dtype is None or isinstance(dtype, ScalarType):
        return dtype
    by_python_type = {float: scalar_type.float64, int: scalar_type.int64, bool: scalar_type.bool_,
                      complex: scalar_type.complex128}  # fmt: skip
    if isinstance(dtype, type) and dtype in by_python_type:
        return by_python_type[dtype]
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")


def _parse_device(name, device):
    if device is None or isinstance(device, Device):
        return device
    if isinstance(device, (str, int)):
        return Device(device)
    raise TypeError(f"{name}(): argument 'device' must be torch.device, not {type(device).__name__}")


# -- the legacy constructors


def legacy_tensor_ctor(dtype, args, kwargs, device=None, any_dtype=False):
    """`torch.Tensor(2, 3)` by sizes, `torch.Tensor([1, 2])` by data, `torch.Tensor(x)` a view of x.

    `any_dtype`: a tensor of another dtype is taken as it is.
    """
    device = _legacy_device(args, kwargs, device)
    if not args:
        return ops.empty.memory_format((0,), dtype=dtype, device=device)
    if isinstance(args[0], TensorImpl) and len(args) == 1:
        return _legacy_from_tensor(args[0], dtype, any_dtype)
    if isinstance(args[0], Size) and len(args) == 1:
        return ops.empty.memory_format(tuple(args[0]), dtype=dtype, device=device)
    if all(isinstance(arg, (int, numpy.integer)) and not isinstance(arg, bool) for arg in args):
        return ops.empty.memory_format(tuple(map(int, args)), dtype=dtype, device=device)
    if len(args) > 1:
        got = ", ".join(type(arg).__name__ for arg in args)
        raise TypeError(f"new() received an invalid combination of arguments - got ({got}); give sizes or one sequence")
    return _legacy_new_from_sequence(dtype, device, args[0])


def _legacy_device(args, kwargs, device):
    kwargs = dict(kwargs)
    device = _parse_device("new", kwargs.pop("device", None)) or device
    if kwargs:
        wrong = ", ".join(kwargs)
        raise TypeError(
            "new() received an invalid combination of arguments; "
            f"some of the keywords were incorrect: {wrong}. The legacy constructor knows `device`; use torch.tensor"
        )
    return device


def _legacy_from_tensor(other, dtype, any_dtype):
    if other.dtype is not dtype and not any_dtype:
        raise TypeError(f"expected a tensor of {dtype} (got {other.dtype}); convert it with x.to({dtype})")
    return ops.alias.default(other)


def _legacy_new_from_sequence(dtype, device, data):
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not is_sequence(data):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return internal_new_from_data(
        dtype, device, data, copy_variables=False, copy_numpy=False, type_inference=False
    )


def sparse_coo_tensor_ctor(
    indices=None, values=None, size=None, *, dtype=None, device=None, requires_grad=False, check_invariants=None,
    is_coalesced=None,
):  # fmt: skip
    """A sparse tensor of indices (sparse_dim, nnz) and values (nnz, ...), tensors or nested lists.

    Without a size it is just large enough; of a size alone it is all zeros. Upstream: torch/csrc/utils/tensor_new.cpp.

    >>> from annotated_src import torch
    >>> torch.sparse_coo_tensor([[0, 2]], [1.0, 3.0], (4,)).to_dense()
    tensor([1., 0., 3., 0.])
    """
    device = None if device is None else Device(device)
    if values is None:
        tensor = ops.sparse_coo_tensor.size(indices if size is None else size, dtype=dtype, device=device)
    else:
        tensor = _sparse_of_parts(indices, values, size, dtype, device, is_coalesced)
    if requires_grad:
        tensor.requires_grad = True
    return tensor


def _sparse_of_parts(indices, values, size, dtype, device, is_coalesced):
    if not isinstance(values, TensorImpl):
        values = tensor_ctor(values, dtype=dtype, device=device)
    if not isinstance(indices, TensorImpl):
        indices = tensor_ctor(indices, dtype=scalar_type.int64, device=values.device)
    # Indices of other dtypes are taken for whole numbers.
    indices = ops.to.dtype(indices, scalar_type.int64)
    options = {"dtype": dtype, "device": device, "is_coalesced": is_coalesced}
    if size is None:
        return ops.sparse_coo_tensor.indices(indices, values, **options)
    return ops.sparse_coo_tensor.indices_size(indices, values, tuple(size), **options)


def legacy_tensor_new(self, *args, **kwargs):
    """`x.new(2, 3)`, `x.new([1, 2])`: the legacy constructor with `self`'s dtype and device.

    Of a sparse tensor, `x.new(indices, values, size)`.
    """
    if is_sparse(self) and len(args) > 1 and isinstance(args[0], TensorImpl):
        return sparse_coo_tensor_ctor(*args)
    return legacy_tensor_ctor(self.dtype, args, kwargs, self.device)

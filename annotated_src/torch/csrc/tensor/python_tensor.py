"""torch.FloatTensor and its relatives: a dtype that can be called. Retells torch/csrc/tensor/python_tensor.cpp.

They are no classes of tensors: `torch.FloatTensor([1, 2])` is a torch.Tensor of float32, and `isinstance(x,
torch.FloatTensor)` asks for x's dtype. Kept from the time before torch.dtype.

Left out: the types of CUDA and sparse tensors.
"""

from annotated_src.c10.core import layout, scalar_type
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.torch.csrc.utils.tensor_new import legacy_tensor_ctor

_NAMES = {
    "FloatTensor": scalar_type.float32,
    "DoubleTensor": scalar_type.float64,
    "HalfTensor": scalar_type.float16,
    "BFloat16Tensor": scalar_type.bfloat16,
    "ByteTensor": scalar_type.uint8,
    "CharTensor": scalar_type.int8,
    "ShortTensor": scalar_type.int16,
    "IntTensor": scalar_type.int32,
    "LongTensor": scalar_type.int64,
    "BoolTensor": scalar_type.bool_,
    "ComplexFloatTensor": scalar_type.complex64,
    "ComplexDoubleTensor": scalar_type.complex128,
    "UInt16Tensor": scalar_type.uint16,
    "UInt32Tensor": scalar_type.uint32,
    "UInt64Tensor": scalar_type.uint64,
}


class tensortype(type):
    """The class of torch.FloatTensor ...: what a call makes, and what is an instance."""

    def __call__(cls, *args, **kwargs):
        return legacy_tensor_ctor(cls.dtype, args, kwargs)

    def __instancecheck__(cls, instance):
        return isinstance(instance, TensorImpl) and instance.dtype is cls.dtype and instance.device.type == "cpu"


def _make(name, dtype):
    members = {"dtype": dtype, "layout": layout.strided, "is_cuda": False, "is_sparse": False, "__module__": "torch"}
    return tensortype(name, (), members)


tensor_types = {name: _make(name, dtype) for name, dtype in _NAMES.items()}


def type_string(tensor):
    """`x.type()`: "torch.FloatTensor", with the device before it if that is not the CPU."""
    device = tensor.device.type
    prefix = "torch" if device == "cpu" else f"torch.{device}"
    return f"{prefix}.{tensor.dtype.cpp_name}Tensor"


def parse_type(kind):
    """(dtype, device type) of "torch.LongTensor", of torch.LongTensor or of a dtype; ValueError for others."""
    if isinstance(kind, scalar_type.ScalarType):
        return kind, None
    if isinstance(kind, tensortype):
        return kind.dtype, "cpu"
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", type(kind).__name__)
    parts = name.split(".")
    if len(parts) in (2, 3) and parts[0] == "torch" and parts[-1] in _NAMES and parts[1:-1] in ([], ["cuda"]):
        return _NAMES[parts[-1]], "cuda" if parts[1:-1] else "cpu"
    raise ValueError(f"invalid type: {name!r}; give a dtype, or a name such as 'torch.LongTensor'")

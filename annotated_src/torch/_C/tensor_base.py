"""TensorBase: what upstream writes in C++ of a tensor's Python face.

Retells torch/csrc/autograd/python_variable.cpp and the generated python_variable_methods.cpp.

    properties and questions   shape, dtype, stride() ...: answered on the spot, no operator is called
    Python's operators         x + y, x[i], x == y: each calls one operator
    methods                    x.add(y): the operator packet itself; `Tensor.add` is `torch.add`
"""

import warnings

import numpy

from annotated_src.aten import ops
from annotated_src.aten.sparse_tensor_impl import is_sparse
from annotated_src.c10.core import layout, scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.dispatch_key import AUTOGRAD_KEYS
from annotated_src.c10.core.memory_format import contiguous_format, preserve_format
from annotated_src.c10.core.scalar import checked_convert
from annotated_src.c10.core.scalar_type import BOOL, INTEGRAL
from annotated_src.c10.core.storage import data_ptr
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError
from annotated_src.torch.csrc.autograd import variable
from annotated_src.torch.csrc.autograd.python_variable_indexing import THPVariable_getitem, THPVariable_setitem
from annotated_src.torch.csrc.autograd.utils.python_arg_parsing import parse_to_conversion
from annotated_src.torch.csrc.size import Size
from annotated_src.torch.csrc.tensor.python_tensor import parse_type, type_string
from annotated_src.torch.csrc.utils.tensor_list import tensor_to_list
from annotated_src.torch.csrc.utils.tensor_new import legacy_tensor_ctor, legacy_tensor_new, new_tensor
from annotated_src.torch.csrc.utils.tensor_numpy import tensor_to_numpy

_NUMBERS = (int, float, complex, numpy.number, numpy.bool_)


def _is_operand(other):
    """What may stand beside a tensor in `x + other`."""
    return isinstance(other, (TensorImpl, *_NUMBERS))


def dispatch_to(self, device, dtype, non_blocking, copy, memory_format):
    """The overload of aten::to that takes what is given; `self` if nothing is."""
    if device is None and dtype is None:
        if not copy and memory_format in (None, preserve_format):
            return self
        return ops.to.dtype_layout(self, non_blocking=non_blocking, copy=copy, memory_format=memory_format)
    if device is None:
        return ops.to.dtype(self, dtype, non_blocking, copy, memory_format)
    if dtype is None:
        return ops.to.dtype_layout(
            self, device=device, non_blocking=non_blocking, copy=copy, memory_format=memory_format
        )
    return ops.to.device(self, device, dtype, non_blocking, copy, memory_format)


def _check_dim(name, dim):
    if not isinstance(dim, (int, numpy.integer)):
        raise TypeError(f"{name}(): argument 'dim' (position 1) must be int, not {type(dim).__name__}")


def _warn_of_grad_of_non_leaf():
    warnings.warn(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor.",
        UserWarning,
        stacklevel=3,
    )


_CPU = Device("cpu")


class TensorBase(TensorImpl):
    """A tensor's C++ half; torch.Tensor is its subclass."""

    # -- properties and questions

    @property
    def shape(self):
        """The sizes."""
        return Size(self.array.shape)

    def size(self, dim=None):
        """The sizes, or the one of dimension `dim`."""
        if dim is None:
            return Size(self.array.shape)
        _check_dim("size", dim)
        return self.array.shape[maybe_wrap_dim(dim, self.array.ndim, wrap_scalar=False)]

    def stride(self, dim=None):
        """For each dimension, or for `dim`, how many elements lie between two neighbours."""
        strides = self.strides()
        if dim is None:
            return strides
        _check_dim("stride", dim)
        return strides[maybe_wrap_dim(dim, self.array.ndim, wrap_scalar=False)]

    def dim(self):
        """The number of dimensions."""
        return self.array.ndim

    ndimension = dim
    nelement = TensorImpl.numel

    def element_size(self):
        """The bytes of one element."""
        return self.array.itemsize

    @property
    def itemsize(self):
        """The bytes of one element."""
        return self.array.itemsize

    @property
    def nbytes(self):
        """The bytes of all elements."""
        return self.array.nbytes

    @property
    def layout(self):
        """How the elements are arranged."""
        return layout.sparse_coo if is_sparse(self) else layout.strided

    @property
    def is_cpu(self):
        """Whether the memory is the host's."""
        return self.device.type == "cpu"

    @property
    def is_cuda(self):
        """Whether the memory is a CUDA card's."""
        return self.device.type == "cuda"

    @property
    def is_meta(self):
        """Whether there is no memory, only a shape."""
        return self.device.type == "meta"

    @property
    def is_sparse(self):
        """Whether only some of the elements are kept, with their indices."""
        return is_sparse(self)

    is_quantized = is_mkldnn = is_nested = False

    def get_device(self):
        """The number of the CUDA card; -1 on the CPU."""
        return -1 if self.device.index is None else self.device.index

    def data_ptr(self):
        """The address of the first element; 0 if there are no elements."""
        return data_ptr(self.array) if self.array.size else 0

    def is_contiguous(self, memory_format=contiguous_format):
        """Whether the elements lie in memory in this order and without gaps."""
        return TensorImpl.is_contiguous(self, memory_format)

    def is_floating_point(self):
        """Whether the elements are floats."""
        return self.dtype.is_floating_point

    def is_complex(self):
        """Whether the elements are complex."""
        return self.dtype.is_complex

    def is_signed(self):
        """Whether an element can be negative."""
        return self.dtype.is_signed

    def is_inference(self):
        """Whether the tensor was made in inference mode."""
        return not self.key_set & AUTOGRAD_KEYS

    def is_conj(self):
        """Whether the elements are yet to be conjugated: never here."""
        return False

    def is_neg(self):
        """Whether the elements are yet to be negated: never here."""
        return False

    # -- what autograd keeps; torch/csrc/autograd/variable.py says what it means

    @property
    def _version(self):
        """How often the memory was written in place. RuntimeError for inference tensors, which do not count."""
        if self.is_inference():
            raise RuntimeError("Inference tensors do not track version counter.")
        return self.version_counter.value

    @property
    def requires_grad(self):
        """Whether gradients flow into this tensor; can be set on leaves of floating dtype."""
        return self.autograd_meta is not None and variable.requires_grad(self)

    @requires_grad.setter
    def requires_grad(self, requires_grad):
        variable.set_requires_grad(self, requires_grad)

    def requires_grad_(self, requires_grad=True):
        """Set `requires_grad` and return the tensor.

        >>> from annotated_src import torch
        >>> torch.ones(2).requires_grad_()
        tensor([1., 1.], requires_grad=True)
        """
        if requires_grad and not variable.is_differentiable_type(self):
            raise RuntimeError(
                f"only Tensors of floating point dtype can require gradients, not {self.dtype}: convert it first, as "
                "by .float()"
            )
        variable.set_requires_grad(self, requires_grad)
        return self

    @property
    def grad(self):
        """The gradient that backward accumulated, or None."""
        meta = self.autograd_meta
        if meta is None:
            return None
        if meta.grad is None and meta.grad_fn is not None and not meta.retains_grad:
            _warn_of_grad_of_non_leaf()
        return meta.grad

    @grad.setter
    def grad(self, grad):
        variable.set_grad(self, grad)

    @grad.deleter
    def grad(self):
        variable.set_grad(self, None)

    _grad = grad

    @property
    def grad_fn(self):
        """The node that made this tensor, or None for a leaf."""
        return None if self.autograd_meta is None else variable.grad_fn(self)

    @property
    def is_leaf(self):
        """Whether no recorded operator made this tensor."""
        return variable.is_leaf(self)

    @property
    def output_nr(self):
        """Which output of its `grad_fn` this tensor is."""
        return variable.output_nr(self)

    @property
    def retains_grad(self):
        """Whether `retain_grad()` was called on this result of an operator."""
        return self.autograd_meta is not None and self.autograd_meta.retains_grad

    def retain_grad(self):
        """Keep this result's gradient in `.grad`. RuntimeError if it wants none."""
        variable.retain_grad(self)

    @property
    def _base(self):
        """The tensor that this one is a view of, or None."""
        return self.autograd_meta.view.base if self._is_view() else None

    def _is_view(self):
        """Whether autograd knows this tensor as a view of another."""
        return self.autograd_meta is not None and self.autograd_meta.view is not None

    @property
    def _backward_hooks(self):
        """The hooks on this tensor's gradient, by number, or None."""
        return None if self.autograd_meta is None else self.autograd_meta.backward_hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks):
        variable.materialize_autograd_meta(self).backward_hooks = hooks

    @property
    def _post_accumulate_grad_hooks(self):
        """The hooks that run after this leaf's gradient was accumulated, by number, or None."""
        return None if self.autograd_meta is None else self.autograd_meta.post_accumulate_grad_hooks

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, hooks):
        variable.materialize_autograd_meta(self).post_accumulate_grad_hooks = hooks

    @property
    def data(self):
        """A view that neither autograd nor the version counter follows."""
        view = make_tensor(self.array)
        view._storage = self.storage_impl
        return view

    @data.setter
    def data(self, other):
        variable.set_data(self, other)

    def untyped_storage(self):
        """The memory, as bytes; every view of a tensor has the very same storage."""
        return self.storage_impl

    def is_set_to(self, tensor):
        """Whether both look at the same memory in the same way."""
        same_memory = self.storage_impl is tensor.storage_impl and self.storage_offset() == tensor.storage_offset()
        return same_memory and self.array.shape == tensor.array.shape and self.strides() == tensor.strides()

    is_same_size = ops.is_same_size
    is_nonzero = ops.is_nonzero
    equal = ops.equal
    isclose = ops.isclose
    allclose = ops.allclose

    # -- out of the tensor: numbers, lists, arrays

    def item(self):
        """The one element as a Python number; RuntimeError if there is not exactly one.

        >>> from annotated_src import torch
        >>> torch.tensor([2.5]).item()
        2.5
        """
        return ops.item.default(self)

    def tolist(self):
        """Nested lists of Python numbers; of a 0-d tensor, the number.

        >>> from annotated_src import torch
        >>> torch.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return tensor_to_list(self)

    def numpy(self, *, force=False):
        """The tensor as a NumPy array that shares its memory; with `force`, a copy where that is impossible.

        >>> from annotated_src import torch
        >>> x = torch.zeros(2)
        >>> x.numpy()[0] = 5
        >>> x
        tensor([5., 0.])
        """
        return tensor_to_numpy(self, force)

    def __bool__(self):
        # The one question of an `if`; two answers are none.
        return ops.is_nonzero.default(self)

    def __float__(self):
        return checked_convert(self._scalar(), scalar_type.float64)

    def __complex__(self):
        return complex(self._scalar())

    def __int__(self):
        value = self._scalar()
        # Python's ints hold any float; everything else has to fit into int64.
        return int(value) if isinstance(value, float) else checked_convert(value, scalar_type.int64)

    def __index__(self):
        if self.array.size != 1 or self.dtype.category not in (INTEGRAL, BOOL):
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(ops.item.default(self))

    def _scalar(self):
        if self.array.size != 1:
            raise ValueError(
                f"only one element tensors can be converted to Python scalars, not one of shape {list(self.shape)}"
            )
        return ops.item.default(self)

    # -- another dtype, another device, other memory

    def to(self, *args, **kwargs):
        """`self` with another dtype, on another device, or both; itself if it is so already.

        `x.to(dtype)`, `x.to(device, dtype)`, `x.to(other)`.

        >>> from annotated_src import torch
        >>> torch.tensor([1.5, 2.5]).to(torch.int64)
        tensor([1, 2])
        """
        device, dtype, non_blocking, copy, memory_format = parse_to_conversion(args, kwargs)
        return dispatch_to(self, device, dtype, non_blocking, copy, memory_format)

    def cpu(self, memory_format=preserve_format):
        """`self` in the host's memory."""
        return dispatch_to(self, _CPU, None, False, False, memory_format)

    def cuda(self, device=None, non_blocking=False, memory_format=preserve_format):
        """`self` on a CUDA card, the current one if none is named."""
        device = Device("cuda") if device is None else Device(device)
        if device.type != "cuda":
            raise TorchError(f"Invalid device, must be cuda device, but got {device}")
        return dispatch_to(self, device, None, non_blocking, False, memory_format)

    def bool(self, memory_format=preserve_format):
        """`self` as bool: whether each element is not 0."""
        return dispatch_to(self, None, scalar_type.bool_, False, False, memory_format)

    def byte(self, memory_format=preserve_format):
        """`self` as uint8."""
        return dispatch_to(self, None, scalar_type.uint8, False, False, memory_format)

    def char(self, memory_format=preserve_format):
        """`self` as int8."""
        return dispatch_to(self, None, scalar_type.int8, False, False, memory_format)

    def short(self, memory_format=preserve_format):
        """`self` as int16."""
        return dispatch_to(self, None, scalar_type.int16, False, False, memory_format)

    def int(self, memory_format=preserve_format):
        """`self` as int32."""
        return dispatch_to(self, None, scalar_type.int32, False, False, memory_format)

    def long(self, memory_format=preserve_format):
        """`self` as int64."""
        return dispatch_to(self, None, scalar_type.int64, False, False, memory_format)

    def half(self, memory_format=preserve_format):
        """`self` as float16."""
        return dispatch_to(self, None, scalar_type.float16, False, False, memory_format)

    def bfloat16(self, memory_format=preserve_format):
        """`self` as bfloat16."""
        return dispatch_to(self, None, scalar_type.bfloat16, False, False, memory_format)

    def float(self, memory_format=preserve_format):
        """`self` as float32."""
        return dispatch_to(self, None, scalar_type.float32, False, False, memory_format)

    def double(self, memory_format=preserve_format):
        """`self` as float64."""
        return dispatch_to(self, None, scalar_type.float64, False, False, memory_format)

    def cfloat(self, memory_format=preserve_format):
        """`self` as complex64."""
        return dispatch_to(self, None, scalar_type.complex64, False, False, memory_format)

    def cdouble(self, memory_format=preserve_format):
        """`self` as complex128."""
        return dispatch_to(self, None, scalar_type.complex128, False, False, memory_format)

    def type(self, dtype=None, non_blocking=False):
        """`self` as another type, given as a dtype or like "torch.LongTensor"; without one, the name of its own.

        >>> from annotated_src import torch
        >>> torch.ones(2).type()
        'torch.FloatTensor'
        """
        if dtype is None:
            return type_string(self)
        dtype, device = parse_type(dtype)
        device = None if device is None or device == self.device.type else Device(device)
        return dispatch_to(self, device, dtype, non_blocking, False, None)

    type_as = ops.type_as

    def contiguous(self, *, memory_format=contiguous_format):
        """`self` if its memory is in this order without gaps, else a copy that is."""
        # Asked here first, so that a contiguous tensor costs no operator call.
        if self.is_contiguous(memory_format):
            return self
        return ops.contiguous.default(self, memory_format=memory_format)

    clone = ops.clone
    copy_ = ops.copy_
    detach = ops.detach
    detach_ = ops.detach_
    resize_ = ops.resize_
    resize_as_ = ops.resize_as_
    set_ = ops.set_
    is_pinned = ops.is_pinned
    pin_memory = ops.pin_memory
    fill_ = ops.fill_
    zero_ = ops.zero_

    # -- new tensors after the pattern of this one

    new_empty = ops.new_empty
    new_empty_strided = ops.new_empty_strided
    new_zeros = ops.new_zeros
    new_ones = ops.new_ones
    new_full = ops.new_full
    new_tensor = new_tensor
    new = legacy_tensor_new

    def __new__(cls, *args, **kwargs):
        """The legacy constructor: `torch.Tensor(2, 3)` by sizes, `torch.Tensor([1, 2])` by data."""
        tensor = legacy_tensor_ctor(scalar_type.get_default_dtype(), args, kwargs, any_dtype=True)
        return tensor if type(tensor) is cls else tensor._make_subclass(cls)

    def _make_subclass(self, cls):
        """The same memory as a tensor of class `cls`."""
        tensor = object.__new__(cls)
        tensor.array = self.array
        tensor.key_set = self.key_set
        tensor.autograd_meta = None
        tensor._storage = self.storage_impl
        tensor._version_counter = None
        return tensor

    def as_subclass(self, cls):
        """A view of the whole tensor that is an instance of `cls`."""
        view = ops.alias.default(self)
        view.__class__ = cls
        return view

    # -- Python's operators

    def __add__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.add(self, other)

    __radd__ = __add__

    def __mul__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.mul(self, other)

    __rmul__ = __mul__

    def __sub__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.sub(self, other)

    def __div__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.div(self, other)

    __truediv__ = __div__

    def __iadd__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.add_(self, other)

    def __isub__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.sub_(self, other)

    def __imul__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.mul_(self, other)

    def __idiv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.div_(self, other)

    def __mod__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.remainder(self, other)

    def __imod__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.remainder_(self, other)

    def __and__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__and__(self, other)

    def __rand__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.bitwise_and(other, self)

    def __iand__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__iand__(self, other)

    def __or__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__or__(self, other)

    def __ror__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.bitwise_or(other, self)

    def __ior__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__ior__(self, other)

    def __xor__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__xor__(self, other)

    def __rxor__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.bitwise_xor(other, self)

    def __ixor__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__ixor__(self, other)

    def __lshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__lshift__(self, other)

    def __ilshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__ilshift__(self, other)

    def __rshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__rshift__(self, other)

    def __irshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.__irshift__(self, other)

    def __ifloordiv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.floor_divide_(self, other)

    def __invert__(self):
        if self.dtype.category not in (INTEGRAL, BOOL):
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return ops.bitwise_not(self)

    def __matmul__(self, other):
        if not isinstance(other, TensorImpl):
            return NotImplemented
        return ops.matmul(self, other)

    # A class that says what equality is loses its hash; torch/_tensor.py gives Tensor one.

    def __eq__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.eq(self, other)

    def __ne__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.ne(self, other)

    def __lt__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.lt(self, other)

    def __le__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.le(self, other)

    def __gt__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.gt(self, other)

    def __ge__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return ops.ge(self, other)

    # -- methods: pointwise

    add = ops.add
    add_ = ops.add_
    sub = ops.sub
    sub_ = ops.sub_
    subtract = ops.subtract
    subtract_ = ops.subtract_
    mul = ops.mul
    mul_ = ops.mul_
    multiply = ops.multiply
    multiply_ = ops.multiply_
    div = ops.div
    div_ = ops.div_
    divide = ops.divide
    divide_ = ops.divide_
    true_divide = ops.true_divide
    true_divide_ = ops.true_divide_
    floor_divide = ops.floor_divide
    floor_divide_ = ops.floor_divide_
    remainder = ops.remainder
    remainder_ = ops.remainder_
    fmod = ops.fmod
    fmod_ = ops.fmod_
    pow = ops.pow
    pow_ = ops.pow_
    square = ops.square
    square_ = ops.square_
    abs = ops.abs
    abs_ = ops.abs_
    absolute = ops.absolute
    absolute_ = ops.absolute_
    neg = ops.neg
    neg_ = ops.neg_
    negative = ops.negative
    negative_ = ops.negative_
    positive = ops.positive
    sgn = ops.sgn
    sign = ops.sign
    sgn_ = ops.sgn_
    sign_ = ops.sign_
    signbit = ops.signbit
    reciprocal = ops.reciprocal
    reciprocal_ = ops.reciprocal_
    sqrt = ops.sqrt
    sqrt_ = ops.sqrt_
    rsqrt = ops.rsqrt
    rsqrt_ = ops.rsqrt_
    exp = ops.exp
    exp_ = ops.exp_
    exp2 = ops.exp2
    exp2_ = ops.exp2_
    expm1 = ops.expm1
    expm1_ = ops.expm1_
    log = ops.log
    log_ = ops.log_
    log2 = ops.log2
    log2_ = ops.log2_
    log10 = ops.log10
    log10_ = ops.log10_
    log1p = ops.log1p
    log1p_ = ops.log1p_
    sigmoid = ops.sigmoid
    sigmoid_ = ops.sigmoid_
    erf = ops.erf
    erf_ = ops.erf_
    erfc = ops.erfc
    erfc_ = ops.erfc_
    sin = ops.sin
    sin_ = ops.sin_
    cos = ops.cos
    cos_ = ops.cos_
    tan = ops.tan
    tan_ = ops.tan_
    asin = ops.asin
    asin_ = ops.asin_
    arcsin = ops.arcsin
    arcsin_ = ops.arcsin_
    acos = ops.acos
    acos_ = ops.acos_
    arccos = ops.arccos
    arccos_ = ops.arccos_
    atan = ops.atan
    atan_ = ops.atan_
    arctan = ops.arctan
    arctan_ = ops.arctan_
    atan2 = ops.atan2
    atan2_ = ops.atan2_
    arctan2 = ops.arctan2
    arctan2_ = ops.arctan2_
    sinh = ops.sinh
    sinh_ = ops.sinh_
    cosh = ops.cosh
    cosh_ = ops.cosh_
    tanh = ops.tanh
    tanh_ = ops.tanh_
    hypot = ops.hypot
    hypot_ = ops.hypot_
    floor = ops.floor
    floor_ = ops.floor_
    ceil = ops.ceil
    ceil_ = ops.ceil_
    trunc = ops.trunc
    trunc_ = ops.trunc_
    fix = ops.fix
    fix_ = ops.fix_
    round = ops.round
    round_ = ops.round_
    frac = ops.frac
    frac_ = ops.frac_
    nan_to_num = ops.nan_to_num
    nan_to_num_ = ops.nan_to_num_
    eq = ops.eq
    eq_ = ops.eq_
    ne = ops.ne
    ne_ = ops.ne_
    not_equal = ops.not_equal
    not_equal_ = ops.not_equal_
    lt = ops.lt
    lt_ = ops.lt_
    less = ops.less
    less_ = ops.less_
    le = ops.le
    le_ = ops.le_
    less_equal = ops.less_equal
    less_equal_ = ops.less_equal_
    gt = ops.gt
    gt_ = ops.gt_
    greater = ops.greater
    greater_ = ops.greater_
    ge = ops.ge
    ge_ = ops.ge_
    greater_equal = ops.greater_equal
    greater_equal_ = ops.greater_equal_
    isnan = ops.isnan
    isinf = ops.isinf
    isfinite = ops.isfinite
    isposinf = ops.isposinf
    isneginf = ops.isneginf
    maximum = ops.maximum
    minimum = ops.minimum
    fmax = ops.fmax
    fmin = ops.fmin
    clamp = ops.clamp
    clamp_ = ops.clamp_
    clip = ops.clip
    clip_ = ops.clip_
    clamp_min = ops.clamp_min
    clamp_min_ = ops.clamp_min_
    clamp_max = ops.clamp_max
    clamp_max_ = ops.clamp_max_
    logical_and = ops.logical_and
    logical_and_ = ops.logical_and_
    logical_or = ops.logical_or
    logical_or_ = ops.logical_or_
    logical_xor = ops.logical_xor
    logical_xor_ = ops.logical_xor_
    logical_not = ops.logical_not
    logical_not_ = ops.logical_not_
    bitwise_and = ops.bitwise_and
    bitwise_and_ = ops.bitwise_and_
    bitwise_or = ops.bitwise_or
    bitwise_or_ = ops.bitwise_or_
    bitwise_xor = ops.bitwise_xor
    bitwise_xor_ = ops.bitwise_xor_
    bitwise_not = ops.bitwise_not
    bitwise_not_ = ops.bitwise_not_
    bitwise_left_shift = ops.bitwise_left_shift
    bitwise_left_shift_ = ops.bitwise_left_shift_
    bitwise_right_shift = ops.bitwise_right_shift
    bitwise_right_shift_ = ops.bitwise_right_shift_
    addcmul = ops.addcmul
    addcmul_ = ops.addcmul_
    addcdiv = ops.addcdiv
    addcdiv_ = ops.addcdiv_
    lerp = ops.lerp
    lerp_ = ops.lerp_

    # -- methods: reductions

    sum = ops.sum
    nansum = ops.nansum
    mean = ops.mean
    prod = ops.prod
    var = ops.var
    std = ops.std
    count_nonzero = ops.count_nonzero
    logsumexp = ops.logsumexp
    all = ops.all
    any = ops.any
    max = ops.max
    min = ops.min
    aminmax = ops.aminmax
    amax = ops.amax
    amin = ops.amin
    argmax = ops.argmax
    argmin = ops.argmin
    median = ops.median
    nanmedian = ops.nanmedian
    mode = ops.mode
    softmax = ops.softmax
    log_softmax = ops.log_softmax

    # -- methods: linear algebra

    mm = ops.mm
    bmm = ops.bmm
    addmm = ops.addmm
    addmm_ = ops.addmm_
    baddbmm = ops.baddbmm
    baddbmm_ = ops.baddbmm_
    addmv = ops.addmv
    addmv_ = ops.addmv_
    matmul = ops.matmul
    dot = ops.dot
    mv = ops.mv
    outer = ops.outer
    ger = ops.ger
    inner = ops.inner
    vdot = ops.vdot

    # -- indexing

    __getitem__ = THPVariable_getitem
    __setitem__ = THPVariable_setitem

    # -- methods: views and copies of another shape

    @property
    def T(self):
        """The dimensions in reverse order."""
        return ops.numpy_T.default(self)

    @property
    def mT(self):
        """The last two dimensions change places."""
        return ops.mT.default(self)

    as_strided = ops.as_strided
    as_strided_ = ops.as_strided_
    broadcast_to = ops.broadcast_to
    chunk = ops.chunk
    diagonal = ops.diagonal
    expand = ops.expand
    expand_as = ops.expand_as
    flatten = ops.flatten
    moveaxis = ops.moveaxis
    movedim = ops.movedim
    narrow = ops.narrow
    permute = ops.permute
    ravel = ops.ravel
    reshape = ops.reshape
    reshape_as = ops.reshape_as
    select = ops.select
    split_with_sizes = ops.split_with_sizes
    squeeze = ops.squeeze
    squeeze_ = ops.squeeze_
    swapaxes = ops.swapaxes
    swapdims = ops.swapdims
    t = ops.t
    t_ = ops.t_
    tensor_split = ops.tensor_split
    transpose = ops.transpose
    transpose_ = ops.transpose_
    unbind = ops.unbind
    unflatten = ops.unflatten
    unfold = ops.unfold
    unsqueeze = ops.unsqueeze
    unsqueeze_ = ops.unsqueeze_
    view = ops.view
    view_as = ops.view_as

    # -- methods: in order, in rows, around

    argsort = ops.argsort
    bincount = ops.bincount
    cumprod = ops.cumprod
    cumprod_ = ops.cumprod_
    cumsum = ops.cumsum
    cumsum_ = ops.cumsum_
    diag = ops.diag
    diag_embed = ops.diag_embed
    flip = ops.flip
    fliplr = ops.fliplr
    flipud = ops.flipud
    kthvalue = ops.kthvalue
    msort = ops.msort
    repeat = ops.repeat
    repeat_interleave = ops.repeat_interleave
    roll = ops.roll
    sort = ops.sort
    tile = ops.tile
    topk = ops.topk
    tril = ops.tril
    tril_ = ops.tril_
    triu = ops.triu
    triu_ = ops.triu_

    # -- methods: picking and placing elements

    def where(self, condition, other):
        """This tensor's elements where the condition is True, the other's elsewhere."""
        return ops.where(condition, self, other)

    def nonzero(self, *, as_tuple=False):
        """The positions that are not zero: a row for each, or an index tensor for each dimension."""
        return ops.nonzero_numpy(self) if as_tuple else ops.nonzero(self)

    argwhere = ops.argwhere
    gather = ops.gather
    index_add = ops.index_add
    index_add_ = ops.index_add_
    index_copy = ops.index_copy
    index_copy_ = ops.index_copy_
    index_fill = ops.index_fill
    index_fill_ = ops.index_fill_
    index_put = ops.index_put
    index_put_ = ops.index_put_
    index_select = ops.index_select
    masked_fill = ops.masked_fill
    masked_fill_ = ops.masked_fill_
    masked_scatter = ops.masked_scatter
    masked_scatter_ = ops.masked_scatter_
    masked_select = ops.masked_select
    scatter = ops.scatter
    scatter_ = ops.scatter_
    scatter_add = ops.scatter_add
    scatter_add_ = ops.scatter_add_
    take = ops.take
    take_along_dim = ops.take_along_dim

    # -- methods: random numbers

    bernoulli = ops.bernoulli
    bernoulli_ = ops.bernoulli_
    exponential_ = ops.exponential_
    multinomial = ops.multinomial
    normal_ = ops.normal_
    random_ = ops.random_
    uniform_ = ops.uniform_

    # -- activations
    hardshrink = ops.hardshrink
    prelu = ops.prelu
    relu = ops.relu
    relu_ = ops.relu_
    xlogy = ops.xlogy
    xlogy_ = ops.xlogy_

    # -- of sparse tensors
    _coalesced_ = ops._coalesced_
    _indices = ops._indices
    _nnz = ops._nnz
    _values = ops._values
    coalesce = ops.coalesce
    dense_dim = ops.dense_dim
    indices = ops.indices
    is_coalesced = ops.is_coalesced
    sparse_dim = ops.sparse_dim
    sparse_mask = ops.sparse_mask
    to_dense = ops.to_dense
    values = ops.values

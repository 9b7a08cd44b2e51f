"""Tensor: the Python half of the tensor. Retells torch/_tensor.py.

The C++ half, which is most of it, is torch/_C/tensor_base.py.
"""

import copy
from collections import OrderedDict
from numbers import Number

from annotated_src.c10.core.tensor_impl import set_tensor_class
from annotated_src.torch import _tensor_str, _utils, functional
from annotated_src.torch._C import TensorBase, _VariableFunctions
from annotated_src.torch._C.tensor_base import _is_operand
from annotated_src.torch.storage import TypedStorage, _warn_typed_storage_removal


class Tensor(TensorBase):
    """An n-dimensional array of one dtype on one device, with a memory that views share.

    Upstream: torch/_tensor.py, torch/csrc/autograd/python_variable.cpp.
    """

    # -- copies

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment: this one is the result of an operator that autograd recorded; copy x.detach() instead"
            )
        if id(self) in memo:
            return memo[id(self)]
        # By way of the storage, so that tensors which share memory share it in the copy as well.
        new_storage = self._typed_storage()._deepcopy(memo)
        new_tensor = self.new_empty([])
        new_tensor.set_(new_storage, self.storage_offset(), self.size(), self.stride())
        if self.requires_grad:
            new_tensor.requires_grad = True
        if self.grad is not None:
            new_tensor.grad = self.grad.__deepcopy__(memo)
        new_tensor.__dict__ = copy.deepcopy(self.__dict__, memo)
        memo[id(self)] = new_tensor
        return new_tensor

    def __reduce_ex__(self, proto):
        return self._reduce_ex_internal(proto)

    def _reduce_ex_internal(self, proto):
        geometry = (self.storage_offset(), tuple(self.size()), self.stride())
        return _utils._rebuild_tensor_v2, (self._typed_storage(), *geometry, self.requires_grad, {})

    # -- autograd; what C++ has of it is in TensorBase

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Compute the gradients of this tensor and add them to the leaves' `.grad`; see torch.autograd.backward.

        >>> from annotated_src import torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (w * w).sum().backward()
        >>> w.grad
        tensor([2., 4.])
        """
        from annotated_src.torch import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def register_hook(self, hook):
        """Call `hook(grad)` whenever this tensor's gradient is computed; what it returns replaces the gradient.

        RuntimeError if the tensor wants no gradient.
        """
        if not self.requires_grad:
            raise RuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient: call requires_grad_() on it first"
            )
        if self._backward_hooks is None:
            self._backward_hooks = OrderedDict()
            if self.grad_fn is not None:
                self.grad_fn._register_hook_dict(self)
        from annotated_src.torch.utils.hooks import RemovableHandle

        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Call `hook(tensor)` whenever this leaf's `.grad` has been updated. RuntimeError for what is no leaf."""
        if not self.requires_grad:
            raise RuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient: call requires_grad_() on it first"
            )
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors: nothing accumulates there"
            )
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        from annotated_src.torch.utils.hooks import RemovableHandle

        handle = RemovableHandle(self._post_accumulate_grad_hooks)
        self._post_accumulate_grad_hooks[handle.id] = hook
        return handle

    # -- memory

    def storage(self):
        """The memory as numbers, which upstream has deprecated; see `untyped_storage`."""
        _warn_typed_storage_removal(stacklevel=2)
        return self._typed_storage()

    def _typed_storage(self):
        return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True)

    def is_shared(self):
        """Whether other processes see the memory; every CUDA tensor counts as shared."""
        return self._typed_storage()._untyped_storage.is_shared()

    # -- Python's protocols

    def __len__(self):
        if self.dim() == 0:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self):
        return self if self.dim() == 0 else self.flip(0)

    def __contains__(self, element, /):
        if isinstance(element, (TensorBase, Number)):
            return bool((element == self).any().item())
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
        )

    # NumPy leaves `array + tensor` to the tensor.
    __array_priority__ = 1000

    def __array__(self, dtype=None):
        if dtype is None:
            return self.numpy()
        return self.numpy().astype(dtype, copy=False)

    def __array_wrap__(self, array):
        if array.dtype == bool:
            array = array.astype("uint8")
        return _VariableFunctions.from_numpy(array)

    def __hash__(self):
        # By identity: `==` is an operator that works element by element.
        return id(self)

    # -- shape and values, where a function of Python comes first

    def split(self, split_size, dim=0):
        """Views of the pieces along `dim`; see torch.split."""
        if isinstance(split_size, Tensor) and split_size.numel() == 1:
            split_size = int(split_size)
        if isinstance(split_size, int):
            return _VariableFunctions.split(self, split_size, dim)
        return _VariableFunctions.split_with_sizes(self, split_size, dim)

    def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
        """The different values; see torch.unique."""
        return functional.unique(
            self, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim
        )

    def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
        """The values without those that equal their predecessor; see torch.unique_consecutive."""
        return functional.unique_consecutive(self, return_inverse=return_inverse, return_counts=return_counts, dim=dim)

    def unflatten(self, dim, sizes):
        """Dimension `dim` taken apart into `sizes`, of which one may be -1."""
        if not sizes:
            raise RuntimeError("unflatten: sizes must be non-empty")
        return super().unflatten(dim, sizes)

    # -- Python's operators; those that are not here are in TensorBase

    def __rsub__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.rsub(self, other)

    def __rdiv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return self.reciprocal() * other

    __rtruediv__ = __rdiv__
    __itruediv__ = TensorBase.__idiv__

    def __pow__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.pow(self, other)

    def __ipow__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return self.pow_(other)

    def __rmod__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.remainder(other, self)

    def __rpow__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.pow(other, self)

    def __floordiv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.floor_divide(self, other)

    def __rfloordiv__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.floor_divide(other, self)

    def __rlshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.bitwise_left_shift(other, self)

    def __rrshift__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.bitwise_right_shift(other, self)

    def __rmatmul__(self, other):
        if not _is_operand(other):
            return NotImplemented
        return _VariableFunctions.matmul(other, self)

    __pos__ = TensorBase.positive
    __neg__ = TensorBase.neg
    __abs__ = TensorBase.abs

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        """torch.norm of this tensor."""
        return functional.norm(self, p, dim, keepdim, dtype=dtype)

    # -- printing

    def __repr__(self, *, tensor_contents=None):
        return _tensor_str._str(self, tensor_contents=tensor_contents)

    def __format__(self, format_spec):
        # A tensor without dimensions formats as the number that it holds: f"{loss:.3f}".
        if self.array.ndim == 0 and type(self) is Tensor:
            return format(self.detach().item(), format_spec)
        return object.__format__(self, format_spec)


# Kernels make tensors of this class from now on.
set_tensor_class(Tensor)
_tensor_str.plain_types.add(Tensor)

"""Convolution: from conv2d down to the kernel. Retells aten/src/ATen/native/Convolution.cpp.

    conv1d, conv2d, conv3d               a batch dimension is added where it is missing; padding may be a word
    conv_transpose1d, 2d, 3d             the gradient of a convolution, used forward
      convolution                        one operator for all of them, the one that has a derivative
        _convolution                     checks the shapes, sees to it that memory is contiguous, picks a kernel
          mkldnn_convolution             the kernel                    (mkldnn/conv.py)
    convolution_backward                 the gradients for input, weight and bias

One spatial dimension is computed as two, the first of size 1.

Deviation: upstream's _convolution picks among thirty backends by dtype, size, device and what was compiled in. Here it
is always mkldnn_convolution, which upstream's CPU takes for float32.
Left out: channels_last results, nested and quantized tensors, kernels chosen by timing (`benchmark`).
"""

import warnings

from annotated_src.aten import ops
from annotated_src.aten.native.conv_utils import conv_input_size, conv_output_size, expand_param_if_needed, one_each
from annotated_src.aten.native.mkldnn import conv
from annotated_src.aten.tensor_iterator import OPMATH, quiet_astype, quietly
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.util.exception import TorchError

# -- the operators that people call


def conv1d(input, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    """(N, C, L) or (C, L) with weight (O, C / groups, k)."""
    return _conv(input, weight, bias, stride, padding, dilation, groups, 1)


def conv2d(input, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    """(N, C, H, W) or (C, H, W) with weight (O, C / groups, kh, kw)."""
    return _conv(input, weight, bias, stride, padding, dilation, groups, 2)


def conv3d(input, weight, bias=None, stride=(1, 1, 1), padding=(0, 0, 0), dilation=(1, 1, 1), groups=1):
    """(N, C, D, H, W) or (C, D, H, W) with weight (O, C / groups, kd, kh, kw)."""
    return _conv(input, weight, bias, stride, padding, dilation, groups, 3)


def _conv(input, weight, bias, stride, padding, dilation, groups, num_spatial_dims):
    batched, is_batched = batchify(input, num_spatial_dims, f"conv{num_spatial_dims}d")
    stride, padding, dilation = (one_each(number, num_spatial_dims) for number in (stride, padding, dilation))
    no_output_padding = (0,) * num_spatial_dims
    output = ops.convolution.default(
        batched, weight, bias, stride, padding, dilation, False, no_output_padding, groups
    )
    return output if is_batched else ops.squeeze.dim(output, 0)


def batchify(input, num_spatial_dims, func_name):
    """The input with a batch dimension, and whether it had one."""
    dim = input.array.ndim
    if dim not in (num_spatial_dims + 1, num_spatial_dims + 2):
        raise TorchError(
            f"Expected {num_spatial_dims + 1}D (unbatched) or {num_spatial_dims + 2}D (batched) input to {func_name}, "
            f"but got input of size: {list(input.array.shape)}"
        )
    is_batched = dim == num_spatial_dims + 2
    return (input if is_batched else ops.unsqueeze.default(input, 0)), is_batched


def conv1d_padding(input, weight, bias=None, stride=(1,), padding="valid", dilation=(1,), groups=1):
    """`conv1d` with padding "valid" (none) or "same" (the output has the input's size)."""
    return _conv_padding(input, weight, bias, stride, padding, dilation, groups, 1)


def conv2d_padding(input, weight, bias=None, stride=(1, 1), padding="valid", dilation=(1, 1), groups=1):
    """`conv2d` with padding "valid" or "same"."""
    return _conv_padding(input, weight, bias, stride, padding, dilation, groups, 2)


def conv3d_padding(input, weight, bias=None, stride=(1, 1, 1), padding="valid", dilation=(1, 1, 1), groups=1):
    """`conv3d` with padding "valid" or "same"."""
    return _conv_padding(input, weight, bias, stride, padding, dilation, groups, 3)


def _conv_padding(input, weight, bias, stride, padding, dilation, groups, num_spatial_dims):
    batched, is_batched = batchify(input, num_spatial_dims, f"conv{num_spatial_dims}d")
    stride, dilation = one_each(stride, num_spatial_dims), one_each(dilation, num_spatial_dims)
    output = ops._convolution_mode.default(batched, weight, bias, stride, padding, dilation, groups)
    return output if is_batched else ops.squeeze.dim(output, 0)


def _convolution_mode(input, weight, bias, stride, padding, dilation, groups):
    """A convolution whose padding is a word."""
    if padding == "same":
        return convolution_same(input, weight, bias, stride, dilation, groups)
    if padding == "valid":
        return ops.convolution.default(input, weight, bias, stride, (0,), dilation, False, (0,), groups)
    raise TorchError(f"Invalid padding string: '{padding}'; it is 'valid', 'same', or numbers")


def convolution_same(input, weight, bias, stride, dilation, groups):
    """As much padding as makes the output as large as the input."""
    num_spatial_dims = weight.array.ndim - 2
    if num_spatial_dims < 1:
        raise TorchError("weight should have at least three dimensions")
    if input.array.ndim != weight.array.ndim:
        raise TorchError(
            f"Expected {weight.array.ndim}-dimensional input for {weight.array.ndim}-dimensional weight "
            f"{list(weight.array.shape)}, but got {input.array.ndim}-dimensional input of size "
            f"{list(input.array.shape)} instead"
        )
    dilation = expand_param_if_needed(dilation, "dilation", num_spatial_dims)
    if any(step != 1 for step in expand_param_if_needed(stride, "stride", num_spatial_dims)):
        raise TorchError("padding='same' is not supported for strided convolutions: give the padding in numbers")
    total = [step * (size - 1) for step, size in zip(dilation, weight.array.shape[2:], strict=True)]
    # Rounded towards 0, as C++ divides: of a kernel without elements the total is negative.
    left = [int(amount / 2) for amount in total]
    right = [amount - before for amount, before in zip(total, left, strict=True)]
    if left != right:
        input = _pad_longer_side(input, left, right)
    no_output_padding = (0,) * num_spatial_dims
    return ops.convolution.default(input, weight, bias, stride, left, dilation, False, no_output_padding, groups)


def _pad_longer_side(input, left, right):
    warnings.warn(
        "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input "
        "be created",
        stacklevel=4,
    )
    # From the last dimension to the first, as pad wants it; the right side is the longer one (of no kernel, shorter).
    pad = []
    for before, after in zip(reversed(left), reversed(right), strict=True):
        pad += [0, after - before]
    return ops.constant_pad_nd.default(input, pad, 0)


def conv_transpose1d(
    input, weight, bias=None, stride=(1,), padding=(0,), output_padding=(0,), groups=1, dilation=(1,)
):
    """(N, C, L) or (C, L) with weight (C, O / groups, k)."""
    return _conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)


def conv_transpose2d(
    input, weight, bias=None, stride=(1, 1), padding=(0, 0), output_padding=(0, 0), groups=1, dilation=(1, 1)
):
    """(N, C, H, W) or (C, H, W) with weight (C, O / groups, kh, kw)."""
    return _conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 2)


def conv_transpose3d(
    input,
    weight,
    bias=None,
    stride=(1, 1, 1),
    padding=(0, 0, 0),
    output_padding=(0, 0, 0),
    groups=1,
    dilation=(1, 1, 1),
):
    """(N, C, D, H, W) or (C, D, H, W) with weight (C, O / groups, kd, kh, kw)."""
    return _conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, 3)


def _conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation, num_spatial_dims):
    batched, is_batched = batchify(input, num_spatial_dims, f"conv_transpose{num_spatial_dims}d")
    stride, padding, output_padding, dilation = (
        one_each(number, num_spatial_dims) for number in (stride, padding, output_padding, dilation)
    )
    output = ops.convolution.default(batched, weight, bias, stride, padding, dilation, True, output_padding, groups)
    return output if is_batched else ops.squeeze.dim(output, 0)


# -- one operator for all


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Every convolution; the operator that has a derivative."""
    # benchmark, deterministic, cudnn_enabled and allow_tf32 are the global settings' defaults.
    return ops._convolution.default(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, False, False, True, True
    )


class ConvParams:
    """The numbers of a convolution, one for each spatial dimension."""

    def __init__(self, stride, padding, dilation, transposed, output_padding, groups, dim):
        self.stride = expand_param_if_needed(stride, "stride", dim)
        self.padding = expand_param_if_needed(padding, "padding", dim)
        self.dilation = expand_param_if_needed(dilation, "dilation", dim)
        self.output_padding = expand_param_if_needed(output_padding, "output_padding", dim)
        self.transposed = transposed
        self.groups = groups

    def check_signs(self):
        """RuntimeError where a number is too small to mean anything."""
        if any(padding < 0 for padding in self.padding):
            raise TorchError(f"negative padding is not supported, got {list(self.padding)}: cut the input instead")
        if any(padding < 0 for padding in self.output_padding):
            raise TorchError(f"negative output_padding is not supported, got {list(self.output_padding)}")
        if any(stride <= 0 for stride in self.stride):
            raise TorchError(f"non-positive stride is not supported, got {list(self.stride)}")
        if any(dilation <= 0 for dilation in self.dilation):
            raise TorchError(f"non-positive dilation is not supported, got {list(self.dilation)}")
        if self.groups <= 0:
            raise TorchError(f"non-positive groups is not supported, got {self.groups}")

    def view1d_as_2d(self):
        """A second spatial dimension in front of the only one."""
        self.stride = (1, *self.stride)
        self.padding = (0, *self.padding)
        self.dilation = (1, *self.dilation)
        self.output_padding = (0, *self.output_padding)


def _convolution(
    input,
    weight,
    bias,
    stride,
    padding,
    dilation,
    transposed,
    output_padding,
    groups,
    benchmark,
    deterministic,
    cudnn_enabled,
    allow_tf32,
):
    """Check, make contiguous, compute."""
    dim = weight.array.ndim - 2
    if dim <= 0:
        raise TorchError("weight should have at least three dimensions")
    params = ConvParams(stride, padding, dilation, transposed, output_padding, groups, dim)
    params.check_signs()
    _check_shape_forward(input, weight, bias, params)
    _check_types(input, weight, bias)
    is_1d = input.array.ndim == 3
    if is_1d:
        params.view1d_as_2d()
        input = ops.unsqueeze.default(input, 2)
        weight = ops.unsqueeze.default(weight, 2)
    is_empty = _is_empty(input, weight)
    if not input.is_contiguous():
        input = ops.contiguous.default(input)
    if not weight.is_contiguous():
        weight = ops.contiguous.default(weight)
    if is_empty:
        output = _convolution_of_nothing(input, weight, bias, params)
    elif transposed:
        output = _mkldnn_convolution_transpose(input, weight, bias, params)
    else:
        output = ops.mkldnn_convolution.default(
            input, weight, bias, params.padding, params.stride, params.dilation, groups
        )
    return ops.squeeze.dim(output, 2) if is_1d else output


def _is_empty(input, weight):
    """Whether there is no batch or no channel; RuntimeError where something else is missing."""
    sizes, weight_sizes = list(input.array.shape), list(weight.array.shape)
    if sizes[0] == 0 or sizes[1] == 0:
        return True
    if 0 in sizes:
        raise TorchError(f"Only zero batch or zero channel inputs are supported, but got input shape: {sizes}")
    if 0 in weight_sizes[2:]:
        raise TorchError(f"kernel size should be greater than zero, but got: {weight_sizes[2:]}")
    if 0 in weight_sizes:
        raise TorchError(f"non-empty {len(sizes)}D weight tensor expected, but got: {weight_sizes}")
    return False


def _convolution_of_nothing(input, weight, bias, params):
    """No batch: a product that has no elements either, in the shape of the output. No channels: none come out."""
    numbers = (params.padding, params.stride, params.dilation)
    sizes = conv_output_size(input.array.shape, weight.array.shape, *numbers)
    if params.transposed:
        numbers = (params.padding, params.output_padding, params.stride, params.dilation, params.groups)
        sizes = conv_input_size(input.array.shape, weight.array.shape, *numbers)
    flat = ops._unsafe_view.default(weight, (-1,))
    if input.array.shape[1] == 0:
        sizes = (sizes[0], 0, *sizes[2:])
        output = ops.mul.Tensor(ops.view.default(input, (-1,)), flat)
    else:
        output = ops.mul.Tensor(input, ops.select.int(flat, 0, 0))
    if bias is not None:
        ops.add_.Tensor(output, ops.select.int(bias, 0, 0))
    return ops.view.default(output, sizes)


def _check_shape_forward(input, weight, bias, params):
    k, weight_dim = input.array.ndim, weight.array.ndim
    sizes, weight_sizes, groups = list(input.array.shape), list(weight.array.shape), params.groups
    if weight_dim != k:
        raise TorchError(
            f"Expected {weight_dim}-dimensional input for {weight_dim}-dimensional weight {weight_sizes}, "
            f"but got {k}-dimensional input of size {sizes} instead"
        )
    if weight_sizes[0] < groups:
        raise TorchError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, "
            f"but got weight of size {weight_sizes} instead"
        )
    if weight_sizes[0] % groups != 0:
        raise TorchError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size {weight_sizes} instead"
        )
    given = "transposed=1" if params.transposed else f"groups={groups}"
    channels = weight_sizes[0] if params.transposed else weight_sizes[1] * groups
    if sizes[1] != channels:
        raise TorchError(
            f"Given {given}, weight of size {weight_sizes}, expected input{sizes} to have {channels} channels, "
            f"but got {sizes[1]} channels instead"
        )
    _check_bias(bias, weight_sizes, params)
    if not params.transposed:
        _check_kernel_fits(sizes, weight_sizes, params)


def _check_bias(bias, weight_sizes, params):
    wanted = weight_sizes[1] * params.groups if params.transposed else weight_sizes[0]
    if bias is not None and bias.array.shape != (wanted,):
        given = "transposed=1, weight" if params.transposed else "weight"
        raise TorchError(
            f"Given {given} of size {weight_sizes}, expected bias to be 1-dimensional with {wanted} elements, "
            f"but got bias of size {list(bias.array.shape)} instead"
        )


def _check_kernel_fits(sizes, weight_sizes, params):
    padded = [size + 2 * padding for size, padding in zip(sizes[2:], params.padding, strict=True)]
    kernel = [step * (size - 1) + 1 for size, step in zip(weight_sizes[2:], params.dilation, strict=True)]
    if any(size < covered for size, covered in zip(padded, kernel, strict=True)):
        raise TorchError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). "
            f"Kernel size: ({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size"
        )


def _check_types(input, weight, bias):
    for parameter, name in ((weight, "weight"), (bias, "bias")):
        if parameter is not None and parameter.device != input.device:
            raise TorchError(
                f"Input type ({input.type()}) and {name} type ({parameter.type()}) should be the same: they are on "
                f"{input.device} and {parameter.device}, move one of them with .to()"
            )
    dtype = input.dtype
    if bias is not None and weight.dtype is dtype and bias.dtype is not dtype:
        raise TorchError(
            f"Input type ({_cpp_type(dtype)}) and bias type ({_cpp_type(bias.dtype)}) should be the same: "
            "convert one of them with .to()"
        )
    if weight.dtype is not dtype:
        raise TorchError(
            f"expected scalar type {dtype.cpp_name} but found {weight.dtype.cpp_name}: the weight has to have the "
            "input's dtype, convert one of them with .to()"
        )
    if dtype.category is BOOL:
        raise NotImplementedError(f"\"slow_conv2d_cpu\" not implemented for '{dtype.cpp_name}'")


_CPP_TYPES = {
    scalar_type.float32: "float",
    scalar_type.float64: "double",
    scalar_type.float16: "c10::Half",
    scalar_type.bfloat16: "c10::BFloat16",
    scalar_type.int64: "long long",
}


def _cpp_type(dtype):
    return _CPP_TYPES.get(dtype, dtype.name)


# -- kernels


def mkldnn_convolution(self, weight, bias, padding, stride, dilation, groups):
    """The convolution itself; every shape has been checked."""
    out = conv_output_size(self.array.shape, weight.array.shape, padding, stride, dilation)
    windows = conv.Windows(self.array.shape[2:], out[2:], weight.array.shape[2:], stride, padding, dilation)
    x, w, b = _computed_in(self.dtype, self, weight, bias)
    return make_tensor(_rounded(quietly(conv.forward, x, w, b, windows, groups), self.dtype))


def _mkldnn_convolution_transpose(self, weight, bias, params):
    """The gradient for the input of the convolution that leads from what we look for to what we have."""
    shape, weight_shape = self.array.shape, weight.array.shape
    _check_output_padding(params)
    sizes = conv_input_size(
        shape, weight_shape, params.padding, params.output_padding, params.stride, params.dilation, params.groups
    )
    if min(sizes[2:]) < 1:
        raise TorchError(
            f"Given input size per channel: ({' x '.join(map(str, shape[2:]))}). Calculated output size per channel: "
            f"({' x '.join(map(str, sizes[2:]))}). Output size is too small"
        )
    windows = conv.Windows(sizes[2:], shape[2:], weight_shape[2:], params.stride, params.padding, params.dilation)
    x, w, b = _computed_in(self.dtype, self, weight, bias)
    result = quietly(conv.backward_input, x, w, windows, params.groups)
    if b is not None:
        result += b.reshape(-1, *(1,) * (result.ndim - 2))
    return make_tensor(_rounded(result, self.dtype))


def _check_output_padding(params):
    rows = zip(params.output_padding, params.stride, params.dilation, strict=True)
    if any(padding >= max(stride, dilation) for padding, stride, dilation in rows):
        raise TorchError(
            "output padding must be smaller than either stride or dilation, but got output_padding "
            f"{list(params.output_padding)}, stride {list(params.stride)}, dilation {list(params.dilation)}"
        )


def _computed_in(dtype, *tensors):
    """Their arrays, in float32 for the half-size dtypes."""
    compute = OPMATH.get(dtype)
    if compute is None:
        return [None if tensor is None else tensor.array for tensor in tensors]
    return [None if tensor is None else quiet_astype(tensor.array, compute) for tensor in tensors]


def _rounded(result, dtype):
    return result if result.dtype == dtype.numpy else quiet_astype(result, dtype)


# -- backward


def convolution_backward(
    grad_output,
    input,
    weight,
    bias_sizes,
    stride,
    padding,
    dilation,
    transposed,
    output_padding,
    groups,
    output_mask,
):
    """The gradients for input, weight and bias; None where output_mask does not ask for one."""
    dim = weight.array.ndim - 2
    if dim <= 0:
        raise TorchError("weight should have at least three dimensions")
    params = ConvParams(stride, padding, dilation, transposed, output_padding, groups, dim)
    is_1d = input.array.ndim == 3
    if is_1d:
        params.view1d_as_2d()
        grad_output = ops.unsqueeze.default(grad_output, 2)
        input = ops.unsqueeze.default(input, 2)
        weight = ops.unsqueeze.default(weight, 2)
    if input.array.shape[0] == 0 or input.array.shape[1] == 0:
        grad_input, grad_weight, grad_bias = _backward_of_nothing(input, weight, bias_sizes, output_mask)
    else:
        grad_input, grad_weight = quietly(_backward_arrays, grad_output, input, weight, params, output_mask)
        grad_bias = _backward_bias(grad_output) if output_mask[2] else None
    if is_1d:
        grad_input = grad_input if grad_input is None else ops.squeeze.dim(grad_input, 2)
        grad_weight = grad_weight if grad_weight is None else ops.squeeze.dim(grad_weight, 2)
    return grad_input, grad_weight, grad_bias


def _backward_of_nothing(input, weight, bias_sizes, output_mask):
    """Without batch or channels: zeros."""
    grad_input = ops.zeros_like(input) if output_mask[0] else None
    grad_weight = ops.zeros_like(weight) if output_mask[1] else None
    grad_bias = ops.new_zeros.default(weight, bias_sizes) if output_mask[2] else None
    return grad_input, grad_weight, grad_bias


def _backward_bias(grad_output):
    dtype = grad_output.dtype
    (array,) = _computed_in(dtype, grad_output)
    return make_tensor(_rounded(quietly(array.sum, (0, *range(2, array.ndim))), dtype))


def _backward_arrays(grad_output, input, weight, params, output_mask):
    dtype, groups = input.dtype, params.groups
    g, x, w = _computed_in(dtype, grad_output, input, weight)
    # The transposed convolution has the two ends exchanged: the larger one is its output.
    larger, smaller = (g, x) if params.transposed else (x, g)
    windows = conv.Windows(
        larger.shape[2:], smaller.shape[2:], w.shape[2:], params.stride, params.padding, params.dilation
    )
    grad_input = grad_weight = None
    if output_mask[0] and params.transposed:
        grad_input = make_tensor(_rounded(conv.forward(g, w, None, windows, groups), dtype))
    elif output_mask[0]:
        grad_input = make_tensor(_rounded(conv.backward_input(g, w, windows, groups), dtype))
    if output_mask[1]:
        grad_weight = make_tensor(_rounded(conv.backward_weight(smaller, larger, w.shape, windows, groups), dtype))
    return grad_input, grad_weight


def _convolution_double_backward(
    ggI, ggW, ggb, gO, weight, self, stride, padding, dilation, transposed, output_padding, groups, output_mask
):
    """The gradients of convolution_backward, for (gO, self, weight).

    convolution_backward is linear in gO, in self and in weight; so its gradients are convolutions again, with one
    of the three replaced by what came in.
    Deviation: upstream writes the latter two as convolutions with exchanged dimensions.
    """
    numbers = (stride, padding, dilation, transposed, output_padding, groups)
    grad_grad_output = grad_self = grad_weight = None
    if self.array.size == 0:
        # Of a convolution of nothing, only the bias has a gradient that depends on anything.
        ggI = ggW = None
    if output_mask[0]:
        terms = []
        if ggI is not None:
            terms.append(ops.convolution.default(ggI, weight, None, *numbers))
        if ggW is not None:
            terms.append(ops.convolution.default(self, ggW, None, *numbers))
        if ggb is not None:
            shape = (1, -1) + (1,) * (gO.array.ndim - 2)
            terms.append(ops.expand.default(ops.reshape.default(ggb, shape), gO.array.shape))
        for term in terms:
            grad_grad_output = term if grad_grad_output is None else ops.add(grad_grad_output, term)
    if output_mask[1] and ggW is not None:
        grad_self, _, _ = ops.convolution_backward.default(gO, self, ggW, None, *numbers, [True, False, False])
    if output_mask[2] and ggI is not None:
        _, grad_weight, _ = ops.convolution_backward.default(gO, ggI, weight, None, *numbers, [False, True, False])
    return grad_grad_output, grad_self, grad_weight

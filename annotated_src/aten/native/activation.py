"""Activations and their backward operators. Retells aten/src/ATen/native/Activation.cpp and cpu/Activation.cpp.

In order: pieces of straight lines (relu, leaky_relu, hard...); curves (elu, gelu, silu, ...); those with a second
tensor (prelu, rrelu, glu); sigmoid and tanh, whose backward operators need their result only.

A backward operator takes the gradient of the result first, then what the formula needs. float16 and bfloat16 are
computed in float32 and rounded once.

Left out: the `grad_input` forms of backward operators, quantized and MKL-DNN tensors.
"""

import ml_dtypes

from annotated_src.aten import ops
from annotated_src.aten.dispatch import ALL_TYPES, FLOATING_TYPES, FULL_FLOATING_TYPES, dispatch
from annotated_src.aten.native import math
from annotated_src.aten.native.reduce_ops import contiguous
from annotated_src.aten.tensor_iterator import check_same_device, finish, pointwise, quietly, unary_op
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import BOOL
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import maybe_wrap_dim
from annotated_src.c10.util.exception import TorchError

SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946
SQRT_HALF = 0.70710678118654752440
SQRT_TWO_OVER_PI = 0.79788456080286535588
ONE_OVER_SQRT_TWO_PI = 0.39894228040143267794
GELU_CUBIC = 0.044715


def _floating(function, self, out, name):
    """A function of one floating tensor."""
    dispatch(self.dtype, FLOATING_TYPES, name)
    return unary_op(function, self, out, opmath=True)


def _backward(function, name, grad_output, *others):
    """A gradient: a function of the arriving gradient and what was kept."""
    dispatch(others[0].dtype, FLOATING_TYPES, name)
    return pointwise(function, (grad_output, *others), opmath=True)


_INTEGERS = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}


def _kept_where(xp, keep, values):
    """`values` where `keep`, else 0: the bits of the values, read as an integer, times 1 or 0.

    Ten times as fast as a choice that the processor cannot foresee.
    """
    return xp.multiply(values.view(_INTEGERS[values.itemsize]), keep).view(values.dtype)


# -- relu and threshold


def relu(self):
    """self where it is positive, else 0."""
    if self.dtype.category == BOOL:
        raise TorchError("Boolean inputs not supported for relu: bool has no number below 0")
    return ops.clamp_min.default(self, 0)


def relu_(self):
    """`relu` in place."""
    if self.dtype.category == BOOL:
        raise TorchError("Boolean inputs not supported for relu: bool has no number below 0")
    return ops.clamp_min_.default(self, 0)


def relu6(self):
    """`relu`, and no more than 6."""
    return ops.hardtanh.default(self, 0, 6)


def relu6_(self):
    """`relu6` in place."""
    return ops.hardtanh_.default(self, 0, 6)


def threshold(self, threshold, value, *, out=None):
    """self where it is above `threshold`, else `value`."""
    dispatch(self.dtype, ALL_TYPES, "threshold_cpu")
    xp = array_module(self.array)
    dtype = self.dtype.numpy.type
    return unary_op(lambda x: xp.where(x <= threshold, dtype(value), x), self, out)


def threshold_backward(grad_output, self, threshold):
    """The gradient where self was above `threshold`; of relu, with threshold 0."""
    dispatch(self.dtype, ALL_TYPES, "threshold_cpu")
    xp = array_module(self.array)
    # Not x > threshold: the gradient at NaN stays.
    return pointwise(lambda grad, x: _kept_where(xp, ~(x <= threshold), grad), (grad_output, self))


def leaky_relu(self, negative_slope=0.01, *, out=None):
    """self where it is positive, else self * negative_slope."""
    xp = array_module(self.array)
    return _floating(lambda x: xp.maximum(x, 0) + xp.minimum(x, 0) * negative_slope, self, out, "leaky_relu_cpu")


def leaky_relu_(self, negative_slope=0.01):
    """`leaky_relu` in place."""
    return leaky_relu(self, negative_slope, out=self)


def leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    """The gradient, scaled where self was not positive; after an in-place call, self is the result."""
    if self_is_result and negative_slope < 0.0:
        raise TorchError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This "
            "is caused by calling in-place forward function with a negative slope, please call out-of-place version "
            "instead: the result does not tell which elements were negative."
        )
    xp = array_module(self.array)
    slope = negative_slope

    def gradient(grad, x):
        positive = x > 0
        return _kept_where(xp, positive, grad) + _kept_where(xp, ~positive, grad * slope)

    return _backward(gradient, "leaky_relu_backward_cpu", grad_output, self)


# -- hard tanh and its relatives, shrinking


def hardtanh(self, min_val=-1, max_val=1):
    """self within its limits, min_val and max_val."""
    _check_hardtanh(self, min_val, max_val)
    # Deviation: upstream makes an empty tensor and calls hardtanh.out with it, which calls clamp.out.
    return ops.clamp.default(self, min_val, max_val)


def hardtanh_(self, min_val=-1, max_val=1):
    """`hardtanh` in place."""
    return ops.hardtanh.out(self, min_val, max_val, out=self)


def hardtanh_out(self, min_val=-1, max_val=1, *, out):
    """`hardtanh` into `out`."""
    _check_hardtanh(self, min_val, max_val)
    return ops.clamp.out(self, min_val, max_val, out=out)


def _check_hardtanh(self, min_val, max_val):
    if self.dtype.category == BOOL:
        raise TorchError("Bool inputs not supported for hardtanh")
    if self.dtype is scalar_type.uint8 and (min_val < 0 or max_val < 0):
        raise TorchError("cannot do hardtanh on an unsigned type with negative limits")


def hardtanh_backward(grad_output, self, min_val, max_val):
    """The gradient where self was strictly within the limits."""
    xp = array_module(self.array)

    def gradient(grad, x):
        return _kept_where(xp, ~((x <= min_val) | (x >= max_val)), grad)

    return _backward(gradient, "hardshrink_backward_cpu", grad_output, self)


def hardsigmoid(self, *, out=None):
    """A sigmoid of straight lines: (self + 3) / 6 within 0 and 1."""
    xp = array_module(self.array)
    return _floating(lambda x: xp.clip(x + 3, 0, 6) / 6, self, out, "hardsigmoid_cpu")


def hardsigmoid_backward(grad_output, self):
    """A sixth of the gradient where the line slopes."""
    xp = array_module(self.array)

    def gradient(grad, x):
        return xp.where((x > -3) & (x < 3), grad * (1 / 6), grad.dtype.type(0))

    return _backward(gradient, "hardsigmoid_backward", grad_output, self)


def hardswish(self, *, out=None):
    """self * hardsigmoid(self)."""
    xp = array_module(self.array)
    return _floating(lambda x: x * xp.clip(x + 3, 0, 6) / 6, self, out, "hardswish_cpu")


def hardswish_(self):
    """`hardswish` in place."""
    return hardswish(self, out=self)


def hardswish_backward(grad_output, self):
    """0 below -3, the gradient above 3, in between grad * (self / 3 + 1 / 2)."""
    xp = array_module(self.array)

    def gradient(grad, x):
        inner = xp.where(x < 3, grad * (x / 3 + 0.5), grad)
        return xp.where(x <= -3, grad.dtype.type(0), inner)

    return _backward(gradient, "hardswish_backward_cpu", grad_output, self)


def hardshrink(self, lambd=0.5, *, out=None):
    """0 within -lambd and lambd, self outside."""
    xp = array_module(self.array)

    def shrink(x):
        return xp.where((x >= -lambd) & (x <= lambd), x.dtype.type(0), x)

    return _floating(shrink, self, out, "hardshrink_cpu")


def hardshrink_backward(grad_out, self, lambd):
    """The gradient outside of -lambd and lambd."""
    return _shrink_backward(grad_out, self, lambd)


def softshrink(self, lambd=0.5, *, out=None):
    """self moved by lambd towards 0, and 0 within -lambd and lambd."""
    if lambd < 0:
        limit = float(ml_dtypes.finfo(self.array.dtype).max)
        raise TorchError(
            f"lambda must be in range [0, {limit:g}] for input dtype {self.dtype.cpp_name}, but found {lambd:g}"
        )
    xp = array_module(self.array)

    def shrink(x):
        # x * 0 and not 0: NaN stays NaN.
        return xp.where(x > lambd, x - lambd, xp.where(x < -lambd, x + lambd, x * 0))

    return _floating(shrink, self, out, "softshrink_cpu")


def softshrink_backward(grad_output, self, lambd):
    """The gradient outside of -lambd and lambd."""
    return _shrink_backward(grad_output, self, lambd)


def _shrink_backward(grad_output, self, lambd):
    xp = array_module(self.array)

    def gradient(grad, x):
        return _kept_where(xp, ~((x >= -lambd) & (x <= lambd)), grad)

    return _backward(gradient, "shrink_backward_cpu", grad_output, self)


# -- elu and its relatives


def elu(self, alpha=1, scale=1, input_scale=1, *, out=None):
    """scale * self above 0, else scale * alpha * (exp(input_scale * self) - 1)."""
    xp = array_module(self.array)

    def function(x):
        return xp.where(x <= 0, xp.expm1(x * input_scale) * (alpha * scale), x * scale)

    return _floating(function, self, out, "elu_cpu")


def elu_(self, alpha=1, scale=1, input_scale=1):
    """`elu` in place."""
    return elu(self, alpha, scale, input_scale, out=self)


def elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result):
    """The gradient, from self or from the result: exp(x) is the result plus its lower limit."""
    if is_result and alpha < 0.0:
        raise TorchError(
            "In-place elu backward calculation is triggered with a negative slope which is not supported. This is "
            "caused by calling in-place forward function with a negative slope, please call out-of-place version "
            "instead."
        )
    xp = array_module(self_or_result.array)
    negative = alpha * scale

    def gradient(grad, x):
        below = input_scale * (x + negative) if is_result else input_scale * negative * xp.exp(x * input_scale)
        return xp.where(x <= 0, grad * below, grad * scale)

    return _backward(gradient, "elu_backward_cpu", grad_output, self_or_result)


def selu(self):
    """elu with the alpha and scale that keep mean 0 and variance 1 from layer to layer."""
    return ops.elu.default(self, SELU_ALPHA, SELU_SCALE)


def selu_(self):
    """`selu` in place."""
    return ops.elu_.default(self, SELU_ALPHA, SELU_SCALE)


def celu(self, alpha=1.0):
    """elu whose slope has no step at 0, whatever alpha."""
    return ops.elu.default(self, alpha, 1.0, _inverse_alpha(alpha))


def celu_(self, alpha=1.0):
    """`celu` in place."""
    return ops.elu_.default(self, alpha, 1.0, _inverse_alpha(alpha))


def _inverse_alpha(alpha):
    if alpha == 0:
        raise TorchError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return 1.0 / alpha


# -- smooth curves


def gelu(self, *, approximate="none", out=None):
    """self times the normal distribution's cumulative function, or ("tanh") a formula close to it."""
    _check_approximate(approximate)
    xp = array_module(self.array)
    if approximate == "tanh":
        return _floating(lambda x: 0.5 * x * (1 + xp.tanh(_gelu_inner(x))), self, out, "GeluKernelImpl")
    return _floating(lambda x: x * _normal_cdf(xp, x), self, out, "GeluKernelImpl")


def gelu_(self, *, approximate="none"):
    """`gelu` in place."""
    return gelu(self, approximate=approximate, out=self)


def gelu_backward(grad_output, self, *, approximate="none"):
    """grad * (cdf(self) + self * pdf(self)), or the derivative of the formula with tanh."""
    _check_approximate(approximate)
    xp = array_module(self.array)

    def exact(grad, x):
        cumulative = _normal_cdf(xp, x)
        density = xp.exp(x * x * -0.5) * ONE_OVER_SQRT_TWO_PI
        return grad * (cumulative + x * density)

    def by_tanh(grad, x):
        tanh = xp.tanh(_gelu_inner(x))
        inner_slope = SQRT_TWO_OVER_PI * (1 + 3 * GELU_CUBIC * x * x)
        return grad * (0.5 * (1 + tanh) + 0.5 * x * (1 - tanh * tanh) * inner_slope)

    gradient = by_tanh if approximate == "tanh" else exact
    return _backward(gradient, "GeluBackwardKernelImpl", grad_output, self)


def _normal_cdf(xp, x):
    """How much of the normal distribution lies below x."""
    erfc = math.erfc_single if x.dtype == "float32" else math.erfc
    return 0.5 * erfc(xp, x * -SQRT_HALF)


def _gelu_inner(x):
    return SQRT_TWO_OVER_PI * (x + GELU_CUBIC * x * x * x)


def _check_approximate(approximate):
    if approximate not in ("none", "tanh"):
        raise TorchError(f"approximate argument must be either none or tanh, but got {approximate!r}.")


def silu(self, *, out=None):
    """self * sigmoid(self)."""
    xp = array_module(self.array)
    return _floating(lambda x: x / (1 + xp.exp(-x)), self, out, "silu_cpu")


def silu_backward(grad_output, self):
    """grad * s * (1 + self * (1 - s)), with s the sigmoid of self."""
    xp = array_module(self.array)

    def gradient(grad, x):
        sigmoid = 1 / (1 + xp.exp(-x))
        return grad * sigmoid * (1 + x * (1 - sigmoid))

    return _backward(gradient, "silu_backward_cpu", grad_output, self)


def math_silu_backward(grad_output, self):
    """`silu_backward` of operators that have derivatives."""
    input_sigmoid = ops.sigmoid.default(self)
    slope = ops.add.Scalar(ops.mul.Tensor(self, ops.rsub.Scalar(input_sigmoid, 1)), 1)
    return ops.mul.Tensor(grad_output, ops.mul.Tensor(input_sigmoid, slope))


def mish(self, *, out=None):
    """self * tanh(softplus(self))."""
    xp = array_module(self.array)
    return _floating(lambda x: x * xp.tanh(xp.log1p(xp.exp(x))), self, out, "mish_cpu")


def mish_backward(grad_output, self):
    """grad * (t + self * s * (1 - t * t)), with t = tanh(softplus(self)) and s = sigmoid(self)."""
    xp = array_module(self.array)

    def gradient(grad, x):
        sigmoid = 1 / (1 + xp.exp(-x))
        tanh = xp.tanh(xp.log1p(xp.exp(x)))
        return grad * (tanh + x * sigmoid * (1 - tanh * tanh))

    return _backward(gradient, "mish_backward_cpu", grad_output, self)


def math_mish_backward(grad_output, self):
    """`mish_backward` of operators that have derivatives."""
    input_tanh_softplus = ops.tanh.default(ops.softplus.default(self))
    input_sigmoid = ops.sigmoid.default(self)
    rest = ops.rsub.Scalar(ops.mul.Tensor(input_tanh_softplus, input_tanh_softplus), 1)
    curved = ops.mul.Tensor(ops.mul.Tensor(self, input_sigmoid), rest)
    return ops.mul.Tensor(grad_output, ops.add.Tensor(input_tanh_softplus, curved))


def softplus(self, beta=1, threshold=20, *, out=None):
    """log(1 + exp(beta * self)) / beta; self where beta * self is above `threshold`, which is the same there."""
    xp = array_module(self.array)

    def function(x):
        return xp.where(x * beta > threshold, x, xp.log1p(xp.exp(x * beta)) / beta)

    return _floating(function, self, out, "softplus_cpu")


def softplus_backward(grad_output, self, beta, threshold):
    """grad * sigmoid(beta * self)."""
    xp = array_module(self.array)

    def gradient(grad, x):
        power = xp.exp(x * beta)
        return xp.where(x * beta > threshold, grad, grad * power / (power + 1))

    return _backward(gradient, "softplus_backward_cpu", grad_output, self)


def log_sigmoid(self):
    """log(sigmoid(self)), without the logarithm of a rounded 0."""
    return ops.log_sigmoid_forward.default(self)[0]


def log_sigmoid_forward(self):
    """The result, and exp(-|self|), which the gradient needs."""
    dispatch(self.dtype, FLOATING_TYPES, "log_sigmoid_cpu")
    xp = array_module(self.array)
    buffer = unary_op(lambda x: xp.exp(-xp.abs(x)), self, opmath=True)
    output = unary_op(lambda x: xp.minimum(x, 0) - xp.log1p(xp.exp(-xp.abs(x))), self, opmath=True)
    return make_tensor(contiguous(output.array)), make_tensor(contiguous(buffer.array))


def log_sigmoid_backward(grad_output, self, buffer):
    """grad * (1 - sigmoid(self)), by way of the buffer."""
    xp = array_module(self.array)

    def gradient(grad, x, kept):
        below = x < 0
        sign = xp.where(below, x.dtype.type(1), x.dtype.type(-1))
        return grad * (below - sign * (kept / (1 + kept)))

    return _backward(gradient, "log_sigmoid_backward_cpu", grad_output, self, buffer)


# -- activations with a second tensor


def prelu(self, weight):
    """self where it is positive, else self times a slope that is learned, one or one a channel (dimension 1)."""
    if self.dtype is not weight.dtype:
        raise TorchError(
            f"prelu: Type promoting not supported. Got {self.dtype.cpp_name} and {weight.dtype.cpp_name}"
        )
    if weight.array.size != 1:
        _check_prelu_channels(self, weight)
    ndim = self.array.ndim
    if weight.array.ndim > 1:
        raise TorchError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.array.ndim}")
    # weight with as many dimensions as self: (1, C, 1, 1)
    if ndim != weight.array.ndim:
        sizes = [1] * ndim
        if ndim > 1:
            sizes[1] = weight.array.size
        weight = ops.reshape.default(weight, sizes)
    return ops._prelu_kernel.default(self, weight)


def _check_prelu_channels(self, weight):
    ndim = self.array.ndim
    if ndim == 0:
        raise TorchError("Not allow zero-dim input tensor.")
    channels = self.array.shape[1] if ndim > 1 else 1
    if channels != weight.array.size:
        raise TorchError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.array.size} "
            f"and channel size = {channels}."
        )


def _prelu_kernel(self, weight):
    """The kernel of prelu; weight broadcasts."""
    dispatch(self.dtype, FLOATING_TYPES, "prelu_cpu")
    xp = array_module(self.array)
    return pointwise(lambda x, w: xp.where(x > 0, x, w * x), (self, weight), opmath=True)


def _prelu_kernel_backward(grad_output, self, weight):
    """The gradients of self and of weight, the latter not yet summed over what weight was broadcast to."""
    xp = array_module(self.array)

    def of_self(grad, x, w):
        return xp.where(x > 0, grad, w * grad)

    def of_weight(grad, x):
        return xp.where(x > 0, grad.dtype.type(0), x * grad)

    grad_self = _backward(of_self, "prelu_backward_cpu", grad_output, self, weight)
    return grad_self, _backward(of_weight, "prelu_backward_cpu", grad_output, self)


def rrelu(self, lower=0.125, upper=0.33333333333333331, training=False, generator=None):
    """leaky_relu with a slope drawn for each element in training, else with the middle one."""
    _check_rrelu(lower, upper)
    noise = ops.empty_like.default(self)
    return ops.rrelu_with_noise.default(self, noise, lower, upper, training, generator)


def rrelu_(self, lower=0.125, upper=0.33333333333333331, training=False, generator=None):
    """`rrelu` in place."""
    _check_rrelu(lower, upper)
    noise = ops.empty_like.default(self)
    return ops.rrelu_with_noise_.default(self, noise, lower, upper, training, generator)


def _check_rrelu(lower, upper):
    if lower > upper:
        raise TorchError(f"Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}")


def rrelu_with_noise(self, noise, lower=0.125, upper=0.33333333333333331, training=False, generator=None, *, out=None):
    """The kernel of rrelu; `noise` receives the slopes, 1 where self is positive."""
    if noise.array.shape != self.array.shape:
        raise TorchError(
            f"noise tensor shape must match self tensor shape. Got self.shape = {list(self.array.shape)} "
            f"noise.shape = {list(noise.array.shape)}"
        )
    if not training:
        return leaky_relu(self, (lower + upper) / 2, out=out)
    dispatch(self.dtype, (*FULL_FLOATING_TYPES, scalar_type.bfloat16), "rrelu_with_noise_out_cpu")
    xp = array_module(self.array)
    _fill_slopes(xp, self, noise, lower, upper, generator)
    result = quietly(lambda: self.array * noise.array)
    return finish(result, out, (self,))


def rrelu_with_noise_(self, noise, lower=0.125, upper=0.33333333333333331, training=False, generator=None):
    """`rrelu_with_noise` in place."""
    return rrelu_with_noise(self, noise, lower, upper, training, generator, out=self)


def _fill_slopes(xp, self, noise, lower, upper, generator):
    """1 where self is positive; elsewhere a draw, one after the other in the order of the elements."""
    flat = self.array.reshape(-1)
    below = flat <= 0
    places = xp.nonzero(below)[0]  # D2H: as many draws as upstream's CPU kernel makes, on the host
    draws = ops.empty.memory_format((places.size,), dtype=scalar_type.float64, device=self.device)
    ops.uniform_.default(draws, lower, upper, generator=generator)
    slopes = xp.ones(flat.shape, flat.dtype)
    slopes[places] = draws.array.astype(flat.dtype)
    noise.array[...] = slopes.reshape(self.array.shape)


def rrelu_with_noise_backward(grad_output, self, noise, lower, upper, training, self_is_result):
    """The gradient times the slopes of the forward call."""
    # With so narrow a range every slope is the middle one.
    if training and upper - lower > 1e-6:
        return ops.mul.Tensor(noise, grad_output)
    return ops.leaky_relu_backward.default(grad_output, self, (lower + upper) / 2, self_is_result)


def glu(self, dim=-1, *, out=None):
    """The first half along `dim` times the sigmoid of the second half."""
    xp = array_module(self.array)
    first, second = _halves(self, dim)
    dispatch(self.dtype, FLOATING_TYPES, "glu_cpu")
    return pointwise(lambda a, b: a / (1 + xp.exp(-b)), (first, second), out, opmath=True)


def glu_backward(grad_output, self, dim):
    """The gradients of both halves, side by side along `dim`."""
    xp = array_module(self.array)
    first, second = _halves(self, dim)

    def of_first(grad, b):
        return grad / (1 + xp.exp(-b))

    def of_second(grad, a, b):
        sigmoid = 1 / (1 + xp.exp(-b))
        return (1 - sigmoid) * sigmoid * grad * a

    grads = (
        _backward(of_first, "glu_backward_cpu", grad_output, second),
        _backward(of_second, "glu_backward_cpu", grad_output, first, second),
    )
    return make_tensor(xp.concatenate([grad.array for grad in grads], maybe_wrap_dim(dim, self.array.ndim)))


def _halves(self, dim):
    if self.array.ndim == 0:
        raise TorchError("glu does not support 0-dimensional tensors")
    dim = maybe_wrap_dim(dim, self.array.ndim)
    size = self.array.shape[dim]
    if size % 2:
        raise TorchError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    front = (slice(None),) * dim
    first = make_tensor(self.array[(*front, slice(0, size // 2))])
    return first, make_tensor(self.array[(*front, slice(size // 2, size))])


# -- from the result alone


def sigmoid_backward(grad_output, output):
    """grad * (1 - output) * output."""
    check_same_device(grad_output, output)
    return pointwise(lambda grad, y: grad * (1 - y) * y, (grad_output, output), opmath=True)


def tanh_backward(grad_output, output):
    """grad * (1 - output * output)."""
    check_same_device(grad_output, output)
    return pointwise(lambda grad, y: grad * (1 - y * y), (grad_output, output), opmath=True)

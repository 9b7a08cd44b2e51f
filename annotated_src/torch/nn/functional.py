"""torch.nn.functional: layers as functions, without weights of their own. Retells torch/nn/functional.py.

Three kinds of names, in upstream's order:

    conv1d, linear, gelu ...         operators, under this name too
    dropout, embedding, cross_entropy ...   a check of the arguments, words turned into numbers, then one operator
    softmin, normalize, gumbel_softmax ...  a few operators in a row

Left out: `__torch_function__`, TorchScript's overloads, ctc_loss, linear_cross_entropy, pdist, scaled_mm, grouped_mm,
fractional_max_pool, max_unpool, channel_shuffle, grid_sample, antialiasing.
"""

import math
import warnings

import numpy

from annotated_src import torch
from annotated_src.torch._C import _nn
from annotated_src.torch._C import _VariableFunctions as _VF
from annotated_src.torch._jit_internal import boolean_dispatch
from annotated_src.torch.nn import _reduction as _Reduction
from annotated_src.torch.nn.modules.utils import _list_with_default, _pair, _triple

# -- convolutions

conv1d = _VF.conv1d
conv2d = _VF.conv2d
conv3d = _VF.conv3d
conv_transpose1d = _VF.conv_transpose1d
conv_transpose2d = _VF.conv_transpose2d
conv_transpose3d = _VF.conv_transpose3d

# -- poolings

avg_pool1d = _VF.avg_pool1d
avg_pool2d = _nn.avg_pool2d
avg_pool3d = _nn.avg_pool3d


def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The maximum of each window of (N, C, L) or (C, L), and its place.

    >>> from annotated_src import torch
    >>> torch.nn.functional.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[3., 2.]])
    """
    if stride is None:
        stride = []
    return torch.max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if stride is None:
        stride = []
    return torch.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool1d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=6,
    default=False,
    if_true=max_pool1d_with_indices,
    if_false=_max_pool1d,
    module_name=__name__,
    func_name="max_pool1d",
)


def max_pool2d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The maximum of each window of (N, C, H, W) or (C, H, W), and its place."""
    if stride is None:
        stride = []
    return _nn.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if stride is None:
        stride = []
    return torch.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool2d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=6,
    default=False,
    if_true=max_pool2d_with_indices,
    if_false=_max_pool2d,
    module_name=__name__,
    func_name="max_pool2d",
)


def max_pool3d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The maximum of each window of (N, C, D, H, W) or (C, D, H, W), and its place."""
    if stride is None:
        stride = []
    return _nn.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if stride is None:
        stride = []
    return torch.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)


max_pool3d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=6,
    default=False,
    if_true=max_pool3d_with_indices,
    if_false=_max_pool3d,
    module_name=__name__,
    func_name="max_pool3d",
)


def _lp_pool_of_infinity(max_pool, input, norm_type, kernel_size, stride, ceil_mode):
    """The norm for p = inf is the largest magnitude, for p = -inf the smallest."""
    sign = 1 if norm_type > 0 else -1
    largest = max_pool(input.abs() * sign, kernel_size, stride, 0, 1, ceil_mode)
    return largest * sign


def _root_of_sums(mean, norm_type, count):
    """(mean * count) ** (1 / p), where a window's sum is not negative; else 0."""
    return (torch.sign(mean) * relu(torch.abs(mean))).mul(count).pow(1.0 / norm_type)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, D, H, W) or (C, D, H, W)."""
    kd, kw, kh = _triple(kernel_size)
    if abs(norm_type) == math.inf:
        return _lp_pool_of_infinity(max_pool3d, input, norm_type, kernel_size, stride, ceil_mode)
    out = avg_pool3d(input.pow(norm_type), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return _root_of_sums(out, norm_type, kd * kw * kh)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, H, W) or (C, H, W)."""
    kw, kh = _pair(kernel_size)
    if abs(norm_type) == math.inf:
        return _lp_pool_of_infinity(max_pool2d, input, norm_type, kernel_size, stride, ceil_mode)
    out = avg_pool2d(input.pow(norm_type), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return _root_of_sums(out, norm_type, kw * kh)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of (N, C, L) or (C, L)."""
    if abs(norm_type) == math.inf:
        return _lp_pool_of_infinity(max_pool1d, input, norm_type, kernel_size, stride, ceil_mode)
    out = avg_pool1d(input.pow(norm_type), kernel_size, [] if stride is None else stride, 0, ceil_mode)
    return _root_of_sums(out, norm_type, kernel_size)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """The maximum of each of `output_size` windows of (N, C, L) or (C, L), and its place."""
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(input, output_size, return_indices=False):
    return adaptive_max_pool1d_with_indices(input, output_size)[0]


adaptive_max_pool1d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=2,
    default=False,
    if_true=adaptive_max_pool1d_with_indices,
    if_false=_adaptive_max_pool1d,
    module_name=__name__,
    func_name="adaptive_max_pool1d",
)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """The maximum of each of `output_size` windows of (N, C, H, W) or (C, H, W), and its place."""
    output_size = _list_with_default(output_size, input.size())
    return _nn.adaptive_max_pool2d(input, output_size)


def _adaptive_max_pool2d(input, output_size, return_indices=False):
    return adaptive_max_pool2d_with_indices(input, output_size)[0]


adaptive_max_pool2d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=2,
    default=False,
    if_true=adaptive_max_pool2d_with_indices,
    if_false=_adaptive_max_pool2d,
    module_name=__name__,
    func_name="adaptive_max_pool2d",
)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """The maximum of each of `output_size` windows of (N, C, D, H, W) or (C, D, H, W), and its place."""
    output_size = _list_with_default(output_size, input.size())
    return _nn.adaptive_max_pool3d(input, output_size)


def _adaptive_max_pool3d(input, output_size, return_indices=False):
    return adaptive_max_pool3d_with_indices(input, output_size)[0]


adaptive_max_pool3d = boolean_dispatch(
    arg_name="return_indices",
    arg_index=2,
    default=False,
    if_true=adaptive_max_pool3d_with_indices,
    if_false=_adaptive_max_pool3d,
    module_name=__name__,
    func_name="adaptive_max_pool3d",
)

adaptive_avg_pool1d = _VF.adaptive_avg_pool1d


def adaptive_avg_pool2d(input, output_size):
    """The mean of each of `output_size` windows of (N, C, H, W) or (C, H, W); None leaves a size as it is."""
    _output_size = _list_with_default(output_size, input.size())
    return _nn.adaptive_avg_pool2d(input, _output_size)


def adaptive_avg_pool3d(input, output_size):
    """The mean of each of `output_size` windows of (N, C, D, H, W) or (C, D, H, W); None leaves a size as it is."""
    _output_size = _list_with_default(output_size, input.size())
    return _nn.adaptive_avg_pool3d(input, _output_size)

# -- dropout


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input, p=0.5, training=True, inplace=False):
    """Elements set to 0 with probability p, the others divided by 1 - p. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.dropout(torch.ones(3), training=False)
    tensor([1., 1., 1.])
    """
    _check_probability(p)
    return _VF.dropout_(input, p, training) if inplace else _VF.dropout(input, p, training)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean and variance: dropped elements become selu's lower limit."""
    _check_probability(p)
    return _VF.alpha_dropout_(input, p, training) if inplace else _VF.alpha_dropout(input, p, training)


def _feature_dropout(input, p, training, inplace):
    return _VF.feature_dropout_(input, p, training) if inplace else _VF.feature_dropout(input, p, training)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (N, C, L) or (C, L) set to 0. RuntimeError for other shapes."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {inp_dim}D input. Channels are what it drops: give it "
            "(N, C, L), or (C, L) for a single sample."
        )
    is_batched = inp_dim == 3
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _feature_dropout(input, p, training, inplace)
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (N, C, H, W) set to 0; a warning for other shapes."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {inp_dim}-D input to dropout2d, which is deprecated and will result in an error in "
            "a future release. It drops whole channels of 3D or 4D inputs; dropout drops single elements of any input.",
            stacklevel=2,
        )
    if inp_dim == 3:
        # So it was before inputs without a batch were a thing, and so it stays for now.
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
            "desired: (N, C, L). A future release will read it as (C, H, W). For (N, C, L) use dropout1d.",
            stacklevel=2,
        )
    return _feature_dropout(input, p, training, inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (N, C, D, H, W) or (C, D, H, W) set to 0; a warning for other shapes."""
    _check_probability(p)
    inp_dim = input.dim()
    if inp_dim not in (4, 5):
        warnings.warn(
            f"dropout3d: Received a {inp_dim}-D input to dropout3d, which is deprecated and will result in an error in "
            "a future release. It drops whole channels of 4D or 5D inputs; dropout drops single elements of any input.",
            stacklevel=2,
        )
    is_batched = inp_dim == 5
    if not is_batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _feature_dropout(input, p, training, inplace)
    if not is_batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """alpha_dropout of whole channels."""
    _check_probability(p)
    if inplace:
        return _VF.feature_alpha_dropout_(input, p, training)
    return _VF.feature_alpha_dropout(input, p, training)


# -- activations


def _threshold(input, threshold, value, inplace=False):
    """input where it is above `threshold`, else `value`. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.threshold(torch.tensor([0.1, 3.0]), 1.0, -1.0)
    tensor([-1.,  3.])
    """
    return _VF.threshold_(input, threshold, value) if inplace else _VF.threshold(input, threshold, value)


# Under another name, because an argument is called `threshold`.
threshold = _threshold
threshold_ = _VF.threshold_


def relu(input, inplace=False):
    """input where it is positive, else 0. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return torch.relu_(input) if inplace else torch.relu(input)


relu_ = torch.relu_


def glu(input, dim=-1):
    """The first half along `dim` times the sigmoid of the second. RuntimeError without dimensions."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even: a scalar has no halves")
    return _nn.glu(input, dim)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """input within min_val and max_val. ValueError if they are in the wrong order."""
    if min_val > max_val:
        raise ValueError(f"min_val cannot be greater than max_val, but got {min_val} and {max_val}")
    return _nn.hardtanh_(input, min_val, max_val) if inplace else _nn.hardtanh(input, min_val, max_val)


hardtanh_ = _nn.hardtanh_


def relu6(input, inplace=False):
    """relu, and no more than 6."""
    return _nn.relu6_(input) if inplace else _nn.relu6(input)


def elu(input, alpha=1.0, inplace=False):
    """input where it is positive, else alpha * (exp(input) - 1)."""
    return _nn.elu_(input, alpha) if inplace else _nn.elu(input, alpha)


elu_ = _nn.elu_


def selu(input, inplace=False):
    """elu, scaled so that mean 0 and variance 1 stay from layer to layer."""
    return torch.selu_(input) if inplace else torch.selu(input)


selu_ = torch.selu_


def celu(input, alpha=1.0, inplace=False):
    """elu whose slope has no step at 0, whatever alpha."""
    return torch.celu_(input, alpha) if inplace else torch.celu(input, alpha)


celu_ = torch.celu_


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """input where it is positive, else input * negative_slope."""
    return _nn.leaky_relu_(input, negative_slope) if inplace else _nn.leaky_relu(input, negative_slope)


leaky_relu_ = _nn.leaky_relu_
prelu = torch.prelu


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """leaky_relu with a random slope for each element in training, else with the middle one."""
    return torch.rrelu_(input, lower, upper, training) if inplace else torch.rrelu(input, lower, upper, training)


rrelu_ = torch.rrelu_
logsigmoid = _nn.log_sigmoid
gelu = _nn.gelu
hardshrink = torch.hardshrink


def tanhshrink(input):
    """input - tanh(input)."""
    return input - input.tanh()


def softsign(input):
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


softplus = _nn.softplus


def _get_softmax_dim(name, ndim, stacklevel):
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax of -input."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(input) / sum(exp(input)) along `dim`. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.softmax(torch.zeros(4), dim=0)
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A random point of the simplex, likely near large logits; `hard`: a one-hot row with the soft gradient."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = torch.empty_like(logits, memory_format=torch.contiguous_format)
    gumbels = -noise.exponential_().log()
    gumbels = (logits + gumbels) / tau
    y_soft = gumbels.softmax(dim)
    if not hard:
        return y_soft
    index = y_soft.max(dim, keepdim=True)[1]
    y_hard = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, index, 1.0)
    # In value y_hard, in gradient y_soft: the rest cancels.
    return y_hard - y_soft.detach() + y_soft


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(input)) along `dim`, without the logarithm of a rounded 0."""
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


softshrink = _nn.softshrink


def tanh(input):
    """The hyperbolic tangent."""
    return input.tanh()


def sigmoid(input):
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def hardsigmoid(input, inplace=False):
    """A sigmoid of straight lines."""
    return _nn.hardsigmoid_(input) if inplace else _nn.hardsigmoid(input)


linear = _nn.linear
bilinear = torch.bilinear


def silu(input, inplace=False):
    """input * sigmoid(input)."""
    return _nn.silu_(input) if inplace else _nn.silu(input)


def mish(input, inplace=False):
    """input * tanh(softplus(input))."""
    return _nn.mish_(input) if inplace else _nn.mish(input)


def hardswish(input, inplace=False):
    """input * hardsigmoid(input)."""
    return _nn.hardswish_(input) if inplace else _nn.hardswish(input)


# -- embeddings


def _no_grad_embedding_renorm_(weight, input, max_norm, norm_type):
    torch.embedding_renorm_(weight.detach(), input, max_norm, norm_type)


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    """The rows of `weight` (V, D) that the indices name: (...) -> (..., D). Upstream: torch/nn/functional.py.

    With max_norm the rows are first scaled down in place. AssertionError for a padding_idx that is not a row.

    >>> from annotated_src import torch
    >>> torch.nn.functional.embedding(torch.tensor([1, 1]), torch.eye(2))
    tensor([[0., 1.],
            [0., 1.]])
    """
    padding_idx = -1 if padding_idx is None else _row_of_padding(padding_idx, weight)
    if max_norm is not None:
        # embedding_renorm_ reads the indices one after the other.
        input = input.contiguous()
        _no_grad_embedding_renorm_(weight, input, max_norm, norm_type)
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _row_of_padding(padding_idx, weight):
    rows = weight.size(0)
    if not -rows <= padding_idx < max(rows, 1):
        raise AssertionError(f"Padding_idx must be within num_embeddings, but {padding_idx} is not: there are {rows}")
    return padding_idx if padding_idx >= 0 else rows + padding_idx


def embedding_bag(
    input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
    per_sample_weights=None, include_last_offset=False, padding_idx=None,
):  # fmt: skip
    """Sums, means or maxima of bags of rows of `weight`: indices (B, N), or (L) with offsets (B) -> (B, D).

    ValueError for shapes and modes that do not go together. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), torch.eye(2), mode="sum")
    tensor([[1., 1.]])
    """
    if weight.dtype == torch.long and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
            "deprecated: write `embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "
            f"same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    ndim = input.dim()
    if ndim == 2:
        offsets, include_last_offset = _offsets_of_rows(input, offsets), False
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    elif ndim != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {ndim}")
    elif offsets is None or offsets.dim() != 1:
        found = "None" if offsets is None else f"{offsets.dim()} dimensions"
        raise ValueError(f"offsets has to be a 1D Tensor but got {found}")
    mode_enum = _mode_of_bag(mode, scale_grad_by_freq, sparse)
    if max_norm is not None:
        _no_grad_embedding_renorm_(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}')."
        )
    ret, _, _, _ = torch.embedding_bag(
        weight, input, offsets, scale_grad_by_freq, mode_enum, sparse, per_sample_weights, include_last_offset,
        padding_idx,
    )  # fmt: skip
    return ret


def _offsets_of_rows(input, offsets):
    """Every row is a bag."""
    if offsets is not None:
        raise ValueError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
            f"sequences. However, found offsets of type {type(offsets)}"
        )
    return torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)


def _mode_of_bag(mode, scale_grad_by_freq, sparse):
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"mode has to be one of sum, mean or max, but got {mode!r}")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    return ("sum", "mean", "max").index(mode)


# -- losses


def _reduction_enum(size_average, reduce, reduction):
    if size_average is not None or reduce is not None:
        return _Reduction.legacy_get_enum(size_average, reduce)
    return _Reduction.get_enum(reduction)


def nll_loss(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
):
    """Minus the log probability of the target's class: (N, C, ...) with classes (N, ...)."""
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    return _nn.nll_loss_nd(input, target, weight, _Reduction.get_enum(reduction), ignore_index)


def _check_reduction(reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction; choose 'none', 'mean' or 'sum'")


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    """The negative log likelihood of counts with rate exp(input), or input if log_input is off."""
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    _check_reduction(reduction)
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _Reduction.get_enum(reduction))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative log likelihood of a normal distribution with mean input and variance var, a tensor or a float."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError(f"var has negative entry/entries: {var}")
        var = var * torch.ones_like(input)
    elif torch.any(var < 0):  # D2H: upstream looks, too
        raise ValueError("var has negative entry/entries; a variance is never negative")
    if var.size() != input.size():
        var = _variance_beside(var, input)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid; choose 'none', 'mean' or 'sum'")
    # The copy is clamped without a record: the gradient goes past the clamp.
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def _variance_beside(var, input):
    """The variance of a sample, (N) or (N, 1), so that it broadcasts beside (N, D)."""
    if input.size()[:-1] == var.size():
        return torch.unsqueeze(var, -1)
    if input.ndim == var.ndim and sum(y for x, y in zip(input.size(), var.size(), strict=True) if x != y) == 1:
        return var
    raise ValueError(f"var is of incorrect size: {tuple(var.size())} beside an input of {tuple(input.size())}")


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """target * (log(target) - input), input being log probabilities; "batchmean" divides the sum by the batch size."""
    if size_average is not None or reduce is not None:
        reduction_enum = _Reduction.legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(
                "reduction: 'mean' divides the total loss by both the batch size and the support size. 'batchmean' "
                "divides only by the batch size, as the KL divergence is defined; 'mean' is to become that as well.",
                stacklevel=2,
            )
        reduction_enum = _Reduction.get_enum("sum" if reduction == "batchmean" else reduction)
    reduced = torch.kl_div(input, target, reduction_enum, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        reduced = reduced / input.size()[0]
    return reduced


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    """The cross entropy of scores (N, C, ...) with classes (N, ...) or probabilities (N, C, ...).

    Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    return _nn.cross_entropy_loss(
        input, target, weight, _Reduction.get_enum(reduction), ignore_index, label_smoothing
    )


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The cross entropy of probabilities. ValueError where input and target differ in shape."""
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated."
            " Please ensure they have the same size: target.reshape(input.shape) or input.squeeze()."
        )
    if weight is not None:
        new_size = torch.broadcast_shapes(target.size(), weight.size())
        weight = weight.expand(new_size)
    return _nn.binary_cross_entropy(input, target, weight, reduction_enum)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """binary_cross_entropy of sigmoid(input). ValueError where input and target differ in shape."""
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction_enum)


def _warn_of_sizes(input, target):
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def _check_weights(weight, input):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _invalid_reduction(reduction):
    return ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """A parabola where |input - target| < beta, |input - target| - beta / 2 outside."""
    _warn_of_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return _nn.l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))
    return _nn.smooth_l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """A parabola where |input - target| <= delta, delta * (|input - target| - delta / 2) outside."""
    _warn_of_sizes(input, target)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _nn.huber_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), delta)
    _check_weights(weight, input)
    unweighted_loss = _nn.huber_loss(expanded_input, expanded_target, _Reduction.get_enum("none"), delta)
    weighted_loss = unweighted_loss * weight
    if reduction == "none":
        return weighted_loss
    if reduction == "sum":
        return torch.sum(weighted_loss)
    if reduction == "mean":
        return weighted_loss.mean()
    raise _invalid_reduction(reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """|input - target|; with weights their weighted mean."""
    _warn_of_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _nn.l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))
    _check_weights(weight, input)
    absolute_errors = torch.abs(expanded_input - expanded_target)
    return _weighted(absolute_errors, weight, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """(input - target) ** 2; with weights their weighted mean. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    _warn_of_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _nn.mse_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))
    _check_weights(weight, input)
    squared_errors = torch.pow(expanded_input - expanded_target, 2)
    return _weighted(squared_errors, weight, reduction)


def _weighted(errors, weight, reduction):
    weighted = errors * weight
    if reduction == "none":
        return weighted
    if reduction == "sum":
        return torch.sum(weighted)
    if reduction == "mean":
        return torch.sum(weighted) / torch.sum(weight)
    raise _invalid_reduction(reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, -target * (input1 - input2) + margin). RuntimeError where the numbers of dimensions differ."""
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return torch.margin_ranking_loss(input1, input2, target, margin, reduction_enum)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where target is 1, max(0, margin - input) where it is -1."""
    return torch.hinge_embedding_loss(input, target, margin, _reduction_enum(size_average, reduce, reduction))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """How far other classes reach into the margin of the target's classes, which end at the first -1."""
    return _nn.multilabel_margin_loss(input, target, _reduction_enum(size_average, reduce, reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * input)), with target 1 or -1."""
    return _nn.soft_margin_loss(input, target, _reduction_enum(size_average, reduce, reduction))


def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """The binary cross entropy of each class, averaged over the classes, the last dimension."""
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    # (..., C): what being in the class costs, and what not being in it costs
    inside = target * logsigmoid(input)
    outside = (1 - target) * logsigmoid(-input)
    loss = -(inside + outside)
    if weight is not None:
        loss = loss * weight
    class_dim = input.dim() - 1
    loss = loss.sum(dim=class_dim) / input.size(class_dim)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid; choose 'none', 'mean' or 'sum'")
    return _reduced(loss, reduction)


def _reduced(loss, reduction):
    """The mean or the sum as methods of the tensor, as Python's losses take them."""
    if reduction == "none":
        return loss
    return loss.mean() if reduction == "mean" else loss.sum()


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos where target is 1, max(0, cos - margin) where it is -1."""
    return torch.cosine_embedding_loss(
        input1, input2, target, margin, _reduction_enum(size_average, reduce, reduction)
    )


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """How far other classes reach into the margin of the target's class, to the power of p. ValueError for p > 2."""
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError(f"only p == 1 and p == 2 supported, but got {p}")
    if weight is not None and weight.dim() != 1:
        raise ValueError(f"weight must be one-dimensional, but got {weight.dim()} dimensions")
    return _nn.multi_margin_loss(input, target, p, margin, weight, reduction_enum)


# -- distances, classes

pairwise_distance = torch.pairwise_distance
cosine_similarity = torch.cosine_similarity
one_hot = _nn.one_hot


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    """max(0, margin + |anchor - positive| - |anchor - negative|). ValueError unless the margin is positive."""
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction_enum)


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """triplet_margin_loss with a distance of one's own."""
    _check_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_same_ndim(anchor=anchor, positive=positive, negative=negative)
    distance = torch.pairwise_distance if distance_function is None else distance_function
    dist_pos = distance(anchor, positive)
    dist_neg = distance(anchor, negative)
    if swap:
        # Whichever of the two others is the nearer negative.
        dist_neg = torch.minimum(dist_neg, distance(positive, negative))
    loss = torch.clamp_min(margin + dist_pos - dist_neg, 0)
    if reduction == "none":
        return loss
    return torch.mean(loss) if reduction == "mean" else torch.sum(loss)


def _check_same_ndim(**tensors):
    if len({tensor.ndim for tensor in tensors.values()}) > 1:
        got = ", ".join(f"{name} {tensor.ndim}D" for name, tensor in tensors.items())
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"{got}"
        )


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """input divided by its p-norm along `dim`, which counts as no less than eps. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    length = input.norm(p, dim, keepdim=True)
    # With `out` nothing is recorded, and the norm can be limited where it stands.
    length = length.clamp_min(eps) if out is None else length.clamp_min_(eps)
    denom = length.expand_as(input)
    return input / denom if out is None else torch.div(input, denom, out=out)

# -- pixels

pixel_shuffle = _VF.pixel_shuffle
pixel_unshuffle = _VF.pixel_unshuffle

# -- interpolation


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The old name of `interpolate`."""
    warnings.warn(
        "`nn.functional.upsample` is deprecated. Call `nn.functional.interpolate` with the same arguments.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode, align_corners)


def _is_integer(x):
    if isinstance(x, (int, numpy.integer)):
        return True
    return isinstance(x, torch.Tensor) and not x.is_floating_point()


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """(N, C, *sizes) with other sizes, given by `size` or by `scale_factor`. Upstream: torch/nn/functional.py.

    `mode` is nearest, nearest-exact, linear (3D), bilinear or bicubic (4D), trilinear (5D), or area.
    ValueError for contradicting arguments, NotImplementedError for a mode that the input's dimensions do not fit.

    >>> from annotated_src import torch
    >>> torch.nn.functional.interpolate(torch.tensor([[[1.0, 3.0]]]), size=4)
    tensor([[[1., 1., 3., 3.]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                f"trilinear. The mode is {mode}."
            )
    elif align_corners is None:
        align_corners = False
    dim = input.dim() - 2
    output_size, scale_factors = _size_or_scale(input, dim, size, scale_factor)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    # area knows only sizes.
    if mode == "area" and output_size is None:
        recompute_scale_factor = True
    if recompute_scale_factor:
        # The kernel will take the scale from the sizes, which are whole numbers.
        output_size = [int(input.size(i + 2) * scale_factors[i]) for i in range(dim)]
        scale_factors = None
    if antialias:
        _no_antialias(input, mode)
    return _interpolate_by_mode(input, mode, output_size, align_corners, scale_factors)


def _size_or_scale(input, dim, size, scale_factor):
    """(output_size, scale_factors): one is a list, the other None."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if not isinstance(size, (list, tuple)):
            return [size for _ in range(dim)], None
        if len(size) != dim:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and output size of {size}. An input (N, C, d1, ..., dK) takes "
                "a size (o1, ..., oK)."
            )
        if not all(_is_integer(x) for x in size):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got "
                f"size with types {[type(x) for x in size]}"
            )
        return size, None
    if scale_factor is not None:
        if not isinstance(scale_factor, (list, tuple)):
            return None, [scale_factor for _ in range(dim)]
        if len(scale_factor) != dim:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. An input "
                "(N, C, d1, ..., dK) takes factors (s1, ..., sK)."
            )
        return None, scale_factor
    raise ValueError("either size or scale_factor should be defined")


def _no_antialias(input, mode):
    if mode in ("bilinear", "bicubic", "lanczos") and input.dim() == 4:
        # Deviation: upstream has kernels for these.
        raise NotImplementedError(f"antialias=True is left out here: interpolate with mode {mode} and antialias=False")
    raise ValueError(
        "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
    )


# By the input's dimensions.
_NEAREST = {3: _nn.upsample_nearest1d, 4: _nn.upsample_nearest2d, 5: _nn.upsample_nearest3d}
_NEAREST_EXACT = {
    3: _nn._upsample_nearest_exact1d,
    4: _nn._upsample_nearest_exact2d,
    5: _nn._upsample_nearest_exact3d,
}
# The dimensions that these modes ask for.
_NEEDS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


def _interpolate_by_mode(input, mode, output_size, align_corners, scale_factors):
    ndim = input.dim()
    if mode == "nearest" and ndim in _NEAREST:
        return _NEAREST[ndim](input, output_size, scale_factors)
    if mode == "nearest-exact" and ndim in _NEAREST_EXACT:
        return _NEAREST_EXACT[ndim](input, output_size, scale_factors)
    if mode == "area" and ndim == 3:
        return adaptive_avg_pool1d(input, output_size)
    if mode == "area" and ndim == 4:
        return adaptive_avg_pool2d(input, output_size)
    if mode == "area" and ndim == 5:
        return adaptive_avg_pool3d(input, output_size)
    if mode == "linear" and ndim == 3:
        return _nn.upsample_linear1d(input, output_size, align_corners, scale_factors)
    if mode == "bilinear" and ndim == 4:
        return _nn.upsample_bilinear2d(input, output_size, align_corners, scale_factors)
    if mode == "trilinear" and ndim == 5:
        return _nn.upsample_trilinear3d(input, output_size, align_corners, scale_factors)
    if mode == "bicubic" and ndim == 4:
        return _nn.upsample_bicubic2d(input, output_size, align_corners, scale_factors)
    if mode in ("linear", "bilinear", "trilinear") and ndim in (3, 4, 5):
        raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_NEEDS[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: nearest | linear | "
        f"bilinear | bicubic | trilinear | area | nearest-exact (got {mode})"
    )


def upsample_nearest(input, size=None, scale_factor=None):
    """The old name of `interpolate` with mode "nearest"."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Call `nn.functional.interpolate`, whose mode is nearest.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """The old name of `interpolate` with mode "bilinear" and align_corners."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Call `nn.functional.interpolate` with mode='bilinear' and "
        "align_corners=True.",
        stacklevel=2,
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


# -- padding


def pad(input, pad, mode="constant", value=None):
    """More room around a tensor; `pad` counts from the last dimension: (left, right, top, bottom, front, back).

    `mode` is constant (filled with `value`), reflect, replicate or circular. Upstream: torch/nn/functional.py.

    >>> from annotated_src import torch
    >>> torch.nn.functional.pad(torch.tensor([[1, 2, 3]]), (2, 1), mode="reflect")
    tensor([[3, 2, 1, 2, 3, 2]])
    """
    return _nn.pad(input, pad, mode, value)


# -- windows as columns


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Every window of (N, C, H, W) as a column: (N, C * kh * kw, L)."""
    return _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns (N, C * kh * kw, L) added up to (N, C, *output_size)."""
    return _nn.col2im(
        input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    )

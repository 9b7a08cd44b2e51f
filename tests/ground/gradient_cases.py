"""Operators to differentiate: a name, an expression, and what its inputs look like.

    Case("mul", lambda t, a, b: a * b, [(2, 3), (3,)])

`t` is torch, on either side; the inputs are floating leaves of these shapes with values between `low` and `high`,
drawn after a fixed seed. `second=False` where upstream has no second derivative, or it depends on chance.
"""


class Case:
    def __init__(self, name, expression, shapes=((2, 3),), low=-2.0, high=2.0, second=True):
        self.name = name
        self.expression = expression
        self.shapes = shapes
        self.low = low
        self.high = high
        self.second = second

    def __repr__(self):
        return self.name


UNARY = {
    "abs": (-2, 2), "acos": (-0.8, 0.8), "asin": (-0.8, 0.8), "atan": (-2, 2), "ceil": (-2, 2), "cos": (-2, 2),
    "cosh": (-2, 2), "erf": (-2, 2), "erfc": (-2, 2), "exp": (-2, 2), "exp2": (-2, 2), "expm1": (-2, 2),
    "floor": (-2, 2), "frac": (-2, 2), "log": (0.2, 2), "log10": (0.2, 2), "log1p": (-0.5, 2), "log2": (0.2, 2),
    "nan_to_num": (-2, 2), "neg": (-2, 2), "reciprocal": (0.2, 2), "round": (-2, 2), "rsqrt": (0.2, 2),
    "sgn": (-2, 2), "sigmoid": (-2, 2), "sign": (-2, 2), "sin": (-2, 2), "sinh": (-2, 2), "sqrt": (0.2, 2),
    "square": (-2, 2), "tan": (-1, 1), "tanh": (-2, 2), "trunc": (-2, 2),
}  # fmt: skip

_PAIRS = (
    [(2, 3), (2, 3)],
    [(2, 3), (3,)],
    [(2, 1), (1, 3)],
    [(), (2, 3)],
    [(3,), ()],
    [(), ()],
    [(0, 3), (3,)],
)

BINARY = {
    "add": (lambda t, a, b: a + b, -2, 2),
    "add_alpha": (lambda t, a, b: t.add(a, b, alpha=3), -2, 2),
    "sub": (lambda t, a, b: a - b, -2, 2),
    "sub_alpha": (lambda t, a, b: t.sub(a, b, alpha=3), -2, 2),
    "rsub": (lambda t, a, b: t.rsub(a, b, alpha=2), -2, 2),
    "mul": (lambda t, a, b: a * b, -2, 2),
    "div": (lambda t, a, b: a / b, 0.3, 2),
    "div_floor": (lambda t, a, b: t.div(a, b, rounding_mode="floor"), 0.3, 2),
    "div_trunc": (lambda t, a, b: t.div(a, b, rounding_mode="trunc"), 0.3, 2),
    "remainder": (lambda t, a, b: t.remainder(a, b), 0.3, 2),
    "fmod": (lambda t, a, b: t.fmod(a, b), 0.3, 2),
    "atan2": (lambda t, a, b: t.atan2(a, b), 0.3, 2),
    "hypot": (lambda t, a, b: t.hypot(a, b), 0.3, 2),
    "pow": (lambda t, a, b: a**b, 0.3, 2),
    "maximum": (lambda t, a, b: t.maximum(a, b), -2, 2),
    "minimum": (lambda t, a, b: t.minimum(a, b), -2, 2),
    "fmax": (lambda t, a, b: t.fmax(a, b), -2, 2),
    "fmin": (lambda t, a, b: t.fmin(a, b), -2, 2),
    "clamp_min": (lambda t, a, b: t.clamp_min(a, b), -2, 2),
    "clamp_max": (lambda t, a, b: t.clamp_max(a, b), -2, 2),
    "clamp_tensor": (lambda t, a, b: t.clamp(a, min=b), -2, 2),
    "clamp_tensor_max": (lambda t, a, b: t.clamp(a, max=b), -2, 2),
    "where": (lambda t, a, b: t.where(a.detach() > b.detach(), a, b), -2, 2),
    "lerp_number": (lambda t, a, b: t.lerp(a, b, 0.3), -2, 2),
    "xlogy": (lambda t, a, b: t.xlogy(a, b), 0.3, 2),
    "floor_divide": (lambda t, a, b: (a * b, t.floor_divide(a.detach(), b.detach())), 0.3, 2),
}

_TRIPLES = (
    [(2, 3), (2, 3), (2, 3)],
    [(2, 3), (3,), (2, 1)],
    [(), (), ()],
)

TERNARY = {
    "addcmul": lambda t, a, b, c: t.addcmul(a, b, c, value=2),
    "addcdiv": lambda t, a, b, c: t.addcdiv(a, b, c, value=2),
    "lerp": lambda t, a, b, c: t.lerp(a, b, c),
    "clamp": lambda t, a, b, c: t.clamp(a, b, c),
    "clamp_crossed": lambda t, a, b, c: t.clamp(a, c + 1, b),
}

# One tensor and numbers.
NUMBERS = {
    "add_number": lambda t, a: a + 2,
    "radd_number": lambda t, a: 2 + a,
    "sub_number": lambda t, a: a - 2.5,
    "rsub_number": lambda t, a: 1 - a,
    "mul_number": lambda t, a: a * 3,
    "div_number": lambda t, a: a / 3,
    "rdiv_number": lambda t, a: 3 / a,
    "div_number_floor": lambda t, a: t.div(a, 0.7, rounding_mode="floor"),
    "remainder_number": lambda t, a: t.remainder(a, 0.7),
    "fmod_number": lambda t, a: t.fmod(a, 0.7),
    "pow_2": lambda t, a: a**2,
    "pow_0": lambda t, a: a**0,
    "pow_3.5": lambda t, a: a**3.5,
    "pow_-1": lambda t, a: a**-1,
    "rpow": lambda t, a: 2**a,
    "rpow_0": lambda t, a: 0**a,
    "clamp_numbers": lambda t, a: t.clamp(a, 0.5, 1.5),
    "clamp_min_only": lambda t, a: t.clamp(a, min=0.5),
    "clamp_max_only": lambda t, a: t.clamp(a, max=0.5),
    "clamp_min_number": lambda t, a: t.clamp_min(a, 0.5),
    "clamp_max_number": lambda t, a: t.clamp_max(a, 0.5),
    "round_decimals": lambda t, a: t.round(a, decimals=1),
    "where_number": lambda t, a: t.where(a.detach() > 1, a, 0.0),
    "addcmul_number": lambda t, a: t.addcmul(a, a, a),
    "same_twice": lambda t, a: a * a + a,
}

# In place, on a copy: the leaf itself may not be written.
IN_PLACE = {
    "add_": lambda t, a, b: a.clone().add_(b),
    "add_alpha_": lambda t, a, b: a.clone().add_(b, alpha=2),
    "sub_": lambda t, a, b: a.clone().sub_(b),
    "mul_": lambda t, a, b: a.clone().mul_(b),
    "mul_number_": lambda t, a, b: a.clone().mul_(3),
    "div_": lambda t, a, b: a.clone().div_(b),
    "div_floor_": lambda t, a, b: a.clone().div_(b, rounding_mode="floor"),
    "div_number_": lambda t, a, b: a.clone().div_(3),
    "pow_": lambda t, a, b: a.clone().pow_(2),
    "pow_tensor_": lambda t, a, b: a.clone().pow_(b),
    "remainder_": lambda t, a, b: a.clone().remainder_(b),
    "remainder_number_": lambda t, a, b: a.clone().remainder_(0.7),
    "fmod_": lambda t, a, b: a.clone().fmod_(b),
    "fmod_number_": lambda t, a, b: a.clone().fmod_(0.7),
    "atan2_": lambda t, a, b: a.clone().atan2_(b),
    "hypot_": lambda t, a, b: a.clone().hypot_(b),
    "clamp_": lambda t, a, b: a.clone().clamp_(0.5, 1.5),
    "clamp_tensor_": lambda t, a, b: a.clone().clamp_(b),
    "clamp_min_": lambda t, a, b: a.clone().clamp_min_(0.5),
    "clamp_max_": lambda t, a, b: a.clone().clamp_max_(b),
    "lerp_": lambda t, a, b: a.clone().lerp_(b, 0.3),
    "lerp_tensor_": lambda t, a, b: a.clone().lerp_(b, b),
    "addcmul_": lambda t, a, b: a.clone().addcmul_(a, b, value=2),
    "addcdiv_": lambda t, a, b: a.clone().addcdiv_(a, b),
    "eq_": lambda t, a, b: a.clone().eq_(b),
    "eq_number_": lambda t, a, b: a.clone().eq_(1),
    "ne_": lambda t, a, b: a.clone().ne_(b),
    "ne_number_": lambda t, a, b: a.clone().ne_(1),
    "lt_": lambda t, a, b: a.clone().lt_(b),
    "lt_number_": lambda t, a, b: a.clone().lt_(1),
    "le_": lambda t, a, b: a.clone().le_(b),
    "le_number_": lambda t, a, b: a.clone().le_(1),
    "gt_": lambda t, a, b: a.clone().gt_(b),
    "gt_number_": lambda t, a, b: a.clone().gt_(1),
    "ge_": lambda t, a, b: a.clone().ge_(b),
    "ge_number_": lambda t, a, b: a.clone().ge_(1),
    "fill_": lambda t, a, b: (a * b).fill_(2.0),
    "fill_tensor_": lambda t, a, b: (a * 2).fill_(b.sum()),
    "fill": lambda t, a, b: t.fill(a, 2.0),
    "fill_tensor": lambda t, a, b: t.fill(a, b.sum()),
    "zero_": lambda t, a, b: (a * b).zero_(),
    "copy_": lambda t, a, b: a.clone().copy_(b),
    "masked_fill_": lambda t, a, b: a.clone().masked_fill_(b.detach() > 1, 2.0),
    "cumsum_": lambda t, a, b: a.clone().cumsum_(1),
    "cumprod_": lambda t, a, b: a.clone().cumprod_(1),
    "tril_": lambda t, a, b: a.clone().tril_(),
    "triu_": lambda t, a, b: a.clone().triu_(),
    "round_decimals_": lambda t, a, b: a.clone().round_(decimals=1),
    "t_": lambda t, a, b: a.clone().t_(),
    "transpose_": lambda t, a, b: a.clone().transpose_(0, 1),
    "unsqueeze_": lambda t, a, b: a.clone().unsqueeze_(1),
    "squeeze_": lambda t, a, b: a[None].clone().squeeze_(),
    "squeeze_dim_": lambda t, a, b: a[None].clone().squeeze_(0),
    "squeeze_dims_": lambda t, a, b: a[None].clone().squeeze_((0, 1)),
    "as_strided_": lambda t, a, b: a.clone().as_strided_((2, 2), (1, 2)),
    "uniform_": lambda t, a, b: (a * b).uniform_(),
    "normal_": lambda t, a, b: (a * b).normal_(),
    "exponential_": lambda t, a, b: (a * b).exponential_(),
    "random_": lambda t, a, b: (a * b).random_(),
    "random_to_": lambda t, a, b: (a * b).random_(5),
    "random_from_": lambda t, a, b: (a * b).random_(2, 5),
    "bernoulli_": lambda t, a, b: (a * b).bernoulli_(0.5),
    "bernoulli_tensor_": lambda t, a, b: (a * b).bernoulli_(t.sigmoid(b)),
}

DRAWS = {
    "bernoulli": lambda t, a: t.bernoulli(t.sigmoid(a)),
    "normal_mean": lambda t, a: t.normal(a, 1.0),
    "normal_std": lambda t, a: t.normal(1.0, a.abs()),
    "normal_both": lambda t, a: t.normal(a, a.abs()),
}

REDUCTIONS = {
    "sum": lambda t, a: a.sum(),
    "sum_dim": lambda t, a: a.sum(1),
    "sum_dims": lambda t, a: a.sum((0, -1), keepdim=True),
    "sum_keepdim": lambda t, a: a.sum(-1, keepdim=True),
    "sum_dtype": lambda t, a: a.sum(dtype=t.float64),
    "mean": lambda t, a: a.mean(),
    "mean_dim": lambda t, a: a.mean(1),
    "mean_dims": lambda t, a: a.mean((0, 1), keepdim=True),
    "nansum": lambda t, a: a.nansum(-1),
    "prod": lambda t, a: a.prod(),
    "prod_dim": lambda t, a: a.prod(1),
    "prod_keepdim": lambda t, a: a.prod(0, keepdim=True),
    "prod_one_zero": lambda t, a: (a * t.tensor([[1.0, 0.0, 2.0], [1.0, 3.0, 2.0]], dtype=a.dtype)).prod(),
    "prod_two_zeros": lambda t, a: (a * t.tensor([[1.0, 0.0, 2.0], [0.0, 3.0, 2.0]], dtype=a.dtype)).prod(),
    "prod_dim_zero": lambda t, a: (a * t.tensor([[1.0, 0.0, 2.0], [1.0, 3.0, 2.0]], dtype=a.dtype)).prod(1),
    "logsumexp": lambda t, a: a.logsumexp(-1),
    "logsumexp_keepdim": lambda t, a: t.logsumexp(a, (0, 1), keepdim=True),
    "var": lambda t, a: a.var(),
    "var_dim": lambda t, a: a.var(1),
    "var_biased": lambda t, a: a.var(1, unbiased=False, keepdim=True),
    "var_correction": lambda t, a: t.var(a, (0, 1), correction=2),
    "std": lambda t, a: a.std(),
    "std_dim": lambda t, a: a.std(1, keepdim=True),
    "std_biased": lambda t, a: t.std(a, 0, unbiased=False),
    "var_mean": lambda t, a: t.var_mean(a, 1),
    "var_mean_first": lambda t, a: t.var_mean(a)[0],
    "var_mean_second": lambda t, a: t.var_mean(a, 1, keepdim=True)[1],
    "std_mean": lambda t, a: t.std_mean(a, 1),
    "std_mean_second": lambda t, a: t.std_mean(a, 1)[1],
    "max": lambda t, a: a.max(),
    "min": lambda t, a: a.min(),
    "max_of_equals": lambda t, a: t.cat([a, a]).max(),
    "median": lambda t, a: a.median(),
    "nanmedian": lambda t, a: a.nanmedian(),
    "max_dim": lambda t, a: a.max(1)[0],
    "min_dim": lambda t, a: a.min(0, keepdim=True).values,
    "median_dim": lambda t, a: a.median(1)[0],
    "nanmedian_dim": lambda t, a: a.nanmedian(1)[0],
    "mode": lambda t, a: a.mode(1)[0],
    "kthvalue": lambda t, a: a.kthvalue(2, 1)[0],
    "amax": lambda t, a: a.amax(1),
    "amax_all": lambda t, a: a.amax(),
    "amax_dims": lambda t, a: t.cat([a, a]).amax((0, 1), keepdim=True),
    "amin": lambda t, a: a.amin((0,), keepdim=True),
    "aminmax": lambda t, a: t.aminmax(a, dim=1),
    "aminmax_first": lambda t, a: t.aminmax(a)[0],
    "norm": lambda t, a: a.norm(),
    "norm_1": lambda t, a: a.norm(1, dim=1),
    "norm_2": lambda t, a: a.norm(2, dim=1, keepdim=True),
    "norm_3": lambda t, a: a.norm(3, dim=0),
    "norm_1.5": lambda t, a: a.norm(1.5, dim=0),
    "norm_0.5": lambda t, a: t.linalg.vector_norm(a, 0.5),
    "norm_0": lambda t, a: t.linalg.vector_norm(a, 0),
    "norm_inf": lambda t, a: t.linalg.vector_norm(a, float("inf"), dim=1),
    "norm_operator": lambda t, a: t.ops.aten.norm.Scalar(a, 3),
    "norm_operator_dim": lambda t, a: t.ops.aten.norm.ScalarOpt_dim(a, 1.5, [1]),
    "norm_of_zero": lambda t, a: (a * 0).norm(),
    "softmax": lambda t, a: a.softmax(-1),
    "softmax_0": lambda t, a: t.softmax(a, 0),
    "log_softmax": lambda t, a: a.log_softmax(-1),
    "cumsum": lambda t, a: a.cumsum(-1),
    "cumsum_0": lambda t, a: t.cumsum(a, -2),
    "cumprod": lambda t, a: a.cumprod(-1),
    "cumprod_zeros": lambda t, a: (a * t.tensor([[1.0, 0.0, 2.0], [0.0, 0.0, 2.0]], dtype=a.dtype)).cumprod(1),
    "sort": lambda t, a: a.sort(1)[0],
    "sort_descending": lambda t, a: t.sort(a, dim=0, descending=True).values,
    "sort_stable": lambda t, a: t.sort(a, stable=True)[0],
    "topk": lambda t, a: a.topk(2)[0],
    "topk_smallest": lambda t, a: a.topk(1, dim=0, largest=False)[0],
}

# Reductions that also take a number, 0-d, and nothing, (0, 3).
OF_ANY_SHAPE = ("sum", "mean", "nansum", "prod", "logsumexp", "norm", "softmax", "log_softmax", "cumsum", "cumprod")

SHAPES = {
    "select": lambda t, a: a.select(1, 1),
    "select_negative": lambda t, a: a[..., -1],
    "slice": lambda t, a: a[:, 1:],
    "slice_step": lambda t, a: a[::2, ::2],
    "diagonal": lambda t, a: a.diagonal(),
    "diagonal_offset": lambda t, a: t.diagonal(a, 1, 1, 0),
    "unfold": lambda t, a: a.unfold(1, 2, 1),
    "unfold_0": lambda t, a: a.unfold(0, 1, 1),
    "as_strided": lambda t, a: a.as_strided((2, 2), (1, 2), 1),
    "as_strided_overlapping": lambda t, a: a.as_strided((3, 3), (1, 1)),
    "view": lambda t, a: a.contiguous().view(3, 2),
    "view_infer": lambda t, a: a.contiguous().view(-1),
    "reshape": lambda t, a: a.t().reshape(2, 3),
    "reshape_alias": lambda t, a: a[:, ::2].reshape(2, 1, 2),
    "flatten": lambda t, a: a.t().flatten(),
    "_unsafe_view": lambda t, a: t.ops.aten._unsafe_view(a.contiguous(), [6]),
    "unsqueeze": lambda t, a: a.unsqueeze(-1),
    "squeeze": lambda t, a: a[None].squeeze(),
    "squeeze_dim": lambda t, a: a[:, :, None].squeeze(-1),
    "squeeze_dim_of_more": lambda t, a: a.squeeze(0),
    "squeeze_dims": lambda t, a: a[None, :, :, None].squeeze((0, -1, 1)),
    "expand": lambda t, a: a.expand(2, 2, 3),
    "expand_1": lambda t, a: a[:, :1].expand(-1, 4),
    "alias": lambda t, a: t.ops.aten.alias(a),
    "transpose": lambda t, a: a.transpose(0, -1),
    "t": lambda t, a: a.t(),
    "T": lambda t, a: a.T,
    "permute": lambda t, a: a[None].permute(2, 0, 1),
    "permute_negative": lambda t, a: a[None].permute(-1, 0, -2),
    "movedim": lambda t, a: a[None].movedim(0, 2),
    "flip": lambda t, a: a.flip(0),
    "flip_dims": lambda t, a: t.flip(a, (0, -1)),
    "roll": lambda t, a: a.roll(1, 0),
    "roll_dims": lambda t, a: a.roll((1, 2), (0, 1)),
    "roll_flat": lambda t, a: a.roll(2),
    "split": lambda t, a: a.split(2, 1),
    "split_first": lambda t, a: a.split(2, 1)[1],
    "split_with_sizes": lambda t, a: a.split([1, 2], 1),
    "split_with_sizes_first": lambda t, a: a.split([1, 2], -1)[0],
    "chunk": lambda t, a: a.chunk(2, 1),
    "unbind": lambda t, a: a.unbind(1),
    "unbind_one": lambda t, a: a.unbind()[1],
    "narrow": lambda t, a: a.narrow(1, 1, 2),
    "cat": lambda t, a: t.cat([a, a * 2, a[:1]]),
    "cat_1": lambda t, a: t.cat([a, a[:, :1]], -1),
    "cat_with_empty": lambda t, a: t.cat([a, t.empty(0, dtype=a.dtype, requires_grad=True)]),
    "cat_constant": lambda t, a: t.cat([t.ones(1, 3, dtype=a.dtype), a]),
    "stack": lambda t, a: t.stack([a, a * 2], 1),
    "stack_last": lambda t, a: t.stack([a, a * 2], -1),
    "repeat": lambda t, a: a.repeat(2, 1),
    "repeat_more": lambda t, a: a.repeat(2, 3, 2),
    "repeat_none": lambda t, a: a.repeat(0, 1),
    "tril": lambda t, a: a.tril(),
    "triu": lambda t, a: a.triu(1),
    "diag_embed": lambda t, a: t.diag_embed(a),
    "clone": lambda t, a: a.clone(),
    "contiguous": lambda t, a: a.t().contiguous(),
    "to_dtype": lambda t, a: a.to(t.float16).to(t.float64),
    "to_same": lambda t, a: a.to(a.dtype) * 1,
    "tile": lambda t, a: a.tile(2),
    "hstack": lambda t, a: t.hstack([a, a]),
    "repeat_interleave": lambda t, a: a.repeat_interleave(2, 1),
}


def _positions(t):
    return t.tensor([1, 0, 1])


INDEXING = {
    "index": lambda t, a, b: a[_positions(t)],
    "index_twice": lambda t, a, b: a[_positions(t), t.tensor([0, 0, 2])],
    "index_none": lambda t, a, b: a[:, _positions(t)],
    "index_mask": lambda t, a, b: a[a.detach() > 0],
    "index_put": lambda t, a, b: a.index_put((t.tensor([1]),), b[:1]),
    "index_put_accumulate": lambda t, a, b: a.index_put((_positions(t),), b[_positions(t)], accumulate=True),
    "index_put_": lambda t, a, b: a.clone().index_put_((t.tensor([0, 1]), t.tensor([2, 1])), b[0, :2]),
    "_index_put_impl_": lambda t, a, b: t.ops.aten._index_put_impl_(a.clone(), [t.tensor([1])], b[:1], True),
    "take": lambda t, a, b: a.take(t.tensor([[0, 5], [0, 2]])),
    "index_select": lambda t, a, b: a.index_select(1, t.tensor([2, 0, 2, 1])),
    "index_add": lambda t, a, b: a.index_add(0, t.tensor([1, 1]), b, alpha=2),
    "index_add_": lambda t, a, b: a.clone().index_add_(1, t.tensor([0, 0, 2]), b),
    "index_copy": lambda t, a, b: a.index_copy(0, t.tensor([1]), b[:1]),
    "index_copy_": lambda t, a, b: a.clone().index_copy_(1, t.tensor([2, 0]), b[:, 1:]),
    "index_fill": lambda t, a, b: a.index_fill(1, t.tensor([0, 2]), 3.0),
    "index_fill_": lambda t, a, b: a.clone().index_fill_(1, t.tensor([0, 2]), 3.0),
    "index_fill_tensor": lambda t, a, b: a.index_fill(1, t.tensor([0, 0, 2]), b.sum()),
    "gather": lambda t, a, b: a.gather(1, t.tensor([[0, 0], [2, 1]])),
    "gather_0": lambda t, a, b: t.gather(a, 0, t.tensor([[0, 1, 1]])),
    "scatter": lambda t, a, b: a.scatter(1, t.tensor([[0, 2], [2, 1]]), b[:, 1:]),
    "scatter_": lambda t, a, b: a.clone().scatter_(1, t.tensor([[0, 2], [2, 1]]), b[:, 1:]),
    "scatter_number": lambda t, a, b: a.scatter(1, t.tensor([[0, 2], [2, 1]]), 3.0),
    "scatter_number_": lambda t, a, b: a.clone().scatter_(1, t.tensor([[0, 2], [2, 1]]), 3.0),
    "scatter_add": lambda t, a, b: a.scatter_add(1, t.tensor([[0, 0], [2, 1]]), b[:, 1:]),
    "scatter_add_": lambda t, a, b: a.clone().scatter_add_(1, t.tensor([[0, 0], [2, 1]]), b[:, 1:]),
    "masked_fill": lambda t, a, b: a.masked_fill(b.detach() > 0, 3.0),
    "masked_fill_tensor": lambda t, a, b: a.masked_fill(b.detach() > 0, b.sum()),
    "masked_fill_broadcast": lambda t, a, b: a.masked_fill(t.tensor([True, False, True]), 3.0),
    "masked_select": lambda t, a, b: a.masked_select(b.detach() > 0),
    "masked_select_broadcast": lambda t, a, b: a.masked_select(t.tensor([[[True, False, True]], [[True] * 3]])),
    "masked_scatter": lambda t, a, b: a.masked_scatter(b.detach() > 0, b * 2),
    "masked_scatter_": lambda t, a, b: a.clone().masked_scatter_(b.detach() > 0, b * 2),
    "embedding": lambda t, a, b: t.nn.functional.embedding(t.tensor([[1, 0], [1, 1]]), a),
    "embedding_vector": lambda t, a, b: t.embedding(a, t.tensor([1, 0, 1])),
    "embedding_padding": lambda t, a, b: t.embedding(a, t.tensor([1, 0, 1]), padding_idx=1),
    "embedding_by_freq": lambda t, a, b: t.embedding(a, t.tensor([1, 0, 1]), scale_grad_by_freq=True),
    "setitem": lambda t, a, b: _written(a * 1, (slice(None), 1), b[:, 0]),
    "setitem_number": lambda t, a, b: _written(a * 1, (slice(None), 1), 3.0),
    "setitem_index": lambda t, a, b: _written(a * 1, (t.tensor([0, 1]), 1), b[0, :2]),
    "setitem_mask": lambda t, a, b: _written(a * 1, b.detach() > 0, 0.0),
}


def _written(tensor, key, value):
    tensor[key] = value
    return tensor


# (expression, shapes)
MATRICES = {
    "mm": (lambda t, a, b: a.mm(b), [(2, 3), (3, 4)]),
    "mm_transposed": (lambda t, a, b: a.t().mm(b.t()), [(3, 2), (4, 3)]),
    "mm_empty": (lambda t, a, b: a.mm(b), [(2, 0), (0, 4)]),
    "matmul": (lambda t, a, b: a @ b, [(2, 3), (3,)]),
    "matmul_batch": (lambda t, a, b: a @ b, [(2, 1, 2, 3), (2, 3, 2)]),
    "bmm": (lambda t, a, b: a.bmm(b), [(2, 2, 3), (2, 3, 4)]),
    "mv": (lambda t, a, b: a.mv(b), [(2, 3), (3,)]),
    "dot": (lambda t, a, b: a.dot(b), [(3,), (3,)]),
    "vdot": (lambda t, a, b: t.vdot(a, b), [(3,), (3,)]),
    "outer": (lambda t, a, b: t.outer(a, b), [(2,), (3,)]),
    "addmm": (lambda t, a, b, c: t.addmm(a, b, c), [(2, 4), (2, 3), (3, 4)]),
    "addmm_scaled": (lambda t, a, b, c: t.addmm(a, b, c, beta=2, alpha=3), [(4,), (2, 3), (3, 4)]),
    "addmm_": (lambda t, a, b, c: a.clone().addmm_(b, c), [(2, 4), (2, 3), (3, 4)]),
    "baddbmm": (lambda t, a, b, c: t.baddbmm(a, b, c, beta=2, alpha=3), [(2, 2, 4), (2, 2, 3), (2, 3, 4)]),
    "baddbmm_": (lambda t, a, b, c: a.clone().baddbmm_(b, c), [(2, 2, 4), (2, 2, 3), (2, 3, 4)]),
    "addmv": (lambda t, a, b, c: t.addmv(a, b, c, beta=2, alpha=3), [(2,), (2, 3), (3,)]),
    "addmv_": (lambda t, a, b, c: a.clone().addmv_(b, c), [(2,), (2, 3), (3,)]),
    "einsum": (lambda t, a, b: t.einsum("bij,bjk->bik", a, b), [(2, 2, 3), (2, 3, 4)]),
}


def cases():
    """All of them."""
    for name, limits in UNARY.items():
        yield Case(name, lambda t, a, name=name: getattr(t, name)(a), _ONE, *limits)
        if name != "square":
            yield Case(f"{name}_", lambda t, a, name=name: getattr(a.clone(), f"{name}_")(), [[(2, 3)]], *limits)
    yield from (Case(name, expression, _PAIRS, low, high) for name, (expression, low, high) in BINARY.items())
    yield from (Case(name, expression, _TRIPLES, 0.3, 2) for name, expression in TERNARY.items())
    yield from (Case(name, expression, _ONE, 0.3, 2) for name, expression in NUMBERS.items())
    yield from (Case(name, expression, [[(2, 3), (2, 3)]], 0.3, 2) for name, expression in IN_PLACE.items())
    yield from (Case(name, expression, [[(2, 3)]]) for name, expression in DRAWS.items())
    for name, expression in REDUCTIONS.items():
        yield Case(name, expression, _ONE if name in OF_ANY_SHAPE else [[(2, 3)]])
    yield from (Case(name, expression, [[(2, 3)]]) for name, expression in SHAPES.items())
    yield from (Case(name, expression, [[(2, 3), (2, 3)]]) for name, expression in INDEXING.items())
    yield from (Case(name, expression, [shapes]) for name, (expression, shapes) in MATRICES.items())


_ONE = ([(2, 3)], [(3,)], [()], [(0, 3)])

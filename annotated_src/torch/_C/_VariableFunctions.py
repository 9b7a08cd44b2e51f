"""torch.add, torch.stack ...: every operator that is a function of `torch`, as its packet.

Retells the generated torch/csrc/autograd/python_torch_functions.cpp.
"""

from annotated_src.aten import ops
from annotated_src.torch.csrc.autograd.python_torch_functions_manual import (  # noqa: F401
    as_tensor,
    from_numpy,
    numel,
    tensor,
)
from annotated_src.torch.csrc.utils.tensor_new import sparse_coo_tensor_ctor

# -- factories
empty = ops.empty
empty_like = ops.empty_like
empty_strided = ops.empty_strided
zeros = ops.zeros
zeros_like = ops.zeros_like
ones = ops.ones
ones_like = ops.ones_like
full = ops.full
full_like = ops.full_like
scalar_tensor = ops.scalar_tensor
eye = ops.eye
arange = ops.arange
range = ops.range
linspace = ops.linspace
logspace = ops.logspace

# -- filling, copying, converting
fill = ops.fill
fill_ = ops.fill_
zero_ = ops.zero_
clone = ops.clone
resize_as_ = ops.resize_as_
detach = ops.detach
equal = ops.equal
isclose = ops.isclose
allclose = ops.allclose
is_same_size = ops.is_same_size
is_nonzero = ops.is_nonzero
is_floating_point = ops.is_floating_point
is_complex = ops.is_complex
is_signed = ops.is_signed
result_type = ops.result_type
can_cast = ops.can_cast
promote_types = ops.promote_types
detach_ = ops.detach_

# -- pointwise
add = ops.add
sub = ops.sub
subtract = ops.subtract
rsub = ops.rsub
mul = ops.mul
multiply = ops.multiply
div = ops.div
divide = ops.divide
true_divide = ops.true_divide
floor_divide = ops.floor_divide
remainder = ops.remainder
fmod = ops.fmod
pow = ops.pow
square = ops.square
square_ = ops.square_
abs = ops.abs
abs_ = ops.abs_
absolute = ops.absolute
neg = ops.neg
neg_ = ops.neg_
negative = ops.negative
negative_ = ops.negative_
positive = ops.positive
sgn = ops.sgn
sign = ops.sign
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
arctan2 = ops.arctan2
sinh = ops.sinh
sinh_ = ops.sinh_
cosh = ops.cosh
cosh_ = ops.cosh_
tanh = ops.tanh
tanh_ = ops.tanh_
hypot = ops.hypot
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
ne = ops.ne
not_equal = ops.not_equal
lt = ops.lt
less = ops.less
le = ops.le
less_equal = ops.less_equal
gt = ops.gt
greater = ops.greater
ge = ops.ge
greater_equal = ops.greater_equal
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
logical_or = ops.logical_or
logical_xor = ops.logical_xor
logical_not = ops.logical_not
bitwise_and = ops.bitwise_and
bitwise_or = ops.bitwise_or
bitwise_xor = ops.bitwise_xor
bitwise_not = ops.bitwise_not
bitwise_left_shift = ops.bitwise_left_shift
bitwise_right_shift = ops.bitwise_right_shift
addcmul = ops.addcmul
addcdiv = ops.addcdiv
lerp = ops.lerp

# -- reductions
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
var_mean = ops.var_mean
std_mean = ops.std_mean

# -- linear algebra
mm = ops.mm
bmm = ops.bmm
addmm = ops.addmm
baddbmm = ops.baddbmm
addmv = ops.addmv
matmul = ops.matmul
dot = ops.dot
mv = ops.mv
outer = ops.outer
ger = ops.ger
inner = ops.inner
vdot = ops.vdot
einsum = ops.einsum
tensordot = ops.tensordot

# -- views, and joining
as_strided = ops.as_strided
broadcast_to = ops.broadcast_to
cat = ops.cat
chunk = ops.chunk
concat = ops.concat
concatenate = ops.concatenate
diagonal = ops.diagonal
flatten = ops.flatten
moveaxis = ops.moveaxis
movedim = ops.movedim
narrow = ops.narrow
permute = ops.permute
ravel = ops.ravel
reshape = ops.reshape
select = ops.select
split_with_sizes = ops.split_with_sizes
squeeze = ops.squeeze
stack = ops.stack
swapaxes = ops.swapaxes
swapdims = ops.swapdims
t = ops.t
tensor_split = ops.tensor_split
transpose = ops.transpose
unbind = ops.unbind
unflatten = ops.unflatten
unsqueeze = ops.unsqueeze
view_as_real = ops.view_as_real

# -- in order, in rows, around
_unique2 = ops._unique2
atleast_1d = ops.atleast_1d
atleast_2d = ops.atleast_2d
atleast_3d = ops.atleast_3d
broadcast_tensors = ops.broadcast_tensors
column_stack = ops.column_stack
dstack = ops.dstack
hstack = ops.hstack
meshgrid = ops.meshgrid
row_stack = ops.row_stack
split = ops.split
unique_consecutive = ops.unique_consecutive
unique_dim = ops.unique_dim
vstack = ops.vstack
argsort = ops.argsort
bincount = ops.bincount
cumprod = ops.cumprod
cumsum = ops.cumsum
diag = ops.diag
diag_embed = ops.diag_embed
embedding = ops.embedding
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
tril_indices = ops.tril_indices
triu = ops.triu
triu_indices = ops.triu_indices
where = ops.where

# -- picking and placing elements


def nonzero(input, *, as_tuple=False, out=None):
    """The positions that are not zero: a row for each, or an index tensor for each dimension."""
    return ops.nonzero_numpy(input) if as_tuple else ops.nonzero(input, out=out)


argwhere = ops.argwhere
gather = ops.gather
index_add = ops.index_add
index_copy = ops.index_copy
index_fill = ops.index_fill
index_put = ops.index_put
index_put_ = ops.index_put_
index_select = ops.index_select
masked_fill = ops.masked_fill
masked_scatter = ops.masked_scatter
masked_select = ops.masked_select
scatter = ops.scatter
scatter_add = ops.scatter_add
take = ops.take
take_along_dim = ops.take_along_dim

# -- random numbers
bernoulli = ops.bernoulli
multinomial = ops.multinomial
normal = ops.normal
rand = ops.rand
rand_like = ops.rand_like
randint = ops.randint
randint_like = ops.randint_like
randn = ops.randn
randn_like = ops.randn_like
randperm = ops.randperm

# -- activations, dropout
relu = ops.relu
relu_ = ops.relu_
threshold = ops.threshold
threshold_ = ops.threshold_
selu = ops.selu
selu_ = ops.selu_
celu = ops.celu
celu_ = ops.celu_
hardshrink = ops.hardshrink
prelu = ops.prelu
rrelu = ops.rrelu
rrelu_ = ops.rrelu_
dropout = ops.dropout
dropout_ = ops.dropout_
native_dropout = ops.native_dropout
alpha_dropout = ops.alpha_dropout
alpha_dropout_ = ops.alpha_dropout_
feature_dropout = ops.feature_dropout
feature_dropout_ = ops.feature_dropout_
feature_alpha_dropout = ops.feature_alpha_dropout
feature_alpha_dropout_ = ops.feature_alpha_dropout_

# -- convolutions
_convolution = ops._convolution
_convolution_mode = ops._convolution_mode
conv1d = ops.conv1d
conv2d = ops.conv2d
conv3d = ops.conv3d
conv_transpose1d = ops.conv_transpose1d
conv_transpose2d = ops.conv_transpose2d
conv_transpose3d = ops.conv_transpose3d
convolution = ops.convolution
mkldnn_convolution = ops.mkldnn_convolution
constant_pad_nd = ops.constant_pad_nd
pixel_shuffle = ops.pixel_shuffle
pixel_unshuffle = ops.pixel_unshuffle

# -- poolings
_adaptive_avg_pool2d = ops._adaptive_avg_pool2d
_adaptive_avg_pool3d = ops._adaptive_avg_pool3d
adaptive_avg_pool1d = ops.adaptive_avg_pool1d
adaptive_max_pool1d = ops.adaptive_max_pool1d
avg_pool1d = ops.avg_pool1d
max_pool1d = ops.max_pool1d
max_pool1d_with_indices = ops.max_pool1d_with_indices
max_pool2d = ops.max_pool2d
max_pool3d = ops.max_pool3d

# -- losses, distances
binary_cross_entropy_with_logits = ops.binary_cross_entropy_with_logits
cosine_embedding_loss = ops.cosine_embedding_loss
cosine_similarity = ops.cosine_similarity
hinge_embedding_loss = ops.hinge_embedding_loss
kl_div = ops.kl_div
margin_ranking_loss = ops.margin_ranking_loss
pairwise_distance = ops.pairwise_distance
poisson_nll_loss = ops.poisson_nll_loss
triplet_margin_loss = ops.triplet_margin_loss
xlogy = ops.xlogy
xlogy_ = ops.xlogy_
bilinear = ops.bilinear
embedding_bag = ops.embedding_bag
embedding_renorm_ = ops.embedding_renorm_

# -- sparse tensors
sparse_coo_tensor = sparse_coo_tensor_ctor

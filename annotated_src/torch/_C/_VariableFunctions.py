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
rsub = ops.rsub
reciprocal = ops.reciprocal
reciprocal_ = ops.reciprocal_
mul = ops.mul
div = ops.div
abs = ops.abs
abs_ = ops.abs_
neg = ops.neg
neg_ = ops.neg_
eq = ops.eq
ne = ops.ne
lt = ops.lt
le = ops.le
gt = ops.gt
ge = ops.ge

# -- reductions
sum = ops.sum
mean = ops.mean
nansum = ops.nansum
prod = ops.prod
count_nonzero = ops.count_nonzero
logsumexp = ops.logsumexp
var = ops.var
std = ops.std
all = ops.all
any = ops.any
max = ops.max
min = ops.min
aminmax = ops.aminmax
amax = ops.amax
amin = ops.amin
argmax = ops.argmax
argmin = ops.argmin
var_mean = ops.var_mean
std_mean = ops.std_mean

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

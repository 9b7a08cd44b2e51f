"""torch._C._nn: the operators that upstream keeps for torch.nn.functional. Retells python_nn_functions.cpp (generated).

They are operators like those in _VariableFunctions; only their place in Python differs ("python_module: nn").
"""

from annotated_src.aten import ops

# -- activations
elu = ops.elu
elu_ = ops.elu_
gelu = ops.gelu
gelu_ = ops.gelu_
glu = ops.glu
hardsigmoid = ops.hardsigmoid
hardsigmoid_ = ops.hardsigmoid_
hardswish = ops.hardswish
hardswish_ = ops.hardswish_
hardtanh = ops.hardtanh
hardtanh_ = ops.hardtanh_
leaky_relu = ops.leaky_relu
leaky_relu_ = ops.leaky_relu_
log_sigmoid = ops.log_sigmoid
mish = ops.mish
mish_ = ops.mish_
relu6 = ops.relu6
relu6_ = ops.relu6_
rrelu_with_noise = ops.rrelu_with_noise
rrelu_with_noise_ = ops.rrelu_with_noise_
silu = ops.silu
silu_ = ops.silu_
softplus = ops.softplus
softshrink = ops.softshrink

# -- losses
binary_cross_entropy = ops.binary_cross_entropy
cross_entropy_loss = ops.cross_entropy_loss
huber_loss = ops.huber_loss
l1_loss = ops.l1_loss
mse_loss = ops.mse_loss
multi_margin_loss = ops.multi_margin_loss
multilabel_margin_loss = ops.multilabel_margin_loss
nll_loss = ops.nll_loss
nll_loss2d = ops.nll_loss2d
nll_loss_nd = ops.nll_loss_nd
smooth_l1_loss = ops.smooth_l1_loss
soft_margin_loss = ops.soft_margin_loss

# -- products, classes
linear = ops.linear
one_hot = ops.one_hot

# -- poolings
adaptive_avg_pool2d = ops.adaptive_avg_pool2d
adaptive_avg_pool3d = ops.adaptive_avg_pool3d
adaptive_max_pool2d = ops.adaptive_max_pool2d
adaptive_max_pool3d = ops.adaptive_max_pool3d
avg_pool2d = ops.avg_pool2d
avg_pool3d = ops.avg_pool3d
max_pool2d_with_indices = ops.max_pool2d_with_indices
max_pool3d_with_indices = ops.max_pool3d_with_indices

# -- windows as columns
col2im = ops.col2im
im2col = ops.im2col

# -- padding
_pad_circular = ops._pad_circular
_pad_enum = ops._pad_enum
pad = ops.pad
reflection_pad1d = ops.reflection_pad1d
reflection_pad2d = ops.reflection_pad2d
reflection_pad3d = ops.reflection_pad3d
replication_pad1d = ops.replication_pad1d
replication_pad2d = ops.replication_pad2d
replication_pad3d = ops.replication_pad3d

# -- interpolation
_upsample_nearest_exact1d = ops._upsample_nearest_exact1d
_upsample_nearest_exact2d = ops._upsample_nearest_exact2d
_upsample_nearest_exact3d = ops._upsample_nearest_exact3d
upsample_bicubic2d = ops.upsample_bicubic2d
upsample_bilinear2d = ops.upsample_bilinear2d
upsample_linear1d = ops.upsample_linear1d
upsample_nearest1d = ops.upsample_nearest1d
upsample_nearest2d = ops.upsample_nearest2d
upsample_nearest3d = ops.upsample_nearest3d
upsample_trilinear3d = ops.upsample_trilinear3d

// Fused Adam and AdamW: a step of the optimizer on all its tensors in one launch. Retells
// aten/src/ATen/native/cuda/fused_adam_impl.cu and fused_adamw_impl.cu; the launches are made in
// fused_adam_impl.py.

#include "fused_adam_utils.cuh"

extern "C" __global__ void __launch_bounds__(kBlockSize) fused_adam(
    FusedOptimizerTensorListMetadata<4> tl,
    float lr,
    float beta1,
    float beta2,
    float weight_decay,
    float eps,
    bool maximize) {
  FusedAdamMathFunctor<4, ORIGINAL>()(kChunkSize, tl, lr, beta1, beta2, weight_decay, eps, maximize);
}

extern "C" __global__ void __launch_bounds__(kBlockSize) fused_adamw(
    FusedOptimizerTensorListMetadata<4> tl,
    float lr,
    float beta1,
    float beta2,
    float weight_decay,
    float eps,
    bool maximize) {
  FusedAdamMathFunctor<4, ADAMW>()(kChunkSize, tl, lr, beta1, beta2, weight_decay, eps, maximize);
}

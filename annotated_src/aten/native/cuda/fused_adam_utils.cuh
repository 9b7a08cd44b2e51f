// A step of Adam or AdamW on the elements that a thread has loaded. Retells
// aten/src/ATen/native/cuda/fused_adam_utils.cuh.
//
// Left out: amsgrad, the gradient scaler (grad_scale, found_inf), a learning rate that is a tensor,
// other dtypes.
#pragma once

#include "MultiTensorApply.cuh"

enum ADAM_MODE { ORIGINAL = 0, ADAMW = 1 };

constexpr int kParamIdx = 0;
constexpr int kGradIdx = 1;
constexpr int kExpAvgIdx = 2;
constexpr int kExpAvgSqIdx = 3;

template <int depth, ADAM_MODE adam_mode>
__device__ void adam_math(
    float r_args[depth][kILP],
    float lr,
    float beta1,
    float beta2,
    float weight_decay,
    float eps,
    bool maximize,
    float bias_correction1,
    float bias_correction2_sqrt) {
  for (int ii = 0; ii < kILP; ii++) {
    float param = r_args[kParamIdx][ii];
    float grad = r_args[kGradIdx][ii];
    float exp_avg = r_args[kExpAvgIdx][ii];
    float exp_avg_sq = r_args[kExpAvgSqIdx][ii];
    if (maximize) {
      grad = -grad;
    }
    if (weight_decay != 0) {
      if (adam_mode == ORIGINAL) {
        grad += param * weight_decay;
      } else {
        // AdamW: the weights shrink by themselves, and the averages do not see it.
        param -= lr * weight_decay * param;
      }
    }
    // beta * average + (1 - beta) * new
    exp_avg = fmaf(beta1, exp_avg, fmaf(-beta1, grad, grad));
    exp_avg_sq = fmaf(beta2, exp_avg_sq, fmaf(-beta2, grad * grad, grad * grad));
    const float step_size = lr / bias_correction1;
    const float denom = sqrtf(exp_avg_sq) / bias_correction2_sqrt + eps;
    param -= step_size * exp_avg / denom;

    r_args[kParamIdx][ii] = param;
    r_args[kExpAvgIdx][ii] = exp_avg;
    r_args[kExpAvgSqIdx][ii] = exp_avg_sq;
  }
}

// What a block does with its chunk.
template <int depth, ADAM_MODE adam_mode>
struct FusedAdamMathFunctor {
  __device__ void operator()(
      long long chunk_size,
      const FusedOptimizerTensorListMetadata<depth>& tl,
      float lr,
      float beta1,
      float beta2,
      float weight_decay,
      float eps,
      bool maximize) {
    const int tensor_loc = tl.block_to_tensor[blockIdx.x];
    const int chunk_idx = tl.block_to_chunk[blockIdx.x];

    // Averages that began at 0 are too small at first: by these factors. `step` lies on the card,
    // so that the host need not wait for it.
    const float step_count = *(const float*)tl.state_steps_addresses[tensor_loc];
    const float bias_correction1 = 1 - powf(beta1, step_count);
    const float bias_correction2_sqrt = sqrtf(1 - powf(beta2, step_count));

    float* args[depth];
    float r_args[depth][kILP];
    // What is left of the tensor from this chunk on.
    const long long n = tl.numel_for_tensor[tensor_loc] - chunk_idx * chunk_size;
    init_args<depth>(args, tl, chunk_idx, chunk_size, tensor_loc);

    for (long long i_start = 0; i_start < n && i_start < chunk_size; i_start += blockDim.x * kILP) {
      load_args<depth>(r_args, args, i_start, chunk_size, n);
      adam_math<depth, adam_mode>(
          r_args, lr, beta1, beta2, weight_decay, eps, maximize, bias_correction1, bias_correction2_sqrt);
      for (int i = 0; i < depth; i++) {
        // The gradient is read only.
        if (i != kGradIdx) {
          store_args(args[i], r_args[i], i_start, chunk_size, n);
        }
      }
    }
  }
};

// Sums. Retells aten/src/ATen/native/cuda/ReduceSumProdKernel.cu and of
// aten/src/ATen/native/cuda/Reduce.cuh what a sum of float32 over contiguous memory needs.
//
// An output is the sum of `inputs_per_output` numbers that lie side by side. blockIdx.x counts the
// outputs; where one block for each would leave most of the card idle, gridDim.y blocks (upstream's
// ctas_per_output) share an output, and each writes a part. A second launch sums the parts.
// Upstream spares the second launch: the last block to finish, which finds itself by an atomic
// counter, does that work. Both orders are fixed, so the same input gives the same bits.
//
// Left out: sums over other dimensions than the last, several values a thread, other dtypes,
// products.

#include "block_reduce.cuh"

// input (gridDim.x, inputs_per_output), output (gridDim.x, gridDim.y)
extern "C" __global__ void sum_kernel(const float* input, float* output, long long inputs_per_output) {
  __shared__ float shared[C10_WARP_SIZE];
  input += blockIdx.x * inputs_per_output;

  // Each thread sums every stride-th number.
  const long long first = (long long)blockIdx.y * blockDim.x + threadIdx.x;
  const long long stride = (long long)gridDim.y * blockDim.x;
  float value = 0;
  for (long long i = first; i < inputs_per_output; i += stride) {
    value += input[i];
  }

  value = BlockReduceSum(value, shared);
  if (threadIdx.x == 0) {
    output[(long long)blockIdx.x * gridDim.y + blockIdx.y] = value;
  }
}

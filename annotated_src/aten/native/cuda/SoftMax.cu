// softmax and log_softmax along the last dimension. Retells aten/src/ATen/native/cuda/SoftMax.cu.
//
// A block takes a row of `classes` numbers. Three passes over it, each thread on every
// blockDim.x-th number:
//   the largest                 so that exp cannot overflow
//   the sum of exp(x - max)
//   the results, by an "epilogue" that knows both
// Between the passes the block agrees on one number: each thread's part goes through BlockReduce,
// and thread 0 puts the result where all can read it.
//
// Dynamic shared memory: a value for each warp; its size is set at the launch.
//
// Left out: loads of four numbers at once (upstream's ilpReduce), rows kept in shared memory
// (cunn_SoftMaxForwardSmem), rows of at most 1024 numbers in the registers of one warp
// (PersistentSoftmax.cuh), other dimensions than the last, other dtypes, the gradient.

#include "block_reduce.cuh"

// The lowest float.
constexpr float kLowest = -3.402823466e+38f;

template <typename T>
struct Add {
  __device__ T combine(T a, T b) const {
    return a + b;
  }
  __device__ T warp_shfl_down(T data, int offset) const {
    return __shfl_down_sync(C10_FULL_MASK, data, offset);
  }
};

template <typename T>
struct Max {
  __device__ T combine(T a, T b) const {
    return a < b ? b : a;
  }
  __device__ T warp_shfl_down(T data, int offset) const {
    return __shfl_down_sync(C10_FULL_MASK, data, offset);
  }
};

// BlockReduce, and all threads have the result.
template <template <typename> class Reduction, typename T>
__device__ T blockReduceWarp(T* smem_cache, T value, const Reduction<T>& op, T defaultVal) {
  T result = BlockReduce<T, Reduction<T>>(value, op, defaultVal, smem_cache);
  if (threadIdx.x == 0) {
    smem_cache[0] = result;
  }
  __syncthreads();  // thread 0 has written
  return smem_cache[0];
}

struct SoftMaxForwardEpilogue {
  const float max_input;
  const float sum;
  __device__ SoftMaxForwardEpilogue(float max_input, float sum) : max_input(max_input), sum(sum) {}
  __device__ float operator()(float input) const {
    return expf(input - max_input) / sum;
  }
};

struct LogSoftMaxForwardEpilogue {
  const float max_input;
  const float logsum;
  __device__ LogSoftMaxForwardEpilogue(float max_input, float sum) : max_input(max_input), logsum(logf(sum)) {}
  // The logarithm of a softmax that was rounded to 0 would be -inf; this is not.
  __device__ float operator()(float input) const {
    return input - max_input - logsum;
  }
};

// output, input (gridDim.x, classes)
template <class Epilogue>
__device__ void cunn_SoftMaxForward(float* output, const float* input, int classes) {
  extern __shared__ unsigned char smem[];
  float* sdata = reinterpret_cast<float*>(smem);

  // This block's row.
  input += (long long)blockIdx.x * classes;
  output += (long long)blockIdx.x * classes;

  float threadMax = kLowest;
  for (int offset = threadIdx.x; offset < classes; offset += blockDim.x) {
    threadMax = fmaxf(threadMax, input[offset]);
  }
  const float max_k = blockReduceWarp<Max, float>(sdata, threadMax, Max<float>(), kLowest);

  float threadExp = 0;
  for (int offset = threadIdx.x; offset < classes; offset += blockDim.x) {
    threadExp += expf(input[offset] - max_k);
  }
  const float sumAll = blockReduceWarp<Add, float>(sdata, threadExp, Add<float>(), 0.0f);

  const Epilogue epilogue(max_k, sumAll);
  for (int offset = threadIdx.x; offset < classes; offset += blockDim.x) {
    output[offset] = epilogue(input[offset]);
  }
}

extern "C" __global__ void softmax_forward(float* output, const float* input, int classes) {
  cunn_SoftMaxForward<SoftMaxForwardEpilogue>(output, input, classes);
}

extern "C" __global__ void log_softmax_forward(float* output, const float* input, int classes) {
  cunn_SoftMaxForward<LogSoftMaxForwardEpilogue>(output, input, classes);
}

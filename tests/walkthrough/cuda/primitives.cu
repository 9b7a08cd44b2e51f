// What kernels stand on, one at a time.

extern "C" __global__ void indices(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * blockIdx.z + 100 * threadIdx.z + thread;
}

extern "C" __global__ void shuffles(const int* in, int* out, int width) {
  const int n = blockDim.x, t = threadIdx.x, value = in[t];
  out[0 * n + t] = __shfl_down_sync(0xffffffffu, value, 3, width);
  out[1 * n + t] = __shfl_up_sync(0xffffffffu, value, 3, width);
  out[2 * n + t] = __shfl_xor_sync(0xffffffffu, value, 5, width);
  out[3 * n + t] = __shfl_sync(0xffffffffu, value, 9, width);
}

extern "C" __global__ void halves(const double* in, double* out) {
  // The two halves of a warp shuffle by themselves, one of them twice.
  double value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    value += __shfl_xor_sync(0x0000ffffu, value, 1);
    value += __shfl_xor_sync(0x0000ffffu, value, 2);
  } else {
    value += __shfl_xor_sync(0xffff0000u, value, 1);
  }
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 31 - threadIdx.x);
}

extern "C" __global__ void votes(const int* in, unsigned* out) {
  const int predicate = in[threadIdx.x];
  unsigned* mine = out + 6 * threadIdx.x;
  mine[0] = __ballot_sync(0xffffffffu, predicate);
  mine[1] = __any_sync(0xffffffffu, predicate);
  mine[2] = __all_sync(0xffffffffu, predicate);
  mine[3] = __syncthreads_count(predicate);
  mine[4] = __syncthreads_or(predicate);
  mine[5] = __syncthreads_and(predicate);
}

extern "C" __global__ void atomics(int* counts, float* sum, unsigned* tickets) {
  atomicAdd(&counts[0], 1);
  atomicMax(&counts[1], (int)threadIdx.x);
  atomicMin(&counts[2], -(int)threadIdx.x);
  atomicCAS(&counts[3], 0, (int)threadIdx.x + 1);
  atomicAdd(sum, 0.5f);
  tickets[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&tickets[gridDim.x * blockDim.x], 1u);
}

template <typename T>
__device__ T reversed(T value) {
  __shared__ T memory[64];
  memory[threadIdx.x] = value;
  __syncthreads();
  return memory[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void reverse(const float* in, float* out) {
  extern __shared__ unsigned char dynamic[];
  float* line = reinterpret_cast<float*>(dynamic);
  line[threadIdx.x] = reversed(in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = reversed(line[threadIdx.x]) - line[0];
}

extern "C" __global__ void unwritten(float* out) {
  extern __shared__ unsigned char dynamic[];
  __shared__ float fixed[4];
  out[2 * blockIdx.x] = fixed[0];
  out[2 * blockIdx.x + 1] = reinterpret_cast<float*>(dynamic)[0];
  fixed[0] = 1;
  reinterpret_cast<float*>(dynamic)[0] = 1;
}

struct Pair {
  const float* a;
  int n;
};

extern "C" __global__ void __launch_bounds__(64) by_value(Pair pair, bool negate, double scale, float* out) {
  if (threadIdx.x < pair.n) {
    out[threadIdx.x] = (negate ? -1 : 1) * scale * pair.a[threadIdx.x];
  }
}

// Twice in the same shared memory.
#include "../../../annotated_src/aten/native/cuda/block_reduce.cuh"

extern "C" __global__ void two_sums(const float* in, float* out) {
  __shared__ float shared[32];
  const float once = BlockReduceSum(in[threadIdx.x], shared);
  const float twice = BlockReduceSum(2 * in[threadIdx.x], shared);
  if (threadIdx.x == 0) {
    out[0] = once;
    out[1] = twice;
  }
}

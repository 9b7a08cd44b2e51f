// out = self + alpha * other, element by element. Retells what aten/src/ATen/native/ufunc/add.h and
// aten/src/ATen/native/cuda/CUDALoops.cuh become for float32.
//
// Launched as a line of blocks; the grid may be smaller than the array, because each thread strides
// over it. Upstream's macro CUDA_KERNEL_LOOP (aten/src/ATen/cuda/detail/KernelUtils.h) is this
// loop; its elementwise_kernel gives each thread a fixed number of elements instead and starts as
// many blocks as that takes.
//
// Left out: loads of four elements at once, operands that are not contiguous, other dtypes.

extern "C" __global__ void add_kernel(
    const float* self, const float* other, float alpha, float* out, long long n) {
  // Threads that are neighbours take elements that are neighbours: a warp reads one stretch of
  // memory.
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = first; i < n; i += stride) {
    out[i] = self[i] + alpha * other[i];
  }
}

// Kernels of the page gpu_kernels.md.

// Each element gets the number of the thread that it belongs to, counted through the whole grid.
extern "C" __global__ void who(int* out, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = first; i < n; i += stride) {
    out[i] = first;
  }
}

// A barrier that only the first 40 threads come to.
extern "C" __global__ void half_a_barrier(float* out) {
  if (threadIdx.x < 40) {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
}

// Each thread reads its right neighbour's number; the last has none.
extern "C" __global__ void neighbour(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}

// What a card would leave undefined, or hang on.

extern "C" __global__ void barrier_in_a_branch(int* out) {
  if (threadIdx.x < 40) {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void two_barriers(int* out) {
  if (threadIdx.x % 2) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void barrier_after_a_return(int* out) {
  if (threadIdx.x >= 33) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void shuffle_in_a_branch(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 2) {
    value = __shfl_down_sync(0xffffffffu, value, 1);
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

extern "C" __global__ void not_in_its_mask(int* out) {
  out[threadIdx.x] = __shfl_xor_sync(0x0000000fu, (int)threadIdx.x, 1);
}

extern "C" __global__ void from_a_lane_that_left(float* out) {
  float value = threadIdx.x;
  if (threadIdx.x >= 8) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, value, 4);
}

extern "C" __global__ void out_of_range(const float* in, float* out, int at) {
  out[(int)threadIdx.x + at] = in[threadIdx.x];
}

extern "C" __global__ void too_much_shared(float* out) {
  extern __shared__ float memory[];
  memory[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void deep(int* out) {
  volatile char stack[100000];
  for (int i = 0; i < 100000; i++) {
    stack[i] = 1;
  }
  out[threadIdx.x] = stack[5];
}

// The neighbour's number, without waiting for it.
extern "C" __global__ void race(const float* in, float* out) {
  __shared__ float memory[64];
  memory[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = memory[(threadIdx.x + 32) % 64];
}

// One value from all threads of a block. Retells aten/src/ATen/native/cuda/block_reduce.cuh.
//
// Two stages, because threads have two ways to hand values to one another:
//   within a warp (32 threads that run together)   registers, by shuffles; no memory, no barrier
//   between warps                                  shared memory, with a barrier between writing and reading
// So each warp reduces its 32 values to one, the warps put theirs into shared memory, and the first
// warp reduces those.
//
// The block's size is a multiple of 32, at most 32 * 32. Only thread 0 has the result: the other
// threads come back with parts of it.
#pragma once

#define C10_WARP_SIZE 32
// All 32 lanes take part in each shuffle.
#define C10_FULL_MASK 0xffffffffu

// val of lane 0 becomes the sum over the warp.
template <typename T>
__device__ T WarpReduceSum(T val) {
  // Lane l gets the value of lane l + offset: after 16, 8, 4, 2, 1 lane 0 has seen all. Lanes
  // beyond the offset add values that nobody will use.
  for (int offset = C10_WARP_SIZE / 2; offset > 0; offset /= 2) {
    val += __shfl_down_sync(C10_FULL_MASK, val, offset);
  }
  return val;
}

// How the threads of a block are counted where it has one dimension.
struct Block1D {
  static __device__ int Tid() {
    return threadIdx.x;
  }
  static __device__ int Warps() {
    return blockDim.x / C10_WARP_SIZE;
  }
};

// `shared` has room for a value of each warp.
template <typename T, typename B = Block1D>
__device__ T BlockReduceSum(T val, T* shared) {
  const int tid = B::Tid();
  const int lid = tid % C10_WARP_SIZE;
  const int wid = tid / C10_WARP_SIZE;
  val = WarpReduceSum(val);
  // Whoever used `shared` before must have read from it.
  __syncthreads();
  if (lid == 0) {
    shared[wid] = val;
  }
  // Warps do not run in step: without this the first warp reads what others have yet to write.
  __syncthreads();
  val = (tid < B::Warps()) ? shared[lid] : T(0);
  if (wid == 0) {
    val = WarpReduceSum(val);
  }
  return val;
}

// The same for any operation: `op.combine(a, b)`, `op.warp_shfl_down(value, offset)`.
template <typename T, class ReduceOp>
__device__ T WarpReduce(T val, const ReduceOp& op) {
  for (int offset = C10_WARP_SIZE / 2; offset > 0; offset /= 2) {
    val = op.combine(val, op.warp_shfl_down(val, offset));
  }
  return val;
}

// `identity_element` is what changes nothing: 0 in a sum, the lowest number in a maximum.
template <typename T, class ReduceOp, typename B = Block1D>
__device__ T BlockReduce(T val, const ReduceOp& op, const T& identity_element, T* shared) {
  const int tid = B::Tid();
  const int lid = tid % C10_WARP_SIZE;
  const int wid = tid / C10_WARP_SIZE;
  val = WarpReduce(val, op);
  __syncthreads();  // `shared` is free
  if (lid == 0) {
    shared[wid] = val;
  }
  __syncthreads();  // `shared` is filled
  val = (tid < B::Warps()) ? shared[lid] : identity_element;
  if (wid == 0) {
    val = WarpReduce(val, op);
  }
  return val;
}

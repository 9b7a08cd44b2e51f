// One launch for many tensors. Retells aten/src/ATen/native/cuda/MultiTensorApply.cuh.
//
// An optimizer has hundreds of small tensors; a launch for each would cost more than the
// arithmetic. So all tensors are cut into chunks of kChunkSize elements, a block gets one chunk,
// and two tables say which:
//   block_to_tensor[blockIdx.x]   which tensor
//   block_to_chunk[blockIdx.x]    which chunk of it
// The tables travel as the kernel's argument, by value. An argument has at most 4 KB: this is where
// the sizes come from, and why multi_tensor_apply.py starts another launch when a table is full.
//
// Left out: loads of four elements at once, the larger tables of newer drivers (32 KB of
// arguments).
#pragma once

// Elements that a thread handles in one turn.
constexpr int kILP = 4;
constexpr long long kChunkSize = 65536;
constexpr int kBlockSize = 512;

constexpr int kMaxTensors = 36;  // upstream's depth_to_max_tensors[3]: four lists of tensors
constexpr int kMaxBlocks = 320;  // upstream's depth_to_max_blocks[3]

template <int n>
struct FusedOptimizerTensorListMetadata {
  // addresses[0] are the parameters, addresses[1] the gradients ...
  const void* addresses[n][kMaxTensors];
  long long numel_for_tensor[kMaxTensors];
  const void* state_steps_addresses[kMaxTensors];
  unsigned char block_to_tensor[kMaxBlocks];
  int block_to_chunk[kMaxBlocks];
  int start_tensor_this_launch;
};
static_assert(sizeof(FusedOptimizerTensorListMetadata<4>) <= 4096, "a kernel's arguments have 4 KB");

// The i-th list's tensor of this block, at the block's chunk.
template <int depth, typename T, typename TensorList>
__device__ void init_args(T** args, const TensorList& tl, long long chunk_idx, long long chunk_size, int tensor_loc) {
  for (int i = 0; i < depth; i++) {
    args[i] = (T*)tl.addresses[i][tensor_loc] + chunk_idx * chunk_size;
  }
}

// r_args[i][ii]: of list i the element that this thread handles; neighbours are blockDim.x apart.
template <int depth, typename T>
__device__ void load_args(T r_args[][kILP], T** args, long long i_start, long long chunk_size, long long n) {
  for (int ii = 0; ii < kILP; ii++) {
    const long long i = i_start + threadIdx.x + ii * blockDim.x;
    for (int r_index = 0; r_index < depth; r_index++) {
      r_args[r_index][ii] = 0;
      if (i < n && i < chunk_size) {
        r_args[r_index][ii] = args[r_index][i];
      }
    }
  }
}

template <typename T>
__device__ void store_args(T* dst, T* src, long long i_start, long long chunk_size, long long n) {
  for (int ii = 0; ii < kILP; ii++) {
    const long long i = i_start + threadIdx.x + ii * blockDim.x;
    if (i < n && i < chunk_size) {
      dst[i] = src[ii];
    }
  }
}

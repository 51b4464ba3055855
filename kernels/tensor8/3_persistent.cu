// Tensor cores of 8 bits 3: wgmma and TMA, with as many groups as the GPU has multiprocessors: rung 15 of tensor. B
// lies along the inner length, the one direction that wgmma takes for 8 bits, so both are tiles of rows of 128 bytes.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "tensor8_args.h"
#include "float8.cuh"
#include "../tensor/warpgroups.cuh"

// Starts sums += a b, of 64 x 32 and 32 x 256 elements; without `add`, sums = a b.
#define START(types, signs, type)                                                                                      \
  asm volatile("{\n.reg .pred add;\nsetp.ne.u32 add, %130, 0;\n"                                                       \
               "wgmma.mma_async.sync.aligned.m64n256k32." types " " SUMS_OF_A_THREAD "%128, %129, add" signs ";\n}\n"  \
               : SIXTY_FOUR(type, sums, 0), SIXTY_FOUR(type, sums, 64)                                                 \
               : "l"(a), "l"(b), "r"(add))
__device__ __forceinline__ void start_bytes(float sums[SUMS], unsigned long long a, unsigned long long b, uint add)
{
  START("f32." FLOAT8 "." FLOAT8, ", 1, 1", "+f");
}

__device__ __forceinline__ void start_bytes(uint sums[SUMS], unsigned long long a, unsigned long long b, uint add)
{
  START("s32.s8.s8", "", "+r");
}

// As the functions of halves: 32 elements are 32 bytes in a row of A, and of B.
template <typename Sum>
__device__ __forceinline__ void start_stage(Sum sums[SUMS], uint stage, uint part, bool add)
{
  asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
#pragma unroll
  for (uint k = 0; k < DEPTH; k += 32)
    start_bytes(sums, matrix_at(stage + part * (64 * 128) + k, 0), matrix_at(stage + A_BYTES + k, 0), k || add);
  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}

__device__ __forceinline__ void start_tile_of_b(uint to, const Tiles &B, Barrier &b, uint first, uint column)
{
  start_tile(to, B, b, first, column);
}

#include "../tensor/stages.cuh"

ENTRY(TENSOR_WARPGROUP)
    tensor8_float32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, float *C, xb_tensor_args args)
{
  multiply(A, B, C, args);
}

ENTRY(TENSOR_WARPGROUP)
    tensor8_int32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, uint *C, xb_tensor_args args)
{
  multiply(A, B, C, args);
}
#endif

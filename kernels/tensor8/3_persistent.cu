// Tensor cores of 8 bits 3: wgmma and TMA, with as many groups as the GPU has multiprocessors: rung 15 of tensor. B
// lies along the inner length, the one direction that wgmma takes for 8 bits, so both are tiles of rows of 128 bytes.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "../tensor/warpgroups.cuh"
#include "tensor8_args.h"

#define INNER TENSOR8_GROUP_DEPTH
#if defined(TENSOR8_E5M2)
#define FLOAT8 "e5m2"
#else
#define FLOAT8 "e4m3"
#endif

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

template <typename Sum>
__device__ __forceinline__ void multiply(const Tiles &A, const Tiles &B, Sum *C, const xb_tensor_args &args)
{
  extern __shared__ uint4 memory[];
  __shared__ Ring ring;
  const uint tid = threadIdx.x, stages = first_stage(memory), tiles = args.tiles_x * args.tiles_y;
  uint row, column;
  if (tid == 0)
    make_ring(ring, 2);
  __syncthreads();

  // [copy]
  if (tid < 128) {
    GIVE_REGISTERS();
    Place at = {0, 1};
    for (uint tile = blockIdx.x; tid == 0 && tile < tiles; tile += gridDim.x) {
      find_tile(args, tile, row, column);
      for (uint first = 0; first < args.k; first += INNER, at.next()) {
        const uint to = stages + at.stage * STAGE_BYTES;
        Barrier &full = ring.full[at.stage];
        wait_for(ring.empty[at.stage], at.phase);
        arrive_and_expect(full, STAGE_BYTES);
        start_tile(to, A, full, first, row);
        start_tile(to + A_BYTES, B, full, first, column);
      }
    }
    return;
  }

  // [sum] and write; the last stage of a tile is left before the sums are written
  TAKE_REGISTERS();
  const uint part = tid / 128 - 1;
  Sum sums[SUMS];
  Place at = {0, 0};
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    find_tile(args, tile, row, column);
    for (uint first = 0; first < args.k; first += INNER, at.next()) {
      const uint a = stages + at.stage * STAGE_BYTES + part * (64 * 128), b = stages + at.stage * STAGE_BYTES + A_BYTES;
      wait_for(ring.full[at.stage], at.phase);
      asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
#pragma unroll
      for (uint k = 0; k < INNER; k += 32)
        start_bytes(sums, matrix_at(a + k, 0), matrix_at(b + k, 0), k || first);
      asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
      wait_for_stages<1>();
      if (first && tid % 128 == 0)
        arrive(ring.empty[at.before()]);
    }
    wait_for_stages<0>();
    if (tid % 128 == 0)
      arrive(ring.empty[at.before()]);
    write_sums(C, sums, row + part * 64, column, args.n);
  }
}

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

// What warp groups multiply in rungs 13 to 20: elements of 16 bits.
#include "warpgroups.cuh"

// B's rows have 256 elements, and lie in shared memory as boxes of 64 columns.
#define BOXES (COLUMNS / TENSOR_GROUP_BOX)
#define BOX_BYTES (DEPTH * 128)

#if defined(TENSOR_BFLOAT16)
#define WGMMA_TYPES "f32.bf16.bf16"
#else
#define WGMMA_TYPES "f32.f16.f16"
#endif

// Starts sums += a b, of 64 x 16 and 16 x 256 elements; without `add`, sums = a b. The last 1: B's rows are not its
// inner dimension.
__device__ __forceinline__ void start_product(float sums[SUMS], unsigned long long a, unsigned long long b, uint add)
{
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.u32 add, %130, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n256k16." WGMMA_TYPES " " SUMS_OF_A_THREAD
               "%128, %129, add, 1, 1, 0, 1;\n"
               "}\n"
               : SIXTY_FOUR("+f", sums, 0), SIXTY_FOUR("+f", sums, 64)
               : "l"(a), "l"(b), "r"(add));
}

// Starts the products of a stage, for the 64 rows of warp group `part`.
__device__ __forceinline__ void start_stage(float sums[SUMS], uint stage, uint part, bool add)
{
  asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
#pragma unroll
  for (uint k = 0; k < DEPTH / 16; k++) // 16 elements are 32 bytes in a row of A, and 16 rows of B
    start_product(sums, matrix_at(stage + part * (64 * 128) + k * 32, 0),
                  matrix_at(stage + A_BYTES + k * (16 * 128), BOX_BYTES), k || add);
  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}

// The boxes of B that a stage of halves holds.
__device__ __forceinline__ void start_tile_of_b(uint to, const Tiles &B, Barrier &b, uint first, uint column)
{
  start_tile(to, B, b, 0, first, column / TENSOR_GROUP_BOX);
}

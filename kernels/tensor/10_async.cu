// Tensor cores 10: rung 9 with cp.async. Copies go to shared memory past the registers, two steps ahead: three buffers.
// In place of a pad behind each row, its vectors are exchanged (swizzled), so that three buffers fit into 48 KiB. Whole
// tiles only: at other sizes rung 2 runs. Devices before compute capability 8.0 have no such copies.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "tensor_args.h"
#include "entry.cuh"
#include "matrices.cuh"

struct Swizzled {
  // Elements of a vector, and rows in vectors.
  static constexpr uint V = 8, A_ROW = TENSOR_DEPTH / V, B_ROW = TENSOR_TILE / V;
  static constexpr uint A_TILE = TENSOR_TILE * A_ROW, B_TILE = TENSOR_DEPTH * B_ROW, BUFFERS = 3;
  // Vector `v` of row `r` in a tile of A, whose rows have four: two rows are 128 bytes, all banks.
  static __device__ __forceinline__ uint a_at(uint buffer, uint r, uint v)
  {
    return buffer * A_TILE + (r * 4 + (v ^ r / 2 % 4));
  }
  // The same of B, whose rows have sixteen.
  static __device__ __forceinline__ uint b_at(uint buffer, uint r, uint v)
  {
    return buffer * B_TILE + (r * 16 + (v ^ r % 8));
  }
};

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  const uint TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), DEPTH = TENSOR_DEPTH, BUFFERS = Swizzled::BUFFERS;
  const uint V = Swizzled::V, A_ROW = Swizzled::A_ROW, B_ROW = Swizzled::B_ROW, LOADS = TILE * A_ROW / BLOCK;
  __shared__ uint4 aMemory[BUFFERS * Swizzled::A_TILE];
  __shared__ uint4 bMemory[BUFFERS * Swizzled::B_TILE];
  const SharedVectors aTile(aMemory), bTile(bMemory);

  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * TENSOR_SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile
  const uint a_pitch = args.k / V, b_pitch = args.n / V;

  float sums[DOWN][ACROSS][4];
  clear<DOWN>(sums);

  // [copy] the tiles behind the first `at` of the inner length, into a buffer; behind the last ones, an empty group
  const auto copy_tiles = [&](uint at, uint buffer) {
    if (at < args.k) {
#pragma unroll
      for (uint l = 0; l < LOADS; l++) {
        const uint e = l * BLOCK + tid;
        start_copy(&aTile[Swizzled::a_at(buffer, e / A_ROW, e % A_ROW)],
                   A + (row + e / A_ROW) * a_pitch + at / V + e % A_ROW);
        start_copy(&bTile[Swizzled::b_at(buffer, e / B_ROW, e % B_ROW)],
                   B + (at + e / B_ROW) * b_pitch + column / V + e % B_ROW);
      }
    }
    end_group();
  };

  copy_tiles(0, 0);
  copy_tiles(DEPTH, 1);
  uint buffer = 0;
  for (uint first = 0; first < args.k; first += DEPTH) {
    wait_for_copies<1>(); // of this thread; the barrier is for those of all threads, and for the buffer that was read
    __syncthreads();
    copy_tiles(first + 2 * DEPTH, buffer == 0 ? BUFFERS - 1 : buffer - 1); // which was read in the turn before
    add_tiles<DOWN, Swizzled>(sums, aTile, bTile, buffer, wave_row, wave_column);
    buffer = buffer == BUFFERS - 1 ? 0 : buffer + 1;
  }

  // [write]
  write_sums<DOWN>(C, sums, row + wave_row, column + wave_column, args.n);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))
#endif

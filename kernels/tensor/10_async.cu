// Tensor cores 10: rung 9 with cp.async. Copies go to shared memory past the registers, two steps ahead: three buffers.
// In place of a pad behind each row, its vectors are exchanged (swizzled), so that three buffers fit into 48 KiB. Whole
// tiles only: at other sizes rung 2 runs. Devices before compute capability 8.0 have no such copies.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "tensor_args.h"
#include "entry.cuh"
#include "matrices.cuh"

// Vector `v` of row `r` in a tile of A, whose rows have four: two rows are 128 bytes, all banks.
#define A_AT(r, v) ((r) * 4 + ((v) ^ (r) / 2 % 4))
// The same of B, whose rows have sixteen.
#define B_AT(r, v) ((r) * 16 + ((v) ^ (r) % 8))

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = 2 * TENSOR_ACROSS; // of 8
  const uint DEPTH = TENSOR_DEPTH, V = 8, A_ROW = DEPTH / V, B_ROW = TILE / V; // elements of a vector; rows in vectors
  const uint LOADS = TILE * A_ROW / BLOCK, BUFFERS = 3, A_TILE = TILE * A_ROW, B_TILE = DEPTH * B_ROW;
  __shared__ uint4 aMemory[BUFFERS * A_TILE];
  __shared__ uint4 bMemory[BUFFERS * B_TILE];
  const SharedVectors aTile(aMemory), bTile(bMemory);

  const uint tid = threadIdx.x, lane = tid % TENSOR_WAVE, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile
  const uint a_pitch = args.k / V, b_pitch = args.n / V;

  float sums[DOWN][ACROSS][4];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS * 4; z++)
    sums[z / (ACROSS * 4)][z / 4 % ACROSS][z % 4] = 0;

  // [copy] the tiles behind the first `AT` of the inner length, into a buffer; behind the last ones, an empty group
#define COPY_TILES(AT, BUFFER)                                                                                         \
  if ((AT) < args.k) {                                                                                                 \
    _Pragma("unroll") for (uint l = 0; l < LOADS; l++)                                                                 \
    {                                                                                                                  \
      const uint e = l * BLOCK + tid;                                                                                  \
      start_copy(&aTile[(BUFFER)*A_TILE + A_AT(e / A_ROW, e % A_ROW)],                                                 \
                 A + (row + e / A_ROW) * a_pitch + (AT) / V + e % A_ROW);                                              \
      start_copy(&bTile[(BUFFER)*B_TILE + B_AT(e / B_ROW, e % B_ROW)],                                                 \
                 B + ((AT) + e / B_ROW) * b_pitch + column / V + e % B_ROW);                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  end_group();

  COPY_TILES(0, 0)
  COPY_TILES(DEPTH, 1)
  uint buffer = 0;
  for (uint first = 0; first < args.k; first += DEPTH) {
    wait_for_copies<1>(); // of this thread; the barrier is for those of all threads, and for the buffer that was read
    __syncthreads();
    const uint oldest = buffer == 0 ? BUFFERS - 1 : buffer - 1; // read in the turn before
    COPY_TILES(first + 2 * DEPTH, oldest)

    // [sum] lane i names row i % 16 of a fragment, and its left or right half
#pragma unroll
    for (uint k = 0; k < DEPTH; k += SIDE) {
      uint b[ACROSS / 2][4]; // two fragments each
#pragma unroll
      for (uint q = 0; q < ACROSS / 2; q++)
        load_transposed(b[q], bTile, buffer * B_TILE + B_AT(k + lane % 16, wave_column / V + q * 2 + lane / 16));
#pragma unroll
      for (uint i = 0; i < DOWN; i++) {
        uint a[4];
        load_matrices(a, aTile, buffer * A_TILE + A_AT(wave_row + i * SIDE + lane % 16, k / V + lane / 16));
#pragma unroll
        for (uint j = 0; j < ACROSS; j++)
          multiply_add(sums[i][j], a, &b[j / 2][j % 2 * 2]);
      }
    }
    buffer = buffer == BUFFERS - 1 ? 0 : buffer + 1;
  }

  // [write]
  write_sums<DOWN, ACROSS>(C, sums, row + wave_row, column + wave_column, args.n);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))
#endif

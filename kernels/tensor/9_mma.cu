// Tensor cores 9: rung 3 in PTX. ldmatrix loads a fragment in one instruction, and mma multiplies it: no compiler
// chooses how. Whole tiles only: at other sizes rung 2 runs. Devices before compute capability 8.0 have no such shapes.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "tensor_args.h"
#include "entry.cuh"
#include "matrices.cuh"

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = 2 * TENSOR_ACROSS; // of 8
  const uint STEPS = TENSOR_STEPS, DEPTH = TENSOR_DEPTH, V = 8; // elements of a vector; lengths of rows in vectors:
  const uint A_ROW = DEPTH / V, A_PITCH = A_ROW + TENSOR_PAD / V;
  const uint B_ROW = TILE / V, B_PITCH = B_ROW + TENSOR_PAD / V;
  const uint LOADS = TILE * A_ROW / BLOCK;
  __shared__ uint4 aMemory[2 * TILE * A_PITCH];
  __shared__ uint4 bMemory[2 * DEPTH * B_PITCH];
  const SharedVectors aTile(aMemory), bTile(bMemory);

  const uint tid = threadIdx.x, lane = tid % TENSOR_WAVE, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (TILE / 2); // in the tile
  const uint a_pitch = args.k / V, b_pitch = args.n / V;

  uint4 a_next[LOADS], b_next[LOADS];
  float sums[DOWN][ACROSS][4];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS * 4; z++)
    sums[z / (ACROSS * 4)][z / 4 % ACROSS][z % 4] = 0;

  // [first] the first tiles
#pragma unroll
  for (uint f = 0; f < LOADS; f++) {
    const uint e = f * BLOCK + tid, r = e / A_ROW, k = e / B_ROW;
    aTile[r * A_PITCH + e % A_ROW] = A[(row + r) * a_pitch + e % A_ROW];
    bTile[k * B_PITCH + e % B_ROW] = B[k * b_pitch + column / V + e % B_ROW];
  }
  __syncthreads();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2; // known when it is compiled

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, args.k - DEPTH);
#pragma unroll
      for (uint l = 0; l < LOADS; l++) {
        const uint e = l * BLOCK + tid;
        a_next[l] = A[(row + e / A_ROW) * a_pitch + next / V + e % A_ROW];
        b_next[l] = B[(next + e / B_ROW) * b_pitch + column / V + e % B_ROW];
      }

      // [sum] lane i names row i % 16 of a fragment, and its left or right half
#pragma unroll
      for (uint k = 0; k < DEPTH; k += SIDE) {
        uint b[ACROSS / 2][4]; // two fragments each
#pragma unroll
        for (uint q = 0; q < ACROSS / 2; q++)
          load_transposed(b[q], bTile,
                          (buffer * DEPTH + k + lane % 16) * B_PITCH + wave_column / V + q * 2 + lane / 16);
#pragma unroll
        for (uint i = 0; i < DOWN; i++) {
          uint a[4];
          load_matrices(a, aTile, (buffer * TILE + wave_row + i * SIDE + lane % 16) * A_PITCH + k / V + lane / 16);
#pragma unroll
          for (uint j = 0; j < ACROSS; j++)
            multiply_add(sums[i][j], a, &b[j / 2][j % 2 * 2]);
        }
      }

      // [store] them into the other buffer
#pragma unroll
      for (uint p = 0; p < LOADS; p++) {
        const uint e = p * BLOCK + tid;
        aTile[((1 - buffer) * TILE + e / A_ROW) * A_PITCH + e % A_ROW] = a_next[p];
        bTile[((1 - buffer) * DEPTH + e / B_ROW) * B_PITCH + e % B_ROW] = b_next[p];
      }
      __syncthreads();
    }
  }

  // [write]
  write_sums<DOWN, ACROSS>(C, sums, row + wave_row, column + wave_column, args.n);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))
#endif

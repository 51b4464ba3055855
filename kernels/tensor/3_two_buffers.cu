// Tensor cores 3: two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles are on their way to
// registers, then to the other. Whole tiles only: at other sizes rung 2 runs. CUDA could also copy to shared memory
// without registers (cp.async): HLSL has no word for it.
// Source: ours; none of the documents has it.
#include "tensor_args.h"
#include "entry.cuh"
#include "shared.cuh"

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
  const uint STEPS = TENSOR_STEPS, DEPTH = TENSOR_DEPTH, V = 8; // elements of a vector; lengths of rows in vectors:
  const uint A_ROW = DEPTH / V, A_PITCH = A_ROW + TENSOR_PAD / V;
  const uint B_ROW = TILE / V, B_PITCH = B_ROW + TENSOR_PAD / V;
  const uint LOADS = TILE * A_ROW / BLOCK;
  __shared__ __align__(32) uint4 aMemory[2 * TILE * A_PITCH]; // fragments are loaded from multiples of 32 bytes
  __shared__ __align__(32) uint4 bMemory[2 * DEPTH * B_PITCH];
  const SharedVectors aTile(aMemory), bTile(bMemory);

  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile
  const uint a_pitch = args.k / V, b_pitch = args.n / V;

  uint4 a_next[LOADS], b_next[LOADS];
  FragmentC sums[DOWN][ACROSS];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS; z++)
    wmma::fill_fragment(sums[z / ACROSS][z % ACROSS], 0.0f);

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

      // [sum]
#pragma unroll
      for (uint k = 0; k < DEPTH; k += SIDE) {
        FragmentB b[ACROSS];
#pragma unroll
        for (uint q = 0; q < ACROSS; q++)
          wmma::load_matrix_sync(b[q], (Element *)&bTile[(buffer * DEPTH + k) * B_PITCH + (wave_column + q * SIDE) / V],
                                 B_PITCH * V);
#pragma unroll
        for (uint i = 0; i < DOWN; i++) {
          FragmentA a;
          wmma::load_matrix_sync(a, (Element *)&aTile[(buffer * TILE + wave_row + i * SIDE) * A_PITCH + k / V],
                                 A_PITCH * V);
#pragma unroll
          for (uint j = 0; j < ACROSS; j++)
            wmma::mma_sync(sums[i][j], a, b[j], sums[i][j]);
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
#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS; s++)
    wmma::store_matrix_sync(
        C + (row + wave_row + s / ACROSS * SIDE) * args.n + column + wave_column + s % ACROSS * SIDE,
        sums[s / ACROSS][s % ACROSS], args.n, wmma::mem_row_major);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))

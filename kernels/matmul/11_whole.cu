// Matrix multiplication 11: sizes of whole tiles, so nothing is checked. Elsewhere rung 10 runs. A group sums
// `part` of the inner length, and the products of all parts lie one after the other: rung 12 adds them up.
// Source: ours; none of the documents has it.
#define XB_MOST_BLOCK 256 // entry.cuh
#include "matmul_args.h"
#define XB_RESIDENT_GROUPS(block) ((block) == 256 ? 2 : 0) // else nvcc takes more registers; HLSL cannot ask for this
#include "entry.cuh"
#include "scale.cuh"

XB_KERNEL void matmul(const T4 *__restrict__ A, const T4 *__restrict__ B, T4 *C, xb_matmul_args args)
{
  const uint TILE = MATMUL_TILE(BLOCK), SUMS = MATMUL_SUMS(BLOCK), V = SUMS / 4, ACROSS = TILE / (32 * V);
  const uint STEPS = MATMUL_STEPS, DEPTH = MATMUL_DEPTH;
  __shared__ T4 aTile[2][DEPTH][TILE / 4 + 1]; // transposed; + 1: the threads of a wave store to different banks
  __shared__ T4 bTile[2][DEPTH][TILE / 4];

  const uint tid = threadIdx.x, wave = tid / 32, lane = tid % 32, n4 = args.n / 4, k4 = args.k / 4;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint tiles = args.tiles_x * args.tiles_y, tile = group % tiles, part = group / tiles;
  const uint row = tile / args.tiles_x * TILE, column = tile % args.tiles_x * (TILE / 4); // of the tile, in vectors
  const uint row4 = wave / ACROSS * (4 * V) + lane / 8;    // of the thread's vectors in the tile: this and each 4th
  const uint column4 = wave % ACROSS * (8 * V) + lane % 8; // this and each 8th
  const uint a_row = tid / 2, a_k = tid % 2 * 4;           // of the vector of A that the thread loads
  const uint b_k = tid / (TILE / 4), b_column = tid % (TILE / 4); // of that of B
  const uint a_from = (row + a_row) * k4 + (part * args.part + a_k) / 4;
  const uint b_from = (part * args.part + b_k) * n4 + column + b_column;

  T4 sums[SUMS][V];
#pragma unroll
  for (uint z = 0; z < SUMS * V; z++)
    sums[z / V][z % V].x = sums[z / V][z % V].y = sums[z / V][z % V].z = sums[z / V][z % V].w = 0;

  // [first] the first tiles
  const T4 a = A[a_from];
  bTile[0][b_k][b_column] = B[b_from];
  ((T *)aTile[0][a_k + 0])[a_row] = a.x;
  ((T *)aTile[0][a_k + 1])[a_row] = a.y;
  ((T *)aTile[0][a_k + 2])[a_row] = a.z;
  ((T *)aTile[0][a_k + 3])[a_row] = a.w;
  __syncthreads();
#pragma unroll 1
  for (uint first = 0; first < args.part; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2;

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, args.part - DEPTH);
      const T4 a_next = A[next / 4 + a_from], b_next = B[next * n4 + b_from];

      // [sum]
#pragma unroll
      for (uint k = 0; k < DEPTH; k++) {
        T4 b[V];
#pragma unroll
        for (uint q = 0; q < V; q++)
          b[q] = bTile[buffer][k][column4 + q * 8];
#pragma unroll
        for (uint i = 0; i < V; i++) {
          const T4 a = aTile[buffer][k][row4 + i * 4];
#pragma unroll
          for (uint j = 0; j < V; j++) {
            sums[i * 4 + 0][j] += a.x * b[j];
            sums[i * 4 + 1][j] += a.y * b[j];
            sums[i * 4 + 2][j] += a.z * b[j];
            sums[i * 4 + 3][j] += a.w * b[j];
          }
        }
      }

      // [store] them into the other buffer
      bTile[1 - buffer][b_k][b_column] = b_next;
      ((T *)aTile[1 - buffer][a_k + 0])[a_row] = a_next.x;
      ((T *)aTile[1 - buffer][a_k + 1])[a_row] = a_next.y;
      ((T *)aTile[1 - buffer][a_k + 2])[a_row] = a_next.z;
      ((T *)aTile[1 - buffer][a_k + 3])[a_row] = a_next.w;
      __syncthreads();
    }
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < SUMS * V; s++) {
    const uint i = s / V, j = s % V;
    const uint y = row + (row4 + i / 4 * 4) * 4 + i % 4, x = column + column4 + j * 8;
    C[(part * args.m + y) * n4 + x] = sums[i][j];
  }
}

XB_ENTRIES(matmul, (const T4 *__restrict__ A, const T4 *__restrict__ B, T4 *C, xb_matmul_args args), (A, B, C, args))

// Matrix multiplication 10: reads and writes of 16 bytes in memory, too. Rows of A, B and C are whole vectors; otherwise
// rung 9 runs.
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
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * (TILE / 4); // of the tile, in vectors
  const uint row4 = wave / ACROSS * (4 * V) + lane / 8;    // of the thread's vectors in the tile: this and each 4th
  const uint column4 = wave % ACROSS * (8 * V) + lane % 8; // this and each 8th
  const uint a_row = tid / 2, a_k = tid % 2 * 4;           // of the vector of A that the thread loads
  const uint b_k = tid / (TILE / 4), b_column = tid % (TILE / 4); // of that of B
  const uint a_from = min(row + a_row, args.m - 1) * k4 + a_k / 4, b_from = b_k * n4 + min(column + b_column, n4 - 1);
  const uint whole = args.k / (STEPS * DEPTH) * (STEPS * DEPTH);

  T4 sums[SUMS][V];
#pragma unroll
  for (uint z = 0; z < SUMS * V; z++)
    sums[z / V][z % V].x = sums[z / V][z % V].y = sums[z / V][z % V].z = sums[z / V][z % V].w = 0;

  // [first] the first tiles
  if (whole) {
    const T4 a = A[a_from];
    bTile[0][b_k][b_column] = B[b_from];
    ((T *)aTile[0][a_k + 0])[a_row] = a.x;
    ((T *)aTile[0][a_k + 1])[a_row] = a.y;
    ((T *)aTile[0][a_k + 2])[a_row] = a.z;
    ((T *)aTile[0][a_k + 3])[a_row] = a.w;
    __syncthreads();
  }
#pragma unroll 1
  for (uint first = 0; first < whole; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2;

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, whole - DEPTH);
      const T4 a_next = A[next / 4 + a_from], b_next = B[next * n4 + b_from];

      // [sum]
#pragma unroll
      for (uint k = 0; k < DEPTH; k++) {
        if (k == DEPTH / 2) { // [store] them into the other buffer: the loads have had time, and the barrier is still far
          bTile[1 - buffer][b_k][b_column] = b_next;
          ((T *)aTile[1 - buffer][a_k + 0])[a_row] = a_next.x;
          ((T *)aTile[1 - buffer][a_k + 1])[a_row] = a_next.y;
          ((T *)aTile[1 - buffer][a_k + 2])[a_row] = a_next.z;
          ((T *)aTile[1 - buffer][a_k + 3])[a_row] = a_next.w;
        }
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
      __syncthreads();
    }
  }

  // [rest] of k
#pragma unroll 1
  for (uint k = whole; k < args.k; k++) {
    T4 b[V];
#pragma unroll
    for (uint q = 0; q < V; q++)
      b[q] = B[k * n4 + min(column + column4 + q * 8, n4 - 1)];
#pragma unroll
    for (uint i = 0; i < SUMS; i++) {
      const uint y = min(row + (row4 + i / 4 * 4) * 4 + i % 4, args.m - 1);
      const T a = ((const T *)A)[y * args.k + k];
#pragma unroll
      for (uint j = 0; j < V; j++)
        sums[i][j] += a * b[j];
    }
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < SUMS * V; s++) {
    const uint i = s / V, j = s % V;
    const uint y = row + (row4 + i / 4 * 4) * 4 + i % 4, x = column + column4 + j * 8;
    if (y < args.m && x < n4)
      C[y * n4 + x] = sums[i][j];
  }
}

XB_ENTRIES(matmul, (const T4 *__restrict__ A, const T4 *__restrict__ B, T4 *C, xb_matmul_args args), (A, B, C, args))

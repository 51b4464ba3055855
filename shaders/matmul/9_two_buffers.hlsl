// Matrix multiplication 9: two buffers. While one is summed, the next tiles are on their way to registers, then to the
// other. A turn of the loop has several steps, so that buffer numbers are constants; addresses are kept inside the
// matrices, so that no read is conditional. What is left of k is summed from memory.
// Source: ours; none of the documents has it.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint TILE = MATMUL_TILE(BLOCK), SUMS = MATMUL_SUMS(BLOCK), V = SUMS / 4, ACROSS = TILE / (32 * V);
static const uint STEPS = MATMUL_STEPS, DEPTH = MATMUL_DEPTH, LOADS = TILE * DEPTH / BLOCK, LOAD_ROWS = BLOCK / TILE;
groupshared T4 aTile[2][DEPTH][TILE / 4 + 1]; // transposed; + 1: the threads of a wave store to different banks
groupshared T4 bTile[2][DEPTH][TILE / 4];

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, wave = tid / 32, lane = tid % 32;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE; // of the tile
  const uint row4 = wave / ACROSS * (4 * V) + lane / 8;    // of the thread's vectors in the tile: this and each 4th
  const uint column4 = wave % ACROSS * (8 * V) + lane % 8; // this and each 8th
  const uint a_row = tid / DEPTH, a_k = tid % DEPTH;       // of the words that the thread loads: this and each
  const uint b_k = tid / TILE, b_column = tid % TILE;      // BLOCK / DEPTH-th row, this and each LOAD_ROWS-th row
  const uint b_from = b_k * args.n + min(column + b_column, args.n - 1);
  const uint whole = args.k / (STEPS * DEPTH) * (STEPS * DEPTH);

  T a_next[LOADS], b_next[LOADS];
  T4 sums[SUMS][V];
  [unroll]
  for (uint z = 0; z < SUMS * V; z++)
    sums[z / V][z % V] = 0;

  // [first] the first tiles
  if (whole) {
    [unroll]
    for (uint l = 0; l < LOADS; l++) {
      const uint r = l * (BLOCK / DEPTH) + a_row, k = l * LOAD_ROWS + b_k;
      aTile[0][a_k][r / 4][r % 4] = A[min(row + r, args.m - 1) * args.k + a_k];
      bTile[0][k][b_column / 4][b_column % 4] = B[l * LOAD_ROWS * args.n + b_from];
    }
    GroupMemoryBarrierWithGroupSync();
  }
  [loop]
  for (uint first = 0; first < whole; first += STEPS * DEPTH) {
    [unroll]
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2;

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, whole - DEPTH);
      [unroll]
      for (uint l = 0; l < LOADS; l++) {
        a_next[l] = A[min(row + l * (BLOCK / DEPTH) + a_row, args.m - 1) * args.k + next + a_k];
        b_next[l] = B[(next + l * LOAD_ROWS) * args.n + b_from];
      }

      // [sum]
      [unroll]
      for (uint k = 0; k < DEPTH; k++) {
        T4 b[V];
        [unroll]
        for (uint q = 0; q < V; q++)
          b[q] = bTile[buffer][k][column4 + q * 8];
        [unroll]
        for (uint i = 0; i < V; i++) {
          const T4 a = aTile[buffer][k][row4 + i * 4];
          [unroll]
          for (uint j = 0; j < V; j++) {
            sums[i * 4 + 0][j] += a.x * b[j];
            sums[i * 4 + 1][j] += a.y * b[j];
            sums[i * 4 + 2][j] += a.z * b[j];
            sums[i * 4 + 3][j] += a.w * b[j];
          }
        }
      }

      // [store] them into the other buffer
      [unroll]
      for (uint p = 0; p < LOADS; p++) {
        aTile[1 - buffer][a_k][(p * (BLOCK / DEPTH) + a_row) / 4][(p * (BLOCK / DEPTH) + a_row) % 4] = a_next[p];
        bTile[1 - buffer][p * LOAD_ROWS + b_k][b_column / 4][b_column % 4] = b_next[p];
      }
      GroupMemoryBarrierWithGroupSync();
    }
  }

  // [rest] of k
  [loop]
  for (uint k = whole; k < args.k; k++) {
    T4 b[V];
    [unroll]
    for (uint q = 0; q < V; q++) {
      const uint x = column + (column4 + q * 8) * 4;
      b[q].x = B[k * args.n + min(x + 0, args.n - 1)];
      b[q].y = B[k * args.n + min(x + 1, args.n - 1)];
      b[q].z = B[k * args.n + min(x + 2, args.n - 1)];
      b[q].w = B[k * args.n + min(x + 3, args.n - 1)];
    }
    [unroll]
    for (uint i = 0; i < SUMS; i++) {
      const T a = A[min(row + (row4 + i / 4 * 4) * 4 + i % 4, args.m - 1) * args.k + k];
      [unroll]
      for (uint j = 0; j < V; j++)
        sums[i][j] += a * b[j];
    }
  }

  // [write]
  [unroll]
  for (uint s = 0; s < SUMS * V; s++) {
    const uint i = s / V, j = s % V;
    const uint y = row + (row4 + i / 4 * 4) * 4 + i % 4, x = column + (column4 + j * 8) * 4;
    if (y < args.m && x + 0 < args.n)
      C[y * args.n + x + 0] = sums[i][j].x;
    if (y < args.m && x + 1 < args.n)
      C[y * args.n + x + 1] = sums[i][j].y;
    if (y < args.m && x + 2 < args.n)
      C[y * args.n + x + 2] = sums[i][j].z;
    if (y < args.m && x + 3 < args.n)
      C[y * args.n + x + 3] = sums[i][j].w;
  }
}

// Matrix multiplication 8: reads of 16 bytes from shared memory, and a square block of C for each wave.
// A thread's rows and columns are in vectors of 4, and 4 x 8 threads are a wave of 32: together they read the fewest
// words.
// Source: ours; none of the documents has it.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint TILE = MATMUL_TILE(BLOCK), SUMS = MATMUL_SUMS(BLOCK), V = SUMS / 4, ACROSS = TILE / (32 * V);
static const uint DEPTH = MATMUL_DEPTH, LOADS = TILE * DEPTH / BLOCK;
groupshared T4 aTile[DEPTH][TILE / 4 + 1]; // transposed; + 1: the threads of a wave store to different banks
groupshared T4 bTile[DEPTH][TILE / 4];

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, wave = tid / 32, lane = tid % 32;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE; // of the tile
  const uint row4 = wave / ACROSS * (4 * V) + lane / 8;    // of the thread's vectors in the tile: this and each 4th
  const uint column4 = wave % ACROSS * (8 * V) + lane % 8; // this and each 8th

  T4 sums[SUMS][V];
  [unroll]
  for (uint z = 0; z < SUMS * V; z++)
    sums[z / V][z % V] = 0;
  for (uint first = 0; first < args.k; first += DEPTH) {
    // [load] zeros past the edges add nothing
    [unroll]
    for (uint l = 0; l < LOADS; l++) {
      const uint r = (l * BLOCK + tid) / DEPTH, k = tid % DEPTH;
      T a = 0;
      if (row + r < args.m && first + k < args.k)
        a = A[(row + r) * args.k + first + k];
      aTile[k][r / 4][r % 4] = a;
    }
    [unroll]
    for (uint p = 0; p < LOADS; p++) {
      const uint k = (p * BLOCK + tid) / TILE, c = tid % TILE;
      T b = 0;
      if (first + k < args.k && column + c < args.n)
        b = B[(first + k) * args.n + column + c];
      bTile[k][c / 4][c % 4] = b;
    }
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    [unroll]
    for (uint k = 0; k < DEPTH; k++) {
      T4 b[V];
      [unroll]
      for (uint q = 0; q < V; q++)
        b[q] = bTile[k][column4 + q * 8];
      [unroll]
      for (uint i = 0; i < V; i++) {
        const T4 a = aTile[k][row4 + i * 4];
        [unroll]
        for (uint j = 0; j < V; j++) {
          sums[i * 4 + 0][j] += a.x * b[j];
          sums[i * 4 + 1][j] += a.y * b[j];
          sums[i * 4 + 2][j] += a.z * b[j];
          sums[i * 4 + 3][j] += a.w * b[j];
        }
      }
    }
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tiles
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

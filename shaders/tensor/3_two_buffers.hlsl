// Tensor cores 3: two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles are on their way to
// registers, then to the other. Whole tiles only: at other sizes rung 2 runs. Rungs 25 and 26 have other fragments.
// CUDA could also copy to shared memory without registers (cp.async): HLSL has no word for it.
// Source: ours; none of the documents has it.
#include "fragments.h"
#ifndef TENSOR_ENTRY // rung 2 of tensor8 has its own
#define TENSOR_ENTRY tensor
#endif

[[vk::binding(0, 0)]] StructuredBuffer<uint4> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint4> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<Sum> C : register(u0);
XB_ARGS(xb_tensor_args);

static const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK);
static const uint COLUMNS = TENSOR_COLUMNS, INNER = TENSOR_INNER, ACROSS = TILE / COLUMNS / 2; // of fragments
static const uint STEPS = TENSOR_STEPS, DEPTH = TENSOR_DEPTH, V = TENSOR_PAD; // elements of a vector
static const uint A_ROW = DEPTH / V, A_PITCH = A_ROW + 1;                     // lengths of rows in vectors, and a pad
static const uint B_ROW = B_ALONG(DEPTH, TILE) / V, B_PITCH = B_ROW + 1, B_LINES = B_LINE(DEPTH, TILE);
static const uint LOADS = TILE * A_ROW / BLOCK;
groupshared uint4 aTile[2 * TILE * A_PITCH];
groupshared uint4 bTile[2 * B_LINES * B_PITCH];

[numthreads(BLOCK, 1, 1)]
void TENSOR_ENTRY(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * COLUMNS); // in the tile
  const uint a_pitch = args.k / V, b_pitch = B_ALONG(args.k, args.n) / V;

  uint4 a_next[LOADS], b_next[LOADS];
  FragmentC sums[DOWN][ACROSS];
  [unroll]
  for (uint z = 0; z < DOWN * ACROSS; z++)
    sums[z / ACROSS][z % ACROSS] = ZERO;

  // [first] the first tiles
  [unroll]
  for (uint f = 0; f < LOADS; f++) {
    const uint e = f * BLOCK + tid, r = e / A_ROW, k = e / B_ROW;
    aTile[r * A_PITCH + e % A_ROW] = A[(row + r) * a_pitch + e % A_ROW];
    bTile[k * B_PITCH + e % B_ROW] = B[(B_LINE(0, column) + k) * b_pitch + B_ALONG(0, column) / V + e % B_ROW];
  }
  GroupMemoryBarrierWithGroupSync();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
    [unroll]
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2; // known when it is compiled

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, args.k - DEPTH);
      [unroll]
      for (uint l = 0; l < LOADS; l++) {
        const uint e = l * BLOCK + tid;
        a_next[l] = A[(row + e / A_ROW) * a_pitch + next / V + e % A_ROW];
        b_next[l] = B[(B_LINE(next, column) + e / B_ROW) * b_pitch + B_ALONG(next, column) / V + e % B_ROW];
      }

      // [sum]
      [unroll]
      for (uint k = 0; k < DEPTH; k += INNER) {
        FragmentB b[ACROSS];
        [unroll]
        for (uint q = 0; q < ACROSS; q++) {
          const uint c = wave_column + q * COLUMNS;
          b[q] = FragmentB.Load<B_LAYOUT>(
              bTile, (buffer * B_LINES + B_LINE(k, c)) * B_PITCH + B_ALONG(k, c) / V, B_PITCH);
        }
        [unroll]
        for (uint i = 0; i < DOWN; i++) {
          FragmentA a;
          a = FragmentA.Load<ROWS>(
              aTile, (buffer * TILE + wave_row + i * SIDE) * A_PITCH + k / V, A_PITCH);
          [unroll]
          for (uint j = 0; j < ACROSS; j++)
            sums[i][j] = coopMatMulAdd<Sum, false>(a, b[j], sums[i][j]);
        }
      }

      // [store] them into the other buffer
      [unroll]
      for (uint p = 0; p < LOADS; p++) {
        const uint e = p * BLOCK + tid;
        aTile[((1 - buffer) * TILE + e / A_ROW) * A_PITCH + e % A_ROW] = a_next[p];
        bTile[((1 - buffer) * B_LINES + e / B_ROW) * B_PITCH + e % B_ROW] = b_next[p];
      }
      GroupMemoryBarrierWithGroupSync();
    }
  }

  // [write]
  [unroll]
  for (uint s = 0; s < DOWN * ACROSS; s++)
    sums[s / ACROSS][s % ACROSS].Store<ROWS>(
        C, (row + wave_row + s / ACROSS * SIDE) * args.n + column + wave_column + s % ACROSS * COLUMNS, args.n);
}

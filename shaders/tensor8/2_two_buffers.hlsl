// Tensor cores of 8 bits 2: rung 1 with two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles
// are on their way to registers, then to the other. Whole tiles only: at other sizes rung 1 runs.
// Source: ours; none of the documents has it.
#include "tensor_args.h"
#include "tensor8_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint4> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<Sum> C : register(u0);
XB_ARGS(xb_tensor_args);

static const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
static const uint STEPS = TENSOR_STEPS, DEPTH = TENSOR8_DEPTH, INNER = TENSOR8_INNER;
static const uint V = 16, ROW = DEPTH / V, PITCH = ROW + TENSOR8_PAD / V; // elements of a vector; rows in vectors
static const uint LOADS = TILE * ROW / BLOCK;
groupshared uint4 aTile[2 * TILE * PITCH];
groupshared uint4 bTile[2 * TILE * PITCH];

[numthreads(BLOCK, 1, 1)]
void tensor8(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile
  const uint pitch = args.k / V, v = tid % ROW, r = tid / ROW;                              // of the first loads

  uint4 a_next[LOADS], b_next[LOADS];
  Sums sums[DOWN][ACROSS];
  [unroll]
  for (uint z = 0; z < DOWN * ACROSS; z++)
    sums[z / ACROSS][z % ACROSS] = NO_SUMS;

  // [first] the first tiles
  [unroll]
  for (uint f = 0; f < LOADS; f++) {
    const uint y = r + f * (BLOCK / ROW);
    aTile[y * PITCH + v] = A[(row + y) * pitch + v];
    bTile[y * PITCH + v] = B[(column + y) * pitch + v];
  }
  GroupMemoryBarrierWithGroupSync();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
    [unroll]
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2; // known when it is compiled

      // [load] the next tiles into registers; behind the last one, this once more
      const uint next = min(first + (step + 1) * DEPTH, args.k - DEPTH) / V + v;
      [unroll]
      for (uint l = 0; l < LOADS; l++) {
        const uint y = r + l * (BLOCK / ROW);
        a_next[l] = A[(row + y) * pitch + next];
        b_next[l] = B[(column + y) * pitch + next];
      }

      // [sum]
      [unroll]
      for (uint k = 0; k < DEPTH; k += INNER) {
        BytesB b[ACROSS];
        [unroll]
        for (uint q = 0; q < ACROSS; q++)
          b[q] = BytesB.Load<COLUMNS>(bTile, (buffer * TILE + wave_column + q * SIDE) * PITCH + k / V, PITCH);
        [unroll]
        for (uint i = 0; i < DOWN; i++) {
          const BytesA a = BytesA.Load<ROWS>(aTile, (buffer * TILE + wave_row + i * SIDE) * PITCH + k / V, PITCH);
          [unroll]
          for (uint j = 0; j < ACROSS; j++)
            sums[i][j] = coopMatMulAdd<Sum, false>(a, b[j], sums[i][j]);
        }
      }

      // [store] them into the other buffer
      [unroll]
      for (uint p = 0; p < LOADS; p++) {
        const uint y = (1 - buffer) * TILE + r + p * (BLOCK / ROW);
        aTile[y * PITCH + v] = a_next[p];
        bTile[y * PITCH + v] = b_next[p];
      }
      GroupMemoryBarrierWithGroupSync();
    }
  }

  // [write]
  [unroll]
  for (uint s = 0; s < DOWN * ACROSS; s++)
    sums[s / ACROSS][s % ACROSS].Store<ROWS>(
        C, (row + wave_row + s / ACROSS * SIDE) * args.n + column + wave_column + s % ACROSS * SIDE, args.n);
}

// Tensor cores of 8 bits 1: tiles of A and B through shared memory, fragments of 16 x 16 x 32. Any size: past the edges
// of A and B there are zeros, and the sums go through shared memory, so that only those inside C are written. With
// float32 sums the elements are float8 (e4m3), with int32 sums int8.
// Source: ours; none of the documents has it.
#include "tensor_args.h"
#include "tensor8_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint8_t> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint8_t> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<Sum> C : register(u0);
XB_ARGS(xb_tensor_args);

static const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
static const uint DEPTH = TENSOR8_DEPTH, PITCH = DEPTH + TENSOR8_PAD, INNER = TENSOR8_INNER;
groupshared uint8_t aTile[TILE * PITCH];
groupshared uint8_t bTile[TILE * PITCH];
groupshared Sum cTile[BLOCK / TENSOR_WAVE * SIDE * SIDE]; // a fragment of each wave

[numthreads(BLOCK, 1, 1)]
void tensor8(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, lane = tid % TENSOR_WAVE, wave = tid / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile

  Sums sums[DOWN][ACROSS];
  [unroll]
  for (uint z = 0; z < DOWN * ACROSS; z++)
    sums[z / ACROSS][z % ACROSS] = NO_SUMS;
  for (uint first = 0; first < args.k; first += DEPTH) {
    // [load] zeros past the edges add nothing
    const uint at = tid % DEPTH;
    for (uint r = tid / DEPTH; r < TILE; r += BLOCK / DEPTH) {
      uint8_t a = (uint8_t)0, b = (uint8_t)0;
      if (row + r < args.m && first + at < args.k)
        a = A[(row + r) * args.k + first + at];
      if (column + r < args.n && first + at < args.k)
        b = B[(column + r) * args.k + first + at];
      aTile[r * PITCH + at] = a;
      bTile[r * PITCH + at] = b;
    }
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    [unroll]
    for (uint k = 0; k < DEPTH; k += INNER) {
      BytesB b[ACROSS];
      [unroll]
      for (uint q = 0; q < ACROSS; q++)
        b[q] = BytesB.Load<COLUMNS>(bTile, (wave_column + q * SIDE) * PITCH + k, PITCH);
      [unroll]
      for (uint i = 0; i < DOWN; i++) {
        const BytesA a = BytesA.Load<ROWS>(aTile, (wave_row + i * SIDE) * PITCH + k, PITCH);
        [unroll]
        for (uint j = 0; j < ACROSS; j++)
          sums[i][j] = coopMatMulAdd<Sum, false>(a, b[j], sums[i][j]);
      }
    }
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tiles
  }

  // [write]
  [unroll]
  for (uint s = 0; s < DOWN * ACROSS; s++) {
    sums[s / ACROSS][s % ACROSS].Store<ROWS>(cTile, wave * SIDE * SIDE, SIDE);
    GroupMemoryBarrierWithGroupSync();
    for (uint e = lane; e < SIDE * SIDE; e += TENSOR_WAVE) {
      const uint y = row + wave_row + s / ACROSS * SIDE + e / SIDE;
      const uint x = column + wave_column + s % ACROSS * SIDE + e % SIDE;
      if (y < args.m && x < args.n)
        C[y * args.n + x] = cTile[wave * SIDE * SIDE + e];
    }
    GroupMemoryBarrierWithGroupSync(); // the next fragment overwrites this one
  }
}

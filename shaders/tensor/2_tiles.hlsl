// Tensor cores 2: tiles of A and B through shared memory. Any size: past the edges of A and B there are zeros, and the
// sums go through shared memory, so that only those inside C are written.
// Source: ours; none of the documents has it.
#include "fragments.h"
#ifndef TENSOR_ENTRY // rung 1 of tensor8 has its own
#define TENSOR_ENTRY tensor
#endif

[[vk::binding(0, 0)]] StructuredBuffer<Stored> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<Stored> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<Sum> C : register(u0);
XB_ARGS(xb_tensor_args);

static const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
static const uint DEPTH = TENSOR_DEPTH, INNER = TENSOR_INNER, LOADS = TILE * DEPTH / BLOCK;
static const uint A_PITCH = DEPTH + TENSOR_PAD, B_PITCH = B_ALONG(DEPTH, TILE) + TENSOR_PAD;
groupshared Stored aTile[TILE * A_PITCH];
groupshared Stored bTile[B_LINE(DEPTH, TILE) * B_PITCH];
groupshared Sum cTile[BLOCK / TENSOR_WAVE * SIDE * SIDE]; // a fragment of each wave

[numthreads(BLOCK, 1, 1)]
void TENSOR_ENTRY(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE, lane = tid % TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile
  const uint a_row = tid / DEPTH, a_k = tid % DEPTH, b_row = tid / TILE, b_column = tid % TILE; // of the first loads

  FragmentC sums[DOWN][ACROSS];
  [unroll]
  for (uint z = 0; z < DOWN * ACROSS; z++)
    sums[z / ACROSS][z % ACROSS] = ZERO;
  for (uint first = 0; first < args.k; first += DEPTH) {
    // [load] zeros past the edges add nothing
#if defined(TENSOR_BYTES) // B lies as A does
    for (uint r = tid / DEPTH; r < TILE; r += BLOCK / DEPTH) {
      Stored a = (Stored)0, b = (Stored)0;
      if (row + r < args.m && first + a_k < args.k)
        a = A[(row + r) * args.k + first + a_k];
      if (column + r < args.n && first + a_k < args.k)
        b = B[(column + r) * args.k + first + a_k];
      aTile[r * A_PITCH + a_k] = a;
      bTile[r * B_PITCH + a_k] = b;
    }
#else
    [unroll]
    for (uint l = 0; l < LOADS; l++) {
      const uint r = a_row + l * (BLOCK / DEPTH), k = b_row + l * (BLOCK / TILE);
      Element a = (Element)0.0f, b = (Element)0.0f;
      if (row + r < args.m && first + a_k < args.k)
        a = A[(row + r) * args.k + first + a_k];
      if (first + k < args.k && column + b_column < args.n)
        b = B[(first + k) * args.n + column + b_column];
      aTile[r * A_PITCH + a_k] = a;
      bTile[k * B_PITCH + b_column] = b;
    }
#endif
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    [unroll]
    for (uint k = 0; k < DEPTH; k += INNER) {
      FragmentB b[ACROSS];
      [unroll]
      for (uint q = 0; q < ACROSS; q++) {
        const uint c = wave_column + q * SIDE;
        b[q] = FragmentB.Load<B_LAYOUT>(bTile, B_LINE(k, c) * B_PITCH + B_ALONG(k, c), B_PITCH);
      }
      [unroll]
      for (uint i = 0; i < DOWN; i++) {
        FragmentA a;
        a = FragmentA.Load<ROWS>(aTile, (wave_row + i * SIDE) * A_PITCH + k, A_PITCH);
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

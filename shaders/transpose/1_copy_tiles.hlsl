// Transpose 1: a copy by tiles, the baseline of a transpose.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: simple copy.
// As in the deck, but: bound checks, so that any size works; groups of one dimension, whose threads find their tx and
// ty; offsets and pitches as arguments; and each repetition of the loop in the kernel copies another matrix.
#include "transpose_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_transpose_args);

[numthreads(BLOCK, 1, 1)]
void transpose(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE_DIM; // the deck's threadIdx, of a group of TILE_DIM x BLOCK_ROWS
  const uint ty = threadIdx.x / TILE_DIM;
  const uint BLOCK_ROWS = BLOCK / TILE_DIM;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint tile_x = group % args.tiles_x;
  const uint tile_y = group / args.tiles_x;
  if (tile_y >= args.tiles_y) // a folded grid has extra groups at its end
    return;

  const uint xIndex = tile_x * TILE_DIM + tx;
  const uint yIndex = tile_y * TILE_DIM + ty;
  const uint index_in = args.in_offset + yIndex * args.in_pitch + xIndex;
  const uint index_out = args.out_offset + yIndex * args.out_pitch + xIndex;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [copy] one row of the tile per wave: neighbouring threads copy neighbouring words
    [unroll]
    for (uint i = 0; i < TILE_DIM; i += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + i < args.rows)
        g_odata[index_out + shift + i * args.out_pitch] = g_idata[index_in + shift + i * args.in_pitch];
  }
}

// Transpose 4: coalesced both ways, through shared memory.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: coalesced transpose.
// As in the deck, but: bound checks, tx and ty, pitches and repetitions as in variant 1, and a barrier at the end of
// each repetition, which the deck's loop in the kernel lacks: its next load may overwrite a tile that is still read.
// The slide counts 16-way bank conflicts, of half a warp on 16 banks; GPUs with 32 banks have 32-way ones.
#include "transpose_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_transpose_args);

groupshared T tile[TILE_DIM][TILE_DIM];

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
  const uint xIndex_out = tile_y * TILE_DIM + tx;
  const uint yIndex_out = tile_x * TILE_DIM + ty;
  const uint index_out = args.out_offset + yIndex_out * args.out_pitch + xIndex_out;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [load] rows of the tile, coalesced
    [unroll]
    for (uint i = 0; i < TILE_DIM; i += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + i < args.rows)
        tile[ty + i][tx] = g_idata[index_in + shift + i * args.in_pitch];
    GroupMemoryBarrierWithGroupSync();

    // [store] the tile's columns as rows, coalesced; but a column is in one bank: a 32-way bank conflict
    [unroll]
    for (uint j = 0; j < TILE_DIM; j += BLOCK_ROWS)
      if (xIndex_out < args.rows && yIndex_out + j < args.columns)
        g_odata[index_out + shift + j * args.out_pitch] = tile[tx][ty + j];
    GroupMemoryBarrierWithGroupSync(); // the next repetition overwrites the tile
  }
}

// Transpose 3: each thread moves an element to its place.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: naive transpose.
// As in the deck, but: bound checks, tx and ty, pitches and repetitions as in variant 1.
#include "transpose_args.h"
#include "entry.cuh"

XB_KERNEL void transpose(const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args)
{
  const uint tx = threadIdx.x % TILE_DIM; // the deck's threadIdx, of a group of TILE_DIM x BLOCK_ROWS
  const uint ty = threadIdx.x / TILE_DIM;
  const uint BLOCK_ROWS = BLOCK / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint tile_x = group % args.tiles_x;
  const uint tile_y = group / args.tiles_x;
  if (tile_y >= args.tiles_y) // a folded grid has extra groups at its end
    return;

  const uint xIndex = tile_x * TILE_DIM + tx;
  const uint yIndex = tile_y * TILE_DIM + ty;
  const uint index_in = args.in_offset + yIndex * args.in_pitch + xIndex;
  const uint index_out = args.out_offset + xIndex * args.out_pitch + yIndex;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [move] reads are coalesced; writes are a whole row apart, so each is a memory transaction of its own
#pragma unroll
    for (uint i = 0; i < TILE_DIM; i += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + i < args.rows)
        g_odata[index_out + shift + i] = g_idata[index_in + shift + i * args.in_pitch];
  }
}

XB_ENTRIES(transpose, (const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args), (g_idata, g_odata, args))

// Transpose 2: a copy through shared memory, the baseline of a transpose through shared memory.
// Source: Optimizing CUDA (NVIDIA 2009), matrix transpose study: shared memory copy.
// The deck has its figures, but no listing of it. Bound checks, tx and ty, pitches and repetitions: as in variant 1.
#include "transpose_args.h"
#include "entry.cuh"

XB_KERNEL void transpose(const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args)
{
  __shared__ T tile[TILE_DIM][TILE_DIM];

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
  const uint index_out = args.out_offset + yIndex * args.out_pitch + xIndex;

  for (uint r = 0; r < args.repeats; r++) {
    const uint shift = r * args.repeat_stride;

    // [load] rows of the tile, coalesced
#pragma unroll
    for (uint i = 0; i < TILE_DIM; i += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + i < args.rows)
        tile[ty + i][tx] = g_idata[index_in + shift + i * args.in_pitch];
    __syncthreads();

    // [store] the same rows
#pragma unroll
    for (uint j = 0; j < TILE_DIM; j += BLOCK_ROWS)
      if (xIndex < args.columns && yIndex + j < args.rows)
        g_odata[index_out + shift + j * args.out_pitch] = tile[ty + j][tx];
    __syncthreads(); // the next repetition overwrites the tile
  }
}

XB_ENTRIES(transpose, (const T *__restrict__ g_idata, T *g_odata, xb_transpose_args args), (g_idata, g_odata, args))

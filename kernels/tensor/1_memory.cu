// Tensor cores 1: fragments straight from memory. Whole tiles only: at other sizes rung 2 runs.
// With TENSOR_CEILING it is rung 4.
// Source: ours; none of the documents has it.
#include "fragments.cuh"
#include "entry.cuh"

XB_KERNEL void tensor(const Element *A, const Element *B, float *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
  const uint wave = threadIdx.x / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE + wave / 2 * (DOWN * SIDE); // of the wave's first fragment
  const uint column = group % args.tiles_x * TILE + wave % 2 * (ACROSS * SIDE);

  FragmentA a[DOWN];
  FragmentB b[ACROSS];
  FragmentC sums[DOWN][ACROSS];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS; z++)
    wmma::fill_fragment(sums[z / ACROSS][z % ACROSS], 0.0f);
  const auto load = [&](uint k, uint a_pitch) {
#pragma unroll
    for (uint p = 0; p < DOWN; p++)
      wmma::load_matrix_sync(a[p], A + (row + p * SIDE) * a_pitch + k, a_pitch);
#pragma unroll
    for (uint q = 0; q < ACROSS; q++)
      wmma::load_matrix_sync(b[q], B + k * args.n + column + q * SIDE, args.n);
  };
#if defined(TENSOR_CEILING)
  load(0, SIDE);
#endif
  for (uint k = 0; k < args.k; k += SIDE) {
    // [load]
#if !defined(TENSOR_CEILING)
    load(k, args.k);
#endif

    // [sum]
#pragma unroll
    for (uint i = 0; i < DOWN; i++)
#pragma unroll
      for (uint j = 0; j < ACROSS; j++)
        wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS; s++)
    wmma::store_matrix_sync(C + (row + s / ACROSS * SIDE) * args.n + column + s % ACROSS * SIDE,
                            sums[s / ACROSS][s % ACROSS], args.n, wmma::mem_row_major);
}

XB_ENTRIES(tensor, (const Element *A, const Element *B, float *C, xb_tensor_args args), (A, B, C, args))

// Tensor cores 2: tiles of A and B through shared memory. Any size: past the edges of A and B there are zeros, and the
// sums go through shared memory, so that only those inside C are written.
// Source: ours; none of the documents has it.
#include "fragments.cuh"
#define XB_RESIDENT_GROUPS(block) (256 / (block)) // else nvcc takes fewer registers, and has fewer loads on their way
#include "entry.cuh"

XB_KERNEL void tensor(const Element *A, const Element *B, float *C, xb_tensor_args args)
{
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
  const uint DEPTH = TENSOR_DEPTH, LOADS = TILE * DEPTH / BLOCK;
  const uint A_PITCH = DEPTH + TENSOR_PAD, B_PITCH = TILE + TENSOR_PAD;
  __shared__ __align__(32) Element aTile[TILE * A_PITCH]; // fragments are loaded from multiples of 32 bytes
  __shared__ __align__(32) Element bTile[DEPTH * B_PITCH];
  __shared__ __align__(32) float cTile[BLOCK / TENSOR_WAVE * SIDE * SIDE]; // a fragment of each wave

  const uint tid = threadIdx.x, wave = tid / TENSOR_WAVE, lane = tid % TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile
  const uint a_row = tid / DEPTH, a_k = tid % DEPTH, b_row = tid / TILE, b_column = tid % TILE; // of the first loads

  FragmentC sums[DOWN][ACROSS];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS; z++)
    wmma::fill_fragment(sums[z / ACROSS][z % ACROSS], 0.0f);
  for (uint first = 0; first < args.k; first += DEPTH) {
    // [load] zeros past the edges add nothing
#pragma unroll
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
    __syncthreads();

    // [sum]
#pragma unroll
    for (uint k = 0; k < DEPTH; k += SIDE) {
      FragmentB b[ACROSS];
#pragma unroll
      for (uint q = 0; q < ACROSS; q++)
        wmma::load_matrix_sync(b[q], bTile + k * B_PITCH + wave_column + q * SIDE, B_PITCH);
#pragma unroll
      for (uint i = 0; i < DOWN; i++) {
        FragmentA a;
        wmma::load_matrix_sync(a, aTile + (wave_row + i * SIDE) * A_PITCH + k, A_PITCH);
#pragma unroll
        for (uint j = 0; j < ACROSS; j++)
          wmma::mma_sync(sums[i][j], a, b[j], sums[i][j]);
      }
    }
    __syncthreads(); // the next turn overwrites the tiles
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS; s++) {
    wmma::store_matrix_sync(cTile + wave * SIDE * SIDE, sums[s / ACROSS][s % ACROSS], SIDE, wmma::mem_row_major);
    __syncthreads();
    for (uint e = lane; e < SIDE * SIDE; e += TENSOR_WAVE) {
      const uint y = row + wave_row + s / ACROSS * SIDE + e / SIDE;
      const uint x = column + wave_column + s % ACROSS * SIDE + e % SIDE;
      if (y < args.m && x < args.n)
        C[y * args.n + x] = cTile[wave * SIDE * SIDE + e];
    }
    __syncthreads(); // the next fragment overwrites this one
  }
}

XB_ENTRIES(tensor, (const Element *A, const Element *B, float *C, xb_tensor_args args), (A, B, C, args))

// Tensor cores 3: two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles are on their way to
// registers, then to the other. Whole tiles only: at other sizes rung 2 runs. CUDA could also copy to shared memory
// without registers (cp.async): HLSL has no word for it.
// Source: ours; none of the documents has it.
#include "fragments.cuh"
#include "entry.cuh"
#include "two_buffers.cuh"

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  using Tiles = TwoBuffers<BLOCK, 8, false>;
  const uint SIDE = TENSOR_SIDE, TILE = TENSOR_TILE, DOWN = TENSOR_DOWN(BLOCK), ACROSS = TENSOR_ACROSS;
  const uint STEPS = TENSOR_STEPS, DEPTH = TENSOR_DEPTH, V = 8; // elements of a vector
  __shared__ __align__(32) uint4 aMemory[Tiles::A_SIZE];        // fragments are loaded from multiples of 32 bytes
  __shared__ __align__(32) uint4 bMemory[Tiles::B_SIZE];

  const uint wave = threadIdx.x / TENSOR_WAVE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE;
  const uint wave_row = wave / 2 * (DOWN * SIDE), wave_column = wave % 2 * (ACROSS * SIDE); // in the tile
  Tiles tiles(A, B, aMemory, bMemory, row, column, args);

  FragmentC sums[DOWN][ACROSS];
#pragma unroll
  for (uint z = 0; z < DOWN * ACROSS; z++)
    wmma::fill_fragment(sums[z / ACROSS][z % ACROSS], 0.0f);

  // [first] the first tiles
  tiles.load(0);
  tiles.store(0);
  __syncthreads();
  for (uint first = 0; first < args.k; first += STEPS * DEPTH) {
#pragma unroll
    for (uint step = 0; step < STEPS; step++) {
      const uint buffer = step % 2; // known when it is compiled

      // [load] the next tiles into registers; behind the last one, this once more
      tiles.load(min(first + (step + 1) * DEPTH, args.k - DEPTH));

      // [sum]
#pragma unroll
      for (uint k = 0; k < DEPTH; k += SIDE) {
        FragmentB b[ACROSS];
#pragma unroll
        for (uint q = 0; q < ACROSS; q++)
          wmma::load_matrix_sync(b[q], (Element *)&tiles.bTile[Tiles::b_at(buffer, k, (wave_column + q * SIDE) / V)],
                                 Tiles::B_PITCH * V);
#pragma unroll
        for (uint i = 0; i < DOWN; i++) {
          FragmentA a;
          wmma::load_matrix_sync(a, (Element *)&tiles.aTile[Tiles::a_at(buffer, wave_row + i * SIDE, k / V)],
                                 Tiles::A_PITCH * V);
#pragma unroll
          for (uint j = 0; j < ACROSS; j++)
            wmma::mma_sync(sums[i][j], a, b[j], sums[i][j]);
        }
      }

      // [store] them into the other buffer
      tiles.store(1 - buffer);
      __syncthreads();
    }
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < DOWN * ACROSS; s++)
    wmma::store_matrix_sync(
        C + (row + wave_row + s / ACROSS * SIDE) * args.n + column + wave_column + s % ACROSS * SIDE,
        sums[s / ACROSS][s % ACROSS], args.n, wmma::mem_row_major);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))

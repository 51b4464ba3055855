// Tensor cores 15: rung 14 with as many groups as the GPU has multiprocessors. Each computes several tiles, so copies
// for the next tile begin while the sums of one are written. Tiles that run together lie in eight rows of tiles: what
// they read of A and of B stays in the L2 cache.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "warpgroups.cuh"

ENTRY(TENSOR_WARPGROUP)
    tensor_float32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, float *C, xb_tensor_args args)
{
  extern __shared__ uint4 memory[];
  __shared__ Ring ring;
  const uint tid = threadIdx.x, stages = first_stage(memory), tiles = args.tiles_x * args.tiles_y;
  uint row, column;
  if (tid == 0)
    make_ring(ring, 2);
  __syncthreads();

  // [copy]
  if (tid < 128) {
    GIVE_REGISTERS();
    Place at = {0, 1};
    for (uint tile = blockIdx.x; tid == 0 && tile < tiles; tile += gridDim.x) {
      find_tile(args, tile, row, column);
      for (uint first = 0; first < args.k; first += DEPTH, at.next()) {
        const uint to = stages + at.stage * STAGE_BYTES;
        Barrier &full = ring.full[at.stage];
        wait_for(ring.empty[at.stage], at.phase);
        arrive_and_expect(full, STAGE_BYTES);
        start_tile(to, A, full, first, row);
        start_tile(to + A_BYTES, B, full, 0, first, column / 64);
      }
    }
    return;
  }

  // [sum] and write; the last stage of a tile is left before the sums are written
  TAKE_REGISTERS();
  const uint part = tid / 128 - 1;
  float sums[SUMS];
  Place at = {0, 0};
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    find_tile(args, tile, row, column);
    for (uint first = 0; first < args.k; first += DEPTH, at.next()) {
      wait_for(ring.full[at.stage], at.phase);
      start_stage(sums, stages + at.stage * STAGE_BYTES, part, first != 0);
      wait_for_stages<1>();
      if (first && tid % 128 == 0)
        arrive(ring.empty[at.before()]);
    }
    wait_for_stages<0>();
    if (tid % 128 == 0)
      arrive(ring.empty[at.before()]);
    write_sums(C, sums, row + part * 64, column, args.n);
  }
}
#endif

// Tensor cores 16: rung 15 with clusters of two groups, one tile below the other. They multiply with the same tiles of
// B: each group copies one half of them for both. So a stage is empty when the readers of both groups have left it.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "halves.cuh"
#include "stages.cuh"

#define BOTH 3u // groups of a cluster, as bits

// [tile] down a band of rows of pairs, then one column to the right
__device__ __forceinline__ void find_own_tile(const xb_tensor_args &args, uint pair, uint &row, uint &column)
{
  const uint all = args.tiles_y / 2, band = pair / (BAND * args.tiles_x) * BAND, rows = min(BAND, all - band);
  const uint in_band = pair % (BAND * args.tiles_x);
  row = ((band + in_band % rows) * 2 + blockIdx.x % 2) * ROWS;
  column = in_band / rows * COLUMNS;
}

__device__ __forceinline__ void wait_for_cluster()
{
  asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

ENTRY(TENSOR_WARPGROUP) __cluster_dims__(2, 1, 1)
    tensor_float32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, float *C, xb_tensor_args args)
{
  extern __shared__ uint4 memory[];
  __shared__ Ring ring;
  const uint tid = threadIdx.x, stages = first_stage(memory), rank = blockIdx.x % 2;
  const uint pairs = args.tiles_x * args.tiles_y / 2;
  uint row, column;
  if (tid == 0)
    make_ring(ring, 4);
  wait_for_cluster();

  // [copy] A for this group, and half of B for both
  if (tid < 128) {
    GIVE_REGISTERS();
    Place at = {0, 1};
    for (uint pair = blockIdx.x / 2; tid == 0 && pair < pairs; pair += gridDim.x / 2) {
      find_own_tile(args, pair, row, column);
      fill_stages(ring, at, stages, args.k, [&](uint to, Barrier &full, uint first) { // those of the other group, too
        start_tile(to, A, full, first, row);
        start_tile_for(BOTH, to + A_BYTES + rank * (B_BYTES / 2), B, full, 0, first, column / 64 + rank * (BOXES / 2));
      });
    }
    __syncwarp(); // the barrier of the cluster is for whole warps
  } else {
    // [sum] and write; two threads of a warp group tell a group each
    TAKE_REGISTERS();
    const uint part = tid / 128 - 1, thread = tid % 128;
    float sums[SUMS];
    Place at = {0, 0};
    const auto leave = [&](Barrier &empty) {
      if (thread < 2)
        arrive_at(empty, thread);
    };
    for (uint pair = blockIdx.x / 2; pair < pairs; pair += gridDim.x / 2) {
      find_own_tile(args, pair, row, column);
      sum_stages(sums, ring, at, stages, args.k, part, leave);
      leave(ring.empty[at.before()]);
      write_sums(C, sums, row + part * 64, column, args.n);
    }
  }
  wait_for_cluster(); // shared memory must exist as long as the other group reaches it
}
#endif

// Tensor cores 14: rung 13 with TMA. One thread of a third warp group copies whole tiles, up to four stages ahead; the
// other two only multiply, and have its registers. Barriers in shared memory say when a stage is full, and when empty.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "halves.cuh"
#include "stages.cuh"

ENTRY(TENSOR_WARPGROUP)
    tensor_float32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, float *C, xb_tensor_args args)
{
  extern __shared__ uint4 memory[];
  __shared__ Ring ring;
  const uint tid = threadIdx.x, stages = first_stage(memory);
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * ROWS, column = group % args.tiles_x * COLUMNS;
  if (tid == 0)
    make_ring(ring, 2);
  __syncthreads();

  // [copy] fill each stage that both readers have left
  if (tid < 128) {
    GIVE_REGISTERS();
    Place at = {0, 1};
    if (tid == 0)
      fill_stages(ring, at, stages, args.k, [&](uint to, Barrier &full, uint first) {
        start_tile(to, A, full, first, row);
        start_tile_of_b(to + A_BYTES, B, full, first, column);
      });
    return;
  }

  // [sum]
  TAKE_REGISTERS();
  const uint part = tid / 128 - 1;
  float sums[SUMS];
  Place at = {0, 0};
  sum_stages(sums, ring, at, stages, args.k, part, [&](Barrier &empty) {
    if (tid % 128 == 0)
      arrive(empty);
  });
  write_sums(C, sums, row + part * 64, column, args.n);
}
#endif

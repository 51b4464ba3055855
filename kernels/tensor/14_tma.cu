// Tensor cores 14: rung 13 with TMA. One thread of a third warp group copies whole tiles, up to four stages ahead; the
// other two only multiply, and have its registers. Barriers in shared memory say when a stage is full, and when empty.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "warpgroups.cuh"

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
    for (uint first = 0; tid == 0 && first < args.k; first += DEPTH, at.next()) {
      const uint to = stages + at.stage * STAGE_BYTES;
      Barrier &full = ring.full[at.stage];
      wait_for(ring.empty[at.stage], at.phase);
      arrive_and_expect(full, STAGE_BYTES);
      start_tile(to, A, full, first, row);
      start_tile(to + A_BYTES, B, full, 0, first, column / 64);
    }
    return;
  }

  // [sum] a stage is left when the products after it have been started, and its own have ended
  TAKE_REGISTERS();
  const uint part = tid / 128 - 1;
  float sums[SUMS];
  Place at = {0, 0};
  for (uint first = 0; first < args.k; first += DEPTH, at.next()) {
    wait_for(ring.full[at.stage], at.phase);
    start_stage(sums, stages + at.stage * STAGE_BYTES, part, first != 0);
    wait_for_stages<1>();
    if (first && tid % 128 == 0)
      arrive(ring.empty[at.before()]);
  }
  wait_for_stages<0>();
  write_sums(C, sums, row + part * 64, column, args.n);
}
#endif

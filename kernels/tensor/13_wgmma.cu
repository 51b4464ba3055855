// Tensor cores 13: rung 10 with wgmma. Two warp groups multiply a stage of 128 x 64 and 64 x 256 elements straight from
// shared memory: no thread loads fragments. cp.async still copies, two stages ahead.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "halves.cuh"

#define BUFFERS TENSOR_BUFFERS

__device__ __forceinline__ void start_copy(uint to, const uint4 *from)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(from) : "memory");
}

ENTRY(0) tensor_float32_256(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  extern __shared__ uint4 memory[];
  const uint V = 8, A_ROW = DEPTH / V, B_ROW = COLUMNS / V; // elements of a vector; rows in vectors
  const uint tid = threadIdx.x, stages = first_stage(memory);
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);
  if (group >= args.tiles_x * args.tiles_y)
    return;
  const uint row = group / args.tiles_x * ROWS, column = group % args.tiles_x * COLUMNS;
  const uint a_pitch = args.k / V, b_pitch = args.n / V;

  float sums[SUMS];

  // [copy] the stage behind the first `at` of the inner length; behind the last one, an empty group of copies
  const auto copy_stage = [&](uint at, uint buffer) {
    const uint a = stages + buffer * STAGE_BYTES, b = a + A_BYTES;
    if (at < args.k) {
#pragma unroll
      for (uint l = 0; l < ROWS * A_ROW / MULTIPLYING; l++) {
        const uint e = l * MULTIPLYING + tid, r = e / A_ROW, v = e % A_ROW;
        start_copy(a + r * 128 + (v ^ r % 8) * 16, A + (row + r) * a_pitch + at / V + v);
      }
#pragma unroll
      for (uint l = 0; l < DEPTH * B_ROW / MULTIPLYING; l++) {
        const uint e = l * MULTIPLYING + tid, r = e / B_ROW, box = e / 8 % BOXES, v = e % 8;
        start_copy(b + box * BOX_BYTES + r * 128 + (v ^ r % 8) * 16, B + (at + r) * b_pitch + column / V + e % B_ROW);
      }
    }
    asm volatile("cp.async.commit_group;" : : : "memory");
  };

  copy_stage(0, 0);
  copy_stage(DEPTH, 1);
  uint buffer = 0;
  for (uint first = 0; first < args.k; first += DEPTH) {
    asm volatile("cp.async.wait_group 1;" : : : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); // wgmma sees what threads wrote
    __syncthreads();
    start_stage(sums, stages + buffer * STAGE_BYTES, tid / 128, first != 0);
    wait_for_stages<1>();
    __syncthreads(); // both warp groups have read the oldest buffer
    copy_stage(first + 2 * DEPTH, buffer == 0 ? BUFFERS - 1 : buffer - 1);
    buffer = buffer == BUFFERS - 1 ? 0 : buffer + 1;
  }
  wait_for_stages<0>();
  write_sums(C, sums, row + tid / 128 * 64, column, args.n);
}
#endif

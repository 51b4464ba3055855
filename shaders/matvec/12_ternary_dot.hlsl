// Matrix-vector product 12: ternary, four products an instruction.
// The quantize kernel ran before: x is bytes, too. Weights are taken as 0 to 2: the sum of x goes off at the end.
// Source: ours; none of the documents has it.
#include "matvec_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> g_weights : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_scales : register(t1);
[[vk::binding(2, 0)]] StructuredBuffer<uint4> g_quants : register(t2);
[[vk::binding(3, 0)]] StructuredBuffer<float2> g_steps : register(t3);
[[vk::binding(4, 0)]] RWStructuredBuffer<float> g_y : register(u0);
XB_ARGS(xb_matvec_args);
BATCH_CONSTANT

#define ROWS MATVEC_ROWS
#include "sums.h"
groupshared float sdata[ROWS * BLOCK]; // a slot a wave; a wave may be a single thread

[numthreads(BLOCK, 1, 1)]
void matvec(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint first = XB_GROUP_INDEX(groupIdx, args.grid_x) * ROWS;
  if (tid == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();
  const uint wave = draw_wave();

  // [rows] the first block of each; rows past the end repeat the last one, and are not written
  uint row[ROWS];
  float sum[MATVEC_BATCH][ROWS];
  UNROLL for (uint r = 0; r < ROWS; r++)
  {
    row[r] = min(first + r, args.rows - 1) * args.blocks;
    UNROLL for (uint b = 0; b < MATVEC_BATCH; b++)
      sum[b][r] = 0;
  }

  // [add] a block a load, four products an instruction
#define DOT_OPERATIONS(b)                                                                                              \
  {                                                                                                                    \
    const uint4 q0 = g_quants[2 * (args.blocks * b + u)], q1 = g_quants[2 * (args.blocks * b + u) + 1];                \
    const float2 step = g_steps[args.blocks * b + u];                                                                  \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
    {                                                                                                                  \
      int total = 0;                                                                                                   \
      total = DOT4(w[r].x & 0x03030303u, q0.x, total);                                                                 \
      total = DOT4(w[r].x >> 2 & 0x03030303u, q0.y, total);                                                            \
      total = DOT4(w[r].x >> 4 & 0x03030303u, q0.z, total);                                                            \
      total = DOT4(w[r].x >> 6 & 0x03030303u, q0.w, total);                                                            \
      total = DOT4(w[r].y & 0x03030303u, q1.x, total);                                                                 \
      total = DOT4(w[r].y >> 2 & 0x03030303u, q1.y, total);                                                            \
      total = DOT4(w[r].y >> 4 & 0x03030303u, q1.z, total);                                                            \
      total = DOT4(w[r].y >> 6 & 0x03030303u, q1.w, total);                                                            \
      sum[b][r] += scale[r] * (TO_FLOAT(total) * step.x - step.y);                                                     \
    }                                                                                                                  \
  }
  for (uint u = tid; u < args.blocks; u += BLOCK) {
    uint2 w[ROWS];
    float scale[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint k = row[r] + u;
      w[r] = g_weights[row[r] + u];
      scale[r] = SCALE_OF(g_scales[k / 2], k);
    }
    FOR_BATCH(DOT_OPERATIONS)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

// Matrix-vector product 1: float16, a row a group, 4-byte loads.
// The plain port: a word has two weights.
// Source: ours; none of the documents has it.
#include "matvec_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_weights : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<float2> g_x : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<float> g_y : register(u0);
XB_ARGS(xb_matvec_args);
BATCH_CONSTANT

#define ROWS 1
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

  // [add] two weights a load
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const float2 x = g_x[16 * args.blocks * b + u];                                                                    \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
      sum[b][r] += low[r] * x.x + high[r] * x.y;                                                                       \
  }
  for (uint u = tid; u < 16 * args.blocks; u += BLOCK) {
    float low[ROWS], high[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint w = g_weights[16 * row[r] + u];
      low[r] = HALF(w);
      high[r] = HALF(w >> 16);
    }
    FOR_BATCH(ADD)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

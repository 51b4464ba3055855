// Matrix-vector product 8: q4_0, decoded by masks.
// No branch and no conversion: the bits become a float's fraction.
// Source: ours; none of the documents has it.
#include "matvec_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_weights : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_scales : register(t1);
[[vk::binding(2, 0)]] StructuredBuffer<float4> g_x : register(t2);
[[vk::binding(3, 0)]] RWStructuredBuffer<float> g_y : register(u0);
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

  // [add] a block a load, eight weights a word
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const float4 x0 = g_x[8 * args.blocks * b + at], x1 = g_x[8 * args.blocks * b + at + 1];                           \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
      part[b][r] += dot(v0[r], x0) + dot(v1[r], x1);                                                                   \
  }
#define WORD(c, i)                                                                                                     \
  {                                                                                                                    \
    const uint at = 8 * u + 2 * i;                                                                                     \
    float4 v0[ROWS], v1[ROWS];                                                                                         \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
    {                                                                                                                  \
      v0[r] = NIBBLES_OF(w[r].c, 0);                                                                                   \
      v1[r] = NIBBLES_OF(w[r].c, 4);                                                                                   \
    }                                                                                                                  \
    FOR_BATCH(ADD)                                                                                                     \
  }
#define ADD_SCALED(b)                                                                                                  \
  UNROLL for (uint r = 0; r < ROWS; r++)                                                                               \
    sum[b][r] += scale[r] * part[b][r];
  for (uint u = tid; u < args.blocks; u += BLOCK) {
    uint4 w[ROWS];
    float scale[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint k = row[r] + u;
      w[r] = g_weights[row[r] + u];
      scale[r] = SCALE_OF(g_scales[k / 2], k);
    }
    float part[MATVEC_BATCH][ROWS];
    UNROLL for (uint b = 0; b < MATVEC_BATCH; b++)
      UNROLL for (uint r = 0; r < ROWS; r++)
        part[b][r] = 0;
    FOR_WORDS(WORD)
    FOR_BATCH(ADD_SCALED)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

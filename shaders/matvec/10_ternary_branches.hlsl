// Matrix-vector product 10: ternary, decoded by branches.
// One weight after the other: its code says whether x is added, subtracted or left out.
// Source: ours; none of the documents has it.
#include "matvec_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> g_weights : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_scales : register(t1);
[[vk::binding(2, 0)]] StructuredBuffer<float> g_x : register(t2);
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

  // [add] a block a load, one weight at a time
#define ADD(b) part[b][r] += g_x[MATVEC_BLOCK * args.blocks * b + at];
#define SUBTRACT(b) part[b][r] -= g_x[MATVEC_BLOCK * args.blocks * b + at];
#define ADD_SCALED(b)                                                                                                  \
  UNROLL for (uint r = 0; r < ROWS; r++)                                                                               \
    sum[b][r] += scale[r] * part[b][r];
  for (uint u = tid; u < args.blocks; u += BLOCK) {
    uint2 w[ROWS];
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
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      LOOP for (uint j = 0; j < MATVEC_BLOCK; j++) {
        const uint at = MATVEC_BLOCK * u + j;
        const uint code = (j < 16 ? w[r].x : w[r].y) >> (8 * (j % 4) + 2 * (j % 16 / 4)) & 3u;
        if (code == 0) {
          FOR_BATCH(SUBTRACT)
        } else if (code == 2) {
          FOR_BATCH(ADD)
        }
      }
    }
    FOR_BATCH(ADD_SCALED)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

// Quantizes x, before rows 6, 9 and 12: bytes, and for each block of 32 its step and the sum of what the bytes stand for.
// Eight threads share a block, four elements each.
// Source: ours; none of the documents has it.
#include "matvec_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<float4> g_x : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_quants : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<float2> g_steps : register(u1);
XB_ARGS(xb_matvec_args);

groupshared float largest[BLOCK];
groupshared int sums[BLOCK];

[numthreads(BLOCK, 1, 1)]
void matvec(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;
  const uint n = MATVEC_BLOCK / 4 * args.blocks * args.batch;
  const uint of_block = tid / (MATVEC_BLOCK / 4) * (MATVEC_BLOCK / 4); // the first of the threads that share a block

  // [largest] of the block, in absolute value
  float4 x = float4(0, 0, 0, 0);
  if (i < n)
    x = g_x[i];
  largest[tid] = max(max(abs(x.x), abs(x.y)), max(abs(x.z), abs(x.w)));
  GroupMemoryBarrierWithGroupSync();
  float most = 0;
  for (uint t = 0; t < MATVEC_BLOCK / 4; t++)
    most = max(most, largest[of_block + t]);

  // [quantize] from -127 to 127. The step is a product, because Vulkan's division may be inexact
  const float step = most * (1.0f / 127.0f), inverse = most > 0 ? 127.0f / most : 0;
  const int a = int(round(x.x * inverse)), b = int(round(x.y * inverse));
  const int c = int(round(x.z * inverse)), d = int(round(x.w * inverse));
  sums[tid] = a + b + c + d;
  GroupMemoryBarrierWithGroupSync();

  // [write]
  if (i < n) {
    g_quants[i] = (uint(a) & 255u) | (uint(b) & 255u) << 8 | (uint(c) & 255u) << 16 | uint(d) << 24;
    if (tid == of_block) {
      int sum = 0;
      for (uint t = 0; t < MATVEC_BLOCK / 4; t++)
        sum += sums[tid + t];
      g_steps[i / (MATVEC_BLOCK / 4)] = float2(step, step * TO_FLOAT(sum));
    }
  }
}

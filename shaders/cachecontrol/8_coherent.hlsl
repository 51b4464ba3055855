// Cache control 8: as row 1, from a buffer that is globallycoherent. It is the only RWByteAddressBuffer, because glslang
// gives buffers of one type one decoration.
// Source: ours; none of the documents has it.
#include "cachecontrol_args.h"

[[vk::binding(0, 0)]] globallycoherent RWByteAddressBuffer g_table : register(u0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u1);
XB_ARGS(xb_cachecontrol_args);

[numthreads(BLOCK, 1, 1)]
void cachecontrol(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  const uint i = (args.first + group) * BLOCK + tid;

  // [load] each thread loads 64 words
  uint h = 0;
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)
    h = h * CACHECONTROL_FACTOR + g_table.Load(4 * (~(i + k * CACHECONTROL_STEP) & args.mask));
  g_odata[group * BLOCK + tid] = h;
}

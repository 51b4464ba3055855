// Adjacent difference 5: 16 bytes per thread; the neighbour comes from the lane before.
// Source: ours; none of the documents has it.
#include "adjacent_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_adjacent_args);

[numthreads(BLOCK, 1, 1)]
void adjacent(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint n4 = args.n / 4;

  // [load] threads past the end load the last vector: all lanes have to take part in the exchange
  if (n4 > 0) {
    const uint at4 = min(i, n4 - 1) + args.lead / 4;
    const T4 x = g_idata4[at4];

    // [exchange] the neighbour is in the lane before; the first lane loads it. HLSL does not say which thread is in
    // which lane, so the lane before also tells its index
    const uint lane = WaveGetLaneIndex();
    const uint lane_before = lane > 0 ? lane - 1 : 0;
    T before = WaveReadLaneAt(x.w, lane_before);
    const bool alone = lane == 0 || WaveReadLaneAt(i, lane_before) + 1 != i;
    if (alone && at4 > 0)
      before = g_idata[at4 * 4 - 1];

    // [difference] four a thread
    T4 d;
    d.x = x.x - before;
    d.y = x.y - x.x;
    d.z = x.z - x.y;
    d.w = x.w - x.z;

    // [write] the first element of all has no neighbour and is not written
    if (i < n4 && at4 > 0) {
      g_odata4[i] = d;
    } else if (i == 0) {
      g_odata[1] = d.y;
      g_odata[2] = d.z;
      g_odata[3] = d.w;
    }
  }

  // [rest] the last n % 4 elements, one by one
  const uint k = n4 * 4 + i, at = k + args.lead;
  if (i < 4 && k < args.n && at > 0)
    g_odata[k] = g_idata[at] - g_idata[at - 1];
}

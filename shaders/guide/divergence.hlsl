// Wave operations inside a branch: HLSL uses the active lanes. Totals over the group do not depend on the wave size.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [sums] over the lanes that are active at the call: no mask
void add_up(uint slot, uint x)
{
  const uint lanes = WaveActiveCountBits(true);
  const uint sum = WaveActiveSum(x);
  if (WaveIsFirstLane()) {
    InterlockedAdd(g_out[slot], lanes);
    InterlockedAdd(g_out[slot + 1], sum);
  }
}

// [branch] no masks: each side has its own set of active lanes
[numthreads(GUIDE_BLOCK, 1, 1)]
void branch(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint x = g_in[id.x];
  if (x % 3 == 0)
    add_up(0, x);
  else
    add_up(2, x);
}

// [votes] over the lanes that are still active
[numthreads(GUIDE_BLOCK, 1, 1)]
void votes(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint x = g_in[id.x];
  const uint4 ballot = WaveActiveBallot(x % 3 == 0);
  const bool any = WaveActiveAnyTrue(x == args.a);
  const bool all = WaveActiveAllTrue(x != args.a);
  if (WaveIsFirstLane()) {
    InterlockedAdd(g_out[0], countbits(ballot.x) + countbits(ballot.y) + countbits(ballot.z) + countbits(ballot.w));
    InterlockedOr(g_out[1], any ? 1u : 0u);
    InterlockedAnd(g_out[2], all ? 1u : 0u);
  }
}

// The device makes a list, then runs as many groups as the list needs: an indirect dispatch.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);  // results, then how many groups ran
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_list : register(u2); // groups in x, y and z; elements; the list
[[vk::binding(2, 0)]] StructuredBuffer<uint> g_chosen : register(t2); // the same buffer, read by the second dispatch
XB_ARGS(xb_guide_args);

static const uint ELEMENTS = 3, FIRST = 4;

// [choose] the numbers that args.a divides, in any order
[numthreads(GUIDE_BLOCK, 1, 1)]
void choose(uint3 id : SV_DispatchThreadID)
{
  const uint i = id.x;
  if (i == 0)
    g_list[1] = g_list[2] = 1;
  if (i < args.n)
    g_out[i] = 0;
  if (i < args.n && g_in[i] % args.a == 0) {
    uint slot;
    InterlockedAdd(g_list[ELEMENTS], 1u, slot);
    g_list[FIRST + slot] = i;
    InterlockedMax(g_list[0], slot / GUIDE_BLOCK + 1);
  }
}

// [process] one thread for each element of the list: the number of groups is g_list[0]
[numthreads(GUIDE_BLOCK, 1, 1)]
void process(uint3 id : SV_DispatchThreadID, uint3 threadIdx : SV_GroupThreadID)
{
  const uint slot = id.x;
  if (slot < g_chosen[ELEMENTS]) {
    const uint i = g_chosen[FIRST + slot];
    g_out[i] = g_in[i] / args.a + 1;
  }
  if (threadIdx.x == 0)
    InterlockedAdd(g_out[args.n], 1u);
}

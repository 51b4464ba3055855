// Atomics. All are relaxed: they do not order other accesses.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

static const uint OLD = 16; // from here on: how often each old value was returned

// [operations] the last argument receives the old value
[numthreads(GUIDE_BLOCK, 1, 1)]
void operations(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint x = g_in[id.x];
  uint old;
  InterlockedAdd(g_out[0], x);
  InterlockedMin(g_out[1], x);
  InterlockedMax(g_out[2], x);
  InterlockedAnd(g_out[3], x | args.a);
  InterlockedOr(g_out[4], x & args.a);
  InterlockedXor(g_out[5], x);
  // Exactly one thread finds 0
  InterlockedCompareExchange(g_out[6], 0u, id.x + 1, old);
  if (old == 0)
    InterlockedAdd(g_out[7], 1u);
  // Every value that is put in comes out again, except the last one
  InterlockedExchange(g_out[8], x, old);
  InterlockedAdd(g_out[9], old);
  // Each old value is returned once
  InterlockedAdd(g_out[10], 1u, old);
  InterlockedAdd(g_out[OLD + old], 1u);
}

// [wrap] HLSL has no atomicInc: a loop around compare-exchange, which begins with a guess
[numthreads(GUIDE_BLOCK, 1, 1)]
void wrap(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  uint seen = 0, expected;
  do {
    expected = seen;
    InterlockedCompareExchange(g_out[0], expected, expected >= args.a ? 0 : expected + 1, seen);
  } while (seen != expected);
  InterlockedAdd(g_out[OLD + seen], 1u);
}

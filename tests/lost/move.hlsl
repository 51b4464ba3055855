// Copies words; first waits for a word that never changes, for as many turns as it is told.
#include "lost_args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> g_in : register(u0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(lost_args);

[numthreads(64, 1, 1)]
void move(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  uint seen = 0;
  for (uint i = 0; i < args.turns && seen != 0xFFFFFFFF; i++)
    InterlockedOr(g_in[0], 0, seen);
  const uint at = groupIdx.x * 64 + threadIdx.x;
  if (at < args.count)
    g_out[at] = g_in[at];
}

// A struct with an array of pointers: one buffer, and the offsets of the tables in it.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // where each table begins, then the tables
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

static const uint TABLES = 4;

// [tables] a pointer is the index of its first element
uint first_of(uint table)
{
  return g_in[table];
}

// [gather] each thread reads from another table than its neighbours
[numthreads(GUIDE_BLOCK, 1, 1)]
void gather(uint3 id : SV_DispatchThreadID)
{
  const uint i = id.x;
  if (i < args.n)
    g_out[i] = g_in[first_of(i % TABLES) + i / TABLES];
}

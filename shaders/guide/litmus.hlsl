// Two litmus tests of the memory model. Groups work in pairs: the left one and the right one of a pair each take a side.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // not used
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
// For each pair of threads: words x and y, and how many of the two have arrived.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer g_exchange : register(u2);
XB_ARGS(xb_guide_args);

// [meet] both sides begin at about the same time. Nothing promises that the other side runs, so the wait has an end.
void meet(uint arrived)
{
  uint count;
  g_exchange.InterlockedAdd(arrived, 1u, count);
  count++;
  for (uint turn = 0; turn < 200 && count < 2; turn++)
    g_exchange.InterlockedOr(arrived, 0u, count);
}

// [message] one side stores data and sets a flag, the other one reads the flag, then the data
[numthreads(GUIDE_BLOCK, 1, 1)]
void message(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint pair = groupIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, x = 4 * args.a * pair, flag = x + 4;
  meet(x + 8);
  uint seen = 0, data = 0;
  if (groupIdx.x % 2 == 0) {
    g_exchange.Store(x, 1u);
    DeviceMemoryBarrier();
    g_exchange.InterlockedExchange(flag, 1u, seen);
  } else {
    g_exchange.InterlockedOr(flag, 0u, seen);
    DeviceMemoryBarrier();
    data = g_exchange.Load(x);
    g_out[2 * pair] = seen;
    g_out[2 * pair + 1] = data;
  }
}

// [buffering] each side stores its own word and reads the other's, as a port has it: plain accesses of a coherent buffer
[numthreads(GUIDE_BLOCK, 1, 1)]
void buffering(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint pair = groupIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, side = groupIdx.x % 2, x = 4 * args.a * pair;
  meet(x + 8);
  g_exchange.Store(x + 4 * side, 1u);
  if (args.b != 0)
    DeviceMemoryBarrier();
  g_out[2 * pair + side] = g_exchange.Load(x + 4 * (1 - side));
}

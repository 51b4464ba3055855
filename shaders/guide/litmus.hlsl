// Litmus tests of the memory model. Groups work in pairs: the left one and the right one of a pair each take a side.
// Source: ours; none of the documents has it.
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
    if (args.b != 0)
      DeviceMemoryBarrier(); // release: what is before it is seen by whoever sees the flag
    g_exchange.InterlockedExchange(flag, 1u, seen);
  } else {
    g_exchange.InterlockedOr(flag, 0u, seen);
    if (args.b != 0)
      DeviceMemoryBarrier(); // acquire: what is behind it is not older than the flag
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

// [coherence] one side stores a word, the other one reads it twice: atomics on one word have one order, without a fence
[numthreads(GUIDE_BLOCK, 1, 1)]
void coherence(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint pair = groupIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, x = 4 * args.a * pair;
  meet(x + 8);
  uint first = 0, second = 0;
  if (groupIdx.x % 2 == 0) {
    g_exchange.InterlockedExchange(x, 1u, first);
  } else {
    g_exchange.InterlockedOr(x, 0u, first);
    g_exchange.InterlockedOr(x, 0u, second);
    g_out[2 * pair] = first;
    g_out[2 * pair + 1] = second;
  }
}

// [decide] both sides exchange one word: who gets the 0 is first. That replaces store buffering
[numthreads(GUIDE_BLOCK, 1, 1)]
void decide(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint pair = groupIdx.x / 2 * GUIDE_BLOCK + threadIdx.x, side = groupIdx.x % 2, x = 4 * args.a * pair;
  meet(x + 8);
  uint before;
  g_exchange.InterlockedExchange(x, 1u, before);
  g_out[2 * pair + side] = 1 - before;
}

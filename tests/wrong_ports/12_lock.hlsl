// Wrong port 12: a lock that the lanes of one wave wait for. Where lanes run in step, the lane that has the lock waits at
// the end of the loop for the others, and they wait for the lock: no API but CUDA promises that this ends. Here each lane
// gives up after TRIES. (What the lock protects would also need fences.)
#include "args.h"

#define TRIES 4096

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
// Two words for each group: how many elements were added, and their sum.
[[vk::binding(1, 0)]] RWByteAddressBuffer output : register(u1);

groupshared uint count, sum, lock;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  const uint x = input[id.x];
  if (thread == 0)
    count = sum = lock = 0;
  GroupMemoryBarrierWithGroupSync();
#ifdef WRONG
  uint before = 1, released;
  for (uint tries = 0; tries < TRIES && before != 0; tries++)
    InterlockedCompareExchange(lock, 0u, 1u, before);
  if (before == 0) {
    count = count + 1;
    sum = sum + x;
    InterlockedExchange(lock, 0u, released);
  }
#else
  InterlockedAdd(count, 1u); // an atomic for each word holds nothing that others wait for
  InterlockedAdd(sum, x);
#endif
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    output.Store(8 * group.x, count);
    output.Store(8 * group.x + 4, sum);
  }
}

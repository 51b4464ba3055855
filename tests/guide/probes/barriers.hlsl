// Probes: shared memory, barriers and fences.
#include "declarations.hlsl"

// probe: shared_memory
[numthreads(64, 1, 1)]
void shared_memory(uint3 id : SV_GroupThreadID) // of groupshared uint tile[64]
{
  tile[id.x] = g_in[id.x];
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = tile[63 - id.x];
}

// probe: shared_atomic
[numthreads(64, 1, 1)]
void shared_atomic(uint3 id : SV_GroupThreadID)
{
  InterlockedAdd(tile[id.x & 1], 1u);
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = tile[0];
}

// probe: barrier_all
[numthreads(64, 1, 1)]
void barrier_all(uint3 id : SV_GroupThreadID)
{
  g_out[id.x] = tile[id.x];
  AllMemoryBarrierWithGroupSync();
  tile[id.x] = g_out[63 - id.x];
}

// probe: fence_group
[numthreads(64, 1, 1)]
void fence_group(uint3 id : SV_GroupThreadID)
{
  g_out[id.x] = id.x;
  AllMemoryBarrier();
  g_out[id.x + 64] = id.x;
}

// probe: fence_device
[numthreads(64, 1, 1)]
void fence_device(uint3 id : SV_GroupThreadID)
{
  g_raw.Store(4 * id.x, id.x); // globallycoherent
  DeviceMemoryBarrier();
  g_raw.InterlockedAdd(1024, 1u);
}

// probe: sync_warp
[numthreads(64, 1, 1)]
void sync_warp(uint3 id : SV_GroupThreadID)
{
  tile[id.x] = g_in[id.x];
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = tile[id.x ^ 1];
}

// probe: sync_count
[numthreads(64, 1, 1)]
void sync_count(uint3 id : SV_GroupThreadID)
{
  if (id.x == 0)
    count = 0;
  GroupMemoryBarrierWithGroupSync();
  const uint lanes = WaveActiveCountBits(g_in[id.x] > 3);
  if (WaveIsFirstLane())
    InterlockedAdd(count, lanes);
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = count;
}

// probe: release
[numthreads(64, 1, 1)]
void release(uint3 id : SV_GroupThreadID)
{
  uint before;
  g_raw.Store(4 * id.x + 4, id.x);
  DeviceMemoryBarrier();
  g_raw.InterlockedAdd(0, 1u, before);
  DeviceMemoryBarrier();
  g_out[id.x] = before;
}

// probe: async_copy
[numthreads(64, 1, 1)]
void async_copy(uint3 id : SV_GroupThreadID)
{
  tile[id.x] = g_in[id.x]; // through a register, then a barrier
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = tile[63 - id.x];
}

// probe: early_return
[numthreads(64, 1, 1)]
void early_return(uint3 id : SV_GroupThreadID) // undefined, and accepted
{
  if (id.x >= args.n)
    return;
  tile[id.x] = g_in[id.x];
  GroupMemoryBarrierWithGroupSync();
  g_out[id.x] = tile[0];
}

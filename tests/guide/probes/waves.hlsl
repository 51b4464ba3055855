// Probes: waves.
#include "declarations.hlsl"

// probe: wave_size
[numthreads(64, 1, 1)]
void wave_size(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveGetLaneCount();
}

// probe: lane
[numthreads(64, 1, 1)]
void lane(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveGetLaneIndex();
}

// probe: shuffle
[numthreads(64, 1, 1)]
void shuffle(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveReadLaneAt(g_in[id.x], args.a);
}

// probe: broadcast
[numthreads(64, 1, 1)]
void broadcast(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveReadLaneFirst(g_in[id.x]);
}

// probe: shuffle_xor
[numthreads(64, 1, 1)]
void shuffle_xor(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveReadLaneAt(g_in[id.x], WaveGetLaneIndex() ^ 1);
}

// probe: shuffle_down
[numthreads(64, 1, 1)]
void shuffle_down(uint3 id : SV_DispatchThreadID)
{
  const uint lane = WaveGetLaneIndex(), next = lane + 1;
  const uint from = next < WaveGetLaneCount() ? next : lane;
  g_out[id.x] = WaveReadLaneAt(g_in[id.x], from);
}

// probe: ballot
[numthreads(64, 1, 1)]
void ballot(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveBallot(g_in[id.x] > 3).x;
}

// probe: any
[numthreads(64, 1, 1)]
void any(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveAnyTrue(g_in[id.x] > 3) ? 1 : 0;
}

// probe: all
[numthreads(64, 1, 1)]
void all(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveAllTrue(g_in[id.x] > 3) ? 1 : 0;
}

// probe: count_lanes
[numthreads(64, 1, 1)]
void count_lanes(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveCountBits(g_in[id.x] > 3);
}

// probe: first_lane
[numthreads(64, 1, 1)]
void first_lane(uint3 id : SV_DispatchThreadID)
{
  if (WaveIsFirstLane())
    g_out[id.x] = 1;
}

// probe: wave_sum
[numthreads(64, 1, 1)]
void wave_sum(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveSum(g_in[id.x]);
}

// probe: wave_sum_float
[numthreads(64, 1, 1)]
void wave_sum_float(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = WaveActiveSum(f_in[id.x]);
}

// probe: wave_extremes
[numthreads(64, 1, 1)]
void wave_extremes(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveMin(g_in[id.x]) + WaveActiveMax(g_in[id.x]);
}

// probe: wave_bits
[numthreads(64, 1, 1)]
void wave_bits(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveBitAnd(g_in[id.x]) + WaveActiveBitOr(g_in[id.x]) + WaveActiveBitXor(g_in[id.x]);
}

// probe: all_equal
[numthreads(64, 1, 1)]
void all_equal(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WaveActiveAllEqual(g_in[id.x]) ? 1 : 0;
}

// probe: prefix
[numthreads(64, 1, 1)]
void prefix(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WavePrefixSum(g_in[id.x]);
}

// probe: prefix_count
[numthreads(64, 1, 1)]
void prefix_count(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = WavePrefixCountBits(g_in[id.x] > 3);
}

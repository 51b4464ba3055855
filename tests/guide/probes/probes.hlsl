// One entry point for each row of docs/porting-guide.md that says what a line of HLSL becomes; probes.cu has its twin. What
// stands between two `probe:` lines is what the row quotes. Nothing here runs.
#include "xb/abi.h"

struct probe_args {
  uint n, a;
  float x;
};
struct mixed {
  uint kind;
  float3 position;
  float2 uv;
  int id;
};

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
[[vk::binding(2, 0)]] StructuredBuffer<float> f_in : register(t2);
[[vk::binding(3, 0)]] RWStructuredBuffer<float> f_out : register(u3);
[[vk::binding(4, 0)]] StructuredBuffer<float4> v_in : register(t4);
[[vk::binding(5, 0)]] StructuredBuffer<mixed> m_in : register(t5);
[[vk::binding(6, 0)]] globallycoherent RWByteAddressBuffer g_raw : register(u6);
[[vk::binding(7, 0)]] RWStructuredBuffer<int> i_out : register(u7);
XB_ARGS(probe_args);
[[vk::binding(8, 0)]] cbuffer table : register(b8) { uint table_entries[4]; }

groupshared uint tile[64];
groupshared uint count;

// probe: ids
[numthreads(64, 1, 1)]
void ids(uint3 a : SV_GroupThreadID, uint3 b : SV_GroupID, uint3 c : SV_DispatchThreadID, uint d : SV_GroupIndex)
{
  g_out[d] = a.x + b.x + c.x;
}

// probe: group_size
#define GROUP 64
[numthreads(GROUP, 1, 1)]
void group_size(uint3 id : SV_GroupID)
{
  g_out[id.x * GROUP] = GROUP;
}

// probe: arguments
[numthreads(64, 1, 1)]
void arguments(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = args.a;
}

// probe: read_only
[numthreads(64, 1, 1)]
void read_only(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = f_in[id.x]; // StructuredBuffer to RWStructuredBuffer
}

// probe: raw_buffer
[numthreads(64, 1, 1)]
void raw_buffer(uint3 id : SV_DispatchThreadID)
{
  g_raw.Store(4 * id.x, g_raw.Load(4 * id.x + 256)); // RWByteAddressBuffer
}

// probe: constants
[numthreads(64, 1, 1)]
void constants(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = table_entries[id.x & 3]; // of a cbuffer
}

// probe: bits
[numthreads(64, 1, 1)]
void bits(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = asuint(f_in[id.x]) | asuint(asfloat(g_in[id.x]) + 1);
}

// probe: vectors
[numthreads(64, 1, 1)]
void vectors(uint3 id : SV_DispatchThreadID)
{
  const float4 v = v_in[id.x]; // StructuredBuffer<float4>
  f_out[id.x] = v.x + v.y + v.z + v.w;
}

// probe: mixed_struct
[numthreads(64, 1, 1)]
void mixed_struct(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = m_in[id.x].position.y + m_in[id.x].uv.x;
}

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

// probe: atomic_add
[numthreads(64, 1, 1)]
void atomic_add(uint3 id : SV_DispatchThreadID)
{
  uint old;
  InterlockedAdd(g_out[0], g_in[id.x], old);
  g_out[id.x + 1] = old;
}

// probe: atomic_min_max
[numthreads(64, 1, 1)]
void atomic_min_max(uint3 id : SV_DispatchThreadID)
{
  InterlockedMin(g_out[0], g_in[id.x]);
  InterlockedMax(i_out[1], (int)g_in[id.x]);
}

// probe: atomic_bits
[numthreads(64, 1, 1)]
void atomic_bits(uint3 id : SV_DispatchThreadID)
{
  InterlockedAnd(g_out[0], g_in[id.x]);
  InterlockedOr(g_out[1], g_in[id.x]);
  InterlockedXor(g_out[2], g_in[id.x]);
}

// probe: atomic_exchange
[numthreads(64, 1, 1)]
void atomic_exchange(uint3 id : SV_DispatchThreadID)
{
  uint old;
  InterlockedExchange(g_out[0], g_in[id.x], old);
  g_out[id.x + 1] = old;
}

// probe: atomic_cas
[numthreads(64, 1, 1)]
void atomic_cas(uint3 id : SV_DispatchThreadID)
{
  uint old;
  InterlockedCompareExchange(g_out[0], args.a, id.x, old);
  g_out[id.x + 1] = old;
}

// probe: atomic_wrap
[numthreads(64, 1, 1)]
void atomic_wrap(uint3 id : SV_DispatchThreadID)
{
  uint seen = 0, expected;
  do {
    expected = seen;
    InterlockedCompareExchange(g_out[0], expected, expected >= args.a ? 0 : expected + 1, seen);
  } while (seen != expected);
  g_out[id.x + 1] = seen;
}

// probe: atomic_float
[numthreads(64, 1, 1)]
void atomic_float(uint3 id : SV_DispatchThreadID)
{
  uint seen = 0, expected;
  do {
    expected = seen;
    InterlockedCompareExchange(g_out[0], expected, asuint(asfloat(expected) + f_in[id.x]), seen);
  } while (seen != expected);
}

// probe: multiply_add
[numthreads(64, 1, 1)]
void multiply_add(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = f_in[id.x] * args.x + f_in[id.x + 1];
}

// probe: apart
[numthreads(64, 1, 1)]
void apart(uint3 id : SV_DispatchThreadID)
{
  precise float product = f_in[id.x] * args.x;
  precise float sum = product + f_in[id.x + 1];
  f_out[id.x] = sum;
}

// probe: divide
[numthreads(64, 1, 1)]
void divide(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = f_in[id.x] / args.x;
}

// probe: roots
[numthreads(64, 1, 1)]
void roots(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = sqrt(f_in[id.x]) + rsqrt(f_in[id.x + 1]);
}

// probe: sine
[numthreads(64, 1, 1)]
void sine(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = sin(f_in[id.x]);
}

// probe: saturated
[numthreads(64, 1, 1)]
void saturated(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = saturate(f_in[id.x]);
}

// probe: shift
[numthreads(64, 1, 1)]
void shift(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = g_in[id.x] << (args.a & 31);
}

// probe: leading_zeros
[numthreads(64, 1, 1)]
void leading_zeros(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = 31 - firstbithigh(g_in[id.x]);
}

// probe: first_bit
[numthreads(64, 1, 1)]
void first_bit(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = firstbitlow(g_in[id.x]) + 1;
}

// probe: count_bits
[numthreads(64, 1, 1)]
void count_bits(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = countbits(g_in[id.x]);
}

// probe: reverse_bits
[numthreads(64, 1, 1)]
void reverse_bits(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = reversebits(g_in[id.x]);
}

// probe: convert
[numthreads(64, 1, 1)]
void convert(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = (uint)f_in[id.x];
}

// probe: integer_divide
[numthreads(64, 1, 1)]
void integer_divide(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = g_in[id.x] / max(args.a, 1);
}

// probe: unrolled
[numthreads(64, 1, 1)]
void unrolled(uint3 id : SV_DispatchThreadID)
{
  uint sum = 0;
  [loop]
  for (uint i = 0; i < args.n; i++)
    sum += g_in[i] * i;
  g_out[id.x] = sum;
}

// probe: both_sides
[numthreads(64, 1, 1)]
void both_sides(uint3 id : SV_DispatchThreadID)
{
  if (args.a != 0 && g_in[id.x] != 0)
    g_out[id.x] = 1;
}

// probe: active_mask
[numthreads(64, 1, 1)]
void active_mask(uint3 id : SV_DispatchThreadID)
{
  if (g_in[id.x] > 3)
    g_out[id.x] = WaveActiveBallot(true).x;
}

// probe: int_remainder
[numthreads(64, 1, 1)]
void int_remainder(uint3 id : SV_DispatchThreadID)
{
  i_out[id.x] = i_out[id.x] % i_out[id.x + 1];
}

// probe: float_remainder
[numthreads(64, 1, 1)]
void float_remainder(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = fmod(f_in[id.x], f_in[id.x + 1]);
}

// probe: power
[numthreads(64, 1, 1)]
void power(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = pow(f_in[id.x], f_in[id.x + 1]);
}

// probe: rounded
[numthreads(64, 1, 1)]
void rounded(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = round(f_in[id.x]);
}

// probe: smaller
[numthreads(64, 1, 1)]
void smaller(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = min(f_in[id.x], f_in[id.x + 1]);
}

// probe: half_up
[numthreads(64, 1, 1)]
void half_up(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = trunc(f_in[id.x] + (f_in[id.x] < 0 ? -0.5f : 0.5f));
}

// Probes: atomics.
#include "declarations.hlsl"

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

// probe: compare_store
[numthreads(64, 1, 1)]
void compare_store(uint3 id : SV_DispatchThreadID)
{
  InterlockedCompareStore(g_out[0], args.a, id.x);
}

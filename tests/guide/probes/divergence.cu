// Probes: divergence.
#include "declarations.cuh"

// probe: unrolled
PROBE unrolled(const uint *g_in, uint *g_out, probe_args args)
{
  uint sum = 0;
#pragma unroll 1
  for (uint i = 0; i < args.n; i++)
    sum += g_in[i] * i;
  g_out[threadIdx.x] = sum;
}

// probe: unrolled_by_four
PROBE unrolled_by_four(const uint *g_in, uint *g_out)
{
  uint sum = 0;
#pragma unroll 4
  for (uint i = 0; i < 8; i++)
    sum += g_in[i] * i;
  g_out[threadIdx.x] = sum;
}

// probe: both_sides
PROBE both_sides(const uint *g_in, uint *g_out, probe_args args)
{
  if (args.a != 0 && g_in[threadIdx.x] != 0)
    g_out[threadIdx.x] = 1;
}

// probe: active_mask
PROBE active_mask(const uint *g_in, uint *g_out)
{
  const uint mask = __ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3); // before the branch, not __activemask() in it
  if (g_in[threadIdx.x] > 3)
    g_out[threadIdx.x] = mask;
}

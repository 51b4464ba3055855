// Probes: waves.
#include "declarations.cuh"

// probe: wave_size
PROBE wave_size(uint *g_out)
{
  g_out[threadIdx.x] = warpSize;
}

// probe: lane
PROBE lane(uint *g_out)
{
  g_out[threadIdx.x] = threadIdx.x % warpSize;
}

// probe: shuffle
PROBE shuffle(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = __shfl_sync(0xffffffffu, g_in[threadIdx.x], args.a);
}

// probe: broadcast
PROBE broadcast(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __shfl_sync(0xffffffffu, g_in[threadIdx.x], 0);
}

// probe: shuffle_xor
PROBE shuffle_xor(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, g_in[threadIdx.x], 1);
}

// probe: shuffle_down
PROBE shuffle_down(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __shfl_down_sync(0xffffffffu, g_in[threadIdx.x], 1);
}

// probe: ballot
PROBE ballot(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: any
PROBE any(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __any_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: all
PROBE all(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __all_sync(0xffffffffu, g_in[threadIdx.x] > 3);
}

// probe: count_lanes
PROBE count_lanes(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3));
}

// probe: first_lane
PROBE first_lane(uint *g_out)
{
  if (threadIdx.x % 32 == __ffs(__activemask()) - 1)
    g_out[threadIdx.x] = 1;
}

// probe: wave_sum
PROBE wave_sum(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_add_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: wave_sum_float
PROBE wave_sum_float(const float *f_in, float *f_out)
{
  float sum = f_in[threadIdx.x];
  for (uint s = 16; s > 0; s >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, s);
  f_out[threadIdx.x] = sum;
}

// probe: wave_extremes
PROBE wave_extremes(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_min_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_max_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: wave_bits
PROBE wave_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __reduce_and_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_or_sync(0xffffffffu, g_in[threadIdx.x]) +
                       __reduce_xor_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: all_equal
PROBE all_equal(const uint *g_in, uint *g_out)
{
  int equal;
  __match_all_sync(0xffffffffu, g_in[threadIdx.x], &equal);
  g_out[threadIdx.x] = equal;
}

// probe: match
PROBE match(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __match_any_sync(0xffffffffu, g_in[threadIdx.x]);
}

// probe: prefix_count
PROBE prefix_count(const uint *g_in, uint *g_out)
{
  const uint below = (1u << threadIdx.x % 32) - 1;
  g_out[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, g_in[threadIdx.x] > 3) & below);
}

// probe: prefix
PROBE prefix(const uint *g_in, uint *g_out)
{
  uint sum = g_in[threadIdx.x];
  for (uint s = 1; s < 32; s <<= 1) {
    const uint below = __shfl_up_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 >= s)
      sum += below;
  }
  g_out[threadIdx.x] = sum - g_in[threadIdx.x];
}

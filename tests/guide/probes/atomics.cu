// Probes: atomics.
#include "declarations.cuh"

// probe: atomic_add
PROBE atomic_add(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 1] = atomicAdd(&g_out[0], g_in[threadIdx.x]);
}

// probe: atomic_min_max
PROBE atomic_min_max(const uint *g_in, uint *g_out, int *i_out)
{
  g_out[threadIdx.x + 1] = atomicMin(&g_out[0], g_in[threadIdx.x]);
  i_out[threadIdx.x + 1] = atomicMax(&i_out[0], (int)g_in[threadIdx.x]);
}

// probe: atomic_bits
PROBE atomic_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 3] = atomicAnd(&g_out[0], g_in[threadIdx.x]) + atomicOr(&g_out[1], g_in[threadIdx.x]) +
                           atomicXor(&g_out[2], g_in[threadIdx.x]);
}

// probe: atomic_exchange
PROBE atomic_exchange(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x + 1] = atomicExch(&g_out[0], g_in[threadIdx.x]);
}

// probe: atomic_cas
PROBE atomic_cas(uint *g_out, probe_args args)
{
  g_out[threadIdx.x + 1] = atomicCAS(&g_out[0], args.a, threadIdx.x);
}

// probe: atomic_wrap
PROBE atomic_wrap(uint *g_out, probe_args args)
{
  g_out[threadIdx.x + 1] = atomicInc(&g_out[0], args.a);
}

// probe: atomic_float
PROBE atomic_float(const float *f_in, float *f_out)
{
  f_out[threadIdx.x + 1] = atomicAdd(&f_out[0], f_in[threadIdx.x]);
}

// probe: atomic_64
PROBE atomic_64(unsigned long long *out)
{
  out[threadIdx.x + 1] = atomicAdd(&out[0], 1ull);
}

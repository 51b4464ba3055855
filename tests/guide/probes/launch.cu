// Probes: launch and indexing, data layout.
#include "declarations.cuh"

// probe: ids
PROBE ids(uint *g_out)
{
  const uint d = threadIdx.x;
  g_out[d] = threadIdx.x + blockIdx.x + (blockIdx.x * blockDim.x + threadIdx.x);
}

// probe: group_size
PROBE __launch_bounds__(64) group_size(uint *g_out)
{
  g_out[blockIdx.x * blockDim.x] = blockDim.x + gridDim.x;
}

// probe: arguments
PROBE arguments(uint *g_out, probe_args args)
{
  if (threadIdx.x < args.n)
    g_out[threadIdx.x] = args.a;
}

// probe: read_only
PROBE read_only(const float *__restrict__ f_in, float *f_out)
{
  f_out[threadIdx.x] = __ldg(&f_in[threadIdx.x]);
}

// probe: raw_buffer
PROBE raw_buffer(char *g_raw)
{
  *(uint *)(g_raw + 4 * threadIdx.x) = *(uint *)(g_raw + 4 * threadIdx.x + 256);
}

// probe: constants
PROBE constants(uint *g_out) // of __constant__ uint table_entries[4]
{
  g_out[threadIdx.x] = table_entries[threadIdx.x & 3];
}

// probe: matrices
__constant__ float by_rows[4][4];
PROBE matrices(float *f_out)
{
  f_out[threadIdx.x] = by_rows[threadIdx.x & 3][1] * 2;
}

// probe: bits
PROBE bits(const float *f_in, const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __float_as_uint(f_in[threadIdx.x]) | __float_as_uint(__uint_as_float(g_in[threadIdx.x]) + 1);
}

// probe: vectors
PROBE vectors(const float4 *__restrict__ v_in, float *f_out)
{
  const float4 v = v_in[threadIdx.x];
  f_out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// probe: stride_loop
PROBE stride_loop(const uint *g_in, uint *g_out, probe_args args)
{
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < args.n; i += gridDim.x * blockDim.x)
    g_out[i] = g_in[i];
}

// probe: device_variable
__device__ unsigned int counter_of_all;
PROBE device_variable(uint *g_out)
{
  g_out[threadIdx.x] = atomicAdd(&counter_of_all, 1u);
}

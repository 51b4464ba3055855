// Probes: types and constants.
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <float.h>
#include <math_constants.h>
#include <stdio.h>

#include "declarations.cuh"

// probe: half_floats
PROBE half_floats(const __half *h_in, float *f_out)
{
  f_out[threadIdx.x] = __half2float(h_in[threadIdx.x]);
}

// probe: bfloat16
PROBE bfloat16(const __nv_bfloat16 *b_in, float *f_out)
{
  f_out[threadIdx.x] = __bfloat162float(b_in[threadIdx.x]);
}

// probe: int64_60
PROBE int64_60(const unsigned long long *l_in, long long *l_out)
{
  l_out[threadIdx.x] = (long long)(l_in[threadIdx.x] >> 33);
}

// probe: doubles
PROBE doubles(const float *f_in, float *f_out)
{
  const double x = f_in[threadIdx.x];
  f_out[threadIdx.x] = (float)(x * x);
}

// probe: constants_of_float
PROBE constants_of_float(const float *f_in, float *f_out)
{
  const float x = f_in[threadIdx.x];
  f_out[threadIdx.x] = x < FLT_MAX ? INFINITY + FLT_EPSILON : x > CUDART_PI_F ? -CUDART_INF_F : CUDART_NAN_F;
}

// probe: print
PROBE print(const uint *g_in)
{
  printf("%u\n", g_in[threadIdx.x]);
}

// probe: assertion
PROBE assertion(const uint *g_in, uint *g_out, probe_args args)
{
  assert(g_in[threadIdx.x] != 0);
  g_out[threadIdx.x + 1] = args.a / g_in[threadIdx.x];
}

// probe: read_clock
PROBE read_clock(long long *l_out)
{
  l_out[threadIdx.x] = clock64();
}

// probe: hex_mask
PROBE hex_mask(const uint *g_in, uint *g_out)
{
  const unsigned long long middle = (unsigned long long)g_in[threadIdx.x] * g_in[threadIdx.x + 1];
  g_out[threadIdx.x] = (uint)((middle & 0xffffffff) >> 16);
}

// probe: plain_number
PROBE plain_number(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = (float)(0.7 * f_in[threadIdx.x]); // in double
}

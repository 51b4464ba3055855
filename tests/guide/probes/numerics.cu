// Probes: numerics.
#include "declarations.cuh"

// probe: multiply_add
PROBE multiply_add(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = f_in[threadIdx.x] * args.x + f_in[threadIdx.x + 1];
}

// probe: apart
PROBE apart(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = __fadd_rn(__fmul_rn(f_in[threadIdx.x], args.x), f_in[threadIdx.x + 1]);
}

// probe: two_sum
PROBE two_sum(const float *f_in, float *f_out, probe_args args)
{
  const float sum = f_in[threadIdx.x] + f_in[threadIdx.x + 1];
  const float other = sum - f_in[threadIdx.x];
  f_out[threadIdx.x] = (f_in[threadIdx.x] - (sum - other)) + (f_in[threadIdx.x + 1] - other);
}

// probe: fused
PROBE fused(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = __fmaf_rn(f_in[threadIdx.x], args.x, f_in[threadIdx.x + 1]);
}

// probe: divide
PROBE divide(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = f_in[threadIdx.x] / args.x;
}

// probe: roots
PROBE roots(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = sqrtf(f_in[threadIdx.x]) + rsqrtf(f_in[threadIdx.x + 1]);
}

// probe: sine
PROBE sine(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = __sinf(f_in[threadIdx.x]);
}

// probe: saturated
PROBE saturated(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = __saturatef(f_in[threadIdx.x]);
}

// probe: shift
PROBE shift(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = g_in[threadIdx.x] << (args.a & 31);
}

// probe: leading_zeros
PROBE leading_zeros(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __clz((int)g_in[threadIdx.x]);
}

// probe: first_bit
PROBE first_bit(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __ffs((int)g_in[threadIdx.x]);
}

// probe: count_bits
PROBE count_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __popc(g_in[threadIdx.x]);
}

// probe: reverse_bits
PROBE reverse_bits(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __brev(g_in[threadIdx.x]);
}

// probe: high_product
PROBE high_product(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __umulhi(g_in[threadIdx.x], g_in[threadIdx.x + 1]);
}

// probe: dot4
PROBE dot4(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __dp4a(g_in[threadIdx.x], g_in[threadIdx.x + 1], 0u);
}

// probe: convert
PROBE convert(const float *f_in, uint *g_out)
{
  g_out[threadIdx.x] = __float2uint_rz(f_in[threadIdx.x]);
}

// probe: integer_divide
PROBE integer_divide(const uint *g_in, uint *g_out, probe_args args)
{
  g_out[threadIdx.x] = g_in[threadIdx.x] / max(args.a, 1u);
}

// probe: int_remainder
PROBE int_remainder(int *i_out)
{
  i_out[threadIdx.x] = i_out[threadIdx.x] % i_out[threadIdx.x + 1];
}

// probe: float_remainder
PROBE float_remainder(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = fmodf(f_in[threadIdx.x], f_in[threadIdx.x + 1]);
}

// probe: power
PROBE power(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = powf(f_in[threadIdx.x], f_in[threadIdx.x + 1]);
}

// probe: rounded
PROBE rounded(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = rintf(f_in[threadIdx.x]);
}

// probe: smaller
PROBE smaller(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = fminf(f_in[threadIdx.x], f_in[threadIdx.x + 1]) + fmaxf(f_in[threadIdx.x + 2], f_in[threadIdx.x + 3]);
}

// probe: half_away
PROBE half_away(const float *f_in, float *f_out)
{
  f_out[threadIdx.x] = roundf(f_in[threadIdx.x]);
}

// probe: scaled
PROBE scaled(const float *f_in, float *f_out, probe_args args)
{
  f_out[threadIdx.x] = ldexpf(f_in[threadIdx.x], (int)args.a);
}

// probe: mul24
PROBE mul24(const uint *g_in, uint *g_out)
{
  g_out[threadIdx.x] = __mul24((int)g_in[threadIdx.x], (int)g_in[threadIdx.x + 1]) + __umul24(g_in[threadIdx.x + 2], g_in[threadIdx.x + 3]);
}

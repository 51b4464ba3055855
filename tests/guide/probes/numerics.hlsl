// Probes: numerics.
#include "declarations.hlsl"

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

// probe: two_sum
[numthreads(64, 1, 1)]
void two_sum(uint3 id : SV_DispatchThreadID)
{
  precise float sum = f_in[id.x] + f_in[id.x + 1];
  precise float other = sum - f_in[id.x];
  precise float lost = (f_in[id.x] - (sum - other)) + (f_in[id.x + 1] - other);
  f_out[id.x] = lost;
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
  f_out[id.x] = min(f_in[id.x], f_in[id.x + 1]) + max(f_in[id.x + 2], f_in[id.x + 3]);
}

// probe: half_away
[numthreads(64, 1, 1)]
void half_away(uint3 id : SV_DispatchThreadID)
{
  const float x = f_in[id.x], t = trunc(x);
  f_out[id.x] = abs(x - t) >= 0.5f ? t + sign(x) : t;
}

// probe: scaled
[numthreads(64, 1, 1)]
void scaled(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = f_in[id.x] * asfloat((args.a + 127) << 23);
}

// probe: mul24
[numthreads(64, 1, 1)]
void mul24(uint3 id : SV_DispatchThreadID)
{
  const uint a = g_in[id.x], b = g_in[id.x + 1];
  g_out[id.x] = ((int)(a << 8) >> 8) * ((int)(b << 8) >> 8);
}

// Probes: types and constants.
#include "declarations.hlsl"

// probe: bfloat16
[numthreads(64, 1, 1)]
void bfloat16(uint3 id : SV_DispatchThreadID)
{
  const uint bits = g_in[id.x] & 0xffff;
  f_out[id.x] = asfloat(bits << 16);
}

// probe: doubles
[numthreads(64, 1, 1)]
void doubles(uint3 id : SV_DispatchThreadID)
{
  const double x = f_in[id.x];
  f_out[id.x] = (float)(x * x);
}

// probe: constants_of_float
[numthreads(64, 1, 1)]
void constants_of_float(uint3 id : SV_DispatchThreadID)
{
  const float2 z = float2(asfloat(0x7f800000), asfloat(0xff800000)); // a complex number
  const float most = asfloat(0x7f7fffff), epsilon = asfloat(0x34000000), none = asfloat(0x7fc00000), pi = 3.14159274f;
  f_out[id.x] = f_in[id.x] < most ? z.x + epsilon : f_in[id.x] > pi ? z.y : none;
}

// probe: assertion
[numthreads(64, 1, 1)]
void assertion(uint3 id : SV_DispatchThreadID)
{
  uint before;
  if (g_in[id.x] == 0) {
    InterlockedCompareExchange(g_out[0], 0u, id.x + 1, before); // who failed first
    return;
  }
  g_out[id.x + 1] = args.a / g_in[id.x];
}

// probe: hex_mask
[numthreads(64, 1, 1)]
void hex_mask(uint3 id : SV_DispatchThreadID)
{
  const uint64_t a = g_in[id.x], b = g_in[id.x + 1], middle = a * b;
  g_out[id.x] = (uint)((middle & 0xffffffff) >> 16);
}

// probe: plain_number
[numthreads(64, 1, 1)]
void plain_number(uint3 threadIdx : SV_DispatchThreadID)
{
  f_out[threadIdx.x] = 0.7 * f_in[threadIdx.x] + 0.5f; // float: no 64 bits in the module
}

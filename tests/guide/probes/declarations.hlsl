// Declarations for the probes. A probe is an entry point for a row of the porting guide that maps a line of HLSL. It is in
// the file of its chapter, and its twin is in the .cu file beside it. The row quotes the lines between two `probe:` lines.
// Probes are compiled, but never run.
#ifndef XB_PROBE_DECLARATIONS
#define XB_PROBE_DECLARATIONS

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

#endif

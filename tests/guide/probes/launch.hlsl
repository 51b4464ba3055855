// Probes: launch and indexing, data layout.
#include "declarations.hlsl"

// probe: ids
[numthreads(64, 1, 1)]
void ids(uint3 a : SV_GroupThreadID, uint3 b : SV_GroupID, uint3 c : SV_DispatchThreadID, uint d : SV_GroupIndex)
{
  g_out[d] = a.x + b.x + c.x;
}

// probe: group_size
#define GROUP 64
[numthreads(GROUP, 1, 1)]
void group_size(uint3 id : SV_GroupID)
{
  g_out[id.x * GROUP] = GROUP;
}

// probe: arguments
[numthreads(64, 1, 1)]
void arguments(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = args.a;
}

// probe: read_only
[numthreads(64, 1, 1)]
void read_only(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = f_in[id.x]; // StructuredBuffer to RWStructuredBuffer
}

// probe: raw_buffer
[numthreads(64, 1, 1)]
void raw_buffer(uint3 id : SV_DispatchThreadID)
{
  g_raw.Store(4 * id.x, g_raw.Load(4 * id.x + 256)); // RWByteAddressBuffer
}

// probe: constants
[numthreads(64, 1, 1)]
void constants(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = table_entries[id.x & 3]; // of a cbuffer
}

// probe: matrices
[[vk::binding(9, 0)]] cbuffer matrix_table : register(b9) { float4x4 by_columns; row_major float4x4 by_rows; }
[numthreads(64, 1, 1)]
void matrices(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = by_rows[id.x & 3][1] + by_columns[1][id.x & 3];
}

// probe: bits
[numthreads(64, 1, 1)]
void bits(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = asuint(f_in[id.x]) | asuint(asfloat(g_in[id.x]) + 1);
}

// probe: vectors
[numthreads(64, 1, 1)]
void vectors(uint3 id : SV_DispatchThreadID)
{
  const float4 v = v_in[id.x]; // StructuredBuffer<float4>
  f_out[id.x] = v.x + v.y + v.z + v.w;
}

// probe: mixed_struct
[numthreads(64, 1, 1)]
void mixed_struct(uint3 id : SV_DispatchThreadID)
{
  f_out[id.x] = m_in[id.x].position.y + m_in[id.x].uv.x;
}

// probe: constant_id
#ifdef XB_GLSLC
[[vk::constant_id(0)]] const uint bias = 1;
#else
static const uint bias = 1; // Direct3D 12 has none
#endif
[numthreads(64, 1, 1)]
void constant_id(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = bias;
}

// probe: stride_loop
[numthreads(64, 1, 1)]
void stride_loop(uint3 id : SV_DispatchThreadID)
{
  for (uint i = id.x; i < args.n; i += args.a)
    g_out[i] = g_in[i];
}

// probe: device_variable
uint counter_of_all;
[numthreads(64, 1, 1)]
void device_variable(uint3 id : SV_DispatchThreadID)
{
  g_out[id.x] = counter_of_all;
}

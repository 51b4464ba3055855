// Structs in buffers. Word i of the input is the number i, so the value of a member is its offset in words.
// Source: ours; none of the documents has it.
#include "guide_layout.h"

[[vk::binding(0, 0)]] StructuredBuffer<guide_scalars> g_scalars : register(t0);
[[vk::binding(0, 0)]] StructuredBuffer<guide_vectors> g_vectors : register(t0);
[[vk::binding(0, 0)]] StructuredBuffer<guide_mixed> g_mixed : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
[[vk::binding(1, 0)]] RWStructuredBuffer<guide_vectors> g_moved : register(u1);
XB_ARGS(xb_guide_args);

// [scalars] structs of 32-bit scalars have the layout of C everywhere
[numthreads(GUIDE_BLOCK, 1, 1)]
void scalars(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const guide_scalars e = g_scalars[id.x];
  g_out[8 * id.x] = asuint(e.x);
  g_out[8 * id.x + 1] = asuint(e.y);
  g_out[8 * id.x + 2] = asuint(e.z);
  g_out[8 * id.x + 3] = e.kind;
  g_out[8 * id.x + 4] = asuint(e.u);
  g_out[8 * id.x + 5] = asuint(e.v);
  g_out[8 * id.x + 6] = asuint(e.id);
  g_out[8 * id.x + 7] = e.spare;
}

// [vectors] a float3 followed by a scalar, at a multiple of 16 bytes, also has the layout of C everywhere
[numthreads(GUIDE_BLOCK, 1, 1)]
void vectors(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const guide_vectors e = g_vectors[id.x];
  g_out[8 * id.x] = asuint(e.position.x);
  g_out[8 * id.x + 1] = asuint(e.position.y);
  g_out[8 * id.x + 2] = asuint(e.position.z);
  g_out[8 * id.x + 3] = e.kind;
  g_out[8 * id.x + 4] = asuint(e.velocity.x);
  g_out[8 * id.x + 5] = asuint(e.velocity.y);
  g_out[8 * id.x + 6] = asuint(e.velocity.z);
  g_out[8 * id.x + 7] = asuint(e.mass);
}

// [mixed] 48 bytes each by glslc, 28 by Direct3D
[numthreads(GUIDE_BLOCK, 1, 1)]
void mixed(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const guide_mixed e = g_mixed[id.x];
  g_out[8 * id.x] = e.kind;
  g_out[8 * id.x + 1] = asuint(e.position.x);
  g_out[8 * id.x + 2] = asuint(e.position.y);
  g_out[8 * id.x + 3] = asuint(e.position.z);
  g_out[8 * id.x + 4] = asuint(e.uv.x);
  g_out[8 * id.x + 5] = asuint(e.uv.y);
  g_out[8 * id.x + 6] = asuint(e.id);
  g_out[8 * id.x + 7] = 0;
}

// [round trip] read whole, one member changed, written whole
[numthreads(GUIDE_BLOCK, 1, 1)]
void round_trip(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  guide_vectors e = g_vectors[id.x];
  e.kind += args.a;
  g_moved[id.x] = e;
}

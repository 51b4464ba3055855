// Structs in buffers. Word i of the input is the number i, so the value of a member is its offset in words.
// Source: ours; none of the documents has it.
#include "guide.cuh"
#include "guide_layout.h"

// [scalars] structs of 32-bit scalars have the layout of C everywhere
XB_GUIDE_ENTRY(GUIDE_BLOCK) scalars(const guide_scalars *__restrict__ g_scalars, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const guide_scalars e = g_scalars[i];
  g_out[8 * i] = __float_as_uint(e.x);
  g_out[8 * i + 1] = __float_as_uint(e.y);
  g_out[8 * i + 2] = __float_as_uint(e.z);
  g_out[8 * i + 3] = e.kind;
  g_out[8 * i + 4] = __float_as_uint(e.u);
  g_out[8 * i + 5] = __float_as_uint(e.v);
  g_out[8 * i + 6] = (uint)e.id;
  g_out[8 * i + 7] = e.spare;
}

// [vectors] a float3 followed by a scalar, at a multiple of 16 bytes, also has the layout of C everywhere
XB_GUIDE_ENTRY(GUIDE_BLOCK) vectors(const guide_vectors *__restrict__ g_vectors, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const guide_vectors e = g_vectors[i];
  g_out[8 * i] = __float_as_uint(e.position.x);
  g_out[8 * i + 1] = __float_as_uint(e.position.y);
  g_out[8 * i + 2] = __float_as_uint(e.position.z);
  g_out[8 * i + 3] = e.kind;
  g_out[8 * i + 4] = __float_as_uint(e.velocity.x);
  g_out[8 * i + 5] = __float_as_uint(e.velocity.y);
  g_out[8 * i + 6] = __float_as_uint(e.velocity.z);
  g_out[8 * i + 7] = __float_as_uint(e.mass);
}

// [mixed] 32 bytes each: float2 is aligned to 8 bytes
XB_GUIDE_ENTRY(GUIDE_BLOCK) mixed(const guide_mixed *__restrict__ g_mixed, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const guide_mixed e = g_mixed[i];
  g_out[8 * i] = e.kind;
  g_out[8 * i + 1] = __float_as_uint(e.position.x);
  g_out[8 * i + 2] = __float_as_uint(e.position.y);
  g_out[8 * i + 3] = __float_as_uint(e.position.z);
  g_out[8 * i + 4] = __float_as_uint(e.uv.x);
  g_out[8 * i + 5] = __float_as_uint(e.uv.y);
  g_out[8 * i + 6] = (uint)e.id;
  g_out[8 * i + 7] = 0;
}

// [round trip] read whole, one member changed, written whole
XB_GUIDE_ENTRY(GUIDE_BLOCK) round_trip(const guide_vectors *__restrict__ g_vectors, guide_vectors *g_moved,
                                       xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  guide_vectors e = g_vectors[i];
  e.kind += args.a;
  g_moved[i] = e;
}

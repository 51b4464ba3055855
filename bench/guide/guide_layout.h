/* Structs in buffers, for C, CUDA and HLSL. In C the vectors are arrays of scalars, and the host writes these. */
#ifndef XB_GUIDE_LAYOUT_H
#define XB_GUIDE_LAYOUT_H

#include "guide_args.h"

#if defined(XB_GLSLC) || defined(__HLSL_VERSION) || defined(__CUDACC__)
#define XB_FLOAT2(name) float2 name
#define XB_FLOAT3(name) float3 name
#else
#define XB_FLOAT2(name) float name[2]
#define XB_FLOAT3(name) float name[3]
#endif

/* Only 32-bit scalars: the same layout in all languages. */
struct guide_scalars {
  float x, y, z;
  xb_u32 kind;
  float u, v;
  int id;
  xb_u32 spare;
};

/* Each float3 begins at a multiple of 16 bytes, followed by a scalar: the same layout in all languages. */
struct guide_vectors {
  XB_FLOAT3(position);
  xb_u32 kind;
  XB_FLOAT3(velocity);
  float mass;
};

/* Members in an order without regard to alignment: the layout depends on the compiler. */
struct guide_mixed {
  xb_u32 kind;
  XB_FLOAT3(position);
  XB_FLOAT2(uv);
  int id;
};

#endif

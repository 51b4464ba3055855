/* Structs that lie in buffers, for C, CUDA and HLSL. In C each vector is its scalars: that is what the host writes. */
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

/* 32-bit scalars alone: the same everywhere. */
struct guide_scalars {
  float x, y, z;
  xb_u32 kind;
  float u, v;
  int id;
  xb_u32 spare;
};

/* Each float3 begins at a multiple of 16 bytes, and a scalar fills its row: the same everywhere. */
struct guide_vectors {
  XB_FLOAT3(position);
  xb_u32 kind;
  XB_FLOAT3(velocity);
  float mass;
};

/* As one would write it down: every API lays it out in its own way. */
struct guide_mixed {
  xb_u32 kind;
  XB_FLOAT3(position);
  XB_FLOAT2(uv);
  int id;
};

#endif

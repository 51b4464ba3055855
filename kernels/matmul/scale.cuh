/* HLSL multiplies a vector by a number; CUDA C++ needs these operators. */
#ifndef XB_MATMUL_SCALE_CUH
#define XB_MATMUL_SCALE_CUH

__device__ __forceinline__ float4 operator*(float a, float4 b)
{
  return make_float4(a * b.x, a * b.y, a * b.z, a * b.w);
}

__device__ __forceinline__ uint4 operator*(uint a, uint4 b)
{
  return make_uint4(a * b.x, a * b.y, a * b.z, a * b.w);
}

#endif

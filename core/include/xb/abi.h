/* The kernel ABI, for C (C++), CUDA C++ and HLSL. Kernels need not follow it: xb_kernel_desc describes others.
 *
 * A kernel takes its buffers in binding order, then one struct of 32-bit scalars by value. In HLSL each buffer has a
 * [[vk::binding(i, 0)]] and a register, and XB_ARGS declares the struct. In CUDA all of them are parameters. The struct
 * has no vectors, because HLSL aligns them differently than C in push constants.
 *
 * Three compilers read the HLSL. glslc (with -DXB_GLSLC) and DXC with -spirv create Vulkan push constants; DXC without
 * -spirv creates Direct3D 12 root constants. `register(b0)` on a push constant fails in glslc -O, hence the macro.
 */
#ifndef XB_ABI_H
#define XB_ABI_H

#if defined(XB_GLSLC) || defined(__HLSL_VERSION)

typedef uint xb_u32;

#if defined(XB_GLSLC) || defined(__spirv__)
#define XB_ARGS(type) [[vk::push_constant]] ConstantBuffer<type> args
#else
#define XB_ARGS(type) ConstantBuffer<type> args : register(b0)
#endif

/* The element type, chosen on the compiler's command line. int32 is added as uint, because signed overflow is undefined
 * in CUDA C++. XB_BITS and XB_FROM_BITS convert elements to and from the words of raw buffers. */
#if defined(XB_FLOAT32)
typedef float T;
typedef float4 T4;
#define XB_BITS(x) asuint(x)
#define XB_FROM_BITS(x) asfloat(x)
#elif defined(XB_INT32)
typedef uint T;
typedef uint4 T4;
#define XB_BITS(x) (x)
#define XB_FROM_BITS(x) (x)
#endif

#else

#include <stdint.h>
typedef uint32_t xb_u32;

#endif

/* APIs only guarantee 65,535 groups per dimension, so more groups are folded into x and y. `id` is the group's id,
 * `grid_x` the number of groups in x. The last row may have more groups than needed: kernels have to ignore those. */
#define XB_GROUP_INDEX(id, grid_x) ((id).y * (grid_x) + (id).x)

#endif

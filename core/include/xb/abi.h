/* The kernel ABI, in the three languages that share it: C (C++), CUDA C++ and HLSL.
 *
 * A kernel takes its buffers in binding order, then one struct of 32-bit scalars by value. HLSL puts each buffer at
 * [[vk::binding(i, 0)]] and beside it at a register, and the struct through XB_ARGS; CUDA takes all of them as
 * parameters. 32-bit scalars only: HLSL aligns vectors inside a push constant in other ways than C does.
 *
 * HLSL is read by three compilers. glslc (with -DXB_GLSLC) and DXC with -spirv make Vulkan's push constant; DXC without
 * -spirv makes Direct3D 12's root constants. `register(b0)` on a push constant fails in glslc -O, hence the macro.
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

/* The element type, chosen on the compiler's command line. int32 is summed as uint: two's complement wraps, and signed
 * overflow is undefined in CUDA C++. Bits move through raw buffers as XB_BITS and back as XB_FROM_BITS. */
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

/* 65,535 groups a dimension is all that is promised, so a longer row of groups is folded into x and y. `id` is the
 * group's id, `grid_x` the groups in x. The last row may be longer than needed: a kernel leaves when the index is too
 * large. */
#define XB_GROUP_INDEX(id, grid_x) ((id).y * (grid_x) + (id).x)

#endif

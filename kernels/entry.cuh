/* Macros that let a kernel read like its twin in HLSL, and that give it names which the driver finds.
 *
 * HLSL is compiled once for each element type and group size, with T, T4 and BLOCK from the command line. CUDA C++
 * has templates: a body takes the three as parameters, and XB_ENTRIES makes an entry point for each pair in
 * variants.def, for example reduce_float32_128. The name is plain C, because a table cannot hold a mangled name. */
#ifndef XB_ENTRY_CUH
#define XB_ENTRY_CUH

#include "entries.h" /* generated for each benchmark: XB_ENTRY_TABLE */

typedef unsigned int uint;

/* The element types. int32 is summed as uint: two's complement wraps, and signed overflow is undefined in C++. */
namespace xb_float32 {
using T = float;
using T4 = float4;
}
namespace xb_int32 {
using T = uint;
using T4 = uint4;
}

#define XB_KERNEL template <typename T, typename T4, uint BLOCK> __device__ __forceinline__

/* The number of groups of `block` threads that must fit on a multiprocessor: the compiler limits registers for it.
 * 0: the compiler decides. HLSL has no equivalent. */
#ifndef XB_RESIDENT_GROUPS
#define XB_RESIDENT_GROUPS(block) 0
#endif

/* The largest groups that a kernel is meant for. Larger entries are empty, which saves their compilation; the row's
 * most_block keeps them from being run. */
#ifndef XB_MOST_BLOCK
#define XB_MOST_BLOCK 1024
#endif

/* XB_ENTRIES(name, (parameters), (arguments of the body)): buffers in binding order, then the struct. */
#define XB_ENTRIES(name, parameters, arguments) XB_ENTRY_TABLE(XB_ENTRY, name, parameters, arguments)
#define XB_ENTRY(dtype, block, name, parameters, arguments)                                                            \
  namespace xb_##dtype {                                                                                               \
  extern "C" __global__ void __launch_bounds__(block, XB_RESIDENT_GROUPS(block)) name##_##dtype##_##block parameters   \
  {                                                                                                                    \
    if constexpr (block <= XB_MOST_BLOCK)                                                                              \
      ::name<T, T4, block> arguments;                                                                                  \
  }                                                                                                                    \
  XB_LIST_ENTRY(name##_##dtype##_##block)                                                                              \
  }

/* Compiled for the CPU, an entry point is also a row of its module's table. */
#ifdef XB_CPU_ENTRY
#define XB_LIST_ENTRY(name) XB_CPU_ENTRY(name)
#else
#define XB_LIST_ENTRY(name)
#endif

/* HLSL adds vectors by component; CUDA C++ needs these operators. */
__device__ __forceinline__ float4 operator+(float4 a, float4 b)
{
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ uint4 operator+(uint4 a, uint4 b)
{
  return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

template <typename T4> __device__ __forceinline__ void operator+=(T4 &a, T4 b)
{
  a = a + b;
}

#endif

/* Qualifiers, and where a thread is. */
#pragma once
#if __has_include(<bits/c++config.h>) /* of libstdc++: its functions of mathematics beyond C's take half of the        \
                                         compilation */
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
#include "xb_cpu.h"

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define __CUDA_ARCH__ 800 /* what the words cover */
/* Code that is watched has no calls: g++ does not instrument the copy of a struct that a function takes by value, nor a
 * result that is made in place. noipa: keywords.h takes `noinline` away. */
#if defined XB_CPU_WATCHES && !defined __clang__
#define XB_CPU_WHOLE flatten, noipa,
#define __noinline__
#else
#define XB_CPU_WHOLE
#define __noinline__ __attribute__((noinline))
#endif
#define __global__ __attribute__((XB_CPU_WHOLE noinline)) /* so that its lines are its own */
#define __device__
#define __host__
#define __constant__ __attribute__((visibility("default"))) /* dlsym finds it */
#define __managed__
#define __grid_constant__
#ifdef XB_CPU_WATCHES /* used: else an array that nothing writes is a constant, whose reads are not seen */
#define __shared__ thread_local __attribute__((used))
#else
#define __shared__ thread_local /* one copy for each OS thread, which runs one block at a time */
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __restrict __restrict__
#define __nv_pure__ __attribute__((pure))
#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif

struct uint3 {
  unsigned int x, y, z;
};
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

namespace xb_cpu
{
extern __attribute__((visibility("hidden"))) const xb_cpu_runtime *runtime;

/* The arena begins with the block. The stack pointer says where: neither volatile nor with inputs, so that a compiler
 * works it out once a function. A thread never changes its stack. */
__forceinline__ xb_cpu_block *block()
{
  xb_cpu_block *b;
  __asm__("movq %%rsp, %0\n\tandq %1, %0" : "=&r"(b) : "i"(-(int)XB_CPU_ARENA_BYTES));
  return b;
}

/* A word of the block or of its running thread. These do not change while a thread runs: no memory clobber either. */
template <size_t OFFSET> __forceinline__ unsigned int block_word()
{
  unsigned int word;
  __asm__("movl %c2(%1), %0" : "=r"(word) : "r"(block()), "i"(OFFSET));
  return word;
}
template <size_t OFFSET> __forceinline__ unsigned int thread_word()
{
  uintptr_t now;
  unsigned int word;
  __asm__("movq %c2(%1), %0" : "=r"(now) : "r"(block()), "i"(offsetof(xb_cpu_block, now)));
  __asm__("movl %c2(%1), %0" : "=r"(word) : "r"(now), "i"(OFFSET));
  return word;
}
template <size_t OFFSET> __forceinline__ uint3 block_words()
{
  return uint3{block_word<OFFSET>(), block_word<OFFSET + 4>(), block_word<OFFSET + 8>()};
}
__forceinline__ uint3 thread_index() { return uint3{thread_word<0>(), thread_word<4>(), thread_word<8>()}; }
__forceinline__ unsigned int lane() { return thread_word<offsetof(xb_cpu_thread, linear)>() % XB_CPU_WARP; }

/* Now and then a thread lets others run, so that one that waits for another in a loop does not wait for ever. */
__forceinline__ void tick()
{
  if (__builtin_expect(--block()->patience <= 0, 0))
    runtime->yield();
}

/* Tells what orders memory, if somebody listens. */
__forceinline__ void edge(const volatile void *at, unsigned int edges)
{
  if (__builtin_expect(block()->watched != 0, 0))
    runtime->edge((const void *)at, edges);
}

/* The scope of the atomics until its end, for modules that are watched. */
#ifdef XB_CPU_WATCHES
struct scoped {
  __forceinline__ explicit scoped(unsigned int scope) { block()->scope = scope; }
  __forceinline__ ~scoped() { block()->scope = XB_CPU_SCOPE_DEVICE; }
};
#else
struct scoped {
  __forceinline__ explicit scoped(unsigned int) {}
};
#endif

[[noreturn]] inline void fail(const char *what, const char *file, unsigned int line)
{
  runtime->fail(what, file, line);
  __builtin_trap();
}

template <class T> struct as_is {
  using type = T;
};
template <class T> using as = typename as_is<T>::type; /* a parameter from which T is not deduced */

/* Around a conditional expression that has a subscript (bench/compile/conditional.c, which says why). */
template <class T> __forceinline__ constexpr T &&same(T &&value) { return static_cast<T &&>(value); }

template <class To, class From> __forceinline__ To bits(From from)
{
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
} // namespace xb_cpu

#define threadIdx (xb_cpu::thread_index())
#define blockIdx (xb_cpu::block_words<offsetof(xb_cpu_block, block)>())
#define gridDim (dim3(xb_cpu::block_words<offsetof(xb_cpu_block, grid)>()))
#define blockDim (dim3(xb_cpu::block_words<offsetof(xb_cpu_block, size)>()))
#define warpSize XB_CPU_WARP

/* The place of a call. */
#define XB_CPU_FILE const char *xb_file = __builtin_FILE(), unsigned int xb_line = __builtin_LINE()

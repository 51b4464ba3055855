/* Barriers of a block, and fences. Each barrier in the source has a number, so that two of them are told apart. */
#pragma once
#include <time.h> /* clock() is the C library's */

#define XB_CPU_BARRIER(op, predicate) (xb_cpu::runtime->barrier(op, predicate, __COUNTER__, __FILE__, __LINE__))
#define __syncthreads() ((void)XB_CPU_BARRIER(XB_CPU_SYNC, 0))
#define __syncthreads_count(predicate) ((int)XB_CPU_BARRIER(XB_CPU_COUNT, (predicate) != 0))
#define __syncthreads_and(predicate) ((int)XB_CPU_BARRIER(XB_CPU_AND, (predicate) != 0))
#define __syncthreads_or(predicate) ((int)XB_CPU_BARRIER(XB_CPU_OR, (predicate) != 0))

__forceinline__ void __threadfence_block()
{
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a block is one OS thread */
  xb_cpu::edge(nullptr, XB_CPU_FENCE_BLOCK);
}
__forceinline__ void __threadfence()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  xb_cpu::edge(nullptr, XB_CPU_FENCE_DEVICE);
  xb_cpu::tick();
}
__forceinline__ void __threadfence_system() { __threadfence(); }

inline void __nanosleep(unsigned int) { xb_cpu::runtime->yield(); }
inline long long clock64() { return (long long)xb_cpu::runtime->clock(); }
inline unsigned long long __globaltimer() { return xb_cpu::runtime->clock(); }

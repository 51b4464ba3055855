// KERNEL(NAME) { ... WRONG ... }: a kernel with a fault, NAME, and its twin without, NAME_right. WRONG is true for the
// fault. `data` has 8192 words.
#pragma once

#ifndef XB_CPU_ENTRY_AS // on_gpu.cu runs them; their memory begins with zeros, as on the CPU
typedef void (*planted_kernel)(unsigned *);
struct planted_entry {
  planted_entry(const char *name, planted_kernel kernel);
};
#define XB_CPU_ENTRY_AS(name, kernel) static const planted_entry entry_of_##name(#name, kernel);
#endif

__device__ static unsigned total;

// What a thread may write without meeting another.
#define OUT data[2048 + blockIdx.x * 256 + threadIdx.x]
#define OUT_OF_BLOCK data[1536 + blockIdx.x]

#define KERNEL(name)                                                                                                   \
  template <bool WRONG> __global__ void kernel_##name(unsigned *data);                                                 \
  XB_CPU_ENTRY_AS(name, &kernel_##name<true>)                                                                          \
  XB_CPU_ENTRY_AS(name##_right, &kernel_##name<false>)                                                                 \
  template <bool WRONG> __global__ void kernel_##name(unsigned *data)

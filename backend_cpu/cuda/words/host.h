/* What a kernel does beyond computing: it prints, fails, ends. */
#pragma once
#include <stdio.h> /* before printf is a macro */

#define clock() ((long)clock64()) /* time.h declares a function of this name */
#define printf(...) (xb_cpu::runtime->print(__VA_ARGS__))
#define __trap() (xb_cpu::fail("__trap()", __FILE__, __LINE__))
#define __brkpt() ((void)0)
#define __prof_trigger(counter) ((void)0)

typedef unsigned long long cudaGraphConditionalHandle; /* an argument of kernels that decide what a graph runs next */
#define cudaGraphSetConditional(handle, value)                                                                         \
  (xb_cpu::fail("cudaGraphSetConditional(): there is no graph here", __FILE__, __LINE__))

/* The same work on the host: plain loops, on as many threads as the work is worth. Bindings are C, A, B. */
#ifndef XB_BREAKEVEN_ON_HOST_H
#define XB_BREAKEVEN_ON_HOST_H

#include "benchmarks/benchmark.h"

xb_call_fn xb_add_on_host, xb_multiply_on_host;

#endif

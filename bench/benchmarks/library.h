/* The functions that the vendors' libraries are reached by: libxb_peers.so, built from the .cu files in the benchmarks'
 * folders, opened at run time. */
#ifndef XB_LIBRARY_H
#define XB_LIBRARY_H

#include "benchmarks/benchmark.h"

/* Sets `function`, a pointer to a pointer to a function. XB_UNSUPPORTED where libxb_peers.so was not built, cannot be
 * opened, or lacks it. */
xb_code xb_library_find(const char *name, void *function, xb_error *err);
/* XB_OK where the library's word for what went wrong is NULL; else `code` with that word. */
xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err);

#endif

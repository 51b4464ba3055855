/* Access to vendor libraries, through libxb_peers.so. It is built from the .cu files in the benchmarks' folders and
 * opened at run time. */
#ifndef XB_LIBRARY_H
#define XB_LIBRARY_H

#include "benchmarks/benchmark.h"

/* `function` is the address of a function pointer, which this sets. XB_UNSUPPORTED if libxb_peers.so was not built,
 * cannot be opened, or lacks the function. */
xb_code xb_library_find(const char *name, void *function, xb_error *err);
/* `why` is the library's error message, or NULL on success. Returns XB_OK or `code`, with that message in `err`. */
xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err);

#endif

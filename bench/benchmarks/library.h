/* Access to vendor libraries, through libxb_peers.so. It is built from the .cu files in the benchmarks' folders and
 * opened at run time. */
#ifndef XB_LIBRARY_H
#define XB_LIBRARY_H

#include "benchmarks/benchmark.h"

/* `function` is the address of a function pointer, which this sets. XB_UNSUPPORTED if libxb_peers.so was not built,
 * cannot be opened, or lacks the function. */
xb_code xb_library_find(const char *name, void *function, xb_error *err);
/* For xb_methods.prepare: finds what the plan's steps of a library call, which then is `function` of each call. */
xb_code xb_library_prepare(xb_plan *plan, const char *name, xb_error *err);
/* The same of a function that calls cuBLAS, which NAME_open opens. */
xb_code xb_library_prepare_cublas(xb_plan *plan, const char *name, xb_error *err);
/* For xb_methods.prepare: that of xb_methods.cublas. */
xb_code xb_cublas_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);
/* [plan] One call of a library that reads two slots at most, writes another, and gets a workspace: it would allocate
 * its own, and an allocation cannot be captured. */
void xb_library_plan(xb_plan *plan, xb_library_fn *run, const uint32_t *reads, uint32_t count, uint32_t writes,
                     uint64_t workspace_bytes);
/* `why` is the library's error message, or NULL on success. Returns XB_OK or `code`, with that message in `err`. */
xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err);

/* A function of CUB's from one array to another: NAME in libxb_peers.so, and NAME_bytes, which gets the bytes of
 * temporary storage. `what` is the case's xb_dtype, or what `what_of` says; `stream` is a CUstream, possibly in
 * capture. Both return NULL, or an error message. */
typedef struct xb_cub {
  const char *title, *name;
  int (*what_of)(const xb_case *c);
} xb_cub;
typedef const char *xb_cub_bytes_fn(int what, uint64_t n, uint64_t *bytes);
typedef const char *xb_cub_fn(int what, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary, uint64_t bytes,
                              void *stream);

/* Plans one call of the benchmark's CUB function (xb_methods.cub), whose temporary storage is the third slot. */
void xb_cub_plan(xb_plan *plan, uint32_t input, uint32_t output);
/* For xb_methods.prepare: finds the functions, and sets the size of the temporary storage, which is known only after
 * the device is open. */
xb_code xb_cub_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);
/* At least 4, as a buffer has, and a multiple of 4. */
void xb_library_storage(xb_plan *plan, uint32_t slot, uint64_t bytes);

#endif

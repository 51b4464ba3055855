/* Access to vendor libraries, through libxb_peers.so. It is built from the .cu files in the benchmarks' folders and
 * opened at run time. */
#ifndef XB_LIBRARY_H
#define XB_LIBRARY_H

#include "benchmarks/benchmark.h"
#include "benchmarks/peer.h"

/* `function` is the address of a function pointer, which this sets. XB_UNSUPPORTED if libxb_peers.so was not built,
 * cannot be opened, or lacks the function. */
xb_code xb_library_find(const char *name, void *function, xb_error *err);
/* `why` is the library's error message, or NULL on success. Returns XB_OK or `code`, with that message in `err`. */
xb_code xb_library_result(xb_code code, const char *what, const char *why, xb_error *err);

/* A function of CUB's or of cuBLAS: NAME in libxb_peers.so. The bytes of its workspace are told by NAME_bytes, if a
 * device is open (CUB), or known before; NAME_open then finds cuBLAS, and makes a handle for the current device. */
typedef struct xb_peer {
  const char *title, *name;         /* title: the vendor's own name, for messages */
  uint64_t workspace_bytes;         /* 0: NAME_bytes tells them */
  int (*what_of)(const xb_case *c); /* xb_peer_call.what; NULL: the element type */
  xb_peer_run_fn *run;              /* set by xb_peer_prepare */
} xb_peer;

/* [plan] One call of the benchmark's function (xb_methods.peer) with all slots that the plan has, and a workspace: a
 * library would allocate its own, and an allocation cannot be captured. */
void xb_peer_plan(const xb_case *c, xb_plan *plan);
/* For xb_methods.prepare. */
xb_code xb_peer_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err);

#endif

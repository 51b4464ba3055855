/* Two devices of one GPU, and the memory that they share. */
#ifndef XB_INTEROP_BOTH_H
#define XB_INTEROP_BOTH_H

#include "benchmarks/pieces.h"

typedef struct xb_both {
  xb_device *here, *there; /* there: the one that exports */
  xb_buffer *theirs;       /* of `there`, exportable */
  xb_buffer *shared;       /* the same memory, of `here` */
  double import_ns;        /* host time of the import */
} xb_both;

/* Opens the other device, which stays open, through the API `maker`, and shares `bytes` bytes. XB_UNSUPPORTED if `here`
 * imports nothing, or if that API does not have this GPU. The caller closes it, also on failure. */
xb_code xb_both_open(xb_device *here, const char *maker, uint64_t bytes, xb_both *both, xb_error *err);
void xb_both_close(xb_both *both);

/* The kernel of transfers/9: one word a thread. (interop.c) */
xb_code xb_copy_kernel(const xb_case *c, xb_device *device, xb_kernel **kernel, xb_error *err);

enum { XB_RING_BYTES = 1 << 15 };
/* Work goes to and fro between the two devices, XB_RING_BYTES bytes of whose memory it uses. `by_semaphore`: from there
 * to here, and back; else the host waits for one device before it submits to the other. `ns`: host time of one piece of
 * work and its handover. (ring.c) */
xb_code xb_ring(const xb_call *call, const xb_both *both, const bool by_semaphore[2], double *ns, xb_error *err);

#endif

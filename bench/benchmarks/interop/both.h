/* Two devices of one GPU, and the memory that they share. */
#ifndef XB_INTEROP_BOTH_H
#define XB_INTEROP_BOTH_H

#include "benchmarks/benchmark.h"

typedef struct xb_both {
  xb_device *here, *there; /* there: Vulkan's, which exports */
  xb_buffer *theirs;       /* of `there`, exportable */
  xb_buffer *shared;       /* the same memory, of `here` */
  double import_ns;        /* host time of the import */
} xb_both;

/* Opens the other device, and shares `bytes` bytes. XB_UNSUPPORTED if `here` imports nothing, or if Vulkan does not
 * have this GPU. The caller closes it, also on failure. */
xb_code xb_both_open(xb_device *here, uint64_t bytes, xb_both *both, xb_error *err);
/* Returns `code` or, if that is XB_OK, the result of closing the other device. */
xb_code xb_both_close(xb_both *both, xb_code code, xb_error *err);

#endif

/* CUB's DeviceScan, in libxb_peers.so. `dtype` is an xb_dtype; addresses belong to the current device; `stream` is a
 * CUstream, possibly in capture. The functions return NULL, or an error message. */
#ifndef XB_SCAN_CUB_H
#define XB_SCAN_CUB_H

#include <stdint.h>

/* Gets the required bytes of temporary storage. */
typedef const char *xb_scan_cub_bytes_fn(int dtype, int exclusive, uint64_t n, uint64_t *bytes);
/* Writes n prefix sums. */
typedef const char *xb_scan_cub_fn(int dtype, int exclusive, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                   uint64_t bytes, void *stream);

#endif

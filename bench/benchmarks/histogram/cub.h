/* CUB's DeviceHistogram, in libxb_peers.so. `keys`: n 32-bit keys and 65,536 bins; else n bytes and 256 bins. Addresses
 * belong to the current device; `stream` is a CUstream, possibly in capture. The functions return NULL, or an error
 * message. */
#ifndef XB_HISTOGRAM_CUB_H
#define XB_HISTOGRAM_CUB_H

#include <stdint.h>

/* Gets the required bytes of temporary storage. */
typedef const char *xb_histogram_cub_bytes_fn(int keys, uint64_t n, uint64_t *bytes);
/* Writes all counts. */
typedef const char *xb_histogram_cub_fn(int keys, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                        uint64_t bytes, void *stream);

#endif

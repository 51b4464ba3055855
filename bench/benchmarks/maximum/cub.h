/* CUB's DeviceReduce::Max, in libxb_peers.so. `dtype` is an xb_dtype; addresses belong to the current device; `stream`
 * is a CUstream, possibly in capture. The functions return NULL, or an error message. */
#ifndef XB_MAXIMUM_CUB_H
#define XB_MAXIMUM_CUB_H

#include <stdint.h>

/* Gets the required bytes of temporary storage. */
typedef const char *xb_maximum_cub_bytes_fn(int dtype, uint64_t n, uint64_t *bytes);
/* Writes the largest of n elements to out[0]. */
typedef const char *xb_maximum_cub_fn(int dtype, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                      uint64_t bytes, void *stream);

#endif

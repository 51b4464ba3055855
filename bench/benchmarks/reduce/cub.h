/* CUB's DeviceReduce::Sum, in libxb_peers.so. `dtype` is an xb_dtype; addresses are device addresses of the current
 * device; `stream` is a CUstream, which may be being captured. They return NULL, or what went wrong. */
#ifndef XB_REDUCE_CUB_H
#define XB_REDUCE_CUB_H

#include <stdint.h>

/* Bytes of temporary storage. */
typedef const char *xb_reduce_cub_bytes_fn(int dtype, uint64_t n, uint64_t *bytes);
/* The sum of n elements into out[0]. */
typedef const char *xb_reduce_cub_fn(int dtype, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                     uint64_t bytes, void *stream);

#endif

/* CUB's DeviceAdjacentDifference, in libxb_peers.so. `dtype` is an xb_dtype; addresses belong to the current device;
 * `stream` is a CUstream, possibly in capture. The functions return NULL, or an error message. */
#ifndef XB_ADJACENT_CUB_H
#define XB_ADJACENT_CUB_H

#include <stdint.h>

/* Gets the required bytes of temporary storage. */
typedef const char *xb_adjacent_cub_bytes_fn(int dtype, uint64_t n, uint64_t *bytes);
/* Writes in[0] to out[0] and in[i] - in[i - 1] to out[i]. */
typedef const char *xb_adjacent_cub_fn(int dtype, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary,
                                       uint64_t bytes, void *stream);

#endif

/* Vendor libraries as variants. They live in a shared library of their own, which is opened at run time from beside the
 * program: xbench itself links no CUDA runtime.
 *
 * The functions of the library (extern "C", so that the program finds them by name). `dtype` is an xb_dtype; addresses
 * are device addresses in the primary context; `stream` is a CUstream, which may be being captured. They return a
 * cudaError_t.
 */
#ifndef XB_PEERS_H
#define XB_PEERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CUB's DeviceReduce::Sum: bytes of temporary storage, then the sum of n elements into out[0]. */
typedef int xb_cub_sum_bytes_fn(int dtype, uint64_t n, uint64_t *bytes);
typedef int xb_cub_sum_fn(int dtype, uint64_t n, uint64_t in, uint64_t out, uint64_t temporary, uint64_t bytes,
                          void *stream);
typedef const char *xb_peer_error_fn(int error);

xb_cub_sum_bytes_fn xb_cub_sum_bytes;
xb_cub_sum_fn xb_cub_sum;
xb_peer_error_fn xb_peer_error;

#ifdef __cplusplus
}
#endif
#endif

/* Vendor libraries as variants. They live in a shared library of their own, which is opened at run time from beside the
 * program: xbench itself links no CUDA runtime.
 *
 * The functions of the library (extern "C", so that the program finds them by name). `dtype` is an xb_dtype; addresses
 * are device addresses in the primary context; `stream` is a CUstream, which may be being captured. They return a
 * cudaError_t, or a cublasStatus_t.
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

/* cuBLAS: opened at run time, and made ready for the current device before anything is captured. NULL, or why it is not
 * here. */
typedef const char *xb_cublas_open_fn(void);
/* cublasSgeam: out (columns x rows) is in (rows x columns) transposed, float32 in row-major order. */
typedef int xb_cublas_transpose_fn(uint64_t rows, uint64_t columns, uint64_t in, uint64_t out, uint64_t workspace,
                                   uint64_t bytes, void *stream);
typedef const char *xb_cublas_error_fn(int status);

xb_cub_sum_bytes_fn xb_cub_sum_bytes;
xb_cub_sum_fn xb_cub_sum;
xb_peer_error_fn xb_peer_error;
xb_cublas_open_fn xb_cublas_open;
xb_cublas_transpose_fn xb_cublas_transpose;
xb_cublas_error_fn xb_cublas_error;

#ifdef __cplusplus
}
#endif
#endif

/* cublasSgemm of cuBLAS, in libxb_peers.so, which opens cuBLAS at run time. The functions return NULL, or an error
 * message. */
#ifndef XB_MATMUL_CUBLAS_H
#define XB_MATMUL_CUBLAS_H

#include <stdint.h>

/* Creates the current device's handle; must be called before capture. */
typedef const char *xb_matmul_cublas_open_fn(void);
/* Writes AB to C: float32, row-major, rows x inner times inner x columns. `address` has A, B, C and a workspace of
 * `bytes` bytes. `stream` is a CUstream of the current device, possibly in capture. */
typedef const char *xb_matmul_cublas_fn(uint64_t rows, uint64_t columns, uint64_t inner, const uint64_t address[4],
                                        uint64_t bytes, void *stream);

#endif

/* cublasGemmEx of cuBLAS, in libxb_peers.so, which opens cuBLAS at run time. The functions return NULL, or an error
 * message. */
#ifndef XB_MATVEC_CUBLAS_H
#define XB_MATVEC_CUBLAS_H

#include <stdint.h>

/* Creates the current device's handle; must be called before capture. */
typedef const char *xb_matvec_cublas_open_fn(void);
/* Writes Wx to y for `batch` vectors, which follow each other: W, row-major, and x are float16, y float32. `address`
 * has W, x, y and a workspace of `bytes` bytes. `stream` is a CUstream of the current device, possibly in capture. */
typedef const char *xb_matvec_cublas_fn(uint64_t rows, uint64_t columns, uint64_t batch, const uint64_t address[4],
                                        uint64_t bytes, void *stream);

#endif

/* cublasLtMatmul of cuBLAS, in libxb_peers.so, which opens cuBLAS at run time. The functions return NULL, or an error
 * message. */
#ifndef XB_TENSOR8_CUBLAS_H
#define XB_TENSOR8_CUBLAS_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the current device's handle; must be called before capture. */
typedef const char *xb_tensor8_cublas_open_fn(void);
/* Writes AB to C, rows x inner times inner x columns: A and B int8 and C int32, or float8 (e4m3) and float32. B is
 * column-major. `address` has A, B, C and a workspace of `bytes` bytes. `stream` is a CUstream of the current device,
 * possibly in capture. */
typedef const char *xb_tensor8_cublas_fn(uint64_t rows, uint64_t columns, uint64_t inner, bool int8,
                                         const uint64_t address[4], uint64_t bytes, void *stream);

#endif

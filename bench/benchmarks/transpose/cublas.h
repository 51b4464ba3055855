/* cublasSgeam of cuBLAS, in libxb_peers.so, which opens cuBLAS at run time. The functions return NULL, or an error
 * message. */
#ifndef XB_TRANSPOSE_CUBLAS_H
#define XB_TRANSPOSE_CUBLAS_H

#include <stdint.h>

/* Creates the current device's handle; must be called before capture. */
typedef const char *xb_transpose_cublas_open_fn(void);
/* Writes the transpose of in (rows x columns) to out (columns x rows), float32 in row-major order. `stream` is a
 * CUstream of the current device, possibly in capture. */
typedef const char *xb_transpose_cublas_fn(uint64_t rows, uint64_t columns, uint64_t in, uint64_t out,
                                           uint64_t workspace, uint64_t bytes, void *stream);

#endif

/* cuBLAS's cublasSgeam, in libxb_peers.so, which opens cuBLAS at run time. They return NULL, or what went wrong. */
#ifndef XB_TRANSPOSE_CUBLAS_H
#define XB_TRANSPOSE_CUBLAS_H

#include <stdint.h>

/* Makes the current device's handle, before anything is captured. */
typedef const char *xb_transpose_cublas_open_fn(void);
/* out (columns x rows) is in (rows x columns) transposed, float32 in row-major order; `stream` is a CUstream of the
 * current device, which may be being captured. */
typedef const char *xb_transpose_cublas_fn(uint64_t rows, uint64_t columns, uint64_t in, uint64_t out,
                                           uint64_t workspace, uint64_t bytes, void *stream);

#endif

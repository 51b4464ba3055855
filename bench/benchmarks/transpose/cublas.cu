// C functions that call cuBLAS: see cublas.h.
#include "benchmarks/transpose/cublas.h"
#include "benchmarks/cublas.cuh"

static int (*geam)(Handle, int transa, int transb, int64_t m, int64_t n, const float *alpha, const float *A, int64_t lda,
                   const float *beta, const float *B, int64_t ldb, float *C, int64_t ldc);

static bool find_own(void *library)
{
  return find(library, "cublasSgeam_64", geam);
}

extern "C" const char *xb_transpose_cublas_open()
{
  return open_handle(find_own, nullptr);
}

// A row-major matrix is the column-major form of its transpose: C, column-major, rows x columns, is A transposed.
extern "C" const char *xb_transpose_cublas(uint64_t rows, uint64_t columns, uint64_t in, uint64_t out,
                                           uint64_t workspace, uint64_t bytes, void *stream)
{
  const float one = 1, zero = 0;
  float *const C = reinterpret_cast<float *>(out);
  const int64_t m = static_cast<int64_t>(rows), n = static_cast<int64_t>(columns);
  Handle handle = nullptr;
  if (const char *error = use_handle(stream, workspace, bytes, &handle))
    return error;
  const int status = geam(handle, T, N, m, n, &one, reinterpret_cast<const float *>(in), n, &zero, C, m, C, m);
  return status ? cublas.status(status) : nullptr;
}

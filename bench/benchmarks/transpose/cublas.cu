// The transpose of a matrix of rows x columns, float32, row-major.
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
extern "C" const char *xb_transpose_cublas(const xb_peer_call *c)
{
  const float one = 1, zero = 0;
  const float *const A = reinterpret_cast<const float *>(c->address[0]);
  float *const C = reinterpret_cast<float *>(c->address[1]);
  const int64_t m = static_cast<int64_t>(c->rows), n = static_cast<int64_t>(c->columns);
  Handle handle = nullptr;
  if (const char *error = use_handle(*c, &handle))
    return error;
  const int status = geam(handle, T, N, m, n, &one, A, n, &zero, C, m, C, m);
  return status ? cublas.status(status) : nullptr;
}

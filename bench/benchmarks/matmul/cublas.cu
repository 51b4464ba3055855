// C functions that call cuBLAS: see cublas.h.
#include "benchmarks/matmul/cublas.h"
#include "benchmarks/cublas.cuh"

enum { PEDANTIC_MATH = 2 }; // cublasMath_t: no TF32, and no other order of evaluation than float32's

static int (*set_math_mode)(Handle, int);
static int (*gemm)(Handle, int transa, int transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *A,
                   int64_t lda, const float *B, int64_t ldb, const float *beta, float *C, int64_t ldc);

static bool find_own(void *library)
{
  return find(library, "cublasSetMathMode", set_math_mode) && find(library, "cublasSgemm_v2_64", gemm);
}

static int set_up(Handle handle)
{
  return set_math_mode(handle, PEDANTIC_MATH);
}

extern "C" const char *xb_matmul_cublas_open()
{
  return open_handle(find_own, set_up);
}

// cuBLAS is column-major, where a row-major matrix is its transpose: C' = B'A' needs no transposition.
extern "C" const char *xb_matmul_cublas(uint64_t rows, uint64_t columns, uint64_t inner, const uint64_t address[4],
                                        uint64_t bytes, void *stream)
{
  const float one = 1, zero = 0;
  const int64_t m = static_cast<int64_t>(rows), n = static_cast<int64_t>(columns), k = static_cast<int64_t>(inner);
  Handle handle = nullptr;
  if (const char *error = use_handle(stream, address[3], bytes, &handle))
    return error;
  const int status =
      gemm(handle, N, N, n, m, k, &one, reinterpret_cast<const float *>(address[1]), n,
           reinterpret_cast<const float *>(address[0]), k, &zero, reinterpret_cast<float *>(address[2]), n);
  return status ? cublas.status(status) : nullptr;
}

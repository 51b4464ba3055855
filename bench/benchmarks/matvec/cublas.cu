// C functions that call cuBLAS: see cublas.h.
#include "benchmarks/matvec/cublas.h"
#include "benchmarks/cublas.cuh"

enum { HALF = 2, FLOAT = 0 }; // cudaDataType_t: CUDA_R_16F, CUDA_R_32F
enum { COMPUTE_FLOAT = 68 };  // cublasComputeType_t: CUBLAS_COMPUTE_32F
enum { DEFAULT_METHOD = -1 }; // cublasGemmAlgo_t

static int (*gemm)(Handle, int transa, int transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                   int type_of_a, int64_t lda, const void *B, int type_of_b, int64_t ldb, const void *beta, void *C,
                   int type_of_c, int64_t ldc, int compute, int method);

static bool find_own(void *library)
{
  return find(library, "cublasGemmEx_64", gemm);
}

extern "C" const char *xb_matvec_cublas_open()
{
  return open_handle(find_own, nullptr);
}

// cuBLAS is column-major: row-major W is the transpose of its A; the vectors are the columns of its B and C.
extern "C" const char *xb_matvec_cublas(uint64_t rows, uint64_t columns, uint64_t batch, const uint64_t address[4],
                                        uint64_t bytes, void *stream)
{
  const float one = 1, zero = 0;
  const int64_t m = static_cast<int64_t>(rows), n = static_cast<int64_t>(batch), k = static_cast<int64_t>(columns);
  Handle handle = nullptr;
  if (const char *error = use_handle(stream, address[3], bytes, &handle))
    return error;
  const int status = gemm(handle, T, N, m, n, k, &one, reinterpret_cast<void *>(address[0]), HALF, k,
                          reinterpret_cast<void *>(address[1]), HALF, k, &zero, reinterpret_cast<void *>(address[2]),
                          FLOAT, m, COMPUTE_FLOAT, DEFAULT_METHOD);
  return status ? cublas.status(status) : nullptr;
}

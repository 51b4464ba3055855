// C = AB, row-major: A and B are float16 or, if `what` is not 0, bfloat16; C is float32. The slots are A, C, B.
#include "benchmarks/cublas.cuh"

enum { HALF = 2, BFLOAT = 14, FLOAT = 0 }; // cudaDataType_t: CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F
enum { COMPUTE_FLOAT = 68 };  // cublasComputeType_t: CUBLAS_COMPUTE_32F
enum { DEFAULT_METHOD = -1 }; // cublasGemmAlgo_t

static int (*gemm)(Handle, int transa, int transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                   int type_of_a, int64_t lda, const void *B, int type_of_b, int64_t ldb, const void *beta, void *C,
                   int type_of_c, int64_t ldc, int compute, int method);

static bool find_own(void *library)
{
  return find(library, "cublasGemmEx_64", gemm);
}

extern "C" const char *xb_tensor_cublas_open()
{
  return open_handle(find_own, nullptr);
}

// cuBLAS is column-major, where a row-major matrix is its transpose: C' = B'A' needs no transposition.
extern "C" const char *xb_tensor_cublas(const xb_peer_call *c)
{
  const float one = 1, zero = 0;
  const int64_t m = static_cast<int64_t>(c->rows), n = static_cast<int64_t>(c->columns),
                k = static_cast<int64_t>(c->inner);
  const int type = c->what ? BFLOAT : HALF;
  Handle handle = nullptr;
  if (const char *error = use_handle(*c, &handle))
    return error;
  const int status = gemm(handle, N, N, n, m, k, &one, reinterpret_cast<void *>(c->address[2]), type, n,
                          reinterpret_cast<void *>(c->address[0]), type, k, &zero,
                          reinterpret_cast<void *>(c->address[1]), FLOAT, n, COMPUTE_FLOAT, DEFAULT_METHOD);
  return status ? cublas.status(status) : nullptr;
}

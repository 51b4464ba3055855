// C functions that call cuBLAS: see cublas.h.
#include "benchmarks/cublas.cuh"
#include "benchmarks/tensor8/cublas.h"

namespace
{

enum { FLOAT = 0, INT8 = 3, INT32 = 10, E4M3 = 28 };       // cudaDataType_t
enum { COMPUTE_FLOAT = 68, COMPUTE_INT32 = 72 };           // cublasComputeType_t
enum { TRANSPOSE_A = 3, TRANSPOSE_B = 4, FAST_SUMS = 25 }; // cublasLtMatmulDescAttributes_t
enum { WORKSPACE = 1 };                                    // cublasLtMatmulPreferenceAttributes_t

struct Found { // cublasLtMatmulHeuristicResult_t
  uint64_t method[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

typedef void *Object;
struct {
  int (*describe)(Object *, int compute, int scale);
  int (*set)(Object, int attribute, const void *, size_t);
  int (*forget)(Object);
  int (*lay_out)(Object *, int type, uint64_t rows, uint64_t columns, int64_t ld);
  int (*forget_layout)(Object);
  int (*prefer)(Object *);
  int (*set_preference)(Object, int attribute, const void *, size_t);
  int (*forget_preference)(Object);
  int (*choose)(Handle, Object what, Object a, Object b, Object c, Object d, Object preference, int asked, Found *,
                int *);
  int (*multiply)(Handle, Object what, const void *alpha, const void *A, Object a, const void *B, Object b,
                  const void *beta, const void *C, Object c, void *D, Object d, const void *method, void *workspace,
                  size_t bytes, cudaStream_t);
} lt;

// A handle of cuBLAS is one of cublasLt, too, and libcublas.so needs libcublasLt.so.
bool find_own(void *library)
{
  return find(library, "cublasLtMatmulDescCreate", lt.describe) &&
         find(library, "cublasLtMatmulDescSetAttribute", lt.set) &&
         find(library, "cublasLtMatmulDescDestroy", lt.forget) &&
         find(library, "cublasLtMatrixLayoutCreate", lt.lay_out) &&
         find(library, "cublasLtMatrixLayoutDestroy", lt.forget_layout) &&
         find(library, "cublasLtMatmulPreferenceCreate", lt.prefer) &&
         find(library, "cublasLtMatmulPreferenceSetAttribute", lt.set_preference) &&
         find(library, "cublasLtMatmulPreferenceDestroy", lt.forget_preference) &&
         find(library, "cublasLtMatmulAlgoGetHeuristic", lt.choose) && find(library, "cublasLtMatmul", lt.multiply);
}

} // namespace

extern "C" const char *xb_tensor8_cublas_open()
{
  return open_handle(find_own, nullptr);
}

// cuBLAS is column-major, where a row-major matrix is its transpose: C' = B'A', of which it takes B' transposed.
extern "C" const char *xb_tensor8_cublas(uint64_t rows, uint64_t columns, uint64_t inner, bool int8,
                                         const uint64_t address[4], uint64_t bytes, void *stream)
{
  const float one = 1, zero = 0;
  const int whole_one = 1, transposed = T, straight = N, type = int8 ? INT8 : E4M3, out = int8 ? INT32 : FLOAT;
  const int8_t fast = 1; // sums of float8 as the instruction makes them, as the kernels
  const int64_t k = static_cast<int64_t>(inner), n = static_cast<int64_t>(columns);
  Handle handle = nullptr;
  Object what = nullptr, a = nullptr, b = nullptr, c = nullptr, preference = nullptr;
  Found found;
  int count = 0;
  if (const char *error = use_handle(stream, address[3], bytes, &handle))
    return error;
  int status = lt.describe(&what, int8 ? COMPUTE_INT32 : COMPUTE_FLOAT, out);
  status = status ? status : lt.set(what, TRANSPOSE_A, &transposed, sizeof transposed);
  status = status ? status : lt.set(what, TRANSPOSE_B, &straight, sizeof straight);
  status = status || int8 ? status : lt.set(what, FAST_SUMS, &fast, sizeof fast);
  status = status ? status : lt.lay_out(&b, type, inner, columns, k);
  status = status ? status : lt.lay_out(&a, type, inner, rows, k);
  status = status ? status : lt.lay_out(&c, out, columns, rows, n);
  status = status ? status : lt.prefer(&preference);
  status = status ? status : lt.set_preference(preference, WORKSPACE, &bytes, sizeof bytes);
  status = status ? status : lt.choose(handle, what, b, a, c, c, preference, 1, &found, &count);
  void *const C = reinterpret_cast<void *>(address[2]);
  const void *const alpha = int8 ? static_cast<const void *>(&whole_one) : &one;
  if (!status && count) // a zero has the same bits in both types
    status = lt.multiply(handle, what, alpha, reinterpret_cast<const void *>(address[1]), b,
                         reinterpret_cast<const void *>(address[0]), a, &zero, C, c, C, c, found.method,
                         reinterpret_cast<void *>(address[3]), bytes, static_cast<cudaStream_t>(stream));
  if (preference)
    lt.forget_preference(preference);
  for (Object layout : {a, b, c})
    if (layout)
      lt.forget_layout(layout);
  if (what)
    lt.forget(what);
  return status ? cublas.status(status) : count ? nullptr : "cublasLtMatmulAlgoGetHeuristic found no method";
}

// C functions that call cuBLAS: see cublas.h. cuBLAS is declared here and opened at run time, so that neither the build
// nor the program requires it.
#include "benchmarks/tensor/cublas.h"

#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <map>

namespace {

typedef struct cublasContext *Handle;
enum { N = 0 };               // cublasOperation_t
enum { HALF = 2, FLOAT = 0 }; // cudaDataType_t: CUDA_R_16F, CUDA_R_32F
enum { COMPUTE_FLOAT = 68 };  // cublasComputeType_t: CUBLAS_COMPUTE_32F
enum { DEFAULT_METHOD = -1 }; // cublasGemmAlgo_t

struct {
  int (*create)(Handle *);
  int (*set_stream)(Handle, cudaStream_t);
  int (*set_workspace)(Handle, void *, size_t);
  int (*gemm)(Handle, int transa, int transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
              int type_of_a, int64_t lda, const void *B, int type_of_b, int64_t ldb, const void *beta, void *C,
              int type_of_c, int64_t ldc, int compute, int method);
  const char *(*status)(int);
} cublas;

// One handle per device, kept until exit: a device may have several cells, recorded in any order.
std::map<int, Handle> handles;
char why[256];

template <typename F> bool find(void *library, const char *name, F &function)
{
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function)
    snprintf(why, sizeof why, "libcublas.so has no %s: 12.0 or newer is needed", name);
  return function;
}

bool open_library()
{
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so"};
  void *library = nullptr;
  for (const char *name : names)
    if ((library = dlopen(name, RTLD_NOW | RTLD_LOCAL)))
      break;
  if (!library) {
    snprintf(why, sizeof why, "neither libcublas.so.13 nor libcublas.so.12 is installed (it comes with the CUDA toolkit)");
    return false;
  }
  return find(library, "cublasCreate_v2", cublas.create) && find(library, "cublasSetStream_v2", cublas.set_stream) &&
         find(library, "cublasSetWorkspace_v2", cublas.set_workspace) &&
         find(library, "cublasGemmEx_64", cublas.gemm) && find(library, "cublasGetStatusString", cublas.status);
}

} // namespace

extern "C" const char *xb_tensor_cublas_open()
{
  int current = 0;
  if (!cublas.status && !open_library())
    return why;
  const cudaError_t error = cudaGetDevice(&current);
  if (error)
    return cudaGetErrorString(error);
  if (handles.count(current))
    return nullptr;
  Handle handle = nullptr;
  const int status = cublas.create(&handle);
  if (!status) {
    handles[current] = handle;
    return nullptr;
  }
  snprintf(why, sizeof why, "cublasCreate: %s", cublas.status(status));
  return why;
}

// cuBLAS is column-major, where a row-major matrix is its transpose: C' = B'A' needs no transposition.
extern "C" const char *xb_tensor_cublas(uint64_t rows, uint64_t columns, uint64_t inner, const uint64_t address[4],
                                        uint64_t bytes, void *stream)
{
  const float one = 1, zero = 0;
  const int64_t m = static_cast<int64_t>(rows), n = static_cast<int64_t>(columns), k = static_cast<int64_t>(inner);
  int current = 0;
  const cudaError_t error = cudaGetDevice(&current);
  if (error)
    return cudaGetErrorString(error);
  const auto found = handles.find(current);
  if (found == handles.end())
    return "cuBLAS was not opened for this device";
  const Handle handle = found->second;
  int status = cublas.set_stream(handle, static_cast<cudaStream_t>(stream));
  if (!status) // cuBLAS would allocate its own workspace, and an allocation cannot be captured
    status = cublas.set_workspace(handle, reinterpret_cast<void *>(address[3]), bytes);
  if (!status)
    status = cublas.gemm(handle, N, N, n, m, k, &one, reinterpret_cast<void *>(address[1]), HALF, n,
                         reinterpret_cast<void *>(address[0]), HALF, k, &zero, reinterpret_cast<void *>(address[2]),
                         FLOAT, n, COMPUTE_FLOAT, DEFAULT_METHOD);
  return status ? cublas.status(status) : nullptr;
}

// What the callers of cuBLAS share. It is declared here and opened at run time, so that neither the build nor the
// program requires it. Each caller has handles of its own, because settings belong to a handle.
#ifndef XB_CUBLAS_CUH
#define XB_CUBLAS_CUH

#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <map>
#include <mutex>

namespace {

typedef struct cublasContext *Handle;
enum { N = 0, T = 1 }; // cublasOperation_t

struct {
  int (*create)(Handle *);
  int (*set_stream)(Handle, cudaStream_t);
  int (*set_workspace)(Handle, void *, size_t);
  const char *(*status)(int);
} cublas;

// One handle per device, kept until exit: a device may have several cells, recorded in any order. A handle is for one
// thread: threads that share a device have one each.
thread_local std::map<int, Handle> handles;
thread_local char why[256];
std::mutex opening;

template <typename F> bool find(void *library, const char *name, F &function)
{
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function)
    snprintf(why, sizeof why, "libcublas.so has no %s: 12.0 or newer is needed", name);
  return function;
}

// `find_own` finds the functions of the caller.
bool open_library(bool (*find_own)(void *library))
{
  const std::lock_guard<std::mutex> alone(opening);
  if (cublas.status)
    return true;
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
         find(library, "cublasSetWorkspace_v2", cublas.set_workspace) && find_own(library) &&
         find(library, "cublasGetStatusString", cublas.status);
}

// Makes the handle of the current device, and sets it up. Returns NULL, or an error message.
const char *open_handle(bool (*find_own)(void *library), int (*set_up)(Handle))
{
  int current = 0;
  if (!open_library(find_own))
    return why;
  const cudaError_t error = cudaGetDevice(&current);
  if (error)
    return cudaGetErrorString(error);
  if (handles.count(current))
    return nullptr;
  Handle handle = nullptr;
  int status = cublas.create(&handle);
  status = status || !set_up ? status : set_up(handle);
  if (!status) {
    handles[current] = handle;
    return nullptr;
  }
  snprintf(why, sizeof why, "cublasCreate: %s", cublas.status(status));
  return why;
}

// The handle of the current device, with this stream and workspace. cuBLAS would allocate its own workspace, and an
// allocation cannot be captured. Returns NULL, or an error message.
const char *use_handle(void *stream, uint64_t workspace, uint64_t bytes, Handle *handle)
{
  int current = 0;
  const cudaError_t error = cudaGetDevice(&current);
  if (error)
    return cudaGetErrorString(error);
  const auto found = handles.find(current);
  if (found == handles.end())
    return "cuBLAS was not opened for this device";
  *handle = found->second;
  int status = cublas.set_stream(*handle, static_cast<cudaStream_t>(stream));
  if (!status)
    status = cublas.set_workspace(*handle, reinterpret_cast<void *>(workspace), bytes);
  return status ? cublas.status(status) : nullptr;
}

} // namespace

#endif

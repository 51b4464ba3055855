// What the callers of CUB share.
#ifndef XB_CUB_CUH
#define XB_CUB_CUH

#include "benchmarks/peer.h"

#include <cstddef>
#include <cuda_runtime.h>

template <typename T> T *array(uint64_t address)
{
  return reinterpret_cast<T *>(address);
}

// Defines NAME and NAME_bytes (library.h). `function` calls CUB, which without a workspace only says how large it is.
#define XB_CUB(name, function)                                                                                         \
  extern "C" const char *name##_bytes(const xb_peer_call *call, uint64_t *bytes)                                       \
  {                                                                                                                    \
    size_t needed = 0;                                                                                                 \
    const cudaError_t error = function(*call, nullptr, needed);                                                        \
    *bytes = needed;                                                                                                   \
    return error ? cudaGetErrorString(error) : nullptr;                                                                \
  }                                                                                                                    \
  extern "C" const char *name(const xb_peer_call *call)                                                                \
  {                                                                                                                    \
    size_t given = call->bytes;                                                                                        \
    const cudaError_t error = function(*call, array<void>(call->workspace), given);                                    \
    return error ? cudaGetErrorString(error) : nullptr;                                                                \
  }

#endif

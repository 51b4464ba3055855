#include "cu.h"

const char *cu_result_name(const cu_symbols *cu, CUresult result)
{
  const char *name = NULL;
  if (cu->GetErrorName(result, &name) || !name)
    return "CUDA_ERROR_?";
  return name;
}

xb_code cu_code(CUresult result)
{
  switch (result) {
  case CUDA_SUCCESS: return XB_OK;
  case CUDA_ERROR_OUT_OF_MEMORY: return XB_NOMEM;

  case CUDA_ERROR_STUB_LIBRARY:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_DEVICE_NOT_LICENSED:
  case CUDA_ERROR_SYSTEM_NOT_READY:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
  case CUDA_ERROR_MPS_CONNECTION_FAILED:
  case CUDA_ERROR_MPS_SERVER_NOT_READY:
  case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
  case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED: return XB_UNAVAILABLE;

  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
  case CUDA_ERROR_NOT_SUPPORTED: return XB_UNSUPPORTED;

  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_MPS_RPC_FAILURE:
  case CUDA_ERROR_MPS_CLIENT_TERMINATED:
  case CUDA_ERROR_EXTERNAL_DEVICE:
  case CUDA_ERROR_UNKNOWN: return XB_LOST;

  default: return XB_INTERNAL;
  }
}

bool cu_refuses_handle(CUresult result)
{
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_INVALID_HANDLE ||
         result == CUDA_ERROR_OPERATING_SYSTEM || result == CUDA_ERROR_UNKNOWN;
}

xb_code cu_fail(const cu_symbols *cu, xb_error *err, const char *call, CUresult result)
{
  return xb_fail_native(err, cu_code(result), call, (int)result, cu_result_name(cu, result), "%s", "");
}

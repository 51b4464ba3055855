#include "dx.h"

enum { /* missing in vkd3d's headers */
       REMOVED = (int)0x887a0005,
       HUNG = (int)0x887a0006,
       RESET = (int)0x887a0007,
       DRIVER_INTERNAL_ERROR = (int)0x887a0020,
       UNSUPPORTED = (int)0x887a0004,
};

const char *dx_result_name(HRESULT result)
{
  switch (result) {
  case S_OK: return "S_OK";
  case E_NOTIMPL: return "E_NOTIMPL";
  case E_NOINTERFACE: return "E_NOINTERFACE";
  case E_ABORT: return "E_ABORT";
  case E_FAIL: return "E_FAIL";
  case E_OUTOFMEMORY: return "E_OUTOFMEMORY";
  case E_INVALIDARG: return "E_INVALIDARG";
  case REMOVED: return "DXGI_ERROR_DEVICE_REMOVED";
  case HUNG: return "DXGI_ERROR_DEVICE_HUNG";
  case RESET: return "DXGI_ERROR_DEVICE_RESET";
  case DRIVER_INTERNAL_ERROR: return "DXGI_ERROR_DRIVER_INTERNAL_ERROR";
  case UNSUPPORTED: return "DXGI_ERROR_UNSUPPORTED";
  default: return "HRESULT_UNKNOWN";
  }
}

const char *dx_reason_text(HRESULT reason)
{
  switch (reason) {
  case HUNG: return "a command was invalid, or ran longer than the system allows";
  case RESET: return "the GPU was reset, perhaps because of another program";
  case DRIVER_INTERNAL_ERROR: return "a fault in the driver";
  case REMOVED: return "the GPU was taken away, or its driver changed";
  case E_OUTOFMEMORY: return "memory ran out";
  default: return "see the system's log";
  }
}

static xb_code code_of(HRESULT result)
{
  switch (result) {
  case E_OUTOFMEMORY: return XB_NOMEM;
  case E_NOTIMPL:
  case UNSUPPORTED: return XB_UNSUPPORTED;
  case REMOVED:
  case HUNG:
  case RESET:
  case DRIVER_INTERNAL_ERROR: return XB_LOST;
  default: return XB_INTERNAL;
  }
}

xb_code dx_fail(xb_error *err, const char *call, HRESULT result)
{
  char message[256];
  dx_take_message(message, sizeof message);
  const xb_code code = code_of(result);
  return xb_fail_native(err, code, call, (int)result, dx_result_name(result), "%s",
                        *message || code != XB_LOST ? message : dx_reason_text(result));
}

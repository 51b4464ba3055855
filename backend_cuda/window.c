/* Accesses that persist in the L2 cache: a part of it is set aside for them, and a window says which they are. */
#include "cu.h"

/* The limit belongs to the context. What persisted becomes normal, so that no later work finds less cache. */
xb_code cu_persist(xb_be_device *d, uint64_t bytes, uint64_t *set, xb_error *err)
{
  const char *call = "cuCtxSetLimit";
  size_t got = 0;
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  CUresult result = d->cu->CtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, bytes);
  if (result == CUDA_ERROR_UNSUPPORTED_LIMIT || result == CUDA_ERROR_NOT_SUPPORTED)
    return xb_fail_native(err, XB_UNSUPPORTED, call, (int)result, cu_result_name(d->cu, result),
                          "the driver sets no L2 cache aside: is this a MIG device?");
  if (!result) {
    d->persists = bytes > 0;
    call = "cuCtxGetLimit";
    result = d->cu->CtxGetLimit(&got, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
  }
  if (!result && !bytes) {
    call = "cuCtxResetPersistingL2Cache";
    result = d->cu->CtxResetPersistingL2Cache();
  }
  *set = got;
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

void cu_persist_close(xb_be_device *d)
{
  if (!d->persists || !cu_enter_to_free(d))
    return;
  d->cu->CtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
  d->cu->CtxResetPersistingL2Cache();
}

CUaccessPolicyWindow cu_window_of(const xb_be_dispatch *dispatch)
{
  const xb_window *w = &dispatch->window;
  if (!w->bytes)
    return (CUaccessPolicyWindow){0};
  const xb_be_binding *binding = &dispatch->bindings[w->binding];
  return (CUaccessPolicyWindow){.base_ptr = (void *)(uintptr_t)(binding->buffer->address + binding->offset + w->offset),
                                .num_bytes = w->bytes,
                                .hitRatio = w->hit_ratio,
                                .hitProp = CU_ACCESS_PROPERTY_PERSISTING,
                                .missProp = CU_ACCESS_PROPERTY_STREAMING};
}

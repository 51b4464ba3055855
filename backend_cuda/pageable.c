/* Copies of pageable memory, which the driver stages itself: it returns when it has read or written all of it. On a
 * stream of our own, because the default stream waits for nothing of ours. */
#include "cu.h"

/* An upload may still be on its way from the driver's own memory. */
static xb_code finish(const xb_be_device *d, const char *call, CUresult result, xb_error *err)
{
  if (result)
    return cu_fail(d->cu, err, call, result);
  result = cu_poll(d, d->side, NULL, CU_SETTLE_NS);
  if (result == CUDA_ERROR_NOT_READY)
    return xb_fail(err, XB_TIMEOUT, call, "the copy did not finish within 10 s; the device is now unusable");
  return result ? cu_fail(d->cu, err, "cuStreamQuery", result) : XB_OK;
}

/* One call. */
xb_code cu_upload(xb_be_device *d, const xb_be_binding *to, const void *from, xb_error *err)
{
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  return finish(d, "cuMemcpyHtoDAsync",
                d->cu->MemcpyHtoDAsync(to->buffer->address + to->offset, from, to->size, d->side), err);
}

/* One call. */
xb_code cu_download(xb_be_device *d, void *to, const xb_be_binding *from, xb_error *err)
{
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  return finish(d, "cuMemcpyDtoHAsync",
                d->cu->MemcpyDtoHAsync(to, from->buffer->address + from->offset, from->size, d->side), err);
}

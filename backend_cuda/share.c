/* Memory that another API exported. CUDA itself exports none that others import. */
#include "cu.h"

xb_code cu_open_shared(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = desc->shared.fd,
      .size = desc->shared.bytes,
      .flags = CUDA_EXTERNAL_MEMORY_DEDICATED,
  };
  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC range = {.size = desc->bytes};
  CUexternalMemory opened = NULL;
  CUresult result = d->cu->ImportExternalMemory(&opened, &memory);
  if (result == CUDA_ERROR_INVALID_VALUE)
    return xb_fail_native(err, XB_INVALID, "cuImportExternalMemory", (int)result, cu_result_name(d->cu, result),
                          "file descriptor %d is no memory of this GPU", desc->shared.fd);
  if (result)
    return cu_fail(d->cu, err, "cuImportExternalMemory", result);
  b->shared = opened;
  result = d->cu->ExternalMemoryGetMappedBuffer(&b->address, opened, &range);
  return result ? cu_fail(d->cu, err, "cuExternalMemoryGetMappedBuffer", result) : XB_OK;
}

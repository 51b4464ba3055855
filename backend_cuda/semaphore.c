/* Timeline semaphores that another API made. CUDA has none to export. */
#include "cu.h"

#include <stdlib.h>

/* Import a timeline semaphore. */
static xb_code import(xb_be_device *d, int fd, xb_be_semaphore *s, xb_error *err)
{
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {
      .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
      .handle.fd = fd,
  };
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  CUexternalSemaphore handle = NULL;
  const CUresult result = d->cu->ImportExternalSemaphore(&handle, &desc);
  if (cu_refuses_handle(result))
    return xb_fail_native(err, XB_INVALID, "cuImportExternalSemaphore", (int)result, cu_result_name(d->cu, result),
                          "file descriptor %d is not a timeline semaphore of this GPU", fd);
  if (result)
    return cu_fail(d->cu, err, "cuImportExternalSemaphore", result);
  s->handle = handle;
  return XB_OK;
}

xb_code cu_semaphore_create(xb_be_device *d, int fd, xb_be_semaphore **semaphore, xb_error *err)
{
  xb_be_semaphore *s = calloc(1, sizeof *s);
  if (!s)
    return cu_no_host_memory(err, "xb_semaphore_import");
  const xb_code code = import(d, fd, s, err);
  if (code) {
    free(s);
    return code;
  }
  *semaphore = s;
  return XB_OK;
}

xb_code cu_semaphore_export(xb_be_device *d, xb_be_semaphore *s, int *fd, xb_error *err)
{
  (void)d, (void)s, (void)fd;
  return xb_fail(err, XB_UNSUPPORTED, "xb_semaphore_export", "CUDA cannot export semaphores");
}

void cu_semaphore_destroy(xb_be_device *d, xb_be_semaphore *s)
{
  if (cu_enter_to_free(d))
    d->cu->DestroyExternalSemaphore(s->handle);
  free(s);
}

/* Semaphores that several devices know. */
#define _GNU_SOURCE /* os/imports.h */
#include "internal.h"
#include "os/imports.h"

#include <inttypes.h>
#include <stdlib.h>

static xb_code make(xb_device *device, const char *where, int fd, xb_semaphore **semaphore, xb_error *err)
{
  xb_semaphore *s = calloc(1, sizeof *s);
  if (!s)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  const xb_code code = device->backend->semaphore_create(device->be, fd, &s->be, err);
  if (code) {
    free(s);
    return xb_device_result(device, code);
  }
  s->device = device;
  s->imported = fd >= 0;
  s->refs = 1;
  device->alive++;
  *semaphore = s;
  return XB_OK;
}

xb_code xb_semaphore_create(xb_device *device, xb_semaphore **semaphore, xb_error *err)
{
  const char *const where = "xb_semaphore_create";
  if (!device || !semaphore)
    return xb_fail(err, XB_INVALID, where, "the device or the result pointer is NULL");
  *semaphore = NULL;
  const xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (!device->info.exports_semaphores)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' cannot export semaphores through %s", device->info.name,
                   device->info.backend);
  return make(device, where, -1, semaphore, err);
}

xb_code xb_semaphore_import(xb_device *device, int fd, xb_semaphore **semaphore, xb_error *err)
{
  const char *const where = "xb_semaphore_import";
  if (!device || !semaphore)
    return xb_fail(err, XB_INVALID, where, "the device or the result pointer is NULL");
  *semaphore = NULL;
  const xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (!device->info.imports_semaphores)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' cannot import semaphores through %s", device->info.name,
                   device->info.backend);
  if (fd < 0)
    return xb_fail(err, XB_INVALID, where, "file descriptor %d: pass the result of xb_semaphore_export", fd);
  const char *refused = xb_plain_descriptor(fd, 0);
  if (refused)
    return xb_fail(err, XB_INVALID, where, "file descriptor %d %s: pass the result of xb_semaphore_export", fd,
                   refused);
  return make(device, where, fd, semaphore, err);
}

xb_code xb_semaphore_export(xb_semaphore *s, int *fd, xb_error *err)
{
  const char *const where = "xb_semaphore_export";
  if (!s || !fd)
    return xb_fail(err, XB_INVALID, where, "the semaphore or the result pointer is NULL");
  *fd = -1;
  const xb_code code = xb_device_usable(s->device, where, err);
  if (code)
    return code;
  if (s->imported)
    return xb_fail(err, XB_INVALID, where, "the semaphore is imported: export it on the device that made it");
  return xb_device_result(s->device, s->device->backend->semaphore_export(s->device->be, s->be, fd, err));
}

xb_code xb_semaphores_check(const xb_device *device, const xb_submission *s, xb_error *err)
{
  const char *const where = "xb_submit";
  if ((s->wait && s->wait->device != device) || (s->signal && s->signal->device != device))
    return xb_fail(err, XB_INVALID, where, "a semaphore of another device: import it with xb_semaphore_import");
  if (s->signal && s->signal_value <= s->signal->signalled)
    return xb_fail(err, XB_INVALID, where,
                   "the semaphore's new value %" PRIu64 " is not above its last value %" PRIu64 ": a value must grow",
                   s->signal_value, s->signal->signalled);
  return XB_OK;
}

xb_semaphore *xb_semaphore_retain(xb_semaphore *s)
{
  if (s)
    s->refs++;
  return s;
}

void xb_semaphore_release(xb_semaphore *s)
{
  if (!s || --s->refs)
    return;
  s->device->backend->semaphore_destroy(s->device->be, s->be);
  free(s);
}

void xb_semaphore_destroy(xb_semaphore *s)
{
  if (!s || xb_device_is_foreign(s->device))
    return;
  s->device->alive--;
  xb_semaphore_release(s);
}

/* Semaphores of this process: the value is a page of a file without a name, so it lives as long as somebody has it. */
#define _GNU_SOURCE /* memfd_create */
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

xb_code host_semaphore_create(xb_be_device *device, int fd, xb_be_semaphore **semaphore, xb_error *err)
{
  const char *const where = "semaphore_create";
  const xb_code code = host_call(device, where, err);
  if (code)
    return code;
  xb_be_semaphore *s = calloc(1, sizeof *s);
  const int file = fd < 0 ? memfd_create("semaphore", 0) : fd;
  const bool sized = fd >= 0 || !ftruncate(file, PAGE);
  void *page = s && sized ? mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (page == MAP_FAILED) {
    if (fd < 0)
      close(file);
    free(s);
    return xb_fail(err, fd < 0 ? XB_NOMEM : XB_INVALID, where, "file descriptor %d is no semaphore", fd);
  }
  *s = (xb_be_semaphore){.device = device, .file = file, .value = page};
  host_counters.semaphores++;
  *semaphore = s;
  return XB_OK;
}

xb_code host_semaphore_export(xb_be_device *device, xb_be_semaphore *s, int *fd, xb_error *err)
{
  const xb_code code = host_call(device, "semaphore_export", err);
  if (code)
    return code;
  *fd = dup(s->file);
  return *fd < 0 ? xb_fail(err, XB_NOMEM, "semaphore_export", "no file descriptor") : XB_OK;
}

void host_semaphore_destroy(xb_be_device *device, xb_be_semaphore *s)
{
  host_free_call(device, "semaphore_destroy");
  if (!host_promise(!host_semaphore_in_flight(s), "semaphore_destroy", "the semaphore is in flight"))
    return;
  host_counters.semaphores--;
  munmap(s->value, PAGE);
  close(s->file);
  free(s);
}

/* Semaphores: the value is a page of a file without a name, so that it lives as long as somebody has it. The file is
 * sealed, and says behind the value what it is: no other file is written to. */
#define _GNU_SOURCE /* memfd_create */
#include "cpu.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
static const uint64_t MARK = 0x65726f6870616d65; /* "emaphore" */

static bool is_semaphore(int file)
{
  uint64_t mark;
  return fcntl(file, F_GET_SEALS) == SEALS && pread(file, &mark, sizeof mark, sizeof mark) == sizeof mark &&
         mark == MARK;
}

/* -1: no memory, or no descriptor is free. */
static int make_file(void)
{
  const int file = memfd_create("xb_semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file >= 0 && !ftruncate(file, PAGE) && pwrite(file, &MARK, sizeof MARK, sizeof MARK) == sizeof MARK &&
      !fcntl(file, F_ADD_SEALS, SEALS))
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

xb_code cpu_semaphore_create(xb_be_device *device, int fd, xb_be_semaphore **semaphore, xb_error *err)
{
  const char *const where = "xb_semaphore_create";
  (void)device;
  if (fd >= 0 && !is_semaphore(fd))
    return xb_fail(err, XB_INVALID, where, "file descriptor %d is not a semaphore of this backend", fd);
  xb_be_semaphore *s = calloc(1, sizeof *s);
  const int file = fd < 0 ? make_file() : fd;
  void *page = s && file >= 0 ? mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (page == MAP_FAILED) {
    if (fd < 0 && file >= 0)
      close(file);
    free(s);
    return xb_fail(err, XB_NOMEM, where, "no memory for its value");
  }
  *s = (xb_be_semaphore){.file = file, .value = page};
  *semaphore = s;
  return XB_OK;
}

xb_code cpu_semaphore_export(xb_be_device *device, xb_be_semaphore *s, int *fd, xb_error *err)
{
  (void)device;
  *fd = dup(s->file);
  return *fd < 0 ? xb_fail(err, XB_NOMEM, "xb_semaphore_export", "no file descriptor is free") : XB_OK;
}

void cpu_semaphore_destroy(xb_be_device *device, xb_be_semaphore *s)
{
  (void)device;
  munmap(s->value, PAGE);
  close(s->file);
  free(s);
}

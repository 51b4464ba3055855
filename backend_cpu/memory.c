/* Buffers. Pages that nobody may touch lie in front of a buffer and behind it. What is left between them and the buffer
 * has a pattern, which is compared after each dispatch that could write there:
 *
 *     closed pages | pattern | buffer | pattern, less than ALIGN | closed pages
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 256, PATTERN = 0xA7 };
static const uint64_t CLOSED = UINT64_C(1) << 20; /* an index that is wrong by a row or two still ends there */

uint64_t cpu_available_bytes(void)
{
  unsigned long long kib = 0;
  char line[128];
  FILE *file = fopen("/proc/meminfo", "re");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %llu kB", &kib) != 1)
    ;
  if (file)
    fclose(file);
  return (uint64_t)kib << 10;
}

static xb_code no_memory(const xb_buffer_desc *desc, xb_error *err)
{
  return xb_fail(err, XB_NOMEM, "xb_buffer_create", "%" PRIu64 " bytes requested, %" PRIu64 " are free", desc->bytes,
                 cpu_available_bytes());
}

static xb_code map(xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t behind = (ALIGN - desc->bytes % ALIGN) % ALIGN;
  const uint64_t open = (desc->bytes + behind + page - 1) / page * page;
  /* The system promises more than it has, and then ends the program. */
  if (desc->bytes > cpu_available_bytes())
    return no_memory(desc, err);
  uint8_t *all = mmap(NULL, open + 2 * CLOSED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return no_memory(desc, err);
  b->mapped = all;
  b->mapped_bytes = open + 2 * CLOSED;
  if (mprotect(all + CLOSED, open, PROT_READ | PROT_WRITE))
    return no_memory(desc, err);
  b->front = open - desc->bytes - behind;
  b->behind = behind;
  b->data = all + CLOSED + b->front;
  memset(b->data - b->front, PATTERN, b->front);
  memset(b->data + b->bytes, PATTERN, behind);
  return XB_OK;
}

/* [buffer] Memory of the process. Host and device see the same bytes. */
xb_code cpu_buffer_create(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                          xb_error *err)
{
  if (desc->mem == XB_MEM_SHARED || desc->exportable)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create", "the emulation does not share memory with other devices");
  xb_be_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return xb_fail(err, XB_NOMEM, "xb_buffer_create", "out of host memory");
  b->bytes = desc->bytes;
  b->data = desc->host;
  snprintf(b->label, sizeof b->label, "%s", desc->label ? desc->label : "");
  const xb_code code = desc->mem == XB_MEM_IMPORTED ? XB_OK : map(b, desc, err);
  if (code) {
    cpu_buffer_destroy(d, b);
    return code;
  }
  if (desc->addressable) {
    pthread_mutex_lock(&d->lock);
    b->next = d->addressable;
    d->addressable = b;
    pthread_mutex_unlock(&d->lock);
  }
  *buffer = b;
  *host = desc->mem == XB_MEM_DEVICE ? NULL : b->data;
  return XB_OK;
}

void cpu_buffer_destroy(xb_be_device *d, xb_be_buffer *b)
{
  if (d->stuck)
    return;
  pthread_mutex_lock(&d->lock);
  for (xb_be_buffer **p = &d->addressable; *p; p = &(*p)->next)
    if (*p == b) {
      *p = b->next;
      break;
    }
  pthread_mutex_unlock(&d->lock);
  if (b->mapped)
    munmap(b->mapped, b->mapped_bytes);
  free(b);
}

xb_code cpu_buffer_flush(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  (void)d, (void)b, (void)err;
  return XB_OK;
}

uint64_t cpu_buffer_native(xb_be_buffer *b)
{
  return (uint64_t)(uintptr_t)b->data;
}

uint64_t cpu_device_free_bytes(xb_be_device *d)
{
  (void)d;
  const uint64_t available = cpu_available_bytes();
  return available ? available : 1;
}

/* The first byte of [at, at + bytes) that lost its pattern; -1: none did. */
static int64_t changed(const uint8_t *at, uint64_t bytes)
{
  for (uint64_t i = 0; i < bytes; i++)
    if (at[i] != PATTERN)
      return (int64_t)i;
  return -1;
}

bool cpu_buffer_intact(xb_be_buffer *b, int64_t *offset)
{
  const int64_t front = changed(b->data - b->front, b->front), behind = changed(b->data + b->bytes, b->behind);
  if (front < 0 && behind < 0)
    return true;
  *offset = front >= 0 ? front - (int64_t)b->front : (int64_t)b->bytes + behind;
  memset(b->data - b->front, PATTERN, b->front); /* the next dispatch is not to blame */
  memset(b->data + b->bytes, PATTERN, b->behind);
  return false;
}

bool cpu_buffer_near(const xb_be_buffer *b, const void *address)
{
  const uintptr_t at = (uintptr_t)address, from = (uintptr_t)b->mapped;
  return b->mapped && at >= from && at < from + b->mapped_bytes;
}
